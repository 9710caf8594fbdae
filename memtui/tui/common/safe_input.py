"""An input that keeps out characters which could act on a terminal (S-92)."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from memtui.text import clean_text


class SafeInput(Input):
    """A filtered input; pasted line breaks become blanks."""

    def validate_value(self, value: str) -> str:
        return clean_text(value, one_line=True)

    def replace(self, text: str, start: int, end: int) -> None:
        # Cleaned before the value is set, since the cursor moves by the length of what was inserted.
        text = clean_text(text, one_line=True)
        if self.max_length:  # what is too long is cut, where Textual would take none of it
            text = text[: max(0, self.max_length - len(self.value) + abs(end - start))]
        super().replace(text, start, end)

    def _on_paste(self, event: events.Paste) -> None:
        # Textual calls the handler of Input after this one, with the same event.
        event.text = " ".join(clean_text(event.text).split())
