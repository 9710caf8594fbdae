"""What of an import is not plainly new, with the reason of each (S-74)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.imported import TAKEN_IF_ASKED, ImportItem, Verdict
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.stores.importing import wording
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import one_line

# What needs a decision comes first.
ORDER = (Verdict.CONTRADICTING, Verdict.NEAR, Verdict.FLAGGED, Verdict.REFUSED, Verdict.SAME)
_VERDICT = 15  # cells
_PLACE = 30  # characters
_STYLES = {Verdict.CONTRADICTING: "warn", Verdict.FLAGGED: "warn", Verdict.REFUSED: "error"}


class ItemList(VirtualList):
    """Two lines per memory: what it says, and why it is not new; ✓ marks those that are taken."""

    def __init__(self, items: Sequence[ImportItem], *, id: str) -> None:
        super().__init__(id=id)
        left = [each for each in items if each.verdict is not Verdict.NEW]
        self.items = sorted(left, key=lambda each: ORDER.index(each.verdict))
        self.taken: set[int] = set()  # indexes
        self.takeable = frozenset(n for n, each in enumerate(self.items) if each.verdict in TAKEN_IF_ASKED)
        self.empty_lines = [(wording.NOTHING_TO_REVIEW, "quiet")]

    @property
    def highlighted(self) -> ImportItem | None:
        """The memory under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def chosen(self) -> list[ImportItem]:
        """Return the memories that are taken."""
        return [self.items[index] for index in sorted(self.taken)]

    def rows_before(self, index: int) -> int:
        return 2 * index

    def item_in(self, row: int) -> int:
        return row // 2

    def parts(self, index: int, width: int) -> list[Part]:
        item = self.items[index]
        mark = "[✓]" if index in self.taken else "[ ]" if index in self.takeable else "   "
        return [
            (f" {mark} ", "plain"),
            (fit(wording.VERDICTS[item.verdict], _VERDICT), _STYLES.get(item.verdict, "quiet")),
            (fit(one_line(item.label) or "–", max(1, width - _VERDICT - 5)), "plain"),
        ]

    def second_parts(self, index: int, width: int) -> list[Part]:
        item = self.items[index]
        text = wording.why(one_line(item.source, _PLACE), item.line, item.reason)
        return [("     ", "plain"), (fit(one_line(text), max(1, width - 5)), "quiet")]
