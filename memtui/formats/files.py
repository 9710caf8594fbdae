"""Stores made of files: byte-exact changes, atomic replacement, undo (S-4, S-6, S-7, S-51).

A format says what its bytes mean (`load`, `parse`) and how one change looks in them
(`revise`, on a Draft). Everything else is here, once: working plans out, checking that only
the intended records change, writing, judging a cut-off write, taking one back.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import accumulate
from pathlib import Path
from typing import Any

from memtui.errors import Conflict, Refused
from memtui.formats import atomic
from memtui.formats.base import Adapter, Planned, Reading, Receipt, Record, Standing, Write, unlike

CONTEXT = 160  # bytes kept on each side of a hunk to find its place again


@dataclass(frozen=True, slots=True)
class Hunk:
    """At `start`, `old` becomes `new`; offsets count after the hunks before it.

    A `soft` one only goes along (a time of change): where it was changed again since, taking
    the rest back leaves it as it is."""

    start: int
    old: bytes
    new: bytes
    head: bytes = b""
    tail: bytes = b""
    soft: bool = False


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One file's change. `before` or `after` is None where the file is made or taken away;
    then `whole` is its content and `mode` its permission bits."""

    name: str
    before: str | None
    after: str | None
    hunks: tuple[Hunk, ...] = ()
    whole: bytes = b""
    mode: int = 0o600


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of a file as it is now: old ones, that stood at `origin`, or new ones from `edit`, of
    which the first stands for the byte at `origin` whose place they took."""

    length: int
    origin: int | None
    edit: FileEdit | None = None

    def part(self, start: int, end: int) -> Piece:
        """The piece from its byte `start` to its byte `end`."""
        if self.origin is None or (self.edit is not None and start):
            return Piece(end - start, None, self.edit)
        return Piece(end - start, self.origin + start, self.edit)


class Shifts:
    """Where the bytes of files stand after edits, and which edit brought the new ones.

    A place is (name, offset); the offset -1 is the file as a whole."""

    def __init__(self, edits: Iterable[FileEdit] = ()) -> None:
        self._files: dict[str, list[Piece]] = {}
        self._known: dict[str, tuple[list[int], list[int], list[int]]] = {}
        for edit in edits:
            self.follow(edit)

    def follow(self, edit: FileEdit) -> None:
        """Take one more edit into account."""
        self._known.pop(edit.name, None)
        if edit.after is None:
            self._files[edit.name] = []
        elif edit.before is None:
            self._files[edit.name] = [Piece(len(edit.whole) + 1, None, edit)]
        else:
            pieces = self._files.setdefault(edit.name, [Piece(1 << 62, -1)])
            for hunk in edit.hunks:
                _swap(pieces, hunk, edit)

    def where(self, place: tuple[str, int]) -> tuple[str, int] | None:
        """Where the byte of `place` stands now; None if it went."""
        name, at = place
        if name not in self._files:
            return place
        _, origins, there = self._index(name)
        index = bisect_right(origins, at) - 1
        if index < 0:
            return None
        piece, past = self._files[name][there[index]], at - origins[index]
        if past >= (piece.length if piece.edit is None else 1):
            return None
        return name, self._index(name)[0][there[index]] + past

    def maker(self, place: tuple[str, int]) -> FileEdit | None:
        """The edit that brought the byte that stands at `place` now; None if it is an old one."""
        name, at = place
        if name not in self._files:
            return None
        index = bisect_right(self._index(name)[0], at) - 1
        return self._files[name][index].edit if index >= 0 else None

    def _index(self, name: str) -> tuple[list[int], list[int], list[int]]:
        """Where each piece starts now; the origins of those that have one, and their numbers."""
        if name not in self._known:
            pieces = self._files[name]
            starts = list(accumulate((piece.length for piece in pieces), initial=-1))[:-1]
            old = [(piece.origin, number) for number, piece in enumerate(pieces) if piece.origin is not None]
            self._known[name] = starts, [origin for origin, _ in old], [number for _, number in old]
        return self._known[name]


def _swap(pieces: list[Piece], hunk: Hunk, edit: FileEdit) -> None:
    """Put the hunk's new bytes among the pieces in place of its old ones."""
    at, first = -1, 0  # the first piece that reaches beyond the hunk's start, and where it starts
    while first < len(pieces) and at + pieces[first].length <= hunk.start:
        at += pieces[first].length
        first += 1
    end, last, stop = hunk.start + len(hunk.old), first, at  # behind the last piece that is hit
    while last < len(pieces) and stop < max(end, hunk.start + (at < hunk.start)):
        stop += pieces[last].length
        last += 1
    hit = pieces[first:last]
    new: list[Piece] = []
    if hit and at < hunk.start:
        new.append(hit[0].part(0, hunk.start - at))
    if hunk.new:
        taken = hit[0].part(hunk.start - at, hunk.start - at + 1).origin if hit and hunk.old else None
        new.append(Piece(len(hunk.new), taken, edit))
    if hit and stop > end:
        size = hit[-1].length
        new.append(hit[-1].part(size - (stop - end), size))
    pieces[first:last] = new


