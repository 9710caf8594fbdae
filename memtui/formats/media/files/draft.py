"""Working a change to files out in memory, and finding its place again to take it back.

A Draft holds the bytes of a store's files; each change becomes a FileEdit of hunks that know
what stood around them. Nothing here touches a disk.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from memtui.errors import Refused

_BLOCK = 1 << 14  # bytes
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
    then `whole` is its content and `mode` its permission bits. One that another file became has the
    hunks in which it differs from that."""

    name: str
    before: str | None
    after: str | None
    hunks: tuple[Hunk, ...] = ()
    whole: bytes = b""
    mode: int = 0o600
    moved_to: str = ""  # of one that is taken away: the file that it became
    of: str = ""  # what the format calls the file whatever its name is; "" where it has only that
    folders: int = 0  # how many folders come with it, or go with it


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


class PositionMap:
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
        if not self._files[name]:  # the whole file went
            return None
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


class Digested:
    """Bytes with their digest, from which that of bytes that begin alike is told: each change of a batch asks
    for the digest of the whole file."""

    def __init__(self, data: bytes, like: Digested | None = None, same: int = 0) -> None:
        """`data` may begin with `same` bytes of what `like` was made of."""
        self.data = data
        whole = same // _BLOCK if like is not None and data.startswith(like.data[:same]) else 0
        self._begun: list[Any] = like._begun[:whole] if like is not None else []  # after each block
        last = self._begun[-1].copy() if self._begun else hashlib.sha256()
        view = memoryview(data)
        for start in range(len(self._begun) * _BLOCK, len(data), _BLOCK):
            last.update(view[start : start + _BLOCK])
            if start + _BLOCK <= len(data):
                self._begun.append(last.copy())
        self.digest = last.hexdigest()


