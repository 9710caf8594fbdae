"""Search by meaning, prepared in the background: load the model when it is needed, embed memories while
nobody types, and show how far that is (S-35)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.tui.messages import EMBEDDING
from memtui.tui.workers import wording

if TYPE_CHECKING:
    from memtui.memory.results import EmbeddingState
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

TYPING_PAUSE = 0.5  # seconds since the last key after which nobody is typing
START_DELAY = 1.5  # seconds after the start before which nothing expensive begins unasked
INTERVAL = 1.0  # seconds between two checks for memories without a vector
RETRY_INTERVAL = 30.0  # seconds after a check that failed
MIN_REPORTED = 64  # waiting memories from which on progress is shown
JOIN_TIMEOUT = 1.0  # seconds that quitting waits for the thread


class EmbeddingWorker:
    """A thread with its own connection that embeds memories.

    `phase` is that of EmbeddingState, "" before the first check; `pending` memories have no vector yet.
    """

    def __init__(self, app: MemtuiApp) -> None:
        self._app = app
        self._thread: threading.Thread | None = None
        self._end, self._requested = threading.Event(), threading.Event()
        self.phase, self.pending = "", 0

    def start(self, workspace: Workspace) -> None:
        """Start the thread, once; called when the first list is shown."""
        if self._thread is None and not self._end.is_set():
            self._thread = threading.Thread(
                target=self._run, args=(workspace,), name="memtui-meaning", daemon=True
            )
            self._thread.start()

    def request_model(self) -> None:
        """Load the model now, since the user searches."""
        self._requested.set()

    def stop(self) -> None:
        """Tell the thread to end."""
        self._end.set()
        self._requested.set()

    def join(self) -> None:
        """Wait for the thread to end; blocks. A thread inside a library's import is left behind."""
        if self._thread is not None:
            self._thread.join(JOIN_TIMEOUT)

    # In the thread

    def _run(self, workspace: Workspace) -> None:
        try:
            phase = self._step(workspace, requested=False, first=True)
            pause, requested = START_DELAY, False
            while phase not in ("off", "failed"):
                if self._requested.wait(pause):  # cleared only then: a request made just now must not be lost
                    self._requested.clear()
                    requested = True
                if self._end.is_set():
                    return
                phase = self._step(workspace, requested=requested)
                pause = INTERVAL if phase else RETRY_INTERVAL
                requested = requested and phase in ("", "waiting")
        finally:
            workspace.close_thread()

    def _step(self, workspace: Workspace, *, requested: bool, first: bool = False) -> str:
        """Load the model if it is needed and embed what waits; return the phase, "" after an error."""
        try:
            state = workspace.embedding_state()
            needed = requested or (state.pending and not first and not self._is_typing())
            if state.phase == "waiting" and needed:
                self._post(self._set_state, "loading", state.pending)
                workspace.load_model()
                self._app.spare_loaded()
                state = workspace.embedding_state()
            few = state.phase == "ready" and 0 < state.pending < MIN_REPORTED
            if not few:  # a few are embedded before anybody has read that they were not
                self._post_state(state)
            if state.phase == "ready" and state.pending and not self._end.is_set():
                self._embed(workspace)
            return state.phase
        except Exception as error:  # a locked store, a full disk: the next step may succeed
            self._app.log.error(error)
            return ""

    def _embed(self, workspace: Workspace) -> None:
        from memtui.workspace.background import JobControl

        try:
            workspace.embed(JobControl(self._end.is_set, self._is_typing, self._post_progress))
        finally:
            self._post(self._show_progress, "", None)
        self._post_state(workspace.embedding_state())

    def _is_typing(self) -> bool:
        return time.monotonic() - self._app.last_key_at < TYPING_PAUSE

    def _post_progress(self, done: int, left: int) -> None:
        total = done + left
        text = wording.embedding_progress(done, total) if left and total >= MIN_REPORTED else ""
        self._post(self._show_progress, text, left)

    def _post_state(self, state: EmbeddingState) -> None:
        self._post(self._set_state, state.phase, state.pending, state.error, state.hint)

    def _post(self, fn: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # the app has ended
            self._app.call_later(fn, *args)

    # In the app's thread

    def _set_state(self, phase: str, pending: int, reason: str = "", hint: str = "") -> None:
        if phase == "failed" and self.phase != "failed":
            self._app.show_status(wording.text_only(reason), tone="error", hint=hint)
        self.phase, self.pending = phase, pending
        self._app.embedding_status = f"{phase} {pending}"

    def _show_progress(self, text: str, pending: int | None) -> None:
        """Show progress unless the status line is in use for something else."""
        if pending is not None:
            self._set_state(self.phase, pending)
        status = self._app.status
        if not status.text or status.about == EMBEDDING:
            self._app.show_status(text, about=EMBEDDING, working=True)