def digest(data: bytes) -> str:
    """sha256 in hex."""
    return hashlib.sha256(data).hexdigest()


class Draft:
    """The bytes of a store's files while changes are worked out on them.

    `files` maps names inside the store to bytes. Changes go through `splice`, `create` and
    `remove`; `take_edits` hands over what was done since the last call.
    """

    def __init__(self, files: Mapping[str, bytes], modes: Mapping[str, int] | None = None) -> None:
        self.files: dict[str, bytes] = dict(files)
        self.modes = dict(modes or {})
        self.done: list[FileEdit] = []
        self.wide = False
        self._shifts: tuple[int, Shifts] = (0, Shifts())
        self._start: dict[str, bytes | None] = {}
        self._hunks: dict[str, list[Hunk]] = {}
        self._digests: dict[str, tuple[bytes, str]] = {}

    def splice(self, name: str, start: int, end: int, new: bytes, *, soft: bool = False) -> None:
        """Put `new` in place of the bytes from `start` to `end` (exclusive)."""
        data = self.files[name]
        old = data[start:end]
        if old == new:
            return
        self._start.setdefault(name, data)
        head, tail = data[max(0, start - CONTEXT) : start], data[end : end + CONTEXT]
        self._hunks.setdefault(name, []).append(Hunk(start, old, new, head, tail, soft))
        self.files[name] = data[:start] + new + data[end:]

    def create(self, name: str, data: bytes, mode: int = 0o600) -> None:
        """Add a file that is not there yet."""
        if name in self.files:
            raise Refused("exists", f"{name} is there already.", "Nothing was changed.")
        old = self._start.setdefault(name, None)
        if old is not None:  # taken away and made again in one change: its bytes were replaced
            self._hunks[name] = [Hunk(0, old, data)]
        self.files[name] = data
        self.modes[name] = mode

    def remove(self, name: str) -> None:
        """Take a file away."""
        self._start.setdefault(name, self.files[name])
        del self.files[name]

    def take_edits(self) -> tuple[FileEdit, ...]:
        """The edits since the last call, one a file."""
        edits: list[FileEdit] = []
        for name, old in self._start.items():
            new = self.files.get(name)
            mode = self.modes.get(name, 0o600)
            if old is None and new is not None:
                edits.append(FileEdit(name, None, digest(new), (), new, mode))
            elif old is not None and new is None:
                edits.append(FileEdit(name, self._digest(name, old), None, (), old, mode))
            elif old is not None and new is not None and old != new:
                hunks = tuple(self._hunks.get(name, ()))
                before = self._digest(name, old)
                edits.append(FileEdit(name, before, self._digest(name, new), hunks))
        self._start, self._hunks = {}, {}
        self.done += edits
        return tuple(edits)

    def drop_edits(self) -> None:
        """Go back to how things stood at the last `take_edits`."""
        for name, old in self._start.items():
            if old is None:
                self.files.pop(name, None)
            else:
                self.files[name] = old
        self._start, self._hunks = {}, {}

    def pending(self) -> list[tuple[str, int]]:
        """Where changes begin that `take_edits` has not handed over yet."""
        here = [(name, hunks) for name, hunks in self._hunks.items() if name in self.files]
        return [(name, hunk.start) for name, hunks in here for hunk in hunks]

    def holds(self, edit: FileEdit) -> bool:
        """Whether the file is, to the byte, as `edit` left it."""
        data = self.files.get(edit.name)
        return edit.after == (None if data is None else self._digest(edit.name, data))

    def mark(self) -> tuple[dict[str, bytes], dict[str, int], int]:
        """How things stand, for `back_to`; nothing may be pending."""
        return dict(self.files), dict(self.modes), len(self.done)

    def back_to(self, mark: tuple[dict[str, bytes], dict[str, int], int]) -> None:
        """Forget all that was done since `mark`."""
        self.files, self.modes = dict(mark[0]), dict(mark[1])
        del self.done[mark[2] :]
        self._shifts = (0, Shifts())

    @property
    def shifts(self) -> Shifts:
        """Where things stand now that were elsewhere when the draft was opened."""
        known, shifts = self._shifts
        for edit in self.done[known:]:
            shifts.follow(edit)
        self._shifts = len(self.done), shifts
        return shifts

    def _digest(self, name: str, data: bytes) -> str:
        known = self._digests.get(name)
        if known is None or known[0] is not data:
            known = self._digests[name] = data, digest(data)
        return known[1]


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


