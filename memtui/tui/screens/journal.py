"""Journal: every change, who made it, what it did, and a key to take it back."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from memtui.memory.records import Change
from memtui.paths import shipped
from memtui.tui import commands
from memtui.tui.messages import EndReached, Opened
from memtui.tui.screens.base import BaseScreen
from memtui.tui.widgets.change_text import change_text
from memtui.tui.widgets.event_list import EventList
from memtui.tui.widgets.glyphs import grouped
from memtui.tui.widgets.text_pane import TextPane
from memtui.tui.worker import worker

PAGE = 200


class JournalScreen(BaseScreen):
    """What happened, newest first; any of it can be undone from here (S-50, S-51)."""

    MODE = commands.JOURNAL
    CSS_PATH = shipped("styles") / "journal.tcss"
    BINDINGS = commands.bindings(commands.JOURNAL)

    def __init__(self) -> None:
        super().__init__()
        self._complete = False
        self._shown: int | None = None

    def body(self) -> Iterable[Widget]:
        yield Container(EventList(self.app.clock, id="list"), TextPane(id="detail"), id="panes")

    def on_mount(self) -> None:
        super().on_mount()
        self.events = self.query_one(EventList)
        self.view = self.query_one(TextPane)
        self.view.border_title = Content("Change")
        self.events.empty = self.waiting()
        self.retitle()
        self.events.focus()
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        self.load()

    @worker("The journal could not be read", group="journal")
    async def load(self) -> None:
        """Read as much as is shown, again; the highlighted change stays highlighted."""
        workspace = self.app.workspace
        if workspace is None:
            return
        limit = max(PAGE, len(self.events.events))
        try:
            events = await self.ask(workspace.journal, limit)
        except Exception:
            self.events.empty = self.unread("The journal")
            self.events.refresh()
            raise
        self._complete = len(events) < limit
        current = self.events.highlighted
        places = [
            place for place, event in enumerate(events) if current is not None and event.id == current.id
        ]
        self.events.empty = [
            ("No changes yet.", "plain"),
            ("What you, your agents and the rules change will stand here, newest first.", "quiet"),
            ("", "plain"),
            ("1  browse the memories", "quiet"),
        ]
        self.events.store_names = self.app.store_names
        # From the top, new lines push the others down; further below, nothing moves.
        self.events.show(events, places[0] if places else 0, keep_place=self.events.top > 0)
        self.retitle()
        self.load_text()

    @worker("Older changes could not be read", group="older")
    async def load_older(self) -> None:
        """Read the next page when the last line comes into sight."""
        workspace, events = self.app.workspace, self.events.events
        if workspace is None or self._complete or not events:
            return
        older = await self.ask(workspace.journal, PAGE, events[-1].id)
        self._complete = len(older) < PAGE
        if older and self.events.events is events:
            self.events.show([*events, *older], self.events.cursor, keep_place=True)
        self.retitle()

    @worker("The change could not be read", group="change-text")
    async def load_text(self) -> None:
        """Read what the highlighted change did."""
        workspace, event = self.app.workspace, self.events.highlighted
        if workspace is None or event is None:
            self.view.show(Content(""), keep_place=False)
            return
        try:
            items = await self.ask(workspace.journal_items, event.id)
        except Exception:
            # What stands there belongs to another change.
            self.view.show(Content(""), keep_place=False)
            raise
        self.view.show(change_text(event, items, self.app.clock()), keep_place=event.id == self._shown)
        self._shown = event.id

    def retitle(self) -> None:
        count = self.events.count
        more = "" if self._complete else "+"
        place = f"{grouped(self.events.cursor + 1)} of {grouped(count)}{more}" if count else ""
        self.events.title("Journal", Content(place))

    # News

    def on_change(self, change: Change) -> None:
        self.load()

    def on_end_reached(self, message: EndReached) -> None:
        self.load_older()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def action_undo_this(self) -> None:
        workspace, event = self.app.ready(), self.events.highlighted
        if workspace is None:
            return
        if event is None:
            self.app.say("Nothing to undo: the journal is empty.")
        elif event.state == "undone":
            self.app.say("This change is undone already.", hint="U redo")
        elif not event.undoable:
            self.app.say(event.why or "This change cannot be undone.", tone="wrong")
        else:
            self.app.change(workspace.undo, event.id, hint="U redo")

    def action_open(self) -> None:
        if self.events.highlighted is None:
            self.app.say("Nothing to show: the journal is empty.")
            return
        self.set_full(True)
        self.view.focus()

    def action_back(self) -> None:
        if self.has_class("full"):
            self.set_full(False)
        self.events.focus()
