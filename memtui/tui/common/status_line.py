"""The line above the footer: the last change or message; an error may take two lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from memtui.text import screen_text
from memtui.tui.messages import Status
from memtui.tui.text.glyphs import fit

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

_STYLES = {"quiet": "$quiet", "done": "$foreground", "error": "$error"}


class StatusLine(Widget):
    """Shows the app's status."""

    app: MemtuiApp

    def on_mount(self) -> None:
        self.watch(self.app, "status", self._show)

    def _show(self, status: Status) -> None:
        # Only an error may take a row from the list: other messages are short and frequent.
        self.set_class(status.tone == "error", "-error")
        self.refresh(layout=status.tone == "error")

    def render(self) -> Content:
        status = self.app.status
        text = screen_text(status.text, one_line=True, limit=500)
        hint = screen_text(status.hint, one_line=True, limit=500)
        width = self.size.width
        if status.tone != "error" and hint and cell_len(text) + 2 + cell_len(hint) > width:
            # The hint, which begins with how to undo it, is never cut off; it has at least half of the line.
            text = fit(text, max(width - cell_len(hint) - 2, width // 2)).rstrip()
            hint = fit(hint, max(1, width - cell_len(text) - 2)).rstrip()
        return Content.assemble((text, _STYLES[status.tone]), (f"  {hint}" if hint else "", "$quiet"))
