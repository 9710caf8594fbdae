"""The search bar: the query, how it was searched, and which part of it is invalid (S-31)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from memtui.tui import command_table
from memtui.tui.browse import wording
from memtui.tui.browse.quick_views import ALL, Counts, View
from memtui.tui.browse.views_bar import ViewsBar
from memtui.tui.commands import names
from memtui.tui.completing.completing_input import CompletingInput
from memtui.tui.completing.completion import Completion
from memtui.tui.messages import QueryChanged

PAUSE = 0.06
"""Seconds after the last key before the search starts."""


class QueryInput(CompletingInput):
    """The input of the search bar; enter and down leave it for the list."""

    BINDINGS = [
        *command_table.bindings(names.SUGGESTIONS),  # these keys of a subclass replace those of its base
        # With priority, since the next key of a burst is a command and must not be typed.
        Binding("enter", "leave", show=False, priority=True),
        Binding("down", "leave_down", show=False, priority=True),
    ]

    def __init__(self, completion: Completion) -> None:
        super().__init__("", completion, id="query")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "accept_suggestion":
            # A second tab must not move to the list, where the next letter would be a command.
            return self.completion.open or self.completion.text_after == self.value
        if action == "leave_down":
            return not self.completion.open
        return super().check_action(action, parameters)

    def action_leave(self) -> None:
        if self.completion.open and self.completion.suggestions.chosen:
            self.completion.accept()
            return
        self.screen.set_focus(self.screen.query_one("#list"))

    def action_leave_down(self) -> None:
        self.screen.set_focus(self.screen.query_one("#list"))

    def action_next_suggestion(self) -> None:
        if not self.completion.suggestions.step(1):
            self.action_leave_down()


class SearchBar(Horizontal):
    """The input with its result: `/ query … by text · 42 of 1 284  all 1 284 [★ 9]`."""

    def __init__(self, completion: Completion) -> None:
        super().__init__()
        self._texts: Sequence[str] | None = ()  # None: the query is invalid
        self._completion = completion

    def compose(self) -> ComposeResult:
        yield Static(Content("/"), id="slash")
        yield QueryInput(self._completion)
        yield Static(id="found")
        yield ViewsBar()

    def on_mount(self) -> None:
        self.border_title = Content("Search")

    @property
    def input(self) -> QueryInput:
        """The input."""
        return self.query_one(QueryInput)

    @property
    def views(self) -> ViewsBar:
        """The bar of quick views."""
        return self.query_one(ViewsBar)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._typed(event.value)

    @work(exclusive=True, group="typed")
    async def _typed(self, text: str) -> None:
        """Search a short pause after the last key."""
        await asyncio.sleep(PAUSE)
        self.post_message(QueryChanged(text))

    def clear(self) -> None:
        """Empty the input."""
        self.input.value = ""

    def show_found(self, texts: Sequence[str], which: str, view: View) -> None:
        """Show how many were found and how: the first of `texts` that there is room for; and which view is in
        force. `which` is which memories are listed."""
        self.input.mark(None)
        self._texts = texts
        self.views.current = view
        self._draw()
        self.border_subtitle = Content(which)

    def show_views(self, counts: Counts) -> None:
        """Show how many memories each view has."""
        self.views.counts = counts
        self._draw()

    def _draw(self) -> None:
        """Share the line: a third for the query, then what was found, then the views."""
        room = self.size.width * 64 // 100 - 2
        text = wording.NOT_SEARCHED_SEE_BELOW if self._texts is None else ""
        if self._texts:
            # A view that is in force stays in sight; all memories need no sign.
            left = room if self.views.current is ALL else room - self.views.least
            text = next((each for each in self._texts if cell_len(each) <= left), self._texts[-1])
        found = Content(text).stylize("$error") if self._texts is None else Content(text)
        self.query_one("#found", Static).update(found)
        self.views.fit(room - cell_len(text) - 1 if text else room)

    def on_resize(self) -> None:
        self._draw()

    def show_fault(self, start: int, end: int) -> None:
        """Mark the invalid part of the query; the list stays as it is."""
        self.input.mark((start, end))
        self._texts = None
        self._draw()

    def show_unfinished(self) -> None:
        """Show that the query has not been searched for yet."""
        self.input.mark(None)
        self._texts = ()
        self._draw()
