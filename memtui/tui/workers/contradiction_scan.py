"""Comparing memories beside the screen: what waits is compared while nobody types, the person reads how
far that is, and what was found is counted at once (S-40)."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import Swept
from memtui.tui.messages import COMPARING
from memtui.tui.text.glyphs import grouped
from memtui.tui.workers.embedding import CALM

if TYPE_CHECKING:
    from memtui.memory.contradictions.queue import Queue
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

FIRST = 2.0  # seconds after the start before which nothing is compared
LOOK = 1.5  # seconds between two looks at what waits
AGAIN = 30.0  # seconds after a look that failed
BREATH = 0.005  # seconds that the screen has for itself after each batch
TOLD = 64  # waiting memories from which it is worth a word
OFTEN = 1.0  # seconds between two counts of what was found so far
LEAVE = 1.0  # seconds that leaving waits for the thread


class ContradictionScan:
    """One thread with its own connection. `left` memories wait, `done` were compared of those that
    waited when it began; `running` while it compares."""

    def __init__(self, app: MemtuiApp) -> None:
        self._app = app
        self._thread: threading.Thread | None = None
        self._end = threading.Event()
        self._counted = 0.0
        self.done, self.left, self.running = 0, 0, False

    def start(self, workspace: Workspace) -> None:
        """Begin to look for memories that wait; once, when the first list stands."""
        if self._thread is None and not self._end.is_set() and not workspace.read_only:
            self._thread = threading.Thread(
                target=self._work, args=(workspace,), name="memtui-comparing", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Tell the thread to end."""
        self._end.set()

    def join(self) -> None:
        """Wait until it has ended; blocks."""
        if self._thread is not None:
            self._thread.join(LEAVE)

    # In the thread

    def _work(self, workspace: Workspace) -> None:
        try:
            pause = FIRST
            while not self._end.wait(pause):
                if self._app.read_only:
                    return
                pause = LOOK if self._turn(workspace) else AGAIN
        finally:
            workspace.close_thread()

    def _turn(self, workspace: Workspace) -> bool:
        """Compare what waits, if it is time for it; False where that went wrong."""
        if self._busy() or not self._understood():
            return True
        try:
            state = workspace.review()
            if not state.left:
                return True
            self._later(self._shown, 0, state.left, True)
            swept = self._sweep(workspace)
            self._later(self._found, workspace.review())
        except Exception as error:  # a store that is locked, a full disk: the next turn may go well
            self._app.log.error(error)
            return False
        return bool(swept.memories) or self._end.is_set()

    def _sweep(self, workspace: Workspace) -> Swept:
        from memtui.workspace.background import JobControl

        def far(done: int, left: int) -> None:
            self._later(self._shown, done, left, True)
            if time.monotonic() - self._counted > OFTEN:
                self._counted = time.monotonic()
                self._later(self._found, workspace.review())
            time.sleep(BREATH)

        try:
            return workspace.sweep(JobControl(self._end.is_set, self._busy, far))
        finally:
            self._later(self._shown, 0, 0, False)

    def _busy(self) -> bool:
        return time.monotonic() - self._app.pressed_at < CALM

    def _understood(self) -> bool:
        """Whether no memory waits for its vector, which tells what is worth comparing."""
        mind = self._app.mind
        return mind.phase in ("off", "failed") or (mind.phase != "" and not mind.left)

    def _later(self, fn: object, *args: object) -> None:
        with suppress(RuntimeError):  # the app has ended
            self._app.call_later(fn, *args)  # type: ignore[arg-type]

    # On the screen

    def _shown(self, done: int, left: int, running: bool) -> None:
        self.done, self.left, self.running = done, left, running
        self._app.comparing = f"{done} {left} {running}"
        part = f"{grouped(done)} of {grouped(done + left)}"
        told = running and left and done + left >= TOLD
        self._say(f"Comparing the memories … {part}" if told else "")

    def _found(self, state: Queue) -> None:
        self._app.review = state

    def _say(self, text: str) -> None:
        """A line of status that gives way to any other."""
        status = self._app.status
        if not status.text or status.about == COMPARING:
            self._app.say(text, about=COMPARING)
