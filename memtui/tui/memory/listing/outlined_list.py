"""The lines of a list of memories: one for each, below headings if it is grouped; what is folded there, and
which memory is under the cursor (S-31)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.memory.groups import Group
from memtui.tui.common.virtual_list import VirtualList
from memtui.tui.memory.listing.folds import HEADINGS, PREVIEWS, WHOLE, Folds
from memtui.tui.memory.listing.outline import Outline
from memtui.tui.messages import CursorMoved

FEW = 50
"""Memories up to which a list starts with whole groups."""


class OutlinedList(VirtualList):
    """A list over an array of ids, flat or in groups."""

    def __init__(self, *, id: str, two_lines: bool = False) -> None:
        super().__init__(id=id)
        self._two_lines = two_lines  # for each memory
        self.ids: Sequence[int] = ()
        self._outline: Outline | None = None  # None: the list is flat
        self._long_list_folds = Folds(PREVIEWS)
        self._folds = self._long_list_folds

    @property
    def place(self) -> int:
        """The index in `ids` of the memory under the cursor, or of the first one that the line stands for."""
        if self._outline is None or not self.count:
            return self.cursor
        return self._outline.first_place(self.cursor)

    @property
    def is_grouped(self) -> bool:
        """Whether the memories are below headings."""
        return self._outline is not None

    @property
    def highlighted(self) -> int | None:
        """The id under the cursor; None on a heading or on the number of more memories."""
        return self._id_at(self.cursor)

    @property
    def heading(self) -> Group | None:
        """The group whose heading is under the cursor."""
        if self._outline is None or not self.count or not self._outline.is_heading(self.cursor):
            return None
        return self._outline.group_at(self.cursor)

    @property
    def more(self) -> int:
        """How many more memories the line under the cursor stands for; 0 on a heading or a memory."""
        return self._outline.more_at(self.cursor) if self._outline is not None and self.count else 0

    @property
    def group(self) -> Group | None:
        """The group under the cursor; None in a flat list."""
        return self._outline.group_at(self.cursor) if self._outline is not None and self.count else None

    def is_led(self, index: int) -> bool:
        """Whether a line is shown together with the heading above it."""
        if self._outline is None or not 0 < index < self.count:
            return super().is_led(index)
        return self._outline.is_heading(index - 1)

    @property
    def below(self) -> list[int]:
        """The ids below the heading under the cursor; none if the cursor is on a memory."""
        group = self.heading
        return list(self._ids_of(group)) if group is not None else []

    def _ids_of(self, group: Group) -> Sequence[int]:
        return self.ids[group.start : group.start + group.count]

    def rows_before(self, index: int) -> int:
        if not self._two_lines:
            return index
        return 2 * index if self._outline is None else self._outline.rows_before(index)

    def item_in(self, row: int) -> int:
        if not self._two_lines:
            return row
        return row // 2 if self._outline is None else self._outline.line_in(row)

    def _id_at(self, line: int) -> int | None:
        if line >= self.count:
            return None
        place = line if self._outline is None else self._outline.place_at(line)
        return None if place is None or place >= len(self.ids) else self.ids[place]

    def _ids_in(self, lines: range) -> Iterator[int]:
        """Yield the ids of the memories in these lines."""
        for line in range(max(0, lines.start), min(lines.stop, self.count)):
            if (id := self._id_at(line)) is not None:
                yield id

    def _line_of(self, place: int, heading: Group | None = None) -> int:
        """Return the line of a memory, or of a heading that is still there."""
        if self._outline is None:
            return place
        line = self._outline.heading_of(heading.id) if heading is not None else None
        return self._outline.line_of(place) if line is None else line

    # Folding

    def fold(self) -> bool:
        """Fold the group under the cursor, which goes to its heading; return whether there was one."""
        if self._outline is None or not self.count:
            return False
        group = self._outline.group_at(self.cursor)
        if self._outline.is_folded(group):
            return False
        self._folds.set(group, HEADINGS)
        self._redraw_outline(group.start, group)
        return True

    def unfold(self) -> bool:
        """Show all of the group whose heading, or number of more memories, is under the cursor; return
        whether it was not shown.

        From the number, the cursor goes to the first memory that it stood for."""
        if self._outline is None or not self.count or (self.heading is None and not self.more):
            return False
        group, place = self._outline.group_at(self.cursor), self.place
        if self._outline.is_whole(group):
            return False
        heading = self.heading
        self._folds.set(group, WHOLE)
        self._redraw_outline(place, heading)
        return True

    def start_folds(self, count: int) -> None:
        """Prepare for another list of this many memories: few are all shown, of many the groups are as they
        were in the last long list, at first as previews."""
        self._folds = Folds() if count <= FEW else self._long_list_folds

    def fold_all(self) -> None:
        """Show more of all groups: previews after headings, then all, then headings again."""
        if self._outline is None or not self.count:
            return
        self._folds.next_level(self._outline.groups)
        group = self._outline.group_at(self.cursor)
        self._redraw_outline(group.start, group)

    def move_to_place(self, place: int) -> None:
        """Put the cursor on `ids[place]`, unfolded."""
        if self._outline is not None and self._outline.is_hidden(place):
            group = self._outline.group_of(place)
            self._folds.set(group, WHOLE)
            self._redraw_outline(group.start, group)
        super().move_to(self._line_of(place))  # no key of the user's: news stay highlighted

    def _redraw_outline(self, place: int, heading: Group | None) -> None:
        """Lay out the lines anew; `ids[place]`, or `heading`, gets the cursor and keeps its height."""
        assert self._outline is not None
        self._outline = Outline(self._outline.groups, self._folds)
        self.refill(self._outline.count, self._line_of(place, heading), keep_place=True)
        self.post_message(CursorMoved())
        self.lines_changed()

    def lines_changed(self) -> None:
        """React to other lines of the same memories."""

    def advance(self) -> None:
        """Move to the next memory past any heading, or from a heading to the next one.

        What a preview hides comes into sight."""
        line = self.cursor + 1
        if self._outline is None or not self.count:
            self.move_to(line)
        elif self.heading is not None:
            self.move_to(self._outline.next_heading(self.cursor))
        elif line < self.count and self._outline.more_at(line):
            self.move_to_place(self._outline.first_place(line))
        else:
            found = (each for each in range(line, self.count) if self._id_at(each) is not None)
            self.move_to(next(found, line))
