"""A text that a person types or pastes: no character gets in that could act on a terminal (S-92)."""

from __future__ import annotations

from functools import lru_cache

from rich.text import Text
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from memtui.text import clean_text, is_clean, stand_in

# A long line is asked for once for every line that it is wrapped into.
_shown = lru_cache(maxsize=16)(stand_in)


class SafeArea(TextArea):
    """Many lines; typing, pasting and loading are filtered, and so is the drawing."""

    def edit(self, edit: Edit) -> EditResult:
        edit.text = clean_text(edit.text)
        return super().edit(edit)

    def load_text(self, text: str) -> None:
        super().load_text(text if is_clean(text) else clean_text(text))

    def get_line(self, line_index: int) -> Text:
        # Half of an emoji sequence is left where its other half was deleted.
        return Text(_shown(self.document.get_line(line_index)), end="")
