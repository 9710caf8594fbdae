"""All that an import found: what needs a decision with the reason, then the new ones (S-74)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.imported import TAKEN_IF_ASKED, ImportItem, Verdict
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.stores.importing import wording
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import one_line

# What needs a decision comes first.
ORDER = (
    Verdict.CONTRADICTING,
    Verdict.NEAR,
    Verdict.FLAGGED,
    Verdict.REFUSED,
    Verdict.NEW,
    Verdict.SAME,
)
_TAKEABLE = (Verdict.NEW, *TAKEN_IF_ASKED)
_VERDICT = 15  # cells
_PLACE = 30  # characters
_STYLES = {Verdict.CONTRADICTING: "warn", Verdict.FLAGGED: "warn", Verdict.REFUSED: "error"}


class ItemList(VirtualList):
    """Two lines per memory: what it says, and where it is from; ✓ marks those that are taken, as new ones are
    at first."""

    def __init__(self, items: Sequence[ImportItem], *, id: str) -> None:
        super().__init__(id=id)
        # The places in the file, in the order of the list: what is taken is added in that of the file.
        self._places = sorted(range(len(items)), key=lambda place: ORDER.index(items[place].verdict))
        self.items = [items[place] for place in self._places]
        self.takeable = frozenset(n for n, each in enumerate(self.items) if each.verdict in _TAKEABLE)
        self.taken = {n for n, each in enumerate(self.items) if each.verdict is Verdict.NEW}  # indexes
        self.empty_lines = [(wording.NOTHING_FOUND, "quiet")]

    @property
    def highlighted(self) -> ImportItem | None:
        """The memory under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def chosen(self) -> list[ImportItem]:
        """Return the memories that are taken, in the order of the file."""
        return [self.items[index] for index in sorted(self.taken, key=self._places.__getitem__)]

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
        more = str(item.fields.get("content", "")).count("\n") if item.verdict is Verdict.NEW else 0
        reason = wording.several_lines(more + 1) if more else item.reason
        text = wording.why(one_line(item.source, _PLACE), item.line, reason)
        return [("     ", "plain"), (fit(one_line(text), max(1, width - 5)), "quiet")]
