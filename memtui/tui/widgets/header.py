"""The top line: screens on the left, the workspace and what is new on the right."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
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
        self.tabs: dict[str, tuple[int, int]] = {}
        """Where the tab of each mode stands, from column to column."""
        self._news_from = 0

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
        at = sum(len(text) for text, _ in left)
        for digit, name, mode in TABS:
            self.tabs[mode] = (at, at + len(name) + 4)
            at += len(name) + 5
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
            reload = app.key("search.reload")  # type: ignore[attr-defined]
            right += [
                (" · ", "$quiet"),
                (f"● {grouped(news)} new", "$accent"),
                (f"  {reload}", "bold $accent"),
            ]
        right.append((" ", ""))
        start, end = Content.assemble(*left), Content.assemble(*right)
        room = self.size.width - start.cell_length
        if end.cell_length > room:
            end = end.truncate(max(0, room), ellipsis=True)
        told = f"● {grouped(app.news)} new"  # type: ignore[attr-defined]
        before = end.plain.rpartition(told)[0] if app.news else ""  # type: ignore[attr-defined]
        self._news_from = self.size.width - end.cell_length + cell_len(before) if before else self.size.width
        return Content.assemble(start, " " * max(0, room - end.cell_length), end)

    async def on_click(self, event: events.Click) -> None:
        """A tab opens its screen; the news are taken in."""
        if event.x >= self._news_from:
            await self.app.run_command("search.reload")  # type: ignore[attr-defined]
        for mode, (start, end) in self.tabs.items():
            if start <= event.x < end:
                self.app.switch_mode(mode)
