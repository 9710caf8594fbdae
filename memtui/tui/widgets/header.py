"""The top line: screens on the left, the workspace and what is new on the right."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from memtui.text import safe_text
from memtui.tui.commands import TABS
from memtui.tui.widgets.glyphs import counted, grouped


class TopLine(Widget):
    """Always names the workspace; the one place for its counts."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode

    def on_mount(self) -> None:
        for name in ("workspace_name", "counts", "news", "read_only"):
            self.watch(self.app, name, self._show)

    def _show(self) -> None:
        self.refresh()

    def render(self) -> Content:
        app = self.app
        wide = self.size.width >= 100
        left: list[tuple[str, str]] = (
            [(" memtui ", "bold"), (" ", "")] if self.size.width >= 60 else [(" ", "")]
        )
        for digit, name, mode in TABS:
            style = "bold $accent" if mode == self.mode else "$quiet"
            left.append((f"[{digit} {name}]" if mode == self.mode else f" {digit} {name} ", style))
            left.append((" ", ""))
        right: list[tuple[str, str]] = []
        if name := app.workspace_name:  # type: ignore[attr-defined]
            right.append((safe_text(name, one_line=True, limit=40 if wide else 20), "$foreground"))
        if app.read_only:  # type: ignore[attr-defined]
            right.append((" · read-only", "$warning"))
        if counts := app.counts:  # type: ignore[attr-defined]
            number = counted(counts.live, "memory") if self.size.width >= 72 else grouped(counts.live)
            right.append((f" · {number}", "$quiet"))
        if news := app.news:  # type: ignore[attr-defined]
            right += [(" · ", "$quiet"), (f"● {grouped(news)} new", "$accent"), ("  r", "bold $accent")]
        right.append((" ", ""))
        start, end = Content.assemble(*left), Content.assemble(*right)
        room = self.size.width - start.cell_length
        if end.cell_length > room:
            end = end.truncate(max(0, room), ellipsis=True)
        return Content.assemble(start, " " * max(0, room - end.cell_length), end)
