"""Watch the stores for what agents write; it is counted at once and shown when the user asks (S-5)."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.journal import Arrivals
from memtui.memory.results import Change
from memtui.memory.stores import PullResult
from memtui.tui.messages import READING
from memtui.tui.workers import wording

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

LOADED = "loaded"
"""The kind of Change published when the user reloads: what agents wrote is to be shown now."""
HEALTH = "health"
"""The kind of Change published when only the stores' health changed."""

MIN_PAUSE = 0.5  # seconds between two pulls
# After an expensive pull the pause is so many times its CPU time, and at least so many.
PAUSE_PER_CPU, MIN_PAUSE_PER_CPU = 12, 3
MAX_PAUSE = 1.4  # seconds after which the next pull begins though keys are pressed or the last was expensive
KEY_PAUSE = 0.3  # seconds without a key press that a pull waits for, up to MAX_PAUSE


class StoreWatcher:
    """Pull what agents change, count it, and let it into the lists when the user asks."""

    def __init__(self, app: MemtuiApp) -> None:
        self._app = app
        self._started = False
        self._task: asyncio.Task[None] | None = None
        self._news: dict[str, list[int]] = {}  # by store: memories added, changed, removed; relations changed
        self._shown: int | None = None  # the newest journal entry when news was last shown
        self._arrivals = Arrivals()  # since then
        self._errors: dict[str, str] = {}
        self._names_itself: frozenset[str] = frozenset()  # stores whose error mentions their name
        self._cpu_seconds = 0.0  # of the last pull

    def start(self) -> None:
        """Pull once, then keep watching; called when the first list is shown."""
        if not self._started:
            self._started = True
            self._app.start_work("pull", self._begin)

    def stop(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()

    async def _begin(self) -> None:
        await self._pull()
        await self._check()
        # A task of its own: it ends with the app, and no worker ever waits for it.
        self._task = asyncio.create_task(self._watch())

    async def _check(self) -> None:
        """Make the workspace read-only if its file is damaged, before more is written into it."""
        app = self._app
        assert app.workspace is not None
        try:
            damage = await app.lanes.poll(app.workspace.check)
        except Exception as error:  # the doctor reports more
            app.log.error(error)
            return
        if damage:
            app.read_only = True
            app.show_status(damage, tone="error")

    async def _watch(self) -> None:
        while True:
            cost = self._cpu_seconds
            ended = time.monotonic()
            pause = max(MIN_PAUSE, min(cost * PAUSE_PER_CPU, MAX_PAUSE), cost * MIN_PAUSE_PER_CPU)
            await asyncio.sleep(pause)
            while self._was_key_pressed() and time.monotonic() - ended < MAX_PAUSE:
                await asyncio.sleep(0.05)
            try:
                await self._pull(quiet=True)
            except Exception as error:  # the next pull may succeed: watching ends only with the app
                self._app.log.error(error)

    def _was_key_pressed(self) -> bool:
        return time.monotonic() - self._app.last_key_at < KEY_PAUSE

    def _timed_pull(self, workspace: Workspace) -> PullResult:
        """Pull, and note its CPU time; wall time would count other work of a busy machine."""
        begun = time.thread_time()
        try:
            if self._shown is None:
                self._shown = workspace.arrivals(None).upto
            pulled = workspace.pull()
            if pulled.total:
                self._arrivals = workspace.arrivals(self._shown)
            return pulled
        finally:
            self._cpu_seconds = time.thread_time() - begun

    async def _pull(self, *, quiet: bool = False) -> PullResult | None:
        """Read what changed in the stores; None if that failed, which is shown unless `quiet`."""
        app = self._app
        workspace = app.workspace
        assert workspace is not None
        run = app.lanes.poll if quiet else app.lanes.background
        try:
            pulled = await run(self._timed_pull, workspace)
        except Refused as refused:
            if not quiet:
                app.show_refusal(refused)
        except Exception as error:  # the next pull may succeed, and the list stays usable
            if not quiet:
                app.show_error(wording.STORES_NOT_READ, error)
        else:
            await self._apply(pulled)
            return pulled
        return None

    async def _apply(self, pulled: PullResult) -> None:
        app = self._app
        if pulled.errors != self._errors:
            self._errors = pulled.errors
            self._names_itself = pulled.names_itself
            self._show_first_error()
            app.inbox_reader.refresh()
            app.changed.publish(Change(HEALTH, (), ""))
        if not pulled.total:
            return
        for name, numbers in pulled.changes.items():
            self._add(name, (*numbers, 0))
        for name, relations in pulled.relations.items():
            self._add(name, (0, 0, 0, relations))
        app.news += pulled.total
        app.news_changed += sum(changed for _, changed, _ in pulled.changes.values())
        app.news_changed += sum(pulled.relations.values())
        app.news_removed += sum(removed for _, _, removed in pulled.changes.values())
        was_empty = not (app.counts and app.counts.all)
        await app.refresh_counts()
        if was_empty:
            self.show_news()

    def _show_first_error(self) -> None:
        for name, error in self._errors.items():
            more = len(self._errors) - 1
            hint = wording.more_unreadable(more, self._app.key("screen.stores")) if more else ""
            text = wording.unreadable_store(name, error, names_store=name in self._names_itself)
            self._app.show_status(text, tone="error", hint=hint)
            return

    def _add(self, store: str, numbers: tuple[int, ...]) -> None:
        known = self._news.setdefault(store, [0] * wording.NEWS_KINDS)
        self._news[store] = [a + b for a, b in zip(known, numbers, strict=True)]

    def reload(self) -> None:
        """Read the stores again and show what is new."""
        self._app.show_status(wording.READING_STORES, about=READING, working=True)
        self._app.start_work("pull", self._reload)

    async def _reload(self) -> None:
        pulled = await self._pull()
        if pulled is None:
            return
        self.show_news()
        for name, error in pulled.errors.items():
            self._app.show_status(wording.shown_as_last_read(name, error), tone="error")

    def show_news(self) -> None:
        """Show what is new on every screen."""
        app = self._app
        app.show_status(wording.loaded(self._news) if app.news else wording.NOTHING_NEW)
        app.news, app.news_changed, app.news_removed, self._news = 0, 0, 0, {}
        app.arrived = self._arrivals.kinds
        if self._shown is not None:
            self._shown = max(self._shown, self._arrivals.upto)
        self._arrivals = Arrivals()
        app.changed.publish(Change(LOADED, (), ""))
