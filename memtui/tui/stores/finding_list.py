"""What the doctor found, what is grave first (S-91)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from memtui.memory.stores import Issue
from memtui.text import safe_text
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.stores.store_text import gravity, short_path, tail
from memtui.tui.text.glyphs import fit

WORKSPACE = "workspace"
LEAST = 8
"""Cells from which a place is worth showing behind the words."""


class FindingList(VirtualList):
    """A line a finding: how grave, where, what."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.ailments: list[Issue] = []
        self.store_names: Mapping[str, str] = {}

    @property
    def highlighted(self) -> Issue | None:
        """The finding under the cursor."""
        return self.ailments[self.cursor] if self.cursor < len(self.ailments) else None

    def show(self, ailments: Sequence[Issue]) -> None:
        """Other findings now; the highlighted one stays so while it is there."""
        before, cursor = self.ailments, self.cursor
        self.ailments = sorted(ailments, key=lambda each: not each.severe)
        stayed = [*before[cursor:], *reversed(before[:cursor])]
        place = next((self.ailments.index(each) for each in stayed if each in self.ailments), 0)
        self.refill(len(self.ailments), place, keep_place=bool(before))

    def parts(self, index: int, width: int) -> list[Part]:
        ailment = self.ailments[index]
        word, style = gravity(ailment)
        store = self.store_names.get(ailment.store, ailment.store) or WORKSPACE
        head: list[Part] = [
            (" ", "plain"),
            (fit(word, 8), style),
            (fit(store, 14 if width >= 60 else 10), "quiet"),
            (" ", "plain"),
        ]
        room = max(1, width - sum(cell_len(text) for text, _ in head))
        left = room - cell_len(safe_text(ailment.text, one_line=True, limit=room)) - 2
        if not ailment.place or left < LEAST:
            return [*head, (fit(ailment.text, room), "plain")]
        place = tail(short_path(ailment.place), min(left, cell_len(short_path(ailment.place)) + 1))
        return [*head, (fit(ailment.text, room - cell_len(place)), "plain"), (place, "quiet")]
