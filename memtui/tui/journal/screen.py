"""The Journal screen: every change, who made it, and what it did (S-50, S-51)."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from memtui.memory.journal import UNREADABLE, AgentActivity, AgentChange, Event
from memtui.memory.memory import EDITABLE
from memtui.memory.results import Change
from memtui.paths import data_folder
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.screen import BaseScreen
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import Part
from memtui.tui.journal import wording
from memtui.tui.journal.change_text import AGENT, agent_change_text, change_text
from memtui.tui.journal.list import EventList
from memtui.tui.messages import EndReached, Opened
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

PAGE = 200  # entries read at once
_FILTERS = (("", ""), ("you", ""), ("agents", ""))  # whose changes, and of which session
_CHANGE_KINDS = ("added", "changed", "removed", UNREADABLE)


class JournalScreen(BaseScreen):
    """Lists the changes, newest first, or what agents did since the user last looked."""

    MODE = names.JOURNAL
    CSS_PATH = data_folder("styles") / "journal.tcss"
    BINDINGS = command_table.bindings(names.JOURNAL)

    def __init__(self) -> None:
        super().__init__()
        self._complete = False  # there is nothing older than what is listed
        self._shown: tuple[str, int] | None = None
        self._filter = _FILTERS[0]  # whose changes are listed: as `Workspace.journal` takes them
        self._anchor: Event | None = None  # the entry whose agent and session the filter can be for
        self._placed: tuple[str, int] | None = None  # the entry that got the cursor when the filter changed
        self._shows_activity = False
        self._activity: AgentActivity | None = None
        """What agents did, as listed; None if all changes are: then nothing can be marked as seen."""

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
        """Read as many entries as are listed again; the highlight stays on its entry."""
        if self._shows_activity:
            self.load_activity()
        else:
            self.load_events()

    @worker(wording.JOURNAL_UNREADABLE, group="journal")
    async def load_events(self) -> None:
        """List the changes, newest first."""
        workspace = self.app.workspace
        if workspace is None:
            return
        limit = max(PAGE, len(self.events.entries))
        try:
            events = await self.read(workspace.journal, limit, None, *self._filter)
        except Exception:
            self._show_error()
            raise
        self._complete = len(events) < limit
        self.events.empty_lines = self._empty_lines()
        self._show(events)

    @worker(wording.JOURNAL_UNREADABLE, group="journal")
    async def load_activity(self) -> None:
        """List what agents did since the user last looked, store by store."""
        workspace = self.app.workspace
        if workspace is None:
            return
        try:
            since = await self.read(workspace.agent_activity)
        except Exception:
            self._show_error()
            raise
        self._complete, self._activity = not since.more, since
        self.events.empty_lines = self._empty_lines()
        self._show(sorted(since.items, key=lambda item: item.store))

    def _show_error(self) -> None:
        self.events.empty_lines = self.error_lines(wording.SUBJECT)
        self.events.refresh()

    def _show(self, entries: Sequence[Event | AgentChange]) -> None:
        current = self.events.highlighted
        wanted = self._anchor if current is None else current
        key = _entry_key(wanted) if wanted is not None else None
        keys = [_entry_key(entry) for entry in entries]
        cursor = keys.index(key) if key in keys else 0
        if current is None and keys:
            self._placed = keys[cursor]
        self.events.store_names = self.app.store_names
        # At the top, new lines push the others down; further down, nothing moves.
        self.events.show(entries, cursor, keep_place=self.events.top > 0)
        self.update_titles()
        self.load_text()

    @worker(wording.OLDER_UNREADABLE, group="older")
    async def load_older(self) -> None:
        """Read the next page, as the last line becomes visible."""
        workspace, entries = self.app.workspace, self.events.entries
        if workspace is None or self._complete or not entries:
            return
        last = entries[-1]
        if isinstance(last, AgentChange):
            return
        older = await self.read(workspace.journal, PAGE, last.id, *self._filter)
        self._complete = len(older) < PAGE
        if older and self.events.entries is entries:
            self.events.show([*entries, *older], self.events.cursor, keep_place=True)
        self.update_titles()

    @worker(wording.CHANGE_UNREADABLE, group="change-text")
    async def load_text(self) -> None:
        """Read and show the highlighted change."""
        workspace, entry = self.app.workspace, self.events.highlighted
        if workspace is None or entry is None:
            self.view.show(Content(""), keep_place=False)
            return
        if isinstance(entry, AgentChange):
            undo, restore = self.app.key("journal.undo"), self.app.key("journal.restore")
            text = agent_change_text(entry, self.app.clock(), undo, restore)
        else:
            try:
                items = await self.read(workspace.journal_items, entry.id)
            except Exception:
                # The pane still shows another change.
                self.view.show(Content(""), keep_place=False)
                raise
            text = change_text(entry, items, self.app.clock())
        self.view.show(text, keep_place=_entry_key(entry) == self._shown)
        self._shown = _entry_key(entry)

    def update_titles(self) -> None:
        position = wording.position(self.events.cursor + 1, self.events.count, complete=self._complete)
        if self._shows_activity:
            kinds = [entry.kind for entry in self.events.entries if isinstance(entry, AgentChange)]
            counts = [f"{kinds.count(kind)} {kind}" for kind in _CHANGE_KINDS if kind in kinds]
            counts += [wording.MORE_ONCE_SEEN] if self._activity is not None and self._activity.more else []
            self.events.set_title(wording.SINCE_YOU_LOOKED, Content(" · ".join([*counts, position])))
            return
        title = one_line(wording.title(*self._filter), 60)
        self.events.set_title(title, Content(position))

    # Messages

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
            self.app.show_status(wording.NOTHING_TO_UNDO)
        elif isinstance(entry, AgentChange):
            self.app.run_change(_revert, workspace, entry)
        elif entry.state == "undone":
            self.app.show_status(wording.UNDONE_ALREADY, hint=wording.redo(self.app.key("change.redo")))
        elif not entry.undoable:
            self.app.show_status(entry.reason or wording.CANNOT_BE_UNDONE, tone="error")
        else:
            redone = entry.kind == "undone"  # undoing an undo is a redo
            hint = None if redone else wording.redo(self.app.key("change.redo"))
            self.app.run_change(workspace.undo, entry.id, hint=hint)

    def action_restore(self) -> None:
        workspace, entry = self.app.ready_workspace(), self.events.highlighted
        if workspace is None:
            return
        if isinstance(entry, AgentChange) and entry.kind == "removed":
            self.app.run_change(workspace.restore, [entry.memory_id])
        elif isinstance(entry, AgentChange):
            self.app.show_status(wording.not_removed(entry.kind, self.app.key("journal.undo")))
        elif entry is None:
            self.app.show_status(wording.NOTHING_TO_RESTORE)
        else:
            self.app.run_change(_restore_removed, workspace, entry.id, self.app.key("journal.undo"))

    def _empty_lines(self) -> list[Part]:
        """Return what an empty list says: why it is empty, and the key that leads on."""
        key = self.app.key
        if self._shows_activity:
            lines = (wording.NOTHING_NEW, wording.ACTIVITY_APPEARS)
            hint = wording.all_changes(key("journal.since"))
        elif self._filter[0] == "you":
            lines, hint = (wording.NONE_BY_YOU, ""), wording.changes_by_agents(key("journal.filter"))
        elif self._filter[0]:
            none = wording.none_by(*self._filter)
            lines, hint = (none, ""), wording.all_changes(key("journal.filter"))
        else:
            lines, hint = (wording.NO_CHANGES, wording.CHANGES_APPEAR), wording.browse(key("screen.browse"))
        quiet: list[Part] = [(lines[1], "quiet")] if lines[1] else []
        return [(lines[0], "plain"), *quiet, ("", "plain"), (hint, "quiet")]

    def action_since(self) -> None:
        self._shows_activity, self._activity = not self._shows_activity, None
        self.events.show([], 0, keep_place=False)
        self.load()

    def action_seen(self) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        if self._activity is None:
            self.app.show_status(
                wording.how_to_mark_seen(self.app.key("journal.since"), self.app.key("journal.seen"))
            )
        else:
            # What is listed, not what agents did since it was read.
            marking = self.app.lanes.write(workspace.mark_seen, self._activity.last_entry_id)
            self._await_marking(marking, more=self._activity.more)

    @worker(wording.NOT_SEEN, group="seen")
    async def _await_marking(self, marking: Awaitable[object], *, more: bool) -> None:
        await marking
        self.app.show_status(wording.marked_seen(more=more), tone="done")
        if self._shows_activity:
            self.load()

    def action_filter(self) -> None:
        if self._shows_activity:
            self.app.show_status(wording.all_by_agents(self.app.key("journal.since")))
            return
        entry, choices = self.events.highlighted, [*_FILTERS]
        about, listed_agents = self._anchor, self._filter == _FILTERS[-1]
        if isinstance(entry, Event) and (
            about is None
            or _entry_key(entry) != self._placed  # else the key was pressed again, with the cursor where
            or (listed_agents and not about.actor.startswith(AGENT))  # that put it
        ):
            self._anchor = about = entry
        if about is not None and about.actor.startswith(AGENT):
            choices.append((about.actor, ""))
            if about.session:
                choices.append((about.actor, about.session))
        place = choices.index(self._filter) + 1 if self._filter in choices else 0
        self._show_filtered(choices[place % len(choices)])

    def _show_filtered(self, filter: tuple[str, str]) -> None:
        self._filter = filter
        self.events.show([], 0, keep_place=False)
        self.load()

    def show_agent(self, agent: str) -> None:
        """List what one agent changed."""
        self._shows_activity, self._activity, self._anchor, self._placed = False, None, None, None
        self._show_filtered((f"{AGENT}{agent}", ""))

    def action_open(self) -> None:
        if self.events.highlighted is None:
            self.app.show_status(wording.NOTHING_TO_SHOW)
            return
        self.set_full_screen(True)
        self.view.focus()

    def action_back(self) -> None:
        if self.has_class("full"):
            self.set_full_screen(False)
        self.events.focus()


def _entry_key(entry: Event | AgentChange) -> tuple[str, int]:
    """Return what identifies an entry when it is read again."""
    return ("since", entry.memory_id) if isinstance(entry, AgentChange) else ("entry", entry.id)


def _revert(workspace: Workspace, item: AgentChange) -> Change:
    """Undo what agents did to one memory, as a change by the user; redo a change of the user's that they
    overwrote."""
    if item.kind == UNREADABLE:
        raise wording.cannot_revert_unreadable()
    if item.overwritten:
        return workspace.undo(item.entry_id)
    if item.kind == "removed":
        return workspace.restore([item.memory_id])
    if item.kind == "added":
        return workspace.dismiss([item.memory_id])
    fields = {name: item.before[name] for name in EDITABLE if name in item.before}
    if not fields and item.before.keys() & {"relation", "verdict"}:
        return workspace.undo(item.entry_id)
    if not fields:
        raise wording.not_editable(item.after)
    return workspace.edit([item.memory_id], fields, seen={name: item.after[name] for name in fields})


def _restore_removed(workspace: Workspace, entry: int, undo: str) -> Change:
    """Restore every memory that an entry removed from its store; `undo` is the key that undoes the entry."""
    items = workspace.journal_items(entry)
    uids = [item.uid for item in items if item.after and item.after.get("here") is False]
    if not uids:
        raise wording.none_removed(undo)
    return workspace.restore([workspace.find(uid) for uid in uids])
