"""The list of what leaves or changes, when, and when if it were pinned or used (S-26)."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from memtui.memory.lifecycles.forecast import relative_time
from memtui.memory.lifecycles.outlook import OutlookRow
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory.listing.memory_list import Fetch, MemoryList
from memtui.tui.text.glyphs import MARK, PIN, bar, fit

STORE_WIDTH = 100  # cells from which the store is shown


class DecayList(MemoryList):
    """One line per memory, soonest first."""

    now = 0.0
    """The time of the forecast, in Unix seconds."""
    leaving = True
    """Whether the times are those of leaving; else of any change."""

    def __init__(self, fetch: Fetch, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(fetch, clock, id=id)
        self.lines: dict[int, OutlookRow] = {}

    def column_headings(self, width: int) -> str:
        """Return the names of the columns over a list of this width."""
        tail = self._columns(width, "kind", "if pinned", "if used", "store")
        room = max(1, width - 19 - cell_len(tail))
        return f"   {fit('when', 9)} {fit('', 5)} {fit('memory', room - 1)}{tail} "

    def _columns(self, width: int, kind: str, pinned: str, used: str, store: str) -> str:
        text = ""
        if width >= STORE_WIDTH and self.store_names:
            text += f"  {fit(store, 14)}"
        if width >= 60:
            text += f" {fit(kind, 10, right=True)}"
        if width >= 72:
            text += f" {fit(pinned, 10, right=True)} {fit(used, 10, right=True)}"
        return text

    def parts(self, index: int, width: int) -> list[Part]:
        id = self.ids[index]
        mark = (MARK if id in self.marks else " ", "accent")
        row, line = self.row(id), self.lines.get(id)
        if row is None or line is None:
            return [(" ", "plain"), mark, (fit("   …", width - 2), "quiet")]
        full, rest = bar(line.score)
        when = relative_time(line.at, self.now)
        store = self.store_names.get(row.store, row.store)
        pinned, used = relative_time(line.if_pinned, self.now), relative_time(line.if_used, self.now)
        tail = self._columns(width, row.category, pinned, used, store)
        change = "" if self.leaving else f"{line.to} · "
        room = max(1, width - 19 - cell_len(tail))
        return [
            (" ", "plain"),
            mark,
            (PIN if row.pinned else " ", "accent"),
            (fit(when, 9), "warn" if when == "due" or when.endswith(" h") else "plain"),
            (" ", "plain"),
            ("▇" * full, "bar"),
            ("·" * rest + " " * (5 - full - rest), "track"),
            (" ", "plain"),
            (fit(f"{change}{row.label}", room - 1), "plain"),
            (tail, "quiet"),
            (" ", "plain"),
        ]
