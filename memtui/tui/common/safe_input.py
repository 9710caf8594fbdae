"""One line that a person types or pastes: no character gets in that could act on a terminal (S-92)."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from memtui.text import clean_text


class SafeInput(Input):
    """One line; what is pasted is folded into it."""

    def validate_value(self, value: str) -> str:
        return clean_text(value, one_line=True)

    def replace(self, text: str, start: int, end: int) -> None:
        # Before the value is: the cursor goes behind as much as was put in.
        super().replace(clean_text(text, one_line=True), start, end)

    def _on_paste(self, event: events.Paste) -> None:
        # Textual calls the handler of Input after this one.
        event.text = " ".join(clean_text(event.text).split())
