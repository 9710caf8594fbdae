"""What agents did meanwhile: watched beside the screen, shown only when the person asks (S-5)."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.records import Change, Pulled
from memtui.tui.messages import READING
from memtui.tui.text.glyphs import counted, grouped

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

LOADED = "loaded"
"""The kind of change that the person asks for with `r`: what agents did is to be shown now."""
HEALTH = "health"
"""The kind of change that only the stores' health underwent."""
LOOK = 0.5  # seconds between two looks at the stores
SHARE, LEAST = 12, 3  # a dear look is followed by a rest of so many times its CPU time; least so many
LATEST = 1.4  # seconds after which the next look begins though keys are pressed, or the last was dear
REST = 0.3  # seconds without a key that a look waits for until then


class News:
    """Pulls what agents change, counts it, and lets it in when the person says so."""

    def __init__(self, app: MemtuiApp) -> None:
        self._app = app
        self._started = False
        self._task: asyncio.Task[None] | None = None
        self._pulled: dict[str, list[int]] = {}
        self._errors: dict[str, str] = {}
        self._cost = 0.0  # seconds of CPU that the last look took

    def start(self) -> None:
        """Once, when the first list stands: look what agents did meanwhile, then keep looking."""
        if not self._started:
            self._started = True
            self._app.run_worker(self._begin(), group="pull")

    def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()

    async def _begin(self) -> None:
        await self._pull()
        await self._check()
        # A task of its own: it ends with the app, and no worker ever waits for it.
        self._task = asyncio.create_task(self._watch())

    async def _check(self) -> None:
        """A broken page is found before more is written beside it."""
        app = self._app
        assert app.workspace is not None
        try:
            damage = await app.lane.look(app.workspace.check, counted=False)
        except Exception as error:  # the doctor tells more
            app.log.error(error)
            return
        if damage:
            app.read_only = True
            app.say(damage, tone="wrong")

    async def _watch(self) -> None:
        while True:
            dear = self._cost
            ended = time.monotonic()
            await asyncio.sleep(max(LOOK, min(dear * SHARE, LATEST), dear * LEAST))
            while time.monotonic() - self._app.pressed_at < REST and time.monotonic() - ended < LATEST:
                await asyncio.sleep(0.05)
            try:
                await self._pull(quiet=True)
            except Exception as error:  # the next look may go well: the watch never ends by itself
                self._app.log.error(error)

    def _look(self, workspace: Workspace) -> Pulled:
        """In the looking thread: its own time counts, not that of a busy machine."""
        begun = time.thread_time()
        try:
            return workspace.pull()
        finally:
            self._cost = time.thread_time() - begun

    async def _pull(self, *, quiet: bool = False) -> Pulled | None:
        """Read what changed in the stores; None where that failed, which is said."""
        app = self._app
        workspace = app.workspace
        assert workspace is not None
        try:
            pulled = await app.lane.look(self._look, workspace, counted=not quiet)
        except Refused as refused:
            if not quiet:
                app.say_refused(refused)
        except Exception as error:  # the next pull may work; the list stays usable
            if not quiet:
                app.say_failed("The stores could not be read", error)
        else:
            await self._take_in(pulled)
            return pulled
        return None

    async def _take_in(self, pulled: Pulled) -> None:
        app = self._app
        if pulled.errors != self._errors:
            self._errors = pulled.errors
            if pulled.errors:
                name, error = next(iter(pulled.errors.items()))
                stores = app.key("screen.stores")
                more = len(pulled.errors) - 1
                rest = f"and {counted(more, 'other store')}; {stores} shows them" if more else ""
                app.say(error if name in error else f"{name}: {error}", tone="wrong", hint=rest)
            app.changed.publish(Change(HEALTH, (), ""))
        if not pulled.total:
            return
        for name, numbers in pulled.news.items():
            self._add(name, (*numbers, 0))
        for name, many in pulled.relations.items():
            self._add(name, (0, 0, 0, many))
        app.news += pulled.total
        was_empty = not (app.counts and app.counts.all)
        await app.recount()
        if was_empty:
            self.load()

    def _add(self, name: str, numbers: tuple[int, ...]) -> None:
        known = self._pulled.setdefault(name, [0] * len(_WHAT))
        self._pulled[name] = [a + b for a, b in zip(known, numbers, strict=True)]

    def reload(self) -> None:
        """Read the stores again, and show what is new."""
        self._app.say("Reading the stores …", about=READING)
        self._app.run_worker(self._reload(), group="pull")

    async def _reload(self) -> None:
        pulled = await self._pull()
        if pulled is None:
            return
        self.load()
        for name, error in pulled.errors.items():
            self._app.say(f"{name} is shown as last read: {error}", tone="wrong")

    def load(self) -> None:
        """Show what is new on every screen."""
        app = self._app
        if not app.news:
            app.say("Nothing new: what you see is what the stores hold.")
        else:
            app.say(f"Loaded {_told(self._pulled)}.")
        app.news, self._pulled = 0, {}
        app.changed.publish(Change(LOADED, (), ""))


_WHAT = ("added", "changed", "removed", "relation{} changed")


def _told(pulled: dict[str, list[int]]) -> str:
    """2 added, 1 changed in base-coat."""
    texts = []
    for name, numbers in pulled.items():
        told = [(n, word.format("" if n == 1 else "s")) for n, word in zip(numbers, _WHAT, strict=True)]
        words = [f"{grouped(n)} {word}" for n, word in told if n]
        if words:
            texts.append(f"{', '.join(words)} in {name}")
    return "; ".join(texts) if len(texts) < 4 else f"news from {counted(len(texts), 'store')}"
