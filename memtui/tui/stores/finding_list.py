"""The list of the doctor's findings, severe ones first (S-91)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from memtui.memory.stores import Issue
from memtui.text import safe_text
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.stores.store_text import fit_end, severity_label, short_path
from memtui.tui.text.glyphs import fit

WORKSPACE = "workspace"
MIN_PLACE_WIDTH = 8  # cells from which a place is shown after the text


class FindingList(VirtualList):
    """One line per finding: severity, store, text, place."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.issues: list[Issue] = []
        self.store_names: Mapping[str, str] = {}

    @property
    def highlighted(self) -> Issue | None:
        """The finding under the cursor."""
        return self.issues[self.cursor] if self.cursor < len(self.issues) else None

    def show(self, issues: Sequence[Issue]) -> None:
        """List other findings; the highlight stays on its finding while it is listed."""
        before, cursor = self.issues, self.cursor
        self.issues = sorted(issues, key=lambda each: not each.severe)
        nearest = [*before[cursor:], *reversed(before[:cursor])]
        index = next((self.issues.index(issue) for issue in nearest if issue in self.issues), 0)
        self.refill(len(self.issues), index, keep_place=bool(before))

    def parts(self, index: int, width: int) -> list[Part]:
        issue = self.issues[index]
        word, style = severity_label(issue)
        store = self.store_names.get(issue.store, issue.store) or WORKSPACE
        head: list[Part] = [
            (" ", "plain"),
            (fit(word, 10), style),
            (fit(store, 14 if width >= 60 else 10), "quiet"),
            (" ", "plain"),
        ]
        room = max(1, width - sum(cell_len(text) for text, _ in head))
        left = room - cell_len(safe_text(issue.text, one_line=True, limit=room)) - 2
        if not issue.place or left < MIN_PLACE_WIDTH:
            return [*head, (fit(issue.text, room), "plain")]
        place = fit_end(short_path(issue.place), min(left, cell_len(short_path(issue.place)) + 1))
        return [*head, (fit(issue.text, room - cell_len(place)), "plain"), (place, "quiet")]
