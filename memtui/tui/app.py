"""The app: opens a workspace beside the first paint, carries changes and news between screens."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.reactive import reactive, var
from textual.screen import ModalScreen, Screen
from textual.signal import Signal
from textual.widgets import Input

from memtui.errors import Refused
from memtui.memory.records import Change, Counts, Pulled
from memtui.paths import shipped
from memtui.tui import themes
from memtui.tui.lane import Lane
from memtui.tui.messages import Status
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.widgets.glyphs import counted, grouped
from memtui.tui.worker import in_words

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

LOADED = "loaded"
"""The kind of change that the person asks for with `r`: what agents did is to be shown now."""


def _journal() -> Screen[Any]:
    from memtui.tui.screens.journal import JournalScreen

    return JournalScreen()


class MemtuiApp(App[None]):
    """memtui on one workspace (S-2)."""

    TITLE = "memtui"
    ENABLE_COMMAND_PALETTE = False
    # What the first screen needs; the others bring their own when they open.
    CSS_PATH: ClassVar[list[str | PurePath]] = [shipped("styles") / f"{n}.tcss" for n in ("base", "browse")]
    MODES = {"browse": BrowseScreen, "journal": _journal}
    DEFAULT_MODE = "browse"

    status: reactive[Status] = reactive(Status())
    workspace: var[Workspace | None] = var(None)
    failure: var[Refused | None] = var(None)
    workspace_name: var[str] = var("")
    read_only: var[bool] = var(False)
    counts: var[Counts | None] = var(None)
    news: var[int] = var(0)

    def __init__(
        self,
        open_workspace: Callable[[], Workspace],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        self.clock = clock
        self.lane = Lane()
        self.changed: Signal[Change] = Signal(self, "changed")
        """Every change, whoever made it and wherever it was asked for."""
        self.store_names: dict[str, str] = {}
        """Short names for a store column; none where one store is all."""
        self.draft: dict[str, str] = {}
        """What was typed into a memory that the store no longer has; the next new one begins with it."""
        self._open_workspace = open_workspace
        self._pulling = False
        self._pulled: dict[str, list[int]] = {}
        self._pull_errors: dict[str, str] = {}
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    def on_mount(self) -> None:
        # Asked to end: acknowledged writes are finished, the terminal is given back.
        for asked in (signal.SIGTERM, signal.SIGHUP):
            with suppress(RuntimeError, ValueError):  # only the main thread hears signals
                asyncio.get_running_loop().add_signal_handler(asked, self.exit)
        self.run_worker(self._start(), group="start")

    async def on_unmount(self) -> None:
        # Acknowledged writes are finished before the program ends, queued ones too.
        work = self.workspace
        ends = (work.close_thread, work.close) if work is not None else ()
        await asyncio.to_thread(self.lane.close, *ends)

    async def _start(self) -> None:
        try:
            workspace = await self.lane.ask(self._open_workspace)
        except Refused as refused:
            self.failure = refused
            return
        except Exception as error:  # the screen must say it, whatever it was
            self.failure = Refused("open", f"The workspace could not be opened: {in_words(error)}")
            return
        self.workspace_name = _name(workspace.path)
        self.read_only = bool(workspace.read_only)
        self.workspace = workspace  # the first list is read before the numbers
        await self._recount(workspace)

    def start_pulling(self) -> None:
        """Once, when the first list stands: look what agents did meanwhile."""
        if not self._pulling:
            self._pulling = True
            self.run_worker(self._pull(), group="pull")

    async def _recount(self, workspace: Workspace) -> None:
        try:
            counts, stores = await self.lane.ask(lambda: (workspace.counts(), workspace.stores()))
        except Exception as error:  # the numbers stay as they were
            self.say_failed("The memories could not be counted", error)
            return
        self.counts = counts
        self.store_names = _short_names([store.name for store in stores])

    # Changes: one verb, one Change, one line of status (DESIGN section 3).

    def ready(self) -> Workspace | None:
        """The workspace, or a word about why there is none yet."""
        if self.workspace is None:
            self.say("No workspace is open." if self.failure else "Still opening the workspace.")
        return self.workspace

    def change(self, verb: Callable[..., Change], *args: Any, hint: str = "u undo") -> None:
        """Carry out a verb in the writing lane; it goes on if its screen is left."""
        self.run_worker(self._change(verb, args, hint), group="change")

    async def _change(self, verb: Callable[..., Change], args: tuple[Any, ...], hint: str) -> None:
        try:
            change = await self.lane.change(verb, *args)
        except Refused as refused:
            self.say_refused(refused)
        except Exception as error:  # a bug below must not take the screen down
            self.say_failed("That went wrong", error)
        else:
            await self.announce(change, hint=hint)

    async def announce(self, change: Change, *, hint: str = "u undo") -> None:
        """Tell the person and every live screen what was done."""
        text = change.summary
        if change.skipped:
            done, left = len(change.ids), len(change.skipped)
            why = change.skipped[0].why
            text = f"{text} · {grouped(done)} of {grouped(done + left)}; {grouped(left)} not: {why}"
        self.say(text, tone="done", hint=f"· {hint}" if hint else "")
        if self.workspace is not None:
            await self._recount(self.workspace)
        self.changed.publish(change)

    def say(self, text: str, *, tone: str = "quiet", hint: str = "") -> None:
        """Put a line on the status line."""
        self.status = Status(text, tone, hint)

    def say_refused(self, refused: Refused) -> None:
        """Why nothing was changed, and what to do."""
        self.say(refused.message, tone="wrong", hint=refused.hint)

    def say_failed(self, what: str, error: Exception) -> None:
        """What could not be done, and why."""
        self.log.error(error)
        self.say(f"{what}: {in_words(error)}", tone="wrong")

    # News: what agents changed in the stores; shown only when the person asks (S-5).

    async def _pull(self) -> Pulled | None:
        """Read the stores; None where that failed, which is said."""
        workspace = self.workspace
        assert workspace is not None
        try:
            pulled = await self.lane.change(workspace.pull)
        except Refused as refused:
            self.say_refused(refused)
        except Exception as error:  # the next pull may work; the list stays usable
            self.say_failed("The stores could not be read", error)
        else:
            await self._take_in(workspace, pulled)
            return pulled
        return None

    async def _take_in(self, workspace: Workspace, pulled: Pulled) -> None:
        if pulled.errors != self._pull_errors:
            self._pull_errors = pulled.errors
            for name, error in pulled.errors.items():
                self.say(f"{name}: {error}", tone="wrong")
        if not pulled.total:
            return
        for name, numbers in pulled.news.items():
            known = self._pulled.setdefault(name, [0, 0, 0])
            self._pulled[name] = [a + b for a, b in zip(known, numbers, strict=True)]
        self.news += pulled.total
        was_empty = not (self.counts and self.counts.all)
        await self._recount(workspace)
        if was_empty:
            self.load_news()

    def reload(self) -> None:
        """Read the stores again, and show what is new."""
        self.say("Reading the stores …")
        self.run_worker(self._reload(), group="pull")

    async def _reload(self) -> None:
        pulled = await self._pull()
        if pulled is None:
            return
        self.load_news()
        for name, error in pulled.errors.items():
            self.say(f"{name} is shown as last read: {error}", tone="wrong")

    def load_news(self) -> None:
        """Show what is new on every screen."""
        if not self.news:
            self.say("Nothing new: what you see is what the stores hold.")
        else:
            self.say(f"Loaded {_told(self._pulled)}.")
        self.news, self._pulled = 0, {}
        self.changed.publish(Change(LOADED, (), ""))

    def show_theirs(self) -> None:
        """Read everything again, silently: the store's text is to be seen now."""
        self.changed.publish(Change(LOADED, (), ""))

    # Actions that are the same on every screen.

    def action_next_theme(self) -> None:
        """Dark or light."""
        self.theme = themes.LIGHT.name if self.theme == themes.DARK.name else themes.DARK.name

    def action_help_quit(self) -> None:
        """ctrl+c does not quit; say what does."""
        inside = isinstance(self.focused, Input) or isinstance(self.screen, ModalScreen)
        words = "esc leaves this; then q quits." if inside else "q quits."
        tell = getattr(self.screen, "tell", self.say)
        tell(words)

    def copy_to_clipboard(self, text: str) -> None:
        """To the terminal's clipboard (OSC 52, wrapped for tmux) and, on this machine, the desktop's."""
        from memtui.tui.clipboard import copy

        self._clipboard = text
        copy(text, self._driver.write if self._driver is not None else None)


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


def _told(pulled: dict[str, list[int]]) -> str:
    """2 added, 1 changed in base-coat."""
    texts = []
    for name, numbers in pulled.items():
        words = [
            f"{grouped(n)} {word}"
            for n, word in zip(numbers, ("added", "changed", "removed"), strict=True)
            if n
        ]
        if words:
            texts.append(f"{', '.join(words)} in {name}")
    return "; ".join(texts) if len(texts) < 4 else f"news from {counted(len(texts), 'store')}"


def run(open_workspace: Callable[[], Workspace]) -> None:
    """Run the app until the person quits."""
    MemtuiApp(open_workspace).run()
