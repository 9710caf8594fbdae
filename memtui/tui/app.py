"""The app: opens a workspace beside the first paint, carries changes and news between screens."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.keys import key_to_character
from textual.reactive import reactive, var
from textual.screen import ModalScreen, Screen
from textual.signal import Signal
from textual.widget import AwaitMount
from textual.widgets import Input

from memtui.errors import Refused
from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.results import Change
from memtui.memory.stores import Counts
from memtui.paths import shipped
from memtui.settings import Loaded, Settings, load
from memtui.tui import command_table, themes
from memtui.tui.browse.screen import BrowseScreen
from memtui.tui.common.screen import BaseScreen
from memtui.tui.messages import READING, Status
from memtui.tui.text.glyphs import grouped
from memtui.tui.workers.contradiction_scan import ContradictionScan
from memtui.tui.workers.embedding import EmbeddingWorker
from memtui.tui.workers.guarded import error_text
from memtui.tui.workers.lanes import Lanes
from memtui.tui.workers.store_watcher import LOADED, StoreWatcher

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

STAYS = {"quiet": 10.0, "done": 15.0, "wrong": 30.0}  # seconds that the status line says a thing
READ = 4.0  # seconds after which what was done or went wrong may leave with its screen
DESKTOP = 2.0  # seconds that the desktop's clipboard may take


def _review() -> Screen[Any]:
    from memtui.tui.review.screen import ReviewScreen

    return ReviewScreen()


def _graph() -> Screen[Any]:
    from memtui.tui.graph.screen import GraphScreen

    return GraphScreen()


def _decay() -> Screen[Any]:
    from memtui.tui.decay.screen import DecayScreen  # brings numpy and the chart with it

    return DecayScreen()


def _journal() -> Screen[Any]:
    from memtui.tui.journal.screen import JournalScreen

    return JournalScreen()


def _stores() -> Screen[Any]:
    from memtui.tui.stores.screen import StoresScreen

    return StoresScreen()


MANY = 200_000  # memories that are not counted between two reads


class MemtuiApp(App[None]):
    """memtui on one workspace (S-2)."""

    TITLE = "memtui"
    ENABLE_COMMAND_PALETTE = False
    # What the first screen needs; the others bring their own when they open.
    CSS_PATH: ClassVar[list[str | PurePath]] = [shipped("styles") / f"{n}.tcss" for n in ("base", "browse")]
    MODES = {
        "browse": BrowseScreen,
        "review": _review,
        "graph": _graph,
        "decay": _decay,
        "journal": _journal,
        "stores": _stores,
    }
    DEFAULT_MODE = "browse"

    status: reactive[Status] = reactive(Status())
    workspace: var[Workspace | None] = var(None)
    failure: var[Refused | None] = var(None)
    workspace_name: var[str] = var("")
    read_only: var[bool] = var(False)
    counts: var[Counts | None] = var(None)
    news: var[int] = var(0)
    embedding_status: var[str] = var("")
    review: var[QueueCounts | None] = var(None)
    scan_status: var[str] = var("")

    def __init__(
        self,
        open_workspace: Callable[[], Workspace],
        *,
        clock: Callable[[], float] = time.time,
        loaded: Loaded | None = None,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        self.clock = clock
        self.lanes = Lanes()
        self.changed: Signal[Change] = Signal(self, "changed")
        """Every change, whoever made it and wherever it was asked for."""
        self.store_names: dict[str, str] = {}
        """Short names for a store column; none where one store is all."""
        self.draft: dict[str, str] = {}
        """What was typed into a memory that the store no longer has; the next new one begins with it."""
        self._open_workspace = open_workspace
        self.store_watcher = StoreWatcher(self)
        """What agents do in the stores meanwhile."""
        self.embedding_worker = EmbeddingWorker(self)
        """Understands memories and questions, once the model is loaded."""
        self.contradiction_scan = ContradictionScan(self)
        """Compares memories with each other while nobody types."""
        self.previous_mode = command_table.BROWSE
        """The screen before this one."""
        self._told_before = Status()  # when a key was pressed or the mouse clicked
        self._said_at = 0.0
        self._unsaying: asyncio.TimerHandle | None = None
        self.last_key_at = 0.0
        """When a key was last pressed, by the monotonic clock: long work waits for a rest."""
        self.loaded = loaded or Loaded(Settings(), Path("settings.toml"))
        self.settings = self.loaded.settings
        self.commands, wrong = command_table.configured(self.settings.keys)
        """What can be done, with the keys that hold here."""
        self.set_keymap(command_table.keymap(self.commands))
        self.troubles = [*self.loaded.troubles, *(f"{self.loaded.path.name}: {why}" for why in wrong)]
        """What of the settings was not taken."""
        self.recent: list[str] = []
        """Ids of commands chosen by name, the last first."""
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = f"memtui-{self.settings.theme}"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    def on_mount(self) -> None:
        # Asked to end: acknowledged writes are finished, the terminal is given back.
        for asked in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with suppress(RuntimeError, ValueError):  # only the main thread hears signals
                asyncio.get_running_loop().add_signal_handler(asked, self.exit)
        self.run_worker(self._start(), group="start")

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self.last_key_at = time.monotonic()
        if isinstance(event, (events.Key, events.MouseDown)):
            self._told_before = self.status
        await super().on_event(event)

    async def on_unmount(self) -> None:
        self.store_watcher.stop()
        if self._unsaying is not None:
            self._unsaying.cancel()
        # Acknowledged writes are finished before the program ends, queued ones too.
        work = self.workspace
        self.embedding_worker.stop()
        self.contradiction_scan.stop()
        if work is not None:
            work.end()
        await asyncio.to_thread(self.embedding_worker.join)
        await asyncio.to_thread(self.contradiction_scan.join)
        ends = (work.close_thread, work.close) if work is not None else ()
        await asyncio.to_thread(self.lanes.close, *ends)

    async def _start(self) -> None:
        try:
            workspace = await self.lanes.read(self._open_workspace)
        except Refused as refused:
            self.failure = refused
            return
        except Exception as error:  # the screen must say it, whatever it was
            self.failure = Refused("open", f"The workspace could not be opened: {error_text(error)}")
            return
        self.workspace_name = _name(workspace.path)
        self.read_only = bool(workspace.read_only)
        self.lanes.interruptible = workspace.interruptible
        workspace.tell_progress(self._far)
        workspace.watched = True
        self.workspace = workspace  # the first list is read before the numbers
        await self.refresh_counts()
        if self.counts and not (self.counts.all or self.counts.stores or self.last_key_at):
            # Nothing to browse yet: begin with what is found on this machine (S-3).
            await self.switch_mode(command_table.STORES)
        self.store_watcher.start()
        self.embedding_worker.start(workspace)
        self.contradiction_scan.start(workspace)

    def _far(self, store: str, part: float) -> None:
        """How far a long reading is; called in its thread."""
        with suppress(RuntimeError):  # the app has ended
            self.call_later(partial(self.show_status, f"Reading {store} … {part:.0%}", about=READING))

    async def refresh_counts(self) -> None:
        """Read the header's numbers again."""
        workspace = self.workspace
        if workspace is None:
            return
        if self.counts is not None and self.counts.all > MANY:
            # Beside the reading: to count so many takes longer than a key may wait.
            counted = self.lanes.background(self._numbers, workspace)
            self.run_worker(self._count(counted), group="count", exclusive=True)
        else:
            await self._count(self.lanes.read(self._numbers, workspace))

    def _numbers(self, workspace: Workspace) -> tuple[Counts, QueueCounts | None]:
        counts = workspace.counts()
        try:
            return counts, workspace.review()
        except Exception as error:  # the pairs can wait: the memories are what one came for
            self.log.error(error)
            return counts, None

    async def _count(self, asked: Awaitable[tuple[Counts, QueueCounts | None]]) -> None:
        try:
            counts, review = await asked
        except Exception as error:  # the numbers stay as they were
            self.show_error("The memories could not be counted", error)
            return
        self.counts = counts
        if review is not None:
            self.review = review
        self.store_names = _short_names(counts.names)

    def show_settings_errors(self) -> None:
        """The first line of status: what of the settings was not taken, or nothing."""
        first, *more = self.troubles or [""]
        rest = f"and {len(more)} more" if more else ""
        self.show_status(first, tone="wrong" if first else "quiet", hint=rest)

    # Changes: one verb, one Change, one line of status (DESIGN section 3).

    def ready_workspace(self) -> Workspace | None:
        """The workspace, or a word about why there is none yet."""
        if self.workspace is None:
            self.show_status("No workspace is open." if self.failure else "Still opening the workspace.")
        return self.workspace

    def key(self, id: str) -> str:
        """The key of a command, as the person reads it."""
        return command_table.key_of(id, self.commands)

    def run_change(self, verb: Callable[..., Change], *args: Any, hint: str | None = None) -> None:
        """Carry out a verb in the writing lane; it goes on if its screen is left."""
        self.run_worker(self._run_change(verb, args, hint), group="change")

    async def _run_change(self, verb: Callable[..., Change], args: tuple[Any, ...], hint: str | None) -> None:
        try:
            change = await self.lanes.write(verb, *args)
        except Refused as refused:
            self.show_refusal(refused)
        except Exception as error:  # a bug below must not take the screen down
            self.show_error("That went wrong", error)
        else:
            await self.announce(change, hint=hint)

    async def announce(self, change: Change, *, hint: str | None = None) -> None:
        """Tell the person and every live screen what was done; the hint is how to undo it."""
        if hint is None:
            hint = f"{self.key('change.undo')} undo"
        text = change.summary
        if change.skipped:
            left = sum(each.code != "partly" for each in change.skipped)
            if left:
                why = next(each.why for each in change.skipped if each.code != "partly")
                text = f"{text} · {grouped(left)} not: {why}"
            else:
                text = f"{text} · but {change.skipped[0].why}"
        self.show_status(text, tone="done", hint=f"· {hint}" if hint else "")
        await self.refresh_counts()
        self.changed.publish(change)

    def show_status(self, text: str, *, tone: str = "quiet", hint: str = "", about: str = "") -> None:
        """Put a line on the status line, for as long as it takes to read it; of what goes on ("…") until
        there is more to say."""
        self.status = Status(text, tone, hint, about)
        self._said_at = time.monotonic()
        if self._unsaying is not None:
            self._unsaying.cancel()
        # The loop's own timer: Textual drops a late one on a busy machine, and waits for workers.
        later = asyncio.get_running_loop().call_later if text and not text.endswith("…") else None
        self._unsaying = later(STAYS[tone], self.show_status, "") if later is not None else None

    def show_refusal(self, refused: Refused) -> None:
        """Why nothing was changed, and what to do."""
        self.show_status(refused.message, tone="wrong", hint=refused.hint)

    def show_error(self, what: str, error: Exception) -> None:
        """What could not be done, and why."""
        self.log.error(error)
        self.show_status(f"{what}: {error_text(error)}", tone="wrong")

    def reload_all(self) -> None:
        """Read everything again, silently: the store's text is to be seen now."""
        self.changed.publish(Change(LOADED, (), ""))

    # Actions that are the same on every screen.

    def action_next_theme(self) -> None:
        """Dark, light, contrast, the terminal's own."""
        self.use_theme(themes.after(self.theme))

    def use_theme(self, name: str) -> None:
        """Another theme until the program ends; the settings file is the person's."""
        self.theme = name
        short = themes.short(name)
        self.show_status(f"Theme: {short}.", hint=f'For good: theme = "{short}" in {self.loaded.path}')

    def action_palette(self) -> None:
        """Everything by name."""
        if isinstance(self.screen, BaseScreen):
            from memtui.tui.palette.dialog import PaletteDialog

            self.push_screen(PaletteDialog(self.screen), self._chosen)

    async def _chosen(self, run: Callable[[], Any] | None) -> None:
        if run is not None:
            result = run()
            if asyncio.iscoroutine(result):
                await result

    def action_jump(self) -> None:
        """A letter over each pane."""
        if isinstance(self.screen, BaseScreen):
            from memtui.tui.common.jump import JumpScreen, targets

            self.push_screen(JumpScreen(targets(self.screen)), self._chosen)

    async def action_write_settings(self) -> None:
        """All defaults in a file, if there is none yet."""
        from memtui.settings import write_defaults

        try:
            path = await self.lanes.write(write_defaults, self.loaded.path)
        except Refused as refused:
            self.show_refusal(refused)
        else:
            self.show_status(f"Written: {path}", tone="done", hint="It holds from the next start.")

    async def run_command(self, id: str) -> None:
        """Do what a key would do, chosen by name or by a click."""
        command = next(command for command in self.commands if command.id == id)
        screen = self.screen
        namespace: DOMNode = screen
        if command.pane and isinstance(screen, BaseScreen):
            namespace = screen.active_pane
        await self.run_action(command.action, namespace)

    def switch_mode(self, mode: str) -> AwaitMount:
        """Another screen; esc may lead back from it. What was said of this one is not of that one."""
        if mode != self.current_mode:
            self.previous_mode = self.current_mode
            read = self.status.tone == "quiet" or time.monotonic() - self._said_at > READ
            if read and self.status is self._told_before:
                self.show_status("")
        return super().switch_mode(mode)

    async def browse(self, query: str, id: int | None = None, sort: str | None = None) -> None:
        """Show a search on Browse, with the cursor on one memory, or in an order."""
        await self.switch_mode(command_table.BROWSE)
        if isinstance(self.screen, BrowseScreen):
            self.screen.search_for(query, id, sort)

    async def show_pairs(self, id: int, label: str) -> None:
        """Show the pairs of one memory on Review."""
        from memtui.tui.review.screen import ReviewScreen

        await self.switch_mode(command_table.REVIEW)
        if isinstance(self.screen, ReviewScreen):
            self.screen.show_memory(id, label)

    async def show_graph(self, id: int) -> None:
        """Show what one memory is tied to on Graph."""
        from memtui.tui.graph.screen import GraphScreen

        await self.switch_mode(command_table.GRAPH)
        if isinstance(self.screen, GraphScreen):
            self.screen.show_memory(id)

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """A key that does nothing says so, and where it would do something."""
        done = await super()._check_bindings(key, priority)
        screen = self.screen
        # Before anything has the focus, the screen is still being made: a list's key is no wrong key.
        if not done and not priority and isinstance(screen, BaseScreen) and screen.focused is not None:
            character = key_to_character(key)
            if character is not None and character.isprintable():
                self.show_status(command_table.useless(key, character, screen.MODE, self.commands))
        return done

    def action_help_quit(self) -> None:
        """ctrl+c does not quit; say what does."""
        inside = isinstance(self.focused, Input) or isinstance(self.screen, ModalScreen)
        quits = self.key("app.quit")
        words = f"esc leaves this; then {quits} quits." if inside else f"{quits} quits."
        tell = getattr(self.screen, "show_message", self.show_status)
        tell(words)

    async def copy(self, text: str) -> str:
        """To every clipboard that is reached from here; which ones, in words."""
        from memtui.tui.terminal import clipboard

        self._clipboard = text
        reached = [clipboard.to_terminal(text, self._driver.write)] if self._driver is not None else []
        if not clipboard.is_remote():
            with suppress(TimeoutError):
                if await asyncio.wait_for(asyncio.to_thread(clipboard.to_desktop, text), DESKTOP):
                    reached.append("the desktop's")
        return " and ".join(reached)

    def copy_to_clipboard(self, text: str) -> None:
        self.run_worker(self.copy(text), group="copy")


def _short_names(stores: Sequence[str]) -> dict[str, str]:
    """What the store column calls each: the part behind its format where that is enough."""
    if len(stores) < 2:
        return {}
    ends = [name.rpartition(":")[2] for name in stores]
    return {name: end if ends.count(end) == 1 else name for name, end in zip(stores, ends, strict=True)}


def _name(path: Path) -> str:
    """What the header calls a workspace: its file, or the project whose .memtui folder holds it."""
    if path.name != "workspace.db":
        return path.name
    return path.parent.parent.name if path.parent.name == ".memtui" else path.parent.name


def run(open_workspace: Callable[[], Workspace]) -> None:
    """Run the app with the person's settings until they quit."""
    # Threads that read beside the screen let it have its turn sooner than Python's 5 ms.
    sys.setswitchinterval(0.001)
    app = MemtuiApp(open_workspace, loaded=load())
    app.run(mouse=app.settings.mouse)