def undo_edit(draft: Draft, edit: FileEdit) -> None:
    """Put back what one edit changed, at its old place or where that stands now."""
    data = draft.files.get(edit.name)
    if edit.before is None or edit.after is None:
        if not draft.holds(edit):
            raise _since(edit.name)
        if edit.before is None:
            draft.remove(edit.name)
        else:
            draft.create(edit.name, edit.whole, edit.mode)
        return
    if data is None:
        raise _since(edit.name)
    exact = draft.holds(edit)
    found: list[tuple[int, Hunk]] = []
    for hunk in reversed(edit.hunks):
        start = hunk.start if exact else _find(data, hunk)
        if start is None and not hunk.soft:
            raise _since(edit.name)
        if start is not None:
            data = data[:start] + hunk.old + data[start + len(hunk.new) :]
            found.append((start, hunk))
    for start, hunk in found:
        draft.splice(edit.name, start, start + len(hunk.new), hunk.old, soft=hunk.soft)


def _since(name: str) -> Refused:
    return Refused(
        "changed-since",
        f"{name} changed since, at this very place.",
        "Nothing was written. Open the memory to see what stands there now.",
    )


# How much must still stand around a place for it to be the old one: both neighbours, else one.
# With one only, the one behind: a list that was emptied from the top is filled from the top.
_AROUND = ((CONTEXT, CONTEXT), (48, 48), (16, 16), (0, CONTEXT), (CONTEXT, 0), (0, 48), (48, 0))


def _find(data: bytes, hunk: Hunk) -> int | None:
    """Where the hunk's new bytes stand now, found by what stood around them; None if unsure."""
    for before, after in _AROUND:
        head = hunk.head[-before:] if before else b""
        tail = hunk.tail[:after]
        needle = head + hunk.new + tail
        if len(needle) < 8:
            continue
        # Where nothing stood before or behind, the file began or ended there, and must still.
        if before and not hunk.head:
            whole = len(needle) if after and not hunk.tail else len(data)
            first = 0 if data.startswith(needle) and whole == len(data) else -1
        elif after and not hunk.tail:
            first = len(data) - len(needle) if data.endswith(needle) else -1
        else:
            first = data.find(needle)
            if first >= 0 and data.find(needle, first + 1) >= 0:
                first = -1
        if first >= 0:
            return first + len(head)
    return None
