"""The search line: what was typed, how it was understood, and where it cannot be read (S-31)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.highlighter import Highlighter
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from memtui.tui import command_table
from memtui.tui.browse.completion import Completion
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.messages import QueryChanged

PAUSE = 0.06
"""Seconds after the last key before the search starts."""


class _Fault(Highlighter):
    """Underlines the part of a query that cannot be read."""

    def __init__(self, style: Callable[[], str]) -> None:
        self.part: tuple[int, int] | None = None
        self._style = style

    def highlight(self, text: Text) -> None:
        if self.part is not None:
            start, end = self.part
            text.stylize(self._style(), start, max(end, start + 1))


class QueryInput(SafeInput):
    """The search line; enter and down leave it for the list. While something is offered, up and down
    choose among it, tab takes it and esc leaves it."""

    BINDINGS = [
        *command_table.bindings(command_table.OFFERS),
        # Before the next key of a burst is handed on: it is a command then, and typed no more.
        Binding("enter", "leave", show=False, priority=True),
        Binding("down", "leave_down", show=False, priority=True),
    ]

    def __init__(self, completion: Completion, highlighter: Highlighter) -> None:
        super().__init__(id="query", compact=True, highlighter=highlighter, select_on_focus=False)
        self._completion = completion

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "take":  # a second tab is no step to the list, where the next letter would act
            return self._completion.open or self._completion.taken == self.value
        offered = action in ("next_offer", "previous_offer", "close_offers")
        if offered or action == "leave_down":
            return self._completion.open == offered
        return True

    def action_leave(self) -> None:
        if self._completion.open and self._completion.offers.chosen:
            self._completion.take()
            return
        self.screen.set_focus(self.screen.query_one("#list"))

    def action_leave_down(self) -> None:
        self.screen.set_focus(self.screen.query_one("#list"))

    def action_take(self) -> None:
        if self._completion.open:
            self._completion.take()

    def action_next_offer(self) -> None:
        if not self._completion.offers.step(1):
            self.action_leave_down()

    def action_previous_offer(self) -> None:
        self._completion.offers.step(-1)

    def action_close_offers(self) -> None:
        self._completion.leave()


class SearchBar(Horizontal):
    """`/ query … by words · 42 of 1 284`."""

    def __init__(self, completion: Completion) -> None:
        super().__init__()
        self._ways: Sequence[str] = ()
        self._completion = completion

    def compose(self) -> ComposeResult:
        self._fault = _Fault(lambda: f"underline {self.app.theme_variables.get('error', 'red')}")
        yield Static(Content("/"), id="slash")
        yield QueryInput(self._completion, self._fault)
        yield Static(id="found")

    def on_mount(self) -> None:
        self.border_title = Content("Search")
        self._completion.begin(self.input)

    @property
    def input(self) -> QueryInput:
        """Where the person types."""
        return self.query_one(QueryInput)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._typed(event.value)

    @work(exclusive=True, group="typed")
    async def _typed(self, text: str) -> None:
        """Search a short pause after the last key."""
        await asyncio.sleep(PAUSE)
        self.post_message(QueryChanged(text))

    def clear(self) -> None:
        """Empty the line and search at once."""
        self.input.value = ""

    def show_found(self, ways: Sequence[str], order: str) -> None:
        """How many were found and how, in the first of these `ways` that there is room for; `order` says
        which ones and how they are sorted."""
        self._mark(None)
        self._ways = ways
        self._draw_found()
        self.border_subtitle = Content(order)

    def _draw_found(self) -> None:
        if self._ways:
            room = self.size.width * 64 // 100 - 2
            way = next((each for each in self._ways if cell_len(each) <= room), self._ways[-1])
            self.query_one("#found", Static).update(Content(way))

    def on_resize(self) -> None:
        self._draw_found()

    def show_fault(self, start: int, end: int) -> None:
        """Mark the part that cannot be read; what was found before stays."""
        self._mark((start, end))
        self._ways = ()
        self.query_one("#found", Static).update(Content("not searched: see below").stylize("$error"))

    def _mark(self, part: tuple[int, int] | None) -> None:
        if self._fault.part != part:
            self._fault.part = part
            self.input.refresh()
