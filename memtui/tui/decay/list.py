"""Who leaves, when, and what one key would change: a list in columns (S-26)."""

from __future__ import annotations

from rich.cells import cell_len

from memtui.memory.lifecycles.forecast import in_days
from memtui.memory.lifecycles.outlook import Line
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory.memory_list import MemoryList
from memtui.tui.text.glyphs import MARK, PIN, bar, fit

WIDE = 100  # columns from which rule and store are shown


class DecayList(MemoryList):
    """One line a memory, soonest first."""

    now = 0.0
    """The moment that all is foretold from."""
    leaving = True
    """Whether the times are those of leaving; else of anything that happens."""

    def __init__(self, *args: object, id: str) -> None:
        super().__init__(*args, id=id)  # type: ignore[arg-type]
        self.lines: dict[int, Line] = {}

    def heads(self, width: int) -> str:
        """The names of the columns, over a list of this width."""
        told = self._columns(width, "kind", "if pinned", "if used", "store")
        room = max(1, width - 19 - cell_len(told))
        return f"   {fit('when', 9)} {fit('', 5)} {fit('memory', room - 1)}{told} "

    def _columns(self, width: int, kind: str, pinned: str, used: str, store: str) -> str:
        out = ""
        if width >= WIDE and self.store_names:
            out += f"  {fit(store, 14)}"
        if width >= 60:
            out += f" {fit(kind, 10, right=True)}"
        if width >= 72:
            out += f" {fit(pinned, 10, right=True)} {fit(used, 10, right=True)}"
        return out

    def parts(self, index: int, width: int) -> list[Part]:
        id = self.ids[index]
        mark = (MARK if id in self.marks else " ", "accent")
        row, line = self.row(id), self.lines.get(id)
        if row is None or line is None:
            return [(" ", "plain"), mark, (fit("   …", width - 2), "quiet")]
        full, rest = bar(line.score)
        when = in_days(line.at, self.now)
        store = self.store_names.get(row.store, row.store)
        kept, used = in_days(line.if_pinned, self.now), in_days(line.if_used, self.now)
        tail = self._columns(width, row.category, kept, used, store)
        told = "" if self.leaving else f"{line.to} · "
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
            (fit(f"{told}{row.label}", room - 1), "plain"),
            (tail, "quiet"),
            (" ", "plain"),
        ]
