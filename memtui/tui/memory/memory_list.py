"""The list of memories: rows are read as they are needed, over an array of ids (S-9, S-31)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from rich.cells import cell_len
from textual.geometry import Size

from memtui.memory.memory import MemoryRow
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.memory import wording
from memtui.tui.messages import MarksChanged, NewRowsSeen
from memtui.tui.text.glyphs import MARK, PIN, STATE_STYLES, age, bar, fading_of, fit, state_of
from memtui.tui.workers.guarded import worker

Fetch = Callable[[list[int]], Awaitable[list[MemoryRow]]]
MAX_CACHED = 4000  # rows
MAX_COUNTED = 20_000  # lines at the top among which new ones are counted


class MemoryList(VirtualList):
    """A line per memory; rows are fetched as they come into sight, a page ahead in both directions."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._fetch = fetch
        self._clock = clock
        self._rows: dict[int, MemoryRow | None] = {}
        self._stale: set[int] = set()
        self._fetching = False
        self.ids: Sequence[int] = ()
        self.related = 0
        """How many ids at the end do not answer the search, and are only related."""
        self._new: list[int] = []  # indexes of new memories that were never on the screen
        self.marks: set[int] = set()
        self.store_names: dict[str, str] = {}
        """Names for the store column; empty where there is only one store."""

    @property
    def highlighted(self) -> int | None:
        """The id under the cursor."""
        return self.ids[self.cursor] if self.cursor < len(self.ids) else None

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
        cursor: int,
        *,
        keep_place: bool,
        stale: set[int] | None = None,
        related: int = 0,
        new: bool = False,
    ) -> None:
        """Replace the ids, of which the last `related` ones do not answer the search.

        `stale` rows are fetched again, all if None. With `new`, added memories above the screen are counted
        until they are seen."""
        unseen = {self.ids[place] for place in self._new} if keep_place else set()
        before = set(self.ids[:MAX_COUNTED]) - unseen if new else set()
        self.ids, self.related = ids, related
        if stale is None:
            # Old rows stay on the screen until the new ones are fetched, so that nothing flickers.
            self._stale = set(self._rows)
        else:
            self._stale = set(stale)
        divider = len(ids) - related if related else None
        self._new = []
        self.refill(len(ids), cursor, keep_place=keep_place, divider=divider)
        if new or unseen:
            above = enumerate(ids[: min(self.top, MAX_COUNTED)])
            self._new = [place for place, id in above if (id not in before if new else id in unseen)]
        self._fetch_missing()

    @property
    def new_above(self) -> int:
        """How many new memories are above the screen and were not seen yet."""
        return len(self._new)

    def extend(self, ids: Sequence[int]) -> None:
        """Append to the list; nothing moves."""
        self.ids = ids
        self.count = len(ids)
        self.virtual_size = Size(self.scrollable_content_region.width, self.count)
        self.refresh()
        self._fetch_missing()

    def toggle_mark(self) -> None:
        """Mark or unmark the highlighted memory and move to the next."""
        if (id := self.highlighted) is None:
            return
        self.marks ^= {id}
        self.redraw_line(self.cursor)
        self.action_down()
        self.post_message(MarksChanged())

    def mark(self, ids: set[int]) -> None:
        """Mark exactly these memories."""
        self.marks = ids
        self.refresh()
        self.post_message(MarksChanged())

    def is_marked(self, index: int) -> bool:
        return self.ids[index] in self.marks

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._fetch_missing()
        if self._new and self._new[-1] >= self.top:
            self._new = [place for place in self._new if place < self.top]
            self.post_message(NewRowsSeen())

    def on_resize(self) -> None:
        super().on_resize()
        self._fetch_missing()

    def _missing(self) -> list[int]:
        """Return the ids on the screen, and a page above and below, whose rows are to be fetched."""
        page = max(self.page, 1)
        around = self.ids[max(0, self.top - page) : self.top + 2 * page]
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
        id = self.ids[index]
        mark = (MARK if id in self.marks else " ", "accent")
        row = self._rows.get(id)
        if row is None:
            waiting = id not in self._rows
            return [
                (" ", "plain"),
                mark,
                (fit("   …" if waiting else wording.GONE_ROW, width - 2), "quiet"),
            ]
        wide = width >= 96
        tail: list[Part] = []
        if self.store_names and width >= 56:
            name = self.store_names.get(row.store, row.store)
            tail += [("  ", "plain"), (fit(name, 16 if wide else 10), "quiet")]
        if width >= 44:
            tail += [(" ", "plain"), (fit(row.category, 12 if wide else 10, right=True), "quiet")]
        if width >= 36:
            full, rest = bar(row.score)
            tail += [(" ", "plain"), ("▇" * full, "bar"), ("·" * rest + " " * (5 - full - rest), "track")]
        tail += [(fit(age(row.updated_at, self._clock()), 5, right=True), "quiet"), (" ", "plain")]
        state = state_of(row.status, row.removed) or fading_of(row.decay_state)
        if state:
            name = "removed" if row.removed else row.status
            tail = [("  ", "plain"), (fit(state, cell_len(state)), STATE_STYLES.get(name, "quiet")), *tail]
        room = max(1, width - 4 - sum(cell_len(text) for text, _ in tail))
        faded = row.removed or row.status in ("dismissed", "superseded", "expired")
        return [
            (" ", "plain"),
            mark,
            (PIN if row.pinned else " ", "accent"),
            (" ", "plain"),
            (fit(row.label, room), "quiet" if faded else "plain"),
            *tail,
        ]
