"""Stores made of files: byte-exact changes, atomic replacement, undo (S-4, S-6, S-7, S-51).

A format says what its bytes mean (`load`, `parse`) and how one change looks in them
(`revise`, on a Draft). Everything else is here, once: working plans out, checking that only
the intended records change, writing, judging a cut-off write, taking one back.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from memtui.errors import Conflict, Refused
from memtui.formats import atomic
from memtui.formats.base import Adapter, Planned, Reading, Receipt, Record, Standing, Write, unlike
from memtui.formats.draft import Draft, FileEdit, Hunk, Shifts, digest, undo_edit

# One step of a batch: it makes its change in the draft. The second, if any, is another way to
# the same end, for where the first cannot be gone.
Step = tuple[Callable[[Draft], Planned], Callable[[Draft], Planned] | None]


class FileStore(Adapter):
    """An adapter over files. A format adds load, parse, revise, recognise and supports."""

    @abstractmethod
    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        """All files of the store by name, and their permission bits."""

    @abstractmethod
    def parse(self, files: Mapping[str, bytes]) -> Reading:
        """What the bytes say. Pure."""

    @abstractmethod
    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        """Make one change in the draft; `record` is None for add. Raises Refused.

        Sets `draft.wide` where records beside this one change with it."""

    def take_back(self, draft: Draft, plan: Planned) -> None:
        """Undo in the draft what carried-out `plan` did. Raises Refused, with code
        "changed-since" where the memory may still be put back in another way."""
        for edit in reversed(plan.edits):
            undo_edit(draft, edit)

    @property
    def folder(self) -> Path:
        """The folder in which the store's files have their names."""
        return self.root if self.root.is_dir() else self.root.parent

    # -- reading

    def read(self) -> Reading:
        return self.parse(self.load()[0])

    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        wanted = set(refs)
        return {r.ref: r for r in self.read().records if r.ref in wanted}

    # -- planning

    def plan(self, writes: Sequence[Write]) -> list[Planned | Refused]:
        reason = self.locked()
        if reason:
            return [Refused("read-only", reason, "Nothing was changed.") for _ in writes]
        files, modes = self.load()
        before = self.parse(files)
        by_ref = {record.ref: record for record in before.records}

        def step(write: Write) -> Step:
            return lambda draft: self._plan_one(draft, by_ref, write), None

        return self._work_out(before, Draft(files, modes), [step(write) for write in writes])

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Planned:
        self.check(write)
        record = None
        if write.action != "add":
            record = by_ref.get(write.ref)
            if record is None:
                raise Conflict(
                    "Not saved: the memory is no longer in the store as it was read.",
                    dict(write.fields),
                    _instead(by_ref.values(), write),
                )
            theirs = unlike(record, write.seen)
            if theirs:
                raise Conflict(
                    "Not saved: the memory changed in the store since it was read.",
                    {k: write.fields.get(k) for k in theirs},
                    theirs,
                )
            at = draft.shifts.where(record.at)
            if at is None:
                raise Refused("gone", "Another change in this batch took it away.")
            record = replace(record, at=at)
        self.revise(draft, record, write)
        removed = dict(record.fields) if record is not None and write.action == "dismiss" else None
        edits = draft.take_edits()
        ref = record.ref if record is not None else None
        return Planned(ref, None, edits, wide=draft.wide, removed=removed)

    # -- taking back

    def reverse(self, plans: Sequence[Planned]) -> list[Planned | Refused]:
        reason = self.locked()
        if reason:
            return [Refused("read-only", reason, "Nothing was changed.") for _ in plans]
        files, modes = self.load()
        before = self.parse(files)
        here = {record.ref: record for record in before.records}
        brought = {plan.ref for plan in plans}
        steps = [self._way_back(before, here, plan, brought) for plan in plans]
        return self._work_out(before, Draft(files, modes), steps)

    def _way_back(
        self, before: Reading, here: Mapping[str, Record], plan: Planned, brought: set[str | None]
    ) -> Step:
        now = here.get(plan.ref_after or "")
        removed = (dict(now.fields) if now is not None else {}) if plan.ref is None else None

        def reversed_plan(draft: Draft) -> Planned:
            ref = plan.ref_after
            if ref is not None and now is None and ref not in brought:
                # Renumbered or renamed meanwhile: the record is known by its place then.
                ref = _touched(before, draft) or ref
            edits = draft.take_edits()
            return Planned(ref, plan.ref, edits, wide=plan.wide, removed=removed)

        def directly(draft: Draft) -> Planned:
            self.take_back(draft, plan)
            return reversed_plan(draft)

        def anew(draft: Draft) -> Planned:
            self.revise(draft, None, Write("add", "", plan.removed or {}, {}, 0.0))
            return reversed_plan(draft)

        return directly, None if plan.removed is None else anew

    # -- working out

    def _work_out(self, before: Reading, draft: Draft, steps: Sequence[Step]) -> list[Planned | Refused]:
        """Take the steps, each on top of those before it.

        The outcome is read back; where it is not what the plans say and nothing else, halves of
        the batch are tried, down to the step that is to blame, and that one is refused."""
        out: list[Planned | Refused] = []

        def run(some: Sequence[Step]) -> None:
            mark = draft.mark()
            answers = [_take(draft, step) for step in some]
            trouble = self._settled(before, draft, out + answers)[1]
            if trouble:
                draft.back_to(mark)
            if trouble and len(some) > 1:
                run(some[: len(some) // 2])
                run(some[len(some) // 2 :])
                return
            if trouble and some[0][1] is not None:
                answers = [_take(draft, (some[0][1], None))]
                trouble = self._settled(before, draft, out + answers)[1]
                if trouble:
                    draft.back_to(mark)
            unsure = Refused("unsure", f"Not saved: {trouble}.", "Nothing was changed.")
            out.extend([unsure] if trouble else answers)

        if steps:
            run(steps)
        return self._settled(before, draft, out)[0]

    def _settled(
        self, before: Reading, draft: Draft, plans: Sequence[Planned | Refused]
    ) -> tuple[list[Planned | Refused], str]:
        """The plans with their `ref_after` as the draft reads now, and what is wrong with it."""
        after = self.parse(draft.files)
        moved = _moves(before, after, draft.shifts)
        kept = set(moved.values())
        fresh = {record.ref: record for record in after.records if record.ref not in kept}
        makers = {id(e): i for i, p in enumerate(plans) if isinstance(p, Planned) for e in p.edits}
        made: dict[int, str] = {}
        for record in fresh.values():
            edit = draft.shifts.maker(record.at)
            if edit is not None and id(edit) in makers:
                made.setdefault(makers[id(edit)], record.ref)
        out: list[Planned | Refused] = []
        trouble = ""
        for index, plan in enumerate(plans):
            if isinstance(plan, Planned) and plan.removed is None:
                ref = moved.get(plan.ref or "") or made.get(index)
                if ref is None and plan.ref_after in fresh:
                    ref = plan.ref_after
                if ref is None and not _goes_on(plan, plans[index + 1 :]):
                    trouble = "it would not read back as the memory that it is"
                plan = replace(plan, ref_after=ref or plan.ref_after)
                fresh.pop(ref or "", None)
            out.append(plan)
        good = [plan for plan in out if isinstance(plan, Planned)]
        if not any(plan.wide for plan in good):
            strays = _strays(before, after, moved, {plan.ref for plan in good})
            strays += [r.place or r.ref for r in fresh.values() if not r.bare]
            if strays:
                trouble = f"it would also have changed {', '.join(strays[:3])}"
        return out, trouble

    # -- carrying out

    def carry_out(self, plans: Sequence[Planned], token: str) -> Receipt:
        with atomic.alone(self.folder):
            return self._carry_out(plans, token)

    def _carry_out(self, plans: Sequence[Planned], token: str) -> Receipt:
        files, _ = self.load()
        edits = [edit for plan in plans for edit in plan.edits]
        after = _apply(files, edits)
        names = [name for name in dict.fromkeys(e.name for e in edits) if files.get(name) != after.get(name)]
        tried: list[str] = []
        try:
            for name in names:
                tried.append(name)
                atomic.change(self.folder, name, files.get(name), after.get(name), token, _mode(edits, name))
        except (Refused, OSError) as trouble:
            refusal = atomic.refusal(trouble) if isinstance(trouble, OSError) else trouble
            for name in reversed(tried):
                try:
                    if name == tried[-1] and atomic.read(self.folder, name) != after.get(name):
                        continue
                    mode = _mode(edits, name)
                    atomic.change(self.folder, name, after.get(name), files.get(name), token, mode)
                except (Refused, OSError):
                    if name != tried[-1]:
                        refusal = Refused("partly", f"{refusal.message} {name} could not be put back.")
            raise refusal from trouble
        return self._receipt(files, after, plans)

    def standing(self, plans: Sequence[Planned], token: str) -> Standing:
        edits = [edit for plan in plans for edit in plan.edits]
        names = list(dict.fromkeys(edit.name for edit in edits))
        first = {e.name: e.before for e in reversed(edits)}
        last = {e.name: e.after for e in edits}
        for name in names:
            atomic.tidy(self.folder, name, token, first[name])
        try:
            now = {name: _digest_of(atomic.read(self.folder, name)) for name in names}
        except OSError:  # a link or a folder stands there now
            return Standing.OTHER
        if all(now[name] == last[name] for name in names):
            return Standing.AFTER
        if all(now[name] == first[name] for name in names):
            return Standing.BEFORE
        if all(now[name] in (first[name], last[name]) for name in names):
            return Standing.PARTLY
        return Standing.OTHER

    def finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        with atomic.alone(self.folder):
            return self._finish(plans, token)

    def _finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        edits = [edit for plan in plans for edit in plan.edits]
        files, _ = self.load()
        first = {e.name: e.before for e in reversed(edits)}
        last = {e.name: e.after for e in edits}
        for name in first:
            mine = [edit for edit in edits if edit.name == name]
            if _digest_of(files.get(name)) != last[name]:
                new = _apply(files, mine).get(name)
                atomic.change(self.folder, name, files.get(name), new, token, _mode(mine, name))
        after, modes = self.load()
        draft = Draft(after, modes)
        for edit in reversed(edits):
            undo_edit(draft, edit)
        return self._receipt(draft.files, after, plans)

    def _receipt(
        self, before: Mapping[str, bytes], after: Mapping[str, bytes], plans: Sequence[Planned]
    ) -> Receipt:
        old, new = self.parse(before), self.parse(after)
        moved = _moves(old, new, Shifts(edit for plan in plans for edit in plan.edits))
        here = {record.ref for record in new.records}
        for plan in plans:  # an entity's stand-in that became an observation
            if plan.ref is not None and plan.ref not in moved and plan.ref_after in here:
                moved[plan.ref] = plan.ref_after or ""
        by_ref = {record.ref: record for record in old.records}
        back = {v: k for k, v in moved.items()}
        changed = [
            record
            for record in new.records
            if back.get(record.ref) not in by_ref or by_ref[back[record.ref]].digest != record.digest
        ]
        return Receipt(
            records=changed,
            gone=[r.ref for r in old.records if r.ref not in moved],
            renamed={k: v for k, v in moved.items() if k != v},
            links=new.links,
        )

    def written(self, plans: Sequence[Planned]) -> str:
        return ", ".join(dict.fromkeys(edit.name for plan in plans for edit in plan.edits))

    # -- keeping plans

    def dump(self, planned: Planned) -> dict[str, Any]:
        return {
            "ref": planned.ref,
            "ref_after": planned.ref_after,
            "words": planned.words,
            "wide": planned.wide,
            "removed": None if planned.removed is None else dict(planned.removed),
            "edits": [
                {
                    "name": e.name,
                    "before": e.before,
                    "after": e.after,
                    "whole": _text(e.whole),
                    "mode": e.mode,
                    "hunks": [
                        [h.start, _text(h.old), _text(h.new), _text(h.head), _text(h.tail), h.soft]
                        for h in e.hunks
                    ],
                }
                for e in planned.edits
            ],
        }

    def load_plan(self, data: Mapping[str, Any]) -> Planned:
        edits = tuple(
            FileEdit(
                e["name"],
                e["before"],
                e["after"],
                tuple(_hunk(h) for h in e["hunks"]),
                _bytes(e["whole"]),
                e["mode"],
            )
            for e in data["edits"]
        )
        removed = data["removed"]
        if removed is not None:
            removed = {k: tuple(v) if isinstance(v, list) else v for k, v in removed.items()}
        return Planned(data["ref"], data["ref_after"], edits, data["words"], data["wide"], removed)


def _instead(records: Iterable[Record], write: Write) -> dict[str, Any]:
    """What seems to stand in the store in place of a text that is gone: the one most like it."""
    texts = [str(record.fields.get("content") or "") for record in records]
    like = get_close_matches(str(write.seen.get("content") or ""), texts[:5000], n=1, cutoff=0.5)
    return {"content": like[0]} if like else {}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _hunk(kept: Sequence[Any]) -> Hunk:
    start, old, new, head, tail, soft = kept
    return Hunk(start, _bytes(old), _bytes(new), _bytes(head), _bytes(tail), soft)


def _digest_of(data: bytes | None) -> str | None:
    return None if data is None else digest(data)


def _mode(edits: Sequence[FileEdit], name: str) -> int:
    return next((e.mode for e in edits if e.name == name and None in (e.before, e.after)), 0o600)


def _take(draft: Draft, step: Step) -> Planned | Refused:
    try:
        return step[0](draft)
    except Refused as refusal:
        draft.drop_edits()
        if step[1] is None or refusal.code != "changed-since":
            return refusal
    return _take(draft, (step[1], None))


def _moves(before: Reading, after: Reading, shifts: Shifts) -> dict[str, str]:
    """Which record of `before` is which of `after`: by where its first byte went."""
    standing = {record.at: record.ref for record in after.records}
    moved: dict[str, str] = {}
    for record in before.records:
        at = shifts.where(record.at)
        if at is not None and at in standing:
            moved[record.ref] = standing[at]
    return moved


def _strays(before: Reading, after: Reading, moved: Mapping[str, str], named: set[str | None]) -> list[str]:
    now = {record.ref: record for record in after.records}
    strays = []
    for record in before.records:
        left = now.get(moved.get(record.ref, ""))
        if record.ref in named or (left is None and record.bare):
            continue
        if left is None or dict(left.fields) != dict(record.fields):
            strays.append(record.place or record.ref)
    return strays


def _goes_on(plan: Planned, later: Sequence[Planned | Refused]) -> bool:
    """Whether a later plan of the batch changes the same record again."""
    mine = {plan.ref, plan.ref_after} - {None}
    return any(isinstance(other, Planned) and other.ref in mine for other in later)


def _touched(before: Reading, draft: Draft) -> str | None:
    """The record in whose line the draft's pending change lies, the last that begins before it."""
    best: tuple[int, str] | None = None
    for name, start in draft.pending():
        line = draft.files[name].rfind(b"\n", 0, start) + 1
        for record in before.records:
            at = draft.shifts.where(record.at) if record.at[0] == name else None
            if at is not None and line <= at[1] <= start and (best is None or at[1] >= best[0]):
                best = at[1], record.ref
    return best[1] if best else None


def _apply(files: Mapping[str, bytes], edits: Sequence[FileEdit]) -> dict[str, bytes]:
    """The files after `edits`; Refused if they are not what the edits were made on."""
    out = dict(files)
    known: dict[str, str | None] = {}
    for edit in edits:
        data = out.get(edit.name)
        if edit.name not in known:
            known[edit.name] = _digest_of(data)
        if known[edit.name] != edit.before:
            raise Refused(
                "changed",
                f"Not saved: {edit.name} changed while the change was being made.",
                "Nothing was written. Try again.",
            )
        known[edit.name] = edit.after
        if edit.before is None:
            out[edit.name] = edit.whole
        elif edit.after is None:
            del out[edit.name]
        else:
            assert data is not None
            for hunk in edit.hunks:
                data = data[: hunk.start] + hunk.new + data[hunk.start + len(hunk.old) :]
            out[edit.name] = data
    return out
