"""The lines of a list of memories under headings, some of them folded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from memtui.memory.groups import Group
from memtui.tui.memory.listing.folds import Folds


class Outline:
    """Which line shows which heading or memory, or how many more memories a group has than are shown.

    A memory's place is its index in the list of ids.

    >>> folds, ana = Folds(), Group("Ana", "", "", None, 0, 2)
    >>> folds.set(ana, 0)
    >>> lines = Outline([ana, Group("Bo", "", "", None, 2, 1)], folds)
    >>> [lines.place_at(line) for line in range(lines.count)], lines.line_of(1), lines.line_of(2)
    ([None, None, 2], 0, 2)
    """

    def __init__(self, groups: Sequence[Group], folds: Folds) -> None:
        self.groups = groups
        self.count = 0
        self._shown = [folds.shown(group) for group in groups]
        self._headings: list[int] = []  # the line of each
        self._single: list[int] = []  # the lines that show no memory
        for group, shown in zip(groups, self._shown, strict=True):
            self._headings.append(self.count)
            self._single.append(self.count)
            self.count += 1 + shown
            if 0 < shown < group.count:
                self._single.append(self.count)
                self.count += 1
        self._starts = [group.start for group in groups]
        self._single_rows = [2 * line - index for index, line in enumerate(self._single)]

    def _index_at(self, line: int) -> int:
        return bisect_right(self._headings, line) - 1

    def _index_of(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def group_at(self, line: int) -> Group:
        """Return the group that a line belongs to."""
        return self.groups[self._index_at(line)]

    def is_heading(self, line: int) -> bool:
        """Return whether a line is a heading."""
        return self._headings[self._index_at(line)] == line

    def place_at(self, line: int) -> int | None:
        """Return the place of the memory in a line; None for a heading or the number of more memories."""
        index = self._index_at(line)
        below = line - self._headings[index]
        return self.groups[index].start + below - 1 if 0 < below <= self._shown[index] else None

    def first_place(self, line: int) -> int:
        """Return the place of the memory in a line, else of the first one that the line stands for."""
        index = self._index_at(line)
        below = line - self._headings[index]
        return self.groups[index].start + max(0, below - 1)

    def more_at(self, line: int) -> int:
        """Return how many more memories a line stands for; 0 if it shows a heading or a memory."""
        index = self._index_at(line)
        shown = self._shown[index]
        return self.groups[index].count - shown if line == self._headings[index] + shown + 1 else 0

    def group_of(self, place: int) -> Group:
        """Return the group of the memory at a place."""
        return self.groups[self._index_of(place)]

    def is_hidden(self, place: int) -> bool:
        """Return whether the memory at a place has no line of its own."""
        index = self._index_of(place)
        return place - self._starts[index] >= self._shown[index]

    def is_folded(self, group: Group) -> bool:
        """Return whether a group shows its heading alone."""
        return not self._shown[self._index_of(group.start)]

    def is_whole(self, group: Group) -> bool:
        """Return whether a group shows all its memories."""
        return self._shown[self._index_of(group.start)] == group.count

    def line_of(self, place: int) -> int:
        """Return the line of the memory at a place; if it is hidden, the line that stands for it."""
        index = self._index_of(place)
        below, shown = place - self._starts[index], self._shown[index]
        return self._headings[index] + (min(below, shown) + 1 if shown else 0)

    def rows_before(self, line: int) -> int:
        """Return how many rows the lines before one take if a memory takes two and any other line one."""
        return 2 * line - bisect_left(self._single, line)

    def line_in(self, row: int) -> int:
        """Return the line in a row if a memory takes two and any other line one."""
        index = bisect_right(self._single_rows, row) - 1
        return self._single[index] + (row - self._single_rows[index] + 1) // 2

    def next_heading(self, line: int) -> int:
        """Return the line of the heading after a line; the number of lines if there is none."""
        index = bisect_right(self._headings, line)
        return self._headings[index] if index < len(self._headings) else self.count

    def heading_of(self, id: tuple[str, str]) -> int | None:
        """Return the line of a group's heading; None if there is no such group."""
        found = (line for line, group in zip(self._headings, self.groups, strict=True) if group.id == id)
        return next(found, None)
