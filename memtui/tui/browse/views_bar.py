"""The thin bar of quick views at the end of the search line: their counts, the one in force in brackets; a
click chooses one (S-31)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from memtui.tui.browse import quick_views, wording
from memtui.tui.browse.quick_views import ALL, Counts, View
from memtui.tui.messages import ViewClicked

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


class ViewsBar(Widget):
    """As much of the views as there is room for; nothing until they are counted, or while there are no
    memories."""

    app: MemtuiApp

    def __init__(self) -> None:
        super().__init__(id="views")
        self.counts: Counts = {}
        self.current: View = ALL
        self._segments: list[tuple[str, str]] = []

    @property
    def least(self) -> int:
        """How many cells the view in force and the key need."""
        current = self.current
        parts = quick_views.segments({current.code: self.counts.get(current.code, 0)}, current, 40, "")
        return sum(cell_len(text) for text, _ in parts) + cell_len(self._more) + 1

    @property
    def _more(self) -> str:
        return wording.more_views(self.app.key("list.views"))

    def fit(self, room: int) -> None:
        """Show what fits into `room` cells."""
        parts: list[tuple[str, str]] = []
        if any(self.counts.values()):
            parts = quick_views.segments(self.counts, self.current, room, self._more)
        if parts != self._segments:
            self._segments = parts
            self.styles.width = sum(cell_len(text) for text, _ in parts)
            self.refresh()

    def render(self) -> Content:
        return Content.assemble(
            *(
                (text, "bold $accent" if code == self.current.code else "$quiet")
                for text, code in self._segments
            )
        )

    def on_click(self, event: events.Click) -> None:
        """Choose the view at this column; how to choose another opens the dialog."""
        end = 0
        for text, code in self._segments:
            end += cell_len(text)
            if event.x < end:
                self.post_message(ViewClicked(code))
                return
