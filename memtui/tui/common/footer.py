"""The bottom line: the keys of this screen, from the command table; narrow screens keep the first ranks."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from memtui.tui.command_table import FooterItem, footer_items


class Footer(Widget):
    """Keys in the accent, words beside them; a click on one does it."""

    hidden: reactive[frozenset[str]] = reactive(frozenset())
    extra: reactive[tuple[FooterItem | tuple[int, str, str], ...]] = reactive(())

    typing: reactive[tuple[FooterItem, ...]] = reactive(())
    """All that is offered while letters are typed; nothing where keys are commands."""

    def __init__(self, screen_name: str) -> None:
        super().__init__()
        self.screen_name = screen_name
        self._spans: list[tuple[int, int, str]] = []

    def render(self) -> Content:
        table = self.app.commands  # type: ignore[attr-defined]
        items = self.typing or [
            *(FooterItem(*item) for item in self.extra),
            *footer_items(self.screen_name, self.hidden, table),
        ]
        room = self.size.width - 1
        kept: set[FooterItem] = set()
        for item in sorted(items, key=lambda item: item.rank):
            need = len(item.key) + len(item.label) + 3
            if need <= room:
                kept.add(item)
                room -= need
        parts: list[tuple[str, str]] = [(" ", "")]
        self._spans, at = [], 1
        for item in items:
            if item in kept:
                parts += [(item.key, "$accent"), (f" {item.label}  ", "$quiet")]
                need = len(item.key) + len(item.label) + 3
                self._spans.append((at, at + need - 2, item.id))
                at += need
        return Content.assemble(*parts)

    async def on_click(self, event: events.Click) -> None:
        for start, end, id in self._spans:
            if start <= event.x < end and id:
                await self.app.run_command(id)  # type: ignore[attr-defined]
