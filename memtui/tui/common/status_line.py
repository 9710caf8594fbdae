"""The line above the footer: the last change or message; never a toast. What went wrong may take two."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from memtui.text import screen_text
from memtui.tui.messages import Status
from memtui.tui.text.glyphs import fit

_TONES = {"quiet": "$quiet", "done": "$foreground", "wrong": "$error"}


class StatusLine(Widget):
    """Shows the app's status on every screen."""

    def on_mount(self) -> None:
        self.watch(self.app, "status", self._show)

    def _show(self, status: Status) -> None:
        # Only what went wrong may push the list: other words are short, and come often.
        self.set_class(status.tone == "wrong", "-wrong")
        self.refresh(layout=status.tone == "wrong")

    def render(self) -> Content:
        status: Status = self.app.status  # type: ignore[attr-defined]
        text = screen_text(status.text, one_line=True, limit=500)
        hint = screen_text(status.hint, one_line=True, limit=500)
        room = self.size.width - cell_len(hint) - 2
        if status.tone != "wrong" and hint and cell_len(text) > room > self.size.width // 2:
            text = fit(text, room)  # what undoes it is never cut off
        return Content.assemble((text, _TONES[status.tone]), (f"  {hint}" if hint else "", "$quiet"))
