"""Journal: every change, who made it, what it did, and a key to take it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from memtui.errors import Refused
from memtui.memory.journal import UNREADABLE, AgentActivity, AgentChange, Event
from memtui.memory.memory import EDITABLE
from memtui.memory.results import Change
from memtui.paths import shipped
from memtui.tui import command_table
from memtui.tui.common.screen import BaseScreen
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import Part
from memtui.tui.journal.change_text import change_text, since_text
from memtui.tui.journal.list import EventList
from memtui.tui.messages import EndReached, Opened
from memtui.tui.text.glyphs import grouped
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

PAGE = 200
_NONE: dict[str, list[Part]] = {
    "": [
        ("No changes yet.", "plain"),
        ("What you, your agents and the rules change will stand here, newest first.", "quiet"),
        ("", "plain"),
        ("1  browse the memories", "quiet"),
    ],
    "you": [("You changed nothing yet.", "plain"), ("", "plain"), ("f  changes by agents", "quiet")],
    "agents": [("Agents changed nothing yet.", "plain"), ("", "plain"), ("f  all changes", "quiet")],
}
_NOTHING_SINCE: list[Part] = [
    ("Nothing new since you last looked.", "plain"),
    ("What agents add, change or remove will stand here, store by store.", "quiet"),
    ("", "plain"),
    ("s  all changes", "quiet"),
]


class JournalScreen(BaseScreen):
    """What happened, newest first; any of it can be undone from here (S-50, S-51)."""

    MODE = command_table.JOURNAL
    CSS_PATH = shipped("styles") / "journal.tcss"
    BINDINGS = command_table.bindings(command_table.JOURNAL)

    def __init__(self) -> None:
        super().__init__()
        self._complete = False
        self._shown: tuple[str, int] | None = None
        self._who = ""
        self._since = False
        self._told: AgentActivity | None = None
        """What of agents' changes stands in the list, all of it; else nothing can be marked as seen."""

    def body(self) -> Iterable[Widget]:
        yield Container(EventList(self.app.clock, id="list"), TextPane(id="detail"), id="panes")

    def on_mount(self) -> None:
        super().on_mount()
        self.events = self.query_one(EventList)
        self.view = self.query_one(TextPane)
        self.view.border_title = Content("Change")
        self.events.empty_lines = self.opening_lines()
        self.update_titles()
        self.events.focus()
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        self.load()

    def load(self) -> None:
        """Read as much as is shown, again; what is highlighted stays highlighted."""
        if self._since:
            self.load_since()
        else:
            self.load_events()

    @worker("The journal could not be read", group="journal")
    async def load_events(self) -> None:
        """The lines, newest first."""
        workspace = self.app.workspace
        if workspace is None:
            return
        limit = max(PAGE, len(self.events.entries))
        try:
            events = await self.read(workspace.journal, limit, None, self._who)
        except Exception:
            self._unread()
            raise
        self._complete = len(events) < limit
        self.events.empty_lines = _NONE[self._who]
        self._show(events)

    @worker("The journal could not be read", group="journal")
    async def load_since(self) -> None:
        """What agents did since the person last looked, store by store."""
        workspace = self.app.workspace
        if workspace is None:
            return
        try:
            since = await self.read(workspace.since)
        except Exception:
            self._unread()
            raise
        self._complete, self._told = not since.more, since
        self.events.empty_lines = _NOTHING_SINCE
        self._show(sorted(since.items, key=lambda item: item.store))

    def _unread(self) -> None:
        self.events.empty_lines = self.error_lines("The journal")
        self.events.refresh()

    def _show(self, entries: Sequence[Event | AgentChange]) -> None:
        current = self.events.highlighted
        keys = [_key(entry) for entry in entries]
        place = keys.index(_key(current)) if current is not None and _key(current) in keys else 0
        self.events.store_names = self.app.store_names
        # From the top, new lines push the others down; further below, nothing moves.
        self.events.show(entries, place, keep_place=self.events.top > 0)
        self.update_titles()
        self.load_text()

    @worker("Older changes could not be read", group="older")
    async def load_older(self) -> None:
        """Read the next page when the last line comes into sight."""
        workspace, entries = self.app.workspace, self.events.entries
        if workspace is None or self._complete or not entries:
            return
        last = entries[-1]
        if isinstance(last, AgentChange):
            return
        older = await self.read(workspace.journal, PAGE, last.id, self._who)
        self._complete = len(older) < PAGE
        if older and self.events.entries is entries:
            self.events.show([*entries, *older], self.events.cursor, keep_place=True)
        self.update_titles()

    @worker("The change could not be read", group="change-text")
    async def load_text(self) -> None:
        """Read what the highlighted change did."""
        workspace, entry = self.app.workspace, self.events.highlighted
        if workspace is None or entry is None:
            self.view.show(Content(""), keep_place=False)
            return
        if isinstance(entry, AgentChange):
            text = since_text(entry, self.app.clock())
        else:
            try:
                items = await self.read(workspace.journal_items, entry.id)
            except Exception:
                # What stands there belongs to another change.
                self.view.show(Content(""), keep_place=False)
                raise
            text = change_text(entry, items, self.app.clock())
        self.view.show(text, keep_place=_key(entry) == self._shown)
        self._shown = _key(entry)

    def update_titles(self) -> None:
        count = self.events.count
        more = "" if self._complete else "+"
        place = f"{grouped(self.events.cursor + 1)} of {grouped(count)}{more}" if count else ""
        if self._since:
            whats = [entry.what for entry in self.events.entries if isinstance(entry, AgentChange)]
            counts = [
                f"{whats.count(w)} {w}" for w in ("added", "changed", "removed", UNREADABLE) if w in whats
            ]
            counts += ["more once these are seen"] if self._told is not None and self._told.more else []
            self.events.set_title("Since you last looked", Content(" · ".join([*counts, place])))
            return
        name = {"": "Journal", "you": "Journal: by you", "agents": "Journal: by agents"}[self._who]
        self.events.set_title(name, Content(place))

    # News

    def on_change(self, change: Change) -> None:
        if change.kind != HEALTH:
            self.load()

    def on_end_reached(self, message: EndReached) -> None:
        self.load_older()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def action_undo_this(self) -> None:
        workspace, entry = self.app.ready_workspace(), self.events.highlighted
        if workspace is None:
            return
        if entry is None:
            self.app.show_status("Nothing to undo: the list is empty.")
        elif isinstance(entry, AgentChange):
            self.app.run_change(_taken_back, workspace, entry)
        elif entry.state == "undone":
            self.app.show_status("This change is undone already.", hint=f"{self.app.key('change.redo')} redo")
        elif not entry.undoable:
            self.app.show_status(entry.why or "This change cannot be undone.", tone="wrong")
        else:
            self.app.run_change(workspace.undo, entry.id, hint=f"{self.app.key('change.redo')} redo")

    def action_restore(self) -> None:
        workspace, entry = self.app.ready_workspace(), self.events.highlighted
        if workspace is None:
            return
        if isinstance(entry, AgentChange) and entry.what == "removed":
            self.app.run_change(workspace.restore, [entry.memory_id])
        elif isinstance(entry, AgentChange):
            self.app.show_status(f"Nothing to restore: it was {entry.what}. z takes the agent's change back.")
        elif entry is None:
            self.app.show_status("Nothing to restore: the list is empty.")
        else:
            self._restore_removed(entry)

    @worker("Nothing was restored", group="restore")
    async def _restore_removed(self, event: Event) -> None:
        """All that a line took out of its store, put back."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        items = await self.read(workspace.journal_items, event.id)
        uids = [item.uid for item in items if item.after and item.after.get("here") is False]
        if not uids:
            self.app.show_status("Nothing to restore: no memory was removed here. z takes a change back.")
            return
        ids = await self.read(lambda: [workspace.find(uid) for uid in uids])
        self.app.run_change(workspace.restore, ids)

    def action_since(self) -> None:
        self._since, self._told = not self._since, None
        self.events.show([], 0, keep_place=False)
        self.load()

    def action_seen(self) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        if self._told is None:
            keys = self.app.key("journal.since"), self.app.key("journal.seen")
            self.app.show_status(
                f"{keys[0]} shows what agents did since you last looked; {keys[1]} marks that as seen."
            )
        else:
            self._look(workspace, self._told)

    @worker("Not marked as seen", group="seen")
    async def _look(self, workspace: Workspace, told: AgentActivity) -> None:
        """Only what stands in the list was seen, not what agents did meanwhile."""
        await self.app.lanes.write(workspace.looked, told.last_entry_id)
        rest = "the rest stands here now" if told.more else "what agents do from now on will stand here"
        self.app.show_status(f"Seen: {rest}.", tone="done")
        if self._since:
            self.load()

    def action_filter(self) -> None:
        if self._since:
            self.app.show_status("All of these are by agents. s shows all changes.")
            return
        names = list(_NONE)
        self._who = names[(names.index(self._who) + 1) % len(names)]
        self.events.show([], 0, keep_place=False)
        self.load()

    def action_open(self) -> None:
        if self.events.highlighted is None:
            self.app.show_status("Nothing to show: the journal is empty.")
            return
        self.set_full_screen(True)
        self.view.focus()

    def action_back(self) -> None:
        if self.has_class("full"):
            self.set_full_screen(False)
        self.events.focus()


def _key(entry: Event | AgentChange) -> tuple[str, int]:
    """What stays the same when an entry is read again."""
    return ("since", entry.memory_id) if isinstance(entry, AgentChange) else ("line", entry.id)


def _taken_back(workspace: Workspace, item: AgentChange) -> Change:
    """The one memory as it was before agents changed it, as a change of the person's; a change of the
    person's that was overwritten is made again."""
    if item.what == UNREADABLE:
        raise Refused("unreadable", "What agents did to it cannot be read.", "Nothing was changed.")
    if item.overwritten:
        return workspace.undo(item.entry_id)
    if item.what == "removed":
        return workspace.restore([item.memory_id])
    if item.what == "added":
        return workspace.dismiss([item.memory_id])
    fields = {name: item.before[name] for name in EDITABLE if name in item.before}
    if not fields and item.before.keys() & {"relation", "verdict"}:
        return workspace.undo(item.entry_id)
    if not fields:
        raise Refused("no-field", f"What changed ({', '.join(item.after)}) cannot be edited.", "")
    return workspace.edit([item.memory_id], fields, seen={name: item.after[name] for name in fields})
