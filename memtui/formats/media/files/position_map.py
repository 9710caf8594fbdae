"""Where the bytes of files are after edits: a piece table for each file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from memtui.formats.media.files.hunks import FileEdit, Hunk


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of bytes in a file as it is now: old bytes that were at `origin`, or new ones from `edit`, of
    which the first stands for the byte at `origin` that they replaced."""

    length: int
    origin: int | None
    edit: FileEdit | None = None

    def part(self, start: int, end: int) -> _Piece:
        """Return the piece from its byte `start` to its byte `end` (exclusive)."""
        if self.origin is None or (self.edit is not None and start):
            return _Piece(end - start, None, self.edit)
        return _Piece(end - start, self.origin + start, self.edit)


class PositionMap:
    """Maps byte positions before edits to those after them, and new bytes to the edit that wrote them.

    A position is (file name, offset); offset -1 is the file as a whole.
    """

    def __init__(self, edits: Iterable[FileEdit] = ()) -> None:
        self._pieces: dict[str, list[_Piece]] = {}
        # By file: where each piece starts now; the origins of those that have one, and their numbers.
        self._indexes: dict[str, tuple[list[int], list[int], list[int]]] = {}
        for edit in edits:
            self.add(edit)

    def add(self, edit: FileEdit) -> None:
        """Take one more edit into account."""
        self._indexes.pop(edit.name, None)
        if edit.after is None:
            self._pieces[edit.name] = []
        elif edit.before is None:
            self._pieces[edit.name] = [_Piece(len(edit.content) + 1, None, edit)]
        else:
            pieces = self._pieces.setdefault(edit.name, [_Piece(1 << 62, -1)])
            for hunk in edit.hunks:
                _replace(pieces, hunk, edit)

    def locate(self, position: tuple[str, int]) -> tuple[str, int] | None:
        """Return where the byte that was at `position` is now; None if it was removed."""
        name, offset = position
        if name not in self._pieces:
            return position
        if not self._pieces[name]:  # the file was removed
            return None
        starts, origins, numbers = self._index(name)
        index = bisect_right(origins, offset) - 1
        if index < 0:
            return None
        piece, within = self._pieces[name][numbers[index]], offset - origins[index]
        if within >= (piece.length if piece.edit is None else 1):
            return None
        return name, starts[numbers[index]] + within

    def edit_at(self, position: tuple[str, int]) -> FileEdit | None:
        """Return the edit that wrote the byte now at `position`; None if the byte is an old one."""
        name, offset = position
        if name not in self._pieces:
            return None
        index = bisect_right(self._index(name)[0], offset) - 1
        return self._pieces[name][index].edit if index >= 0 else None

    def _index(self, name: str) -> tuple[list[int], list[int], list[int]]:
        if name not in self._indexes:
            pieces = self._pieces[name]
            starts = list(accumulate((piece.length for piece in pieces), initial=-1))[:-1]
            old = [(piece.origin, number) for number, piece in enumerate(pieces) if piece.origin is not None]
            self._indexes[name] = starts, [origin for origin, _ in old], [number for _, number in old]
        return self._indexes[name]


def _replace(pieces: list[_Piece], hunk: Hunk, edit: FileEdit) -> None:
    """Put the hunk's new bytes into the table in place of its old ones."""
    at, first = -1, 0  # the first piece that reaches beyond the hunk's start, and where it starts
    while first < len(pieces) and at + pieces[first].length <= hunk.start:
        at += pieces[first].length
        first += 1
    end, last, stop = hunk.start + len(hunk.old), first, at  # `last`, `stop`: behind the last piece affected
    while last < len(pieces) and stop < max(end, hunk.start + (at < hunk.start)):
        stop += pieces[last].length
        last += 1
    affected = pieces[first:last]
    new: list[_Piece] = []
    if affected and at < hunk.start:
        new.append(affected[0].part(0, hunk.start - at))
    if hunk.new:
        before = hunk.start - at
        origin = affected[0].part(before, before + 1).origin if affected and hunk.old else None
        new.append(_Piece(len(hunk.new), origin, edit))
    if affected and stop > end:
        size = affected[-1].length
        new.append(affected[-1].part(size - (stop - end), size))
    pieces[first:last] = new
