"""The lines of a list of memories under headings, some of them folded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from memtui.memory.groups import Group


class Outline:
    """Which line shows which heading or memory. A memory's place is its index in the list of ids.

    >>> lines = Outline([Group("Ana", "", "", None, 0, 2), Group("Bo", "", "", None, 2, 1)], {("", "Ana")})
    >>> [lines.place_at(line) for line in range(lines.count)], lines.line_of(1), lines.line_of(2)
    ([None, None, 2], 0, 2)
    """

    def __init__(self, groups: Sequence[Group], folded: Collection[tuple[str, str]]) -> None:
        self.groups = groups
        self.folded = folded
        self.count = 0
        self._headings: list[int] = []  # the line of each
        for group in groups:
            self._headings.append(self.count)
            self.count += 1 if group.id in folded else 1 + group.count
        self._starts = [group.start for group in groups]
        self._heading_rows = [2 * line - index for index, line in enumerate(self._headings)]

    def group_at(self, line: int) -> Group:
        """Return the group that a line belongs to."""
        return self.groups[bisect_right(self._headings, line) - 1]

    def place_at(self, line: int) -> int | None:
        """Return the place of the memory in a line; None for a heading."""
        index = bisect_right(self._headings, line) - 1
        below = line - self._headings[index]
        return self.groups[index].start + below - 1 if below else None

    def group_of(self, place: int) -> Group:
        """Return the group of the memory at a place."""
        return self.groups[bisect_right(self._starts, place) - 1]

    def line_of(self, place: int) -> int:
        """Return the line of the memory at a place; that of its heading if it is folded."""
        index = bisect_right(self._starts, place) - 1
        group = self.groups[index]
        heading = self._headings[index]
        return heading if group.id in self.folded else heading + 1 + place - group.start

    def rows_before(self, line: int) -> int:
        """Return how many rows the lines before one take if a memory takes two and a heading one."""
        return 2 * line - bisect_left(self._headings, line)

    def line_in(self, row: int) -> int:
        """Return the line in a row if a memory takes two and a heading one."""
        index = bisect_right(self._heading_rows, row) - 1
        return self._headings[index] + (row - self._heading_rows[index] + 1) // 2

    def lines_below(self, group: Group) -> int:
        """Return how many lines a group has below its heading: none if it is folded."""
        return 0 if group.id in self.folded else group.count

    def heading_of(self, id: tuple[str, str]) -> int | None:
        """Return the line of a group's heading; None if there is no such group."""
        found = (line for line, group in zip(self._headings, self.groups, strict=True) if group.id == id)
        return next(found, None)
