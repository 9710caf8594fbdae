"""Searching by meaning beside the screen: the model is loaded when it is wanted, memories get their
vectors while nobody types, and the person reads how far that is (S-35)."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.tui.messages import EMBEDDING
from memtui.tui.text.glyphs import grouped

if TYPE_CHECKING:
    from memtui.memory.records import MeaningState
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

CALM = 0.5  # seconds since the last key, after which one does not type
FIRST = 1.5  # seconds after the start before which nothing heavy begins by itself
LOOK = 1.0  # seconds between two looks at what waits
AGAIN = 30.0  # seconds after a look that failed
TOLD = 64  # waiting memories from which it is worth a word
LEAVE = 1.0  # seconds that leaving waits for the thread


class EmbeddingWorker:
    """One thread with its own connection; `phase` is that of MeaningState, "" before the first look;
    `left` memories wait for a vector."""

    def __init__(self, app: MemtuiApp) -> None:
        self._app = app
        self._thread: threading.Thread | None = None
        self._end, self._wanted = threading.Event(), threading.Event()
        self.phase, self.left = "", 0

    def start(self, workspace: Workspace) -> None:
        """Begin to look for memories that wait; once, when the first list stands."""
        if self._thread is None and not self._end.is_set():
            self._thread = threading.Thread(
                target=self._work, args=(workspace,), name="memtui-meaning", daemon=True
            )
            self._thread.start()

    def want(self) -> None:
        """A person searches: the model is to be loaded now."""
        self._wanted.set()

    def stop(self) -> None:
        """Tell the thread to end."""
        self._end.set()
        self._wanted.set()

    def join(self) -> None:
        """Wait until it has ended; blocks. A thread that is within a library's import is left behind."""
        if self._thread is not None:
            self._thread.join(LEAVE)

    # In the thread

    def _work(self, workspace: Workspace) -> None:
        try:
            phase = self._turn(workspace, wanted=False, first=True)
            pause, wanted = FIRST, False
            while phase not in ("off", "failed"):
                if self._wanted.wait(pause):  # only then: a wish of just now must not be lost
                    self._wanted.clear()
                    wanted = True
                if self._end.is_set():
                    return
                phase = self._turn(workspace, wanted=wanted)
                pause, wanted = LOOK if phase else AGAIN, wanted and phase in ("", "waiting")
        finally:
            workspace.close_thread()

    def _turn(self, workspace: Workspace, *, wanted: bool, first: bool = False) -> str:
        """Look what waits, load the model if it is needed, embed; the phase after it, "" if unknown."""
        try:
            state = workspace.meaning()
            needed = wanted or (state.waiting and not first and not self._busy())
            if state.phase == "waiting" and needed:
                self._later(self._shown, "loading", state.waiting)
                workspace.load_model()
                state = workspace.meaning()
            few = state.phase == "ready" and 0 < state.waiting < TOLD
            if not few:  # else they are read before anybody has seen that they were not
                self._tell(state)
            if state.phase == "ready" and state.waiting and not self._end.is_set():
                self._embed(workspace)
            return state.phase
        except Exception as error:  # a store that is locked, a full disk: the next turn may go well
            self._app.log.error(error)
            return ""

    def _embed(self, workspace: Workspace) -> None:
        from memtui.workspace.background import JobControl

        try:
            workspace.embed(JobControl(self._end.is_set, self._busy, self._far))
        finally:
            self._later(self._progress, "", None)
        self._tell(workspace.meaning())

    def _busy(self) -> bool:
        return time.monotonic() - self._app.pressed_at < CALM

    def _far(self, done: int, left: int) -> None:
        part = f"{grouped(done)} of {grouped(done + left)}"
        told = left and done + left >= TOLD
        self._later(self._progress, f"Reading the memories for their meaning … {part}" if told else "", left)

    def _tell(self, state: MeaningState) -> None:
        self._later(self._shown, state.phase, state.waiting, state.why, state.hint)

    def _later(self, fn: object, *args: object) -> None:
        with suppress(RuntimeError):  # the app has ended
            self._app.call_later(fn, *args)  # type: ignore[arg-type]

    # On the screen

    def _shown(self, phase: str, left: int, why: str = "", hint: str = "") -> None:
        if phase == "failed" and self.phase != "failed":
            self._app.say(f"Searching by words only. {why}", tone="wrong", hint=hint)
        self.phase, self.left = phase, left
        self._app.meaning = f"{phase} {left}"

    def _progress(self, text: str, left: int | None) -> None:
        """A line of status that gives way to any other."""
        if left is not None:
            self._shown(self.phase, left)
        status = self._app.status
        if not status.text or status.about == EMBEDDING:
            self._app.say(text, about=EMBEDDING)
