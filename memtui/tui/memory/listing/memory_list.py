"""The list of memories: rows are read as they are needed, over an array of ids (S-9, S-31)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from textual.geometry import Size

from memtui.memory.groups import Group
from memtui.memory.memory import MemoryRow
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory import wording
from memtui.tui.memory.listing.arrivals import Arrivals, Elsewhere
from memtui.tui.memory.listing.folds import WHOLE
from memtui.tui.memory.listing.outline import Outline
from memtui.tui.memory.listing.outlined_list import OutlinedList
from memtui.tui.memory.listing.row_text import (
    HeadingColumns,
    RowText,
    heading_parts,
    more_parts,
    waiting_parts,
)
from memtui.tui.messages import MarksChanged, NewRowsSeen
from memtui.tui.workers.guarded import worker

Fetch = Callable[[list[int]], Awaitable[list[MemoryRow]]]
MAX_CACHED = 4000  # rows


class MemoryList(OutlinedList):
    """A line per memory, under headings if it is grouped; rows are fetched as they come into sight, a page
    ahead in both directions."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float], *, id: str, two_lines: bool = False) -> None:
        super().__init__(id=id, two_lines=two_lines)
        self._fetch = fetch
        self._clock = clock
        self._rows: dict[int, MemoryRow | None] = {}
        self._stale: set[int] = set()
        self._fetching = False
        self.related = 0
        """How many ids at the end do not answer the search, and are only related."""
        self._arrivals = Arrivals()
        self.marks: set[int] = set()
        self.store_names: dict[str, str] = {}
        """Names for the stores; empty where there is only one store."""
        self.has_times = True
        """Whether any memory has a time; without, flat lists have no column for ages."""
        self._heading_columns = HeadingColumns()

    @property
    def answers(self) -> Sequence[int]:
        """The ids that answer the search, without related ones."""
        return self.ids[: len(self.ids) - self.related]

    def divider_text(self) -> str:
        return "Related"

    def row(self, id: int) -> MemoryRow | None:
        """Return the row of a memory if it was fetched."""
        return self._rows.get(id)

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
        stays there, and one that was on a memory does not let a preview hide it.

        `stale` rows are fetched again, all if None. What `arrived`, as "new" or "changed", is highlighted
        until a key moves after it was seen, and counted while it is out of sight."""
        on_heading = self.heading if keep_place else None
        on_memory = keep_place and self.highlighted is not None
        self.ids, self.related = ids, related
        self._outline = Outline(groups, self._folds) if groups else None
        if on_memory and self._outline is not None and place < len(ids):
            self._keep_in_sight(self._outline, place)
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

    def _keep_in_sight(self, outline: Outline, place: int) -> None:
        """Show all of a group whose preview would hide the memory under the cursor."""
        group = outline.group_of(place)
        if outline.is_hidden(place) and not outline.is_folded(group):
            self._folds.set(group, WHOLE)
            self._outline = Outline(outline.groups, self._folds)

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

    def lines_changed(self) -> None:
        self._arrivals.locate(self.ids, self._outline)
        self._note_seen()
        self._fetch_missing()

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
            return self._line_of_group(index, width, now)
        row = self._rows.get(id)
        if row is None:
            return waiting_parts(width, marked=id in self.marks, gone=id in self._rows)
        return self._line_text(index, row).first(
            width, now, marked=id in self.marks, arrived=self._arrivals.kind(id)
        )

    def _line_of_group(self, index: int, width: int, now: float) -> list[Part]:
        """Return a heading, or the line that says how many more memories a group has."""
        assert self._outline is not None
        group, more = self._outline.group_at(index), self._outline.more_at(index)
        standing_for = self._ids_of(group)[-more:] if more else self._ids_of(group)
        marked = len(self.marks.intersection(standing_for)) if self.marks else 0
        if more:
            at_top = index <= self.shown_items.start
            return more_parts(more, width, marked=marked, group=self._name_of(group) if at_top else "")
        return heading_parts(
            group,
            width,
            now,
            self._heading_columns,
            folded=self._outline.is_folded(group),
            marked=marked,
            stores=self.store_names,
        )

    def _name_of(self, group: Group) -> str:
        return self.store_names.get(group.name, group.name) or wording.NO_CATEGORY

    def second_parts(self, index: int, width: int) -> list[Part]:
        id = self._id_at(index)
        row = self._rows.get(id) if id is not None else None
        return self._line_text(index, row).second(width, self._clock()) if row is not None else []

    def _line_text(self, index: int, row: MemoryRow) -> RowText:
        grouped = self._outline is not None
        # At the top of the screen, neither the row above nor the heading says it.
        at_top = index <= self.shown_items.start
        above = None if at_top else self._id_at(index - 1)
        before = self._rows.get(above) if above is not None else None
        same = bool(row.subject) and before is not None and before.subject == row.subject
        subject = "" if same else row.subject
        if self._outline is not None:
            group = self._outline.group_at(index)
            if at_top:
                subject = subject or self._name_of(group)
            elif row.subject.casefold() == group.name.casefold():
                subject, same = "", False
        stores = {} if grouped else self.store_names
        dated = self._heading_columns.age > 0 if grouped else self.has_times
        return RowText(
            row,
            indent=2 * (grouped + same),
            subject=subject,
            stores=stores,
            two_lines=self._two_lines,
            dated=dated,
        )