class Draft:
    """The bytes of a store's files while changes are worked out on them.

    `files` maps names inside the store to bytes. Changes go through `splice`, `create` and
    `remove`; `take_edits` hands over what was done since the last call.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        modes: Mapping[str, int] | None = None,
        identity: Callable[[str, bytes], str] = lambda name, data: "",
    ) -> None:
        self.opened: Mapping[str, bytes] = dict(files)  # as they were before all changes
        self.files: dict[str, bytes] = dict(files)
        self.modes = dict(modes or {})
        self.identity = identity
        self._moved: dict[str, str] = {}
        self.done: list[FileEdit] = []
        self.also: set[str] = set()  # anchors whose records change with the pending change
        self.counted: tuple[bytes, Any] = (b"", None)  # what a format counted in these bytes
        self._shifts: tuple[int, PositionMap] = (0, PositionMap())
        self._start: dict[str, bytes | None] = {}
        self._hunks: dict[str, list[Hunk]] = {}
        self._digests: dict[str, Digested] = {}

    def splice(self, name: str, start: int, end: int, new: bytes, *, soft: bool = False) -> None:
        """Put `new` in place of the bytes from `start` to `end` (exclusive)."""
        data = self.files[name]
        old = data[start:end]
        if old == new:
            return
        self._start.setdefault(name, data)
        head, tail = data[max(0, start - CONTEXT) : start], data[end : end + CONTEXT]
        self._hunks.setdefault(name, []).append(Hunk(start, old, new, head, tail, soft))
        view = memoryview(data)
        self.files[name] = b"".join((view[:start], new, view[end:]))

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

    def move(self, name: str, new: str) -> None:
        """Give a file another name; changes to it go on under the new one."""
        data, mode = self.files[name], self.modes.get(name, 0o600)
        self.create(new, data, mode)
        self.remove(name)
        self._hunks[new] = self._hunks.pop(name, [])
        first = next((old for old, now in self._moved.items() if now == name), name)
        self._moved.pop(first, None)
        if first != new:
            self._moved[first] = new

    def take_edits(self) -> tuple[FileEdit, ...]:
        """The edits since the last call, one a file."""
        edits: list[FileEdit] = []
        for name, old in self._start.items():
            new = self.files.get(name)
            mode = self.modes.get(name, 0o600)
            known = old if old is not None else new
            of = "" if known is None else self.identity(name, known)
            if old is None and new is not None:
                moved = name in self._moved.values()
                hunks = tuple(self._hunks.get(name, ())) if moved else ()
                edits.append(FileEdit(name, None, digest(new), hunks, new, mode, of=of))
            elif old is not None and new is None:
                before, to = self._digest(name, old), self._moved.get(name, "")
                edits.append(FileEdit(name, before, None, (), old, mode, to, of))
            elif old is not None and new is not None and old != new:
                hunks = tuple(self._hunks.get(name, ()))
                before = self._digest(name, old)
                same = min((hunk.start for hunk in hunks), default=0)
                edits.append(FileEdit(name, before, self._digest(name, new, same), hunks, of=of))
        self._start, self._hunks, self._moved, self.also = {}, {}, {}, set()
        self.done += edits
        return tuple(edits)

    def drop_edits(self) -> None:
        """Go back to how things stood at the last `take_edits`."""
        for name, old in self._start.items():
            if old is None:
                self.files.pop(name, None)
            else:
                self.files[name] = old
        self._start, self._hunks, self._moved, self.also = {}, {}, {}, set()

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
        self._shifts = (0, PositionMap())

    @property
    def shifts(self) -> PositionMap:
        """Where things stand now that were elsewhere when the draft was opened."""
        known, shifts = self._shifts
        for edit in self.done[known:]:
            shifts.follow(edit)
        self._shifts = len(self.done), shifts
        return shifts

    def _digest(self, name: str, data: bytes, same: int = 0) -> str:
        """The digest of a file; `same` first bytes of it are as they were when it was asked for before."""
        known = self._digests.get(name)
        if known is None or known.data is not data:
            known = self._digests[name] = Digested(data, known, same)
        return known.digest


def undo_edit(draft: Draft, edit: FileEdit) -> None:
    """Put back what one edit changed, at its old place or where that stands now."""
    data = draft.files.get(edit.name)
    if edit.before is None or edit.after is None:
        if not draft.holds(edit):
            raise changed_since(edit.name)
        if edit.before is None:
            draft.remove(edit.name)
        else:
            draft.create(edit.name, edit.whole, edit.mode)
        return
    if data is None:
        raise changed_since(edit.name)
    exact = draft.holds(edit)
    found: list[tuple[int, Hunk]] = []
    for hunk in reversed(edit.hunks):
        start = hunk.start if exact else _find(data, hunk)
        if start is None and not hunk.soft:
            raise changed_since(edit.name)
        if start is not None:
            data = data[:start] + hunk.old + data[start + len(hunk.new) :]
            found.append((start, hunk))
    for start, hunk in found:
        draft.splice(edit.name, start, start + len(hunk.new), hunk.old, soft=hunk.soft)


def redo_edit(draft: Draft, edit: FileEdit) -> None:
    """Make one edit in a file that others changed meanwhile, where its old bytes stand now."""
    data = draft.files.get(edit.name)
    if edit.before is None or edit.after is None:
        there = None if data is None else digest(data)
        if there != edit.before:
            raise changed_since(edit.name)
        if edit.before is None:
            draft.create(edit.name, edit.whole, edit.mode)
        else:
            draft.remove(edit.name)
        return
    if data is None:
        raise changed_since(edit.name)
    for hunk in edit.hunks:
        start = _find(draft.files[edit.name], _turned(hunk))
        if start is None and not hunk.soft:
            raise changed_since(edit.name)
        if start is not None:
            draft.splice(edit.name, start, start + len(hunk.old), hunk.new, soft=hunk.soft)


def stood(data: bytes | None, edits: Sequence[FileEdit]) -> bool | None:
    """Whether a file that others changed has these edits, made all at once: yes, no, or unknown."""
    first, last = edits[0].before, edits[-1].after
    if data is None or first is None or last is None:
        if (first is None) == (last is None):
            return None
        return (data is None) == (last is None)
    for edit in edits:
        for hunk in edit.hunks:
            if not hunk.soft and edit.before is not None and edit.after is not None:
                answer = _hunk_stood(data, hunk)
                if answer is not None:
                    return answer
    return None


def _hunk_stood(data: bytes, hunk: Hunk) -> bool | None:
    sides = hunk, _turned(hunk)
    for before, after in _AROUND:
        # With one neighbour alone, bytes that are not there prove nothing.
        places = [
            _find_at(data, side, before, after) if side.new or (before and after) else None for side in sides
        ]
        for side, other, place, there in zip(sides, sides[::-1], places, places[::-1], strict=True):
            if place is None or there is not None:
                continue
            # What stood behind may begin as the other side does: then the place tells nothing.
            if side.new.startswith(other.new) or not data.startswith(other.new, place):
                return side is hunk
    return None


def _turned(hunk: Hunk) -> Hunk:
    return Hunk(hunk.start, hunk.new, hunk.old, hunk.head, hunk.tail, hunk.soft)


def changed_since(name: str) -> Refused:
    """The refusal to undo a write whose text was changed afterwards."""
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
        start = _find_at(data, hunk, before, after)
        if start is not None:
            return start
    return None


def _find_at(data: bytes, hunk: Hunk, before: int, after: int) -> int | None:
    """The same with so many bytes of what stood before and behind."""
    head = hunk.head[-before:] if before else b""
    tail = hunk.tail[:after]
    needle = head + hunk.new + tail
    if len(needle) < 8:
        return None
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
    return first + len(head) if first >= 0 else None
