"""The bottom line: the keys of this screen, from the command table; narrow screens keep the first ranks."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from memtui.tui.commands import footer_items


class Keys(Widget):
    """Keys in the accent, words beside them."""

    hidden: reactive[frozenset[str]] = reactive(frozenset())
    extra: reactive[tuple[tuple[int, str, str], ...]] = reactive(())

    def __init__(self, screen_name: str) -> None:
        super().__init__()
        self.screen_name = screen_name

    def render(self) -> Content:
        items = [*self.extra, *footer_items(self.screen_name, self.hidden)]
        room = self.size.width - 1
        kept: set[tuple[int, str, str]] = set()
        for item in sorted(items, key=lambda item: item[0]):
            need = len(item[1]) + len(item[2]) + 3
            if need <= room:
                kept.add(item)
                room -= need
        parts: list[tuple[str, str]] = [(" ", "")]
        for item in items:
            if item in kept:
                parts += [(item[1], "$accent"), (f" {item[2]}  ", "$quiet")]
        return Content.assemble(*parts)
