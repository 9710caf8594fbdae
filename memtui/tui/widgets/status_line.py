"""One line above the footer: the last change or message; never a toast."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from memtui.text import safe_text
from memtui.tui.messages import Status

_TONES = {"quiet": "$quiet", "done": "$foreground", "wrong": "$error"}


class StatusLine(Widget):
    """Shows the app's status on every screen."""

    def on_mount(self) -> None:
        self.watch(self.app, "status", self._show)

    def _show(self) -> None:
        self.refresh()

    def render(self) -> Content:
        status: Status = self.app.status  # type: ignore[attr-defined]
        parts: list[tuple[str, str]] = [
            (safe_text(status.text, one_line=True, limit=500), _TONES[status.tone])
        ]
        if status.hint:
            parts.append((f"  {safe_text(status.hint, one_line=True, limit=500)}", "$quiet"))
        return Content.assemble(" ", *parts)
