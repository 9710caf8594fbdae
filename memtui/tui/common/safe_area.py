"""A text area that keeps out characters which could act on a terminal (S-92)."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from memtui.text import clean_text, is_clean, masked

# Textual asks for a long line once for each row that it wraps into.
_shown = lru_cache(maxsize=16)(masked)


class SafeArea(TextArea):
    """A text area whose edits, loaded text and drawn lines are filtered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+home", "cursor_text_start", show=False),
        Binding("ctrl+end", "cursor_text_end", show=False),
    ]

    def action_cursor_text_start(self) -> None:
        """Move to the start of the text."""
        self.move_cursor(self.document.start)

    def action_cursor_text_end(self) -> None:
        """Move to the end of the text."""
        self.move_cursor(self.document.end)

    def edit(self, edit: Edit) -> EditResult:
        edit.text = clean_text(edit.text)
        return super().edit(edit)

    def load_text(self, text: str) -> None:
        super().load_text(text if is_clean(text) else clean_text(text))

    def get_line(self, line_index: int) -> Text:
        # Deleting half of an emoji sequence leaves the other half in the document.
        return Text(_shown(self.document.get_line(line_index)), end="")
