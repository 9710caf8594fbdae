"""The app: opens a workspace behind the first paint, and carries changes and news between screens."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.actions import ActionParseResult
from textual.dom import DOMNode
from textual.reactive import var
from textual.screen import ModalScreen
from textual.widget import AwaitMount
from textual.widgets import Input

from memtui.errors import Refused
from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.inbox.items import Touched
from memtui.memory.inbox.listing import Listing
from memtui.memory.results import Change
from memtui.memory.stores import Counts
from memtui.paths import data_folder
from memtui.settings import Loaded, Settings
from memtui.tui import command_table, modes, wording
from memtui.tui.browse.screen import BrowseScreen
from memtui.tui.commands import names
from memtui.tui.common.screen import BaseScreen
from memtui.tui.messages import READING
from memtui.tui.settings_app import SettingsApp
from memtui.tui.terminal.signals import ending_on_signals
from memtui.tui.workers.contradiction_scan import ContradictionScan
from memtui.tui.workers.embedding import EmbeddingWorker
from memtui.tui.workers.guarded import error_text
from memtui.tui.workers.inbox_reader import InboxReader, touched_by
from memtui.tui.workers.store_watcher import LOADED, StoreWatcher

if TYPE_CHECKING:
    from memtui.workspace.session.effects import AgentEffect
    from memtui.workspace.workspace import Workspace

MANY_MEMORIES = 200_000  # from here on counting takes longer than a key press may wait


_SETTLED = 1.0  # seconds after the first list until all is loaded that the screen needs


class MemtuiApp(SettingsApp):
    """memtui on one workspace (S-2)."""

    TITLE = "memtui"
    ENABLE_COMMAND_PALETTE = False
    # The styles of the first screen; the others load their own when they open.
    CSS_PATH: ClassVar[list[str | PurePath]] = [
        data_folder("styles") / f"{n}.tcss" for n in ("base", "browse")
    ]
    MODES = modes.MODES
    DEFAULT_MODE = "browse"

    workspace: var[Workspace | None] = var(None)
    failure: var[Refused | None] = var(None)
    """Why the workspace could not be opened."""
    workspace_name: var[str] = var("")
    read_only: var[bool] = var(False)
    counts: var[Counts | None] = var(None)
    review: var[QueueCounts | None] = var(None)
    inbox: var[Listing | None] = var(None, always_update=True)
    """What waits for the person, as last read."""
    news: var[int] = var(0)
    """How many memories and relations agents changed that are not shown yet."""
    news_changed: var[int] = var(0)
    """How many of them are memories and relations that agents changed."""
    news_removed: var[int] = var(0)
    """How many of them are memories that agents removed."""
    embedding_status: var[str] = var("")
    """Changes with the state of the EmbeddingWorker, for screens to watch."""
    scan_status: var[str] = var("")
    """Changes with the state of the ContradictionScan, for screens to watch."""

    def __init__(
        self,
        open_workspace: Callable[[], Workspace],
        *,
        clock: Callable[[], float] = time.time,
        loaded: Loaded | None = None,
        saves_theme: bool = False,
    ) -> None:
        super().__init__(loaded or Loaded(Settings(), Path("settings.toml")), saves_theme=saves_theme)
        self.animation_level = "none"
        self.clock = clock
        self.store_names: dict[str, str] = {}
        """Short names for the store column; empty where there is only one store."""
        self.arrived: dict[int, str] = {}
        """The memories that agents brought with the last news shown, as "new" or "changed"."""
        self.draft: dict[str, str] = {}
        """The text of an edit whose memory left its store, by field; the next new memory starts with it."""
        self._open_workspace = open_workspace
        self.store_watcher = StoreWatcher(self)
        self.embedding_worker = EmbeddingWorker(self)
        self.contradiction_scan = ContradictionScan(self)
        self.inbox_reader = InboxReader(self)
        self._touched: Touched | None = Touched()  # what the Inbox is to read after the counts; None for all
        self.previous_mode = names.BROWSE
        self.last_key_at = 0.0
        """When a key was last pressed, by the monotonic clock; expensive work waits for a pause."""
        self.fields_unfolded = False
        """Whether the details of memories show their raw fields."""
        self.recent_commands: list[str] = []
        """Ids of commands chosen by name, the last first."""
        self.spare_loaded: Callable[[], None] = lambda: None
        """Has Python's garbage collector pass over what there is; called once much was loaded."""

    # Start and end

    def on_mount(self) -> None:
        self.start_work("start", self._start)

    async def _start(self) -> None:
        try:
            workspace = await self.lanes.read(self._open_workspace)
        except Refused as refused:
            self.failure = refused
            return
        except Exception as error:  # whatever it was, the screen shows it
            self.failure = Refused("open", wording.cannot_open(error_text(error)))
            return
        self.workspace_name = _workspace_name(workspace.path)
        self.read_only = bool(workspace.read_only)
        self.lanes.interruptible = workspace.interruptible
        workspace.report_progress(self._show_progress)
        workspace.watched = True
        self.workspace = workspace  # the first list is read before the counts
        await self.refresh_counts()
        if self.counts and not (self.counts.all or self.counts.stores or self.last_key_at):
            # Nothing to browse yet: begin with the stores found on this machine (S-3).
            await self.switch_mode(names.STORES)
        self.store_watcher.start()
        self.embedding_worker.start(workspace)
        self.contradiction_scan.start(workspace)
        self.set_timer(_SETTLED, self.spare_loaded)

    def _show_progress(self, store: str, part: float) -> None:
        """Show how far long reading of a store is; called in the thread that reads."""
        text = wording.reading_progress(store, part)
        with suppress(RuntimeError):  # the app has ended
            self.call_later(partial(self.show_status, text, about=READING, working=True))

    async def on_unmount(self) -> None:
        self.end_bulk()
        self.store_watcher.stop()
        self.stop_status_timer()
        # Acknowledged writes are finished before the program ends, queued ones too.
        work = self.workspace
        self.embedding_worker.stop()
        self.contradiction_scan.stop()
        if work is not None:
            work.stop_reading()
        await asyncio.to_thread(self.embedding_worker.join)
        await asyncio.to_thread(self.contradiction_scan.join)
        ends = (work.close_thread, work.close) if work is not None else ()
        await asyncio.to_thread(self.lanes.close, *ends)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self.last_key_at = time.monotonic()
            if event.key[:-1] == "alt+" and event.key not in self._alt_keys:
                # What a terminal sends for alt and a letter, it also sends for esc and the letter in a hurry.
                if not await self._check_bindings("escape", priority=True):
                    await self._check_bindings("escape")
                event = events.Key(event.key[-1], event.key[-1])
        await super().on_event(event)

    # Counts

    async def read_effects(self, change: Change) -> Sequence[AgentEffect]:
        """Read, in the background, what a change makes of what agents see; nothing without an entry."""
        if self.workspace is None or change.journal_id is None:
            return ()
        return await self.lanes.background(self.workspace.agent_effects, change.journal_id, change.ids)

    async def refresh_counts(self, change: Change | None = None) -> None:
        """Read the header's counts and the Inbox again, of the Inbox what a change touched."""
        workspace = self.workspace
        if workspace is None:
            return
        touched = touched_by(change) if change is not None else None
        self._touched = touched | self._touched if touched and self._touched else None
        if self.counts is not None and self.counts.all > MANY_MEMORIES:
            counts = self.lanes.background(self._read_counts, workspace)
            self._set_counts_later(counts)
        else:
            await self._set_counts(self.lanes.read(self._read_counts, workspace))

    @work(group="count", exclusive=True)
    async def _set_counts_later(self, reading: Awaitable[tuple[Counts, QueueCounts | None]]) -> None:
        await self._set_counts(reading)

    def _read_counts(self, workspace: Workspace) -> tuple[Counts, QueueCounts | None]:
        counts = workspace.counts()
        try:
            return counts, workspace.queue_counts()
        except Exception as error:  # the memories can be shown without the pairs
            self.log.error(error)
            return counts, None

    async def _set_counts(self, reading: Awaitable[tuple[Counts, QueueCounts | None]]) -> None:
        try:
            counts, review = await reading
        except Exception as error:  # the counts stay as they were
            self.show_error(wording.COUNTS_NOT_READ, error)
            return
        self.counts = counts
        if review is not None:
            self.review = review
        self.store_names = _short_names(counts.names)
        self.inbox_reader.refresh(self._touched)
        self._touched = Touched()

    # Changes

    def ready_workspace(self) -> Workspace | None:
        """Return the workspace; if it is not open, show why and return None."""
        if self.workspace is None:
            self.show_status(wording.NO_WORKSPACE if self.failure else wording.STILL_OPENING)
        return self.workspace

    def key(self, id: str) -> str:
        """Return the label of a command's key."""
        return command_table.key_of(id, self.commands)

    def reload_all(self) -> None:
        """Make every screen read again what it shows, without a message."""
        self.changed.publish(Change(LOADED, (), ""))

    # Actions that are the same on every screen

    def action_palette(self) -> None:
        if isinstance(self.screen, BaseScreen):
            from memtui.tui.palette.dialog import PaletteDialog

            self.push_screen(PaletteDialog(self.screen), self._run_chosen)

    def action_jump(self) -> None:
        if isinstance(self.screen, BaseScreen):
            from memtui.tui.common.jump import JumpScreen, targets

            self.push_screen(JumpScreen(targets(self.screen)), self._run_chosen)

    async def _run_chosen(self, run: Callable[[], object] | None) -> None:
        if run is not None:
            result = run()
            if asyncio.iscoroutine(result):
                await result

    async def run_command(self, id: str) -> None:
        """Run a command that was chosen by name or with the mouse."""
        command = next(command for command in self.commands if command.id == id)
        screen = self.screen
        namespace: DOMNode = screen
        if command.pane and isinstance(screen, BaseScreen):
            namespace = screen.active_pane
        await self.run_action(command.action, namespace)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action, unless the screen refuses its command: then show why."""
        screen = self.screen
        if default_namespace is screen and isinstance(screen, BaseScreen):
            ids = (each.id for each in self.commands if each.action == action and screen.MODE in each.screens)
            if reason := screen.refusal(next(ids, "")):
                self.show_status(reason, tone="error")
                return True
        return await super().run_action(action, default_namespace, namespaces)

    def switch_mode(self, mode: str) -> AwaitMount:
        if mode != self.current_mode:
            self.previous_mode = self.current_mode
            self.clear_old_status()
            if mode == names.INBOX:
                self.inbox_reader.refresh_if_stale()
        return super().switch_mode(mode)

    async def browse(self, query: str, id: int | None = None, sort: str | None = None) -> None:
        """Search on Browse, with the cursor on memory `id` and in the given order."""
        await self.switch_mode(names.BROWSE)
        if isinstance(self.screen, BrowseScreen):
            self.screen.search_for(query, id, sort)

    async def show_pairs(self, id: int, label: str) -> None:
        """Show the pairs of one memory on Review."""
        from memtui.tui.review.screen import ReviewScreen

        await self.switch_mode(names.REVIEW)
        if isinstance(self.screen, ReviewScreen):
            self.screen.show_memory(id, label)

    async def show_pair(self, id: int) -> None:
        """Show one pair on Review, among all others."""
        from memtui.tui.review.screen import ReviewScreen

        await self.switch_mode(names.REVIEW)
        if isinstance(self.screen, ReviewScreen):
            self.screen.show_pair(id)

    async def show_store(self, name: str, code: str = "") -> None:
        """Show an attached store on Stores, with its first finding of the kind `code`."""
        from memtui.tui.stores.screen import StoresScreen

        await self.switch_mode(names.STORES)
        if isinstance(self.screen, StoresScreen):
            self.screen.show_store(name, code)

    async def show_policy(self, agent: str) -> None:
        """Show the policy of an agent on Rules, or say how to write one."""
        from memtui.tui.rules.screen import RulesScreen

        await self.switch_mode(names.RULES)
        if isinstance(self.screen, RulesScreen):
            self.screen.show_policy(agent)

    async def show_changes_by(self, agent: str) -> None:
        """Show what an agent changed, on Journal."""
        from memtui.tui.journal.screen import JournalScreen

        await self.switch_mode(names.JOURNAL)
        if isinstance(self.screen, JournalScreen):
            self.screen.show_agent(agent)

    async def show_graph(self, id: int) -> None:
        """Show the relations of one memory on Graph."""
        from memtui.tui.graph.screen import GraphScreen

        await self.switch_mode(names.GRAPH)
        if isinstance(self.screen, GraphScreen):
            self.screen.show_memory(id)

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """Show where a key has a command if it has none here; esc first stops a verb on many memories."""
        if priority and key == "escape" and isinstance(self.screen, BaseScreen) and self.stop_bulk():
            return True
        done = await super()._check_bindings(key, priority)
        screen = self.screen
        # Before anything has the focus the screen is still being made, and a list's keys are not bound yet.
        if not done and not priority and isinstance(screen, BaseScreen) and screen.focused is not None:
            self.show_status(command_table.unbound_key_text(key, screen.MODE, self.commands))
        return done

    def action_help_quit(self) -> None:
        """Show how to quit, since ctrl+c does not."""
        inside = isinstance(self.focused, Input) or isinstance(self.screen, ModalScreen)
        show = getattr(self.screen, "show_message", self.show_status)
        show(wording.quit_hint(self.key("app.quit"), inside=inside))

    async def copy(self, text: str, *, may_be_cut: bool = True) -> str:
        """Copy to every clipboard within reach; return which ones, for a sentence, "" if none.

        Unless it `may_be_cut`, a text that is too long for some terminals is not sent to the terminal."""
        from memtui.tui.terminal import clipboard

        names = []
        if self._driver is not None and (may_be_cut or clipboard.size_of(text) <= clipboard.SAFE_BYTES):
            names.append(clipboard.to_terminal(text, self._driver.write))
        if not clipboard.is_remote():
            with suppress(TimeoutError):
                copying = asyncio.to_thread(clipboard.to_desktop, text)
                if await asyncio.wait_for(copying, clipboard.DESKTOP_TIMEOUT):
                    names.append(wording.DESKTOP_CLIPBOARD)
        if names:
            self._clipboard = text
        return wording.clipboards(names) if names else ""

    def copy_to_clipboard(self, text: str) -> None:
        self.start_work("copy", self.copy, text)


def _short_names(stores: Sequence[str]) -> dict[str, str]:
    """Return names for the store column: without the format where they stay distinct."""
    if len(stores) < 2:
        return {}
    ends = [name.rpartition(":")[2] for name in stores]
    return {name: end if ends.count(end) == 1 else name for name, end in zip(stores, ends, strict=True)}


def _workspace_name(path: Path) -> str:
    """Return the header's name of a workspace: its file, or the project whose .memtui folder holds it."""
    if path.name != "workspace.db":
        return path.name
    return path.parent.parent.name if path.parent.name == ".memtui" else path.parent.name


def run(open_workspace: Callable[[], Workspace], loaded: Loaded, *, saves_theme: bool) -> None:
    """Run the app with the user's settings until they quit."""
    # Background threads yield to the screen sooner than with Python's default of 5 ms.
    sys.setswitchinterval(0.001)
    app = MemtuiApp(open_workspace, loaded=loaded, saves_theme=saves_theme)
    # A collection that traverses all that was loaded stops every thread for 0.1 s, and what agents write sets
    # one off every few seconds. Not in tests, where many apps come and go in one process.
    app.spare_loaded = gc.freeze

    def end() -> None:
        app.end_bulk()
        app.exit()

    with ending_on_signals(end, lambda: app.lanes.is_writing):
        app.run(mouse=app.settings.mouse)
