"""The fields of the export dialog: a choice among several, and a budget."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.widgets import Static

from memtui.tui.common.safe_input import SafeInput
from memtui.tui.exporting import wording
from memtui.tui.text.text_layout import one_line

FIRST_BUDGET = 2_000  # tokens, where there was no limit
MOST_DIGITS = 8
_DIGITS = "0123456789"
# From how many tokens on a budget changes by how many.
_STEPS = ((10_000, 5_000), (2_000, 500), (0, 100))


class ChoiceField(Static):
    """One of several texts, between arrows while the field has the focus; a lone one never has it."""

    def __init__(self, texts: Sequence[str], place: int = 0, *, id: str) -> None:
        super().__init__(id=id)
        self._texts = texts
        self.place = place
        self.can_focus = len(texts) > 1
        self._is_open = False  # to be changed by the next key

    def on_mount(self) -> None:
        self.draw()

    def move(self, by: int) -> None:
        """Choose the next text, or one before with -1, all around."""
        self.place = (self.place + by) % len(self._texts)
        self.draw()

    def draw(self) -> None:
        """Show the choice."""
        text = one_line(self._texts[self.place], 120)
        if self._is_open:
            text = wording.choice(text, self.place + 1, len(self._texts))
        self.update(Content(text))

    def on_focus(self, event: events.Focus) -> None:
        self._is_open = True
        self.draw()

    def on_blur(self, event: events.Blur) -> None:
        self._is_open = False
        self.draw()


class BudgetInput(SafeInput):
    """An input of digits; empty for no limit."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character in set(_DIGITS)

    async def _on_key(self, event: events.Key) -> None:
        if event.is_printable and event.character not in set(_DIGITS):
            event.prevent_default()  # letters are keys of the dialog

    def replace(self, text: str, start: int, end: int) -> None:
        super().replace("".join(each for each in text if each in _DIGITS), start, end)

    @property
    def budget(self) -> int | None:
        """The number, None if there is none."""
        return int(self.value) if self.value else None

    def step(self, up: bool) -> None:
        """Change the number to the next round one."""
        budget = self.budget
        if budget is None:
            wanted = FIRST_BUDGET
        elif up:
            size = next(step for start, step in _STEPS if budget >= start)
            wanted = (budget // size + 1) * size
        else:
            size = next(step for start, step in _STEPS if budget > start or not start)
            wanted = max(_STEPS[-1][1], (budget - 1) // size * size)
        self.value = str(min(wanted, 10**MOST_DIGITS - 1))
        self.cursor_position = len(self.value)
