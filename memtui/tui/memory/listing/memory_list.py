"""The list of memories: rows are read as they are needed, over an array of ids (S-9, S-31)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

from textual.geometry import Size

from memtui.memory.groups import Group
from memtui.memory.memory import MemoryRow
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.memory import wording
from memtui.tui.memory.listing.arrivals import Arrivals, Elsewhere
from memtui.tui.memory.listing.outline import Outline
from memtui.tui.memory.listing.row_text import HeadingColumns, RowText, heading_parts, waiting_parts
from memtui.tui.messages import CursorMoved, MarksChanged, NewRowsSeen
from memtui.tui.workers.guarded import worker

Fetch = Callable[[list[int]], Awaitable[list[MemoryRow]]]
MAX_CACHED = 4000  # rows


class MemoryList(VirtualList):
    """A line per memory, under headings if it is grouped; rows are fetched as they come into sight, a page
    ahead in both directions."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float], *, id: str, two_lines: bool = False) -> None:
        super().__init__(id=id)
        self._two_lines = two_lines  # for each memory
        self._fetch = fetch
        self._clock = clock
        self._rows: dict[int, MemoryRow | None] = {}
        self._stale: set[int] = set()
        self._fetching = False
        self.ids: Sequence[int] = ()
        self.related = 0
        """How many ids at the end do not answer the search, and are only related."""
        self._arrivals = Arrivals()
        self.marks: set[int] = set()
        self.store_names: dict[str, str] = {}
        """Names for the stores; empty where there is only one store."""
        self._outline: Outline | None = None  # None: the list is flat
        self._heading_columns = HeadingColumns()
        self._folded: set[tuple[str, str]] = set()

    @property
    def place(self) -> int:
        """The index in `ids` of the memory under the cursor, or of the first one below the heading there."""
        if self._outline is None or not self.count:
            return self.cursor
        place = self._outline.place_at(self.cursor)
        return self._outline.group_at(self.cursor).start if place is None else place

    @property
    def is_grouped(self) -> bool:
        """Whether the memories are below headings."""
        return self._outline is not None

    @property
    def highlighted(self) -> int | None:
        """The id under the cursor; None on a heading."""
        return self._id_at(self.cursor)

    @property
    def heading(self) -> Group | None:
        """The group whose heading is under the cursor."""
        if self._outline is None or not self.count or self._outline.place_at(self.cursor) is not None:
            return None
        return self._outline.group_at(self.cursor)

    @property
    def group(self) -> Group | None:
        """The group under the cursor; None in a flat list."""
        return self._outline.group_at(self.cursor) if self._outline is not None and self.count else None

    def is_led(self, index: int) -> bool:
        """Whether a line is shown together with the heading above it."""
        if self._outline is None or not 0 < index < self.count:
            return super().is_led(index)
        return self._outline.place_at(index - 1) is None

    @property
    def below(self) -> list[int]:
        """The ids below the heading under the cursor; none if the cursor is on a memory."""
        group = self.heading
        return list(self.ids[group.start : group.start + group.count]) if group is not None else []

    @property
    def answers(self) -> Sequence[int]:
        """The ids that answer the search, without related ones."""
        return self.ids[: len(self.ids) - self.related]

    def divider_text(self) -> str:
        return "Related"

    def rows_before(self, index: int) -> int:
        if not self._two_lines:
            return index
        return 2 * index if self._outline is None else self._outline.rows_before(index)

    def item_in(self, row: int) -> int:
        if not self._two_lines:
            return row
        return row // 2 if self._outline is None else self._outline.line_in(row)

    def row(self, id: int) -> MemoryRow | None:
        """Return the row of a memory if it was fetched."""
        return self._rows.get(id)

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

    def show(
        self,
        ids: Sequence[int],
        place: int,
        *,
        keep_place: bool,
        stale: set[int] | None = None,
        related: int = 0,
        arrived: Mapping[int, str] | None = None,
        groups: Sequence[Group] = (),
    ) -> None:
        """Replace the ids, of which the last `related` ones do not answer the search, with the cursor on
        `ids[place]`. With `groups`, they are in that order, below headings; a cursor that was on a heading
        stays there.

        `stale` rows are fetched again, all if None. What `arrived`, as "new" or "changed", is highlighted
        until a key moves after it was seen, and counted while it is out of sight."""
        on_heading = self.heading if keep_place else None
        self.ids, self.related = ids, related
        self._outline = Outline(groups, self._folded) if groups else None
        self._heading_columns = HeadingColumns.of(groups, self.store_names)
        if stale is None:
            # Old rows stay on the screen until the new ones are fetched, so that nothing flickers.
            self._stale = set(self._rows)
        else:
            self._stale = set(stale)
        divider = len(ids) - related if related else None
        if arrived is not None:
            self._arrivals = Arrivals(arrived)
        self._arrivals.locate(ids, self._outline)
        count = self._outline.count if self._outline is not None else len(ids)
        self.refill(count, self._line_of(place, on_heading), keep_place=keep_place, divider=divider)
        self._note_seen()
        self._fetch_missing()

    def _line_of(self, place: int, heading: Group | None = None) -> int:
        """Return the line of a memory, or of a heading that is still there."""
        if self._outline is None:
            return place
        line = self._outline.heading_of(heading.id) if heading is not None else None
        return self._outline.line_of(place) if line is None else line

    @property
    def elsewhere(self) -> Elsewhere:
        """Where arrived memories are that were not on the screen yet."""
        end = self.top + max(self.page, 1)
        return self._arrivals.elsewhere(self.top, end, lambda place: self.row_of(self._line_of(place)))

    def _note_seen(self) -> None:
        if self.page and self._arrivals.see(self._ids_in(self.shown_items)):
            self.post_message(NewRowsSeen())

    def move_to(self, index: int) -> None:
        if self._arrivals.settle():
            self.refresh()
        super().move_to(index)

    def extend(self, ids: Sequence[int]) -> None:
        """Append to a flat list; nothing moves."""
        self.ids = ids
        self._arrivals.locate(ids, None)
        self.count = len(ids)
        self.virtual_size = Size(self.scrollable_content_region.width, self.rows)
        self.refresh()
        self._fetch_missing()

    def move_to_place(self, place: int) -> None:
        """Put the cursor on `ids[place]`, unfolded."""
        if self._outline is not None and (group := self._outline.group_of(place)).id in self._folded:
            self._folded.discard(group.id)
            self._redraw_outline(group)
        super().move_to(self._line_of(place))  # no key of the user's: news stay highlighted

    def fold(self) -> bool:
        """Fold the group under the cursor, which goes to its heading; return whether there was one."""
        if self._outline is None or not self.count:
            return False
        group = self._outline.group_at(self.cursor)
        if group.id in self._folded:
            return False
        self._folded.add(group.id)
        self._redraw_outline(group)
        return True

    def unfold(self) -> bool:
        """Unfold the group under the cursor; return whether it was folded."""
        group = self.heading
        if group is None or group.id not in self._folded:
            return False
        self._folded.discard(group.id)
        self._redraw_outline(group)
        return True

    def forget_folds(self) -> None:
        """Show the next list with all its groups unfolded."""
        self._folded = set()

    def fold_all(self) -> None:
        """Fold all groups, or unfold them if all are folded."""
        if self._outline is None or not self.count:
            return
        groups = self._outline.groups
        ids = {group.id for group in groups}
        self._folded = set() if ids <= self._folded else ids
        self._redraw_outline(self._outline.group_at(self.cursor))

    def _redraw_outline(self, group: Group) -> None:
        """Lay out the lines anew; the heading of `group` gets the cursor and keeps its height."""
        assert self._outline is not None
        self._outline = Outline(self._outline.groups, self._folded)
        self._arrivals.locate(self.ids, self._outline)
        line = self._line_of(group.start, group)
        self.refill(self._outline.count, line, keep_place=True)
        self._note_seen()
        self.post_message(CursorMoved())
        self._fetch_missing()

    def advance(self) -> None:
        """Move to the next memory past any heading, or from a heading to the next one."""
        group, line = self.heading, self.cursor + 1
        if group is not None and self._outline is not None:
            line += self._outline.lines_below(group)
        else:
            line = next((each for each in range(line, self.count) if self._id_at(each) is not None), line)
        self.move_to(line)

    def toggle_mark(self) -> None:
        """Mark or unmark the highlighted memory, or all below the highlighted heading, and move on."""
        if below := set(self.below):
            self.marks = self.marks - below if below <= self.marks else self.marks | below
            self.refresh()
        elif (id := self.highlighted) is not None:
            self.marks ^= {id}
            self.redraw_line(self.cursor)
        else:
            return
        self.advance()
        self.post_message(MarksChanged())

    def mark(self, ids: set[int]) -> None:
        """Mark exactly these memories."""
        self.marks = ids
        self.refresh()
        self.post_message(MarksChanged())

    def is_marked(self, index: int) -> bool:
        id = self._id_at(index)
        return id in self.marks if id is not None else False

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._fetch_missing()
        self._note_seen()

    def on_resize(self) -> None:
        super().on_resize()
        self._note_seen()
        self._fetch_missing()

    def _missing(self) -> list[int]:
        """Return the ids on the screen, and a page above and below, whose rows are to be fetched."""
        page, first = max(self.page, 1), self.shown_items.start
        around = self._ids_in(range(first - page, first + 2 * page))
        return [id for id in around if id not in self._rows or id in self._stale]

    def _fetch_missing(self) -> None:
        if not self._fetching and self._missing():
            self._fetching = True
            self._fetch_rows()

    @worker(wording.ROWS_NOT_READ, group="rows", exclusive=False)
    async def _fetch_rows(self) -> None:
        try:
            # Not an exclusive worker: with a key held down every read would be cancelled.
            while wanted := self._missing():
                found = {row.id: row for row in await self._fetch(wanted)}
                if len(self._rows) > MAX_CACHED:
                    self._rows.clear()
                for id in wanted:
                    self._rows[id] = found.get(id)
                self._stale.difference_update(wanted)
                self.refresh()
        finally:
            self._fetching = False

    def parts(self, index: int, width: int) -> list[Part]:
        id, now = self._id_at(index), self._clock()
        if id is None:
            assert self._outline is not None
            group = self._outline.group_at(index)
            below = set(self.ids[group.start : group.start + group.count]) if self.marks else set()
            marked = len(below & self.marks)
            folded = group.id in self._folded
            return heading_parts(
                group,
                width,
                now,
                self._heading_columns,
                folded=folded,
                marked=marked,
                stores=self.store_names,
            )
        row = self._rows.get(id)
        if row is None:
            return waiting_parts(width, marked=id in self.marks, gone=id in self._rows)
        return self._line_text(index, row).first(
            width, now, marked=id in self.marks, arrived=self._arrivals.kind(id)
        )

    def second_parts(self, index: int, width: int) -> list[Part]:
        id = self._id_at(index)
        row = self._rows.get(id) if id is not None else None
        return self._line_text(index, row).second(width, self._clock()) if row is not None else []

    def _line_text(self, index: int, row: MemoryRow) -> RowText:
        grouped = self._outline is not None
        above = self._id_at(index - 1) if index else None
        before = self._rows.get(above) if above is not None else None
        subject = "" if grouped or (before is not None and before.subject == row.subject) else row.subject
        stores = {} if grouped else self.store_names
        dated = not grouped or self._heading_columns.age > 0
        return RowText(
            row, indent=grouped, subject=subject, stores=stores, two_lines=self._two_lines, dated=dated
        )
