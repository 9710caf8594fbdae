"""A pane of wrapped text that scrolls with the list's keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.tui import command_table


class TextPane(VerticalScroll, can_focus=True):
    """A scrolling text; its movement actions are those of VirtualList, so one key table serves both."""

    BINDINGS = command_table.bindings(None)

    def compose(self) -> ComposeResult:
        yield Static(id="text")

    def show(self, text: Content, *, keep_place: bool) -> None:
        """Replace the text; scroll to its start unless `keep_place`."""
        self.query_one("#text", Static).update(text)
        if not keep_place:
            self.scroll_home(animate=False, force=True, immediate=True)

    def scroll_lines(self, lines: int) -> None:
        """Scroll down by some lines, up if negative, as far as there is text."""
        self.scroll_to(y=self.scroll_target_y + lines, animate=False)

    def action_up(self) -> None:
        self.scroll_lines(-1)

    def action_down(self) -> None:
        self.scroll_lines(1)

    def action_first(self) -> None:
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        self.scroll_end(animate=False)

    def action_half_down(self) -> None:
        self.scroll_lines(max(1, self.size.height // 2))

    def action_half_up(self) -> None:
        self.scroll_lines(-max(1, self.size.height // 2))

    def action_page_down(self) -> None:
        self.scroll_lines(max(1, self.size.height - 1))

    def action_page_up(self) -> None:
        self.scroll_lines(-max(1, self.size.height - 1))
