"""The bottom line: the keys of a screen, from the command table; a narrow one keeps the first ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from memtui.tui.command_table import FooterItem, footer_items

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


class Footer(Widget):
    """Keys in the accent colour, each with its label; a click on one runs its command."""

    app: MemtuiApp

    hidden: reactive[frozenset[str]] = reactive(frozenset())
    """Ids of commands that are not drawn."""
    first: reactive[tuple[str, ...]] = reactive(())
    """Ids of commands that a narrow footer keeps rather than others, the most important first."""
    extra: reactive[tuple[FooterItem | tuple[int, str, str], ...]] = reactive(())
    """Items in front of those of the table."""

    typing: reactive[tuple[FooterItem, ...]] = reactive(())
    """The only items while text is typed; empty where keys are commands."""

    def __init__(self, screen_name: str) -> None:
        super().__init__()
        self.screen_name = screen_name
        self._spans: list[tuple[int, int, str]] = []  # first column, column behind it, command id

    def render(self) -> Content:
        table = self.app.commands
        items = self.typing or [
            *(FooterItem(*item) for item in self.extra),
            *footer_items(self.screen_name, self.hidden, table, self.first),
        ]
        room = self.size.width - 1
        kept: set[FooterItem] = set()
        for item in sorted(items, key=self._order):
            width = len(item.key) + len(item.label) + 3
            if width <= room:
                kept.add(item)
                room -= width
        parts: list[tuple[str, str]] = [(" ", "")]
        self._spans, column = [], 1
        for item in items:
            if item in kept:
                parts += [(item.key, "$accent"), (f" {item.label}  ", "$quiet")]
                width = len(item.key) + len(item.label) + 3
                self._spans.append((column, column + width - 2, item.id))
                column += width
        return Content.assemble(*parts)

    def _order(self, item: FooterItem) -> tuple[int, int]:
        return item.rank, self.first.index(item.id) if item.id in self.first else 0

    async def on_click(self, event: events.Click) -> None:
        for start, end, id in self._spans:
            if start <= event.x < end and id:
                await self.app.run_command(id)
