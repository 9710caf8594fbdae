"""Stores made of files: byte-exact changes, atomic replacement, undo (S-4, S-6, S-7, S-51).

A format says what its bytes mean (`load`, `parse`) and how one change looks in them
(`revise`, on a Draft). Everything else is here, once: working plans out, checking that only
the intended records change, writing, judging a cut-off write, taking one back.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from memtui.errors import Conflict, Refused
from memtui.formats import atomic
from memtui.formats.base import Adapter, Planned, Reading, Receipt, Record, Standing, Write, clean, unlike
from memtui.formats.draft import Draft, FileEdit, Hunk, Shifts, digest, redo_edit, stood, undo_edit
from memtui.memory.records import plain

_SOFT = {"created_at", "updated_at", "key"}  # what a change may take along
_CANDIDATES = 300  # texts that are compared to find what stands in place of one that is gone


@dataclass(slots=True)
class Step:
    """One step of a batch: `go` makes its change in the draft; `other`, if any, is another way to
    the same end, for where the first cannot be gone. `asked` are the values that a write sets,
    `whole` all that a record must say that came back to a place that was searched for."""

    go: Callable[[Draft], Planned]
    other: Callable[[Draft], Planned] | None = None
    asked: Mapping[str, Any] = field(default_factory=dict)
    whole: Mapping[str, Any] | None = None


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

        Adds to `draft.also` the anchors whose other records change with this one."""

    def put_anew(self, draft: Draft, plan: Planned) -> None:
        """Add again what a dismissal took out, where its old place cannot be told. Raises Refused."""
        self.revise(draft, None, Write("restore", "", plan.removed or {}, {}, 0.0))

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
            only = len(writes) == 1
            return Step(lambda draft: self._plan_one(draft, by_ref, write, only), asked=write.fields)

        return self._work_out(before, Draft(files, modes), [step(write) for write in writes])

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write, only: bool) -> Planned:
        self.check(write)
        record = None
        if write.action != "add":
            record = by_ref.get(write.ref)
            if record is None:
                raise Conflict(
                    "Not saved: the memory is no longer in the store as it was read.",
                    dict(write.fields),
                    _instead(by_ref.values(), write) if only else {},
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
        ref, also = record.ref if record is not None else None, tuple(sorted(draft.also))
        changes = tuple(sorted(write.fields))
        return Planned(ref, None, draft.take_edits(), removed=removed, also=also, changes=changes)

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
        return self._work_out(before, Draft(files, modes), steps, "changed-since")

    def _way_back(
        self, before: Reading, here: Mapping[str, Record], plan: Planned, brought: set[str | None]
    ) -> Step:
        now = here.get(plan.ref_after or "")
        removed = (dict(now.fields) if now is not None else {}) if plan.ref is None else None

        def reversed_plan(draft: Draft) -> Planned:
            ref = plan.ref_after
            if ref is not None and now is None and ref not in brought:
                # Equal texts were renumbered, perhaps: then it says all that it was left to say.
                ref = _touched(before, draft)
                if ref is None or _mark(here[ref]) != plan.left:
                    raise Refused(
                        "changed-since",
                        "The memory is no longer where the change left it.",
                        "Nothing was written.",
                    )
            edits = draft.take_edits()
            return Planned(ref, plan.ref, edits, removed=removed, also=plan.also, changes=plan.changes)

        def directly(draft: Draft) -> Planned:
            exact = all(draft.holds(edit) or None in (edit.before, edit.after) for edit in plan.edits)
            remade = any(edit.after is None for edit in plan.edits)
            step.whole = None if exact or remade else plan.removed
            self.take_back(draft, plan)
            return reversed_plan(draft)

        def anew(draft: Draft) -> Planned:
            step.whole = None
            self.put_anew(draft, plan)
            return reversed_plan(draft)

        step = Step(directly, None if plan.removed is None else anew)
        return step

    # -- working out

    def _work_out(
        self, before: Reading, draft: Draft, steps: Sequence[Step], code: str = "unsure"
    ) -> list[Planned | Refused]:
        """Take the steps, each on top of those before it.

        The outcome is read back; where it is not what the plans say and nothing else, halves of
        the batch are tried, down to the step that is to blame, and that one is refused with `code`."""
        out: list[Planned | Refused] = []

        def run(some: Sequence[Step]) -> None:
            mark = draft.mark()
            answers = [_take(draft, step) for step in some]
            trouble = self._settled(before, draft, out + answers, steps)[1]
            if trouble:
                draft.back_to(mark)
            if trouble and len(some) > 1:
                run(some[: len(some) // 2])
                run(some[len(some) // 2 :])
                return
            if trouble and some[0].other is not None:
                answers = [_take(draft, Step(some[0].other))]
                trouble = self._settled(before, draft, out + answers, steps)[1]
                if trouble:
                    draft.back_to(mark)
            unsure = Refused(code, f"Not saved: {trouble}.", "Nothing was changed.")
            out.extend([unsure] if trouble else answers)

        if steps:
            run(steps)
        return self._settled(before, draft, out, steps)[0]

    def _settled(
        self,
        before: Reading,
        draft: Draft,
        plans: Sequence[Planned | Refused],
        steps: Sequence[Step],
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
        now = {record.ref: record for record in after.records}
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
                if ref is not None and ref in now:
                    plan = replace(plan, left=_mark(now[ref]))
                    whole = steps[index].whole
                    came = whole is None or _goes_on(plan, plans[index + 1 :])
                    if not came and plain(dict(now[ref].fields)) != plain(dict(whole or {})):
                        trouble = "its old place cannot be told"
                fresh.pop(ref or "", None)
            out.append(plan)
        good = [plan for plan in out if isinstance(plan, Planned)]
        strays = _strays(before, now, moved, good)
        strays += [r.place or r.ref for r in fresh.values() if not r.bare]
        if strays:
            trouble = f"it would also have changed {', '.join(strays[:3])}"
        again: dict[str | None, set[str]] = {}  # what later plans set again, by record
        wide: set[str] = set()
        for index, plan in reversed(list(enumerate(out))):
            if not isinstance(plan, Planned) or not steps[index].asked:
                continue
            over = wide | again.get(plan.ref, set()) | again.get(plan.ref_after, set())
            asked = {name: value for name, value in steps[index].asked.items() if name not in over}
            if plan.ref_after in now and not _says(now[plan.ref_after], asked):
                trouble = "it would not read back as what was asked"
            wide |= set(plan.changes) if plan.also else set()
            again.setdefault(plan.ref, set()).update(plan.changes)
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
        files = _by_file(plans)
        tidied = [
            atomic.tidy(self.folder, name, token, edits[0].before, edits[-1].after)
            for name, edits in files.items()
        ]
        try:
            now = {name: atomic.read(self.folder, name) for name in files}
        except OSError:  # a link or a folder stands there now
            return Standing.OTHER
        marks = {name: _digest_of(data) for name, data in now.items()}
        if all(marks[name] == edits[-1].after for name, edits in files.items()):
            return Standing.AFTER
        if all(marks[name] == edits[0].before for name, edits in files.items()):
            return Standing.BEFORE
        stands = {_written(now[name], edits) for name, edits in files.items()}
        if None in stands or not all(tidied):
            return Standing.OTHER
        if len(stands) == 1:
            return Standing.AFTER if True in stands else Standing.BEFORE
        try:
            for name, edits in files.items():
                _completed(now[name], edits)
        except Refused:
            return Standing.OTHER
        return Standing.PARTLY

    def finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        with atomic.alone(self.folder):
            return self._finish(plans, token)

    def _finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        files, _ = self.load()
        for name, edits in _by_file(plans).items():
            data = files.get(name)
            new = _completed(data, edits)
            if new != data:
                atomic.change(self.folder, name, data, new, token, _mode(edits, name))
        after, modes = self.load()
        draft = Draft(after, modes)
        for plan in reversed(plans):
            for edit in reversed(plan.edits):
                try:
                    undo_edit(draft, edit)
                except Refused:  # changed again since: the next reading finds that out
                    continue
                draft.take_edits()
        back = _moves(self.parse(after), self.parse(draft.files), draft.shifts)
        return self._receipt(draft.files, after, plans, {old: new for new, old in back.items()})

    def _receipt(
        self,
        before: Mapping[str, bytes],
        after: Mapping[str, bytes],
        plans: Sequence[Planned],
        moved: dict[str, str] | None = None,
    ) -> Receipt:
        old, new = self.parse(before), self.parse(after)
        if moved is None:
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
            if (was := by_ref.get(back.get(record.ref, ""))) is None
            or (was.unit, was.digest) != (record.unit, record.digest)
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
            "also": list(planned.also),
            "changes": list(planned.changes),
            "left": planned.left,
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
        return Planned(
            data["ref"],
            data["ref_after"],
            edits,
            data["words"],
            tuple(data["also"]),
            tuple(data["changes"]),
            data["left"],
            removed,
        )


def _instead(records: Iterable[Record], write: Write) -> dict[str, Any]:
    """What seems to stand in the store in place of a text that is gone: the one most like it.

    Nothing takes the place of a whole file."""
    text = str(write.seen.get("content") or "")
    subject = write.ref.rpartition("#")[0]
    if not subject:
        return {}
    found = [(record.anchor != subject, str(record.fields.get("content") or "")) for record in records]
    found.sort(key=lambda each: (each[0], abs(len(each[1]) - len(text))))
    like = get_close_matches(text, [each[1] for each in found[:_CANDIDATES]], n=1, cutoff=0.6)
    return {"content": like[0]} if like else {}


def numbered(ref: str, seen: Counter[str]) -> str:
    """A ref of its own for each of several that would be equal; no text can forge the number."""
    ref = ref.replace("\x1f", "\ufffd")
    seen[ref] += 1
    return ref if seen[ref] == 1 else f"{ref}\x1f{seen[ref]}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _hunk(kept: Sequence[Any]) -> Hunk:
    start, old, new, head, tail, soft = kept
    return Hunk(start, _bytes(old), _bytes(new), _bytes(head), _bytes(tail), soft)


def _by_file(plans: Sequence[Planned]) -> dict[str, list[FileEdit]]:
    files: dict[str, list[FileEdit]] = {}
    for plan in plans:
        for edit in plan.edits:
            files.setdefault(edit.name, []).append(edit)
    return files


def _written(data: bytes | None, edits: Sequence[FileEdit]) -> bool | None:
    """Whether a file's edits are made in it; None where neither can be told."""
    mark = _digest_of(data)
    if mark == edits[-1].after:
        return True
    return False if mark == edits[0].before else stood(data, edits)


def _completed(data: bytes | None, edits: Sequence[FileEdit]) -> bytes | None:
    """A file with its edits made, if they are not yet; Refused where their places are gone."""
    name = edits[0].name
    made = _written(data, edits)
    if made:
        return data
    files = {} if data is None else {name: data}
    if _digest_of(data) == edits[0].before:
        return _apply(files, edits).get(name)
    if made is None:
        raise Refused("changed", f"{name} changed since.", "It was left as it is.")
    draft = Draft(files)
    for edit in edits:
        redo_edit(draft, edit)
    return draft.files.get(name)


def _digest_of(data: bytes | None) -> str | None:
    return None if data is None else digest(data)


def _mode(edits: Sequence[FileEdit], name: str) -> int:
    return next((e.mode for e in edits if e.name == name and None in (e.before, e.after)), 0o600)


def _take(draft: Draft, step: Step) -> Planned | Refused:
    try:
        return step.go(draft)
    except Refused as refusal:
        draft.drop_edits()
        if step.other is None or refusal.code != "changed-since":
            return refusal
    return _take(draft, Step(step.other))


def _moves(before: Reading, after: Reading, shifts: Shifts) -> dict[str, str]:
    """Which record of `before` is which of `after`: by where its first byte went."""
    standing = {record.at: record.ref for record in after.records}
    moved: dict[str, str] = {}
    for record in before.records:
        at = shifts.where(record.at)
        if at is not None and at in standing:
            moved[record.ref] = standing[at]
    return moved


def _strays(
    before: Reading, now: Mapping[str, Record], moved: Mapping[str, str], plans: Sequence[Planned]
) -> list[str]:
    """The records that are not as they were, beyond what the plans say."""
    leave = {plan.ref for plan in plans if plan.removed is not None}
    named: dict[str | None, set[str]] = {}
    beside: dict[str, set[str]] = {}
    for plan in plans:
        named.setdefault(plan.ref, set()).update(plan.changes)
        for anchor in plan.also:
            beside.setdefault(anchor, set()).update(plan.changes)
    strays = []
    for record in before.records:
        left = now.get(moved.get(record.ref, ""))
        if left is None:
            if record.ref not in named and record.ref not in leave and not record.bare:
                strays.append(record.place or record.ref)
            continue
        if left.fields == record.fields:
            continue
        may = beside.get(record.anchor, set()) | beside.get(left.anchor, set())
        if record.ref in named:
            may = may | named[record.ref] | _SOFT
        names = record.fields.keys() | left.fields.keys()
        if any(name not in may and record.fields.get(name) != left.fields.get(name) for name in names):
            strays.append(record.place or record.ref)
    return strays


def _mark(record: Record) -> str:
    """A mark of what a record says, whatever its number among equal ones."""
    return replace(record, ref="", anchor="").digest


def _says(record: Record, asked: Mapping[str, Any]) -> bool:
    """Whether a record says what was asked, but for spaces, where its store has these fields."""
    return all(
        _words(record.fields[name]) == _words(value)
        for name, value in asked.items()
        if isinstance(value, str) and value and name in record.fields
    )


def _words(value: Any) -> list[str]:
    return clean(str(value or "")).split()


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
