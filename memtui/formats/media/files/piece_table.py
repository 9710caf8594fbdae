"""The bytes of one file after edits, as pieces of what was there before and of what edits wrote.

The pieces are kept in blocks, so that an edit or a look-up passes over few of them, however many edits there
were before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.formats.media.files.hunks import FileEdit, Hunk

_BLOCK = 128  # pieces; a block of twice as many is split
_BEFORE_ALL = -2  # less than any position: -1 is the file as a whole


class Piece(NamedTuple):
    """A run of bytes in a file as it is now: old bytes that were at `origin`, or new ones from `edit`, of
    which the first stands for the byte at `origin` that they replaced."""

    length: int
    origin: int | None
    edit: FileEdit | None = None

    def part(self, start: int, end: int) -> Piece:
        """Return the piece from its byte `start` to its byte `end` (exclusive)."""
        if self.origin is None or (self.edit is not None and start):
            return Piece(end - start, None, self.edit)
        return Piece(end - start, self.origin + start, self.edit)


class _Block:
    """Adjoining pieces; a changed block is another one."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces

    @cached_property
    def starts(self) -> list[int]:
        """Where each piece starts, counted from the start of the block."""
        return list(accumulate([piece.length for piece in self.pieces], initial=0))[:-1]

    @property
    def length(self) -> int:
        return self.starts[-1] + self.pieces[-1].length if self.pieces else 0

    @cached_property
    def origins(self) -> list[tuple[int, int]]:
        """The origins of the pieces that have one, with the pieces' numbers; both rise."""
        return [(piece.origin, n) for n, piece in enumerate(self.pieces) if piece.origin is not None]


class PieceTable:
    """The pieces of one file, from position -1."""

    def __init__(self, piece: Piece) -> None:
        self._blocks = [_Block([piece])]
        self._lengths = [piece.length]  # of the blocks
        self._starts: list[int] | None = None  # of the blocks; None after an edit
        self._first_origins: list[int] | None = None  # of each block, or of the last one before that has any

    def replace(self, hunk: Hunk, edit: FileEdit) -> None:
        """Put the hunk's new bytes into the table in place of its old ones."""
        number, at = self._block_at(hunk.start)
        end = hunk.start + len(hunk.old)
        first, at = _first_beyond(self._blocks[number], at, hunk.start)
        reach = max(end, hunk.start + (at < hunk.start))
        pieces, next_block = [*self._blocks[number].pieces], number + 1
        last, stop = first, at  # behind the last piece affected
        while stop < reach:
            if last == len(pieces):
                if next_block == len(self._blocks):
                    break
                pieces += self._blocks[next_block].pieces
                next_block += 1
            stop += pieces[last].length
            last += 1
        pieces[first:last] = _replaced(pieces[first:last], at, stop, hunk, edit)
        size = len(pieces) if len(pieces) < 2 * _BLOCK else _BLOCK
        blocks = [_Block(pieces[n : n + size]) for n in range(0, len(pieces), max(1, size))]
        if not blocks and len(self._blocks) == next_block - number:
            blocks = [_Block([])]
        self._blocks[number:next_block] = blocks
        self._lengths[number:next_block] = [block.length for block in blocks]
        self._starts = self._first_origins = None

    def position_of(self, origin: int) -> int | None:
        """Return where the byte that was at `origin` is now; None if it was removed."""
        number = bisect_right(self._origins_of_blocks(), origin) - 1
        while number >= 0 and not self._blocks[number].origins:
            number -= 1
        if number < 0:
            return None
        block = self._blocks[number]
        first, index = block.origins[bisect_right(block.origins, (origin, len(block.pieces))) - 1]
        piece, within = block.pieces[index], origin - first
        if within >= (piece.length if piece.edit is None else 1):
            return None
        return self._starts_of_blocks()[number] + block.starts[index] + within

    def edit_at(self, position: int) -> FileEdit | None:
        """Return the edit that wrote the byte at `position`; None if it is an old one."""
        number, start = self._block_at(position)
        block = self._blocks[number]
        index = bisect_right(block.starts, position - start) - 1
        return block.pieces[index].edit if index >= 0 else None

    def _block_at(self, position: int) -> tuple[int, int]:
        """Return the number of the block with this position, or of the last one, and where it starts."""
        starts = self._starts_of_blocks()
        number = max(0, bisect_right(starts, position) - 1)
        return number, starts[number]

    def _starts_of_blocks(self) -> list[int]:
        if self._starts is None:
            self._starts = list(accumulate(self._lengths, initial=-1))[:-1]
        return self._starts

    def _origins_of_blocks(self) -> list[int]:
        if self._first_origins is None:
            firsts = (block.origins[0][0] if block.origins else _BEFORE_ALL for block in self._blocks)
            self._first_origins = list(accumulate(firsts, max))
        return self._first_origins


def _first_beyond(block: _Block, start: int, position: int) -> tuple[int, int]:
    """Return the number of the first piece of a block at `start` that reaches beyond a position, or of none,
    and where it starts."""
    index = max(0, bisect_right(block.starts, position - start) - 1)
    if index < len(block.pieces) and start + block.starts[index] + block.pieces[index].length > position:
        return index, start + block.starts[index]
    return len(block.pieces), start + block.length


def _replaced(affected: Sequence[Piece], at: int, stop: int, hunk: Hunk, edit: FileEdit) -> list[Piece]:
    """Return what takes the place of these pieces, which are from `at` to `stop`."""
    end = hunk.start + len(hunk.old)
    new: list[Piece] = []
    if affected and at < hunk.start:
        new.append(affected[0].part(0, hunk.start - at))
    if hunk.new:
        before = hunk.start - at
        origin = affected[0].part(before, before + 1).origin if affected and hunk.old else None
        new.append(Piece(len(hunk.new), origin, edit))
    if affected and stop > end:
        size = affected[-1].length
        new.append(affected[-1].part(size - (stop - end), size))
    return new
