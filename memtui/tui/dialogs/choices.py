"""What a dialog offers while one types: memories, or kinds of relations."""

from __future__ import annotations

from memtui.memory.records import Row, Tying
from memtui.tui.widgets.glyphs import fit
from memtui.tui.widgets.line_list import LineList, Part
from memtui.tui.widgets.memory_text import one

MOST = 200  # memories that are offered


class ChoiceList(LineList):
    """What can be chosen now: memories, or kinds of relation; the cursor is moved from the input."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.choices: list[Row] | list[Tying] = []

    @property
    def chosen(self) -> Row | Tying | None:
        """What is under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    @property
    def lit(self) -> bool:
        return True

    def show(self, choices: list[Row] | list[Tying]) -> None:
        """Other lines now."""
        self.choices = choices
        self.refill(len(choices), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        each = self.choices[index]
        if isinstance(each, Row):
            store = fit(one(each.store), min(24, max(1, width // 3)))
            return [(" ", "plain"), (fit(one(each.label), max(1, width - len(store) - 3)), "plain"),
                    ("  ", "plain"), (store, "quiet")]  # fmt: skip
        kind = fit(one(each.kind), min(20, width))
        words = "stands already: ⏎ takes it away" if each.there else one(each.words)
        return [(" ", "plain"), (kind, "accent" if each.there else "plain"), ("  ", "plain"),
                (fit(words, max(1, width - 24)), "quiet")]  # fmt: skip
