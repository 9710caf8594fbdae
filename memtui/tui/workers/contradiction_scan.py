"""Search memories for secrets, examine stores and compare memories in the background: while nobody types,
with its progress shown, and what it finds counted at once (S-40, S-52, S-62)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import ScanResult
from memtui.memory.inbox.items import Touched
from memtui.memory.results import Change
from memtui.tui.messages import COMPARING
from memtui.tui.workers import wording
from memtui.tui.workers.embedding import TYPING_PAUSE

if TYPE_CHECKING:
    from memtui.memory.contradictions.queue import QueueCounts
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

START_DELAY = 2.0  # seconds after the start before which nothing is compared
INTERVAL = 1.5  # seconds between two checks for memories to compare
RETRY_INTERVAL = 30.0  # seconds after a check that failed
BATCH_PAUSE = 0.005  # seconds left to the screen after each batch
MIN_REPORTED = 64  # waiting memories from which on progress is shown
COUNT_INTERVAL = 1.0  # seconds between two counts of what was found so far
RULED = "ruled"  # the kind of change that is published when rules were applied
JOIN_TIMEOUT = 1.0  # seconds that quitting waits for the thread


class ContradictionScan:
    """A thread with its own connection that sweeps memories for secrets, has the doctor examine stores, and
    compares memories.

    `running` while it compares; then `compared` of those that waited when it began are done, and `pending`
    are left.
    """

    def __init__(self, app: MemtuiApp) -> None:
        self._app = app
        self._thread: threading.Thread | None = None
        self._end = threading.Event()
        self._counted_at = 0.0
        self.compared, self.pending, self.running = 0, 0, False

    def start(self, workspace: Workspace) -> None:
        """Start the thread, once; called when the first list is shown."""
        if self._thread is None and not self._end.is_set() and not workspace.read_only:
            self._thread = threading.Thread(
                target=self._run, args=(workspace,), name="memtui-comparing", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Tell the thread to end."""
        self._end.set()

    def join(self) -> None:
        """Wait for the thread to end; blocks."""
        if self._thread is not None:
            self._thread.join(JOIN_TIMEOUT)

    # In the thread

    def _run(self, workspace: Workspace) -> None:
        try:
            pause = START_DELAY
            while not self._end.wait(pause):
                if self._app.read_only:
                    return
                pause = INTERVAL if self._step(workspace) else RETRY_INTERVAL
        finally:
            workspace.close_thread()

    def _step(self, workspace: Workspace) -> bool:
        """Search and compare what waits unless it is too early for it; False after an error."""
        if self._is_typing():
            return True
        try:
            self._sweep(workspace)
            self._check_stores(workspace)
            self._apply_rules(workspace)
            if not self._is_embedded():
                return True
            queue = workspace.queue_counts()
            if not queue.unscanned:
                return True
            self._post(self._show_progress, 0, queue.unscanned, True)
            result = self._scan(workspace)
            self._post(self._set_queue, workspace.queue_counts(), bool(result.judged))
        except Exception as error:  # a locked store, a full disk: the next step may succeed
            self._app.log.error(error)
            return False
        return bool(result.memories) or self._end.is_set()

    def _sweep(self, workspace: Workspace) -> None:
        from memtui.workspace.background import JobControl

        found: set[int] = set()
        workspace.sweep_secrets(JobControl(self._end.is_set, self._is_typing), found.update)
        if found:
            self._post(self._found_secrets, frozenset(found))

    def _check_stores(self, workspace: Workspace) -> None:
        from memtui.workspace.background import JobControl

        if workspace.check_stores(JobControl(self._end.is_set, self._is_typing)):
            self._post(self._examined)

    def _apply_rules(self, workspace: Workspace) -> None:
        from memtui.workspace.background import JobControl

        if workspace.apply_rules(JobControl(self._end.is_set, self._is_typing)):
            self._post(self._ruled)

    def _scan(self, workspace: Workspace) -> ScanResult:
        from memtui.workspace.background import JobControl

        def progress(done: int, left: int) -> None:
            self._post(self._show_progress, done, left, True)
            if time.monotonic() - self._counted_at > COUNT_INTERVAL:
                self._counted_at = time.monotonic()
                self._post(self._set_queue, workspace.queue_counts())
            time.sleep(BATCH_PAUSE)

        try:
            return workspace.scan(JobControl(self._end.is_set, self._is_typing, progress))
        finally:
            self._post(self._show_progress, 0, 0, False)

    def _is_typing(self) -> bool:
        return time.monotonic() - self._app.last_key_at < TYPING_PAUSE

    def _is_embedded(self) -> bool:
        """Whether no memory waits for its vector, by which candidates for a comparison are found."""
        embedding = self._app.embedding_worker
        return embedding.phase in ("off", "failed") or (embedding.phase != "" and not embedding.pending)

    def _post(self, fn: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # the app has ended
            self._app.call_later(fn, *args)

    # In the app's thread

    def _found_secrets(self, ids: frozenset[int]) -> None:
        self._app.inbox_reader.refresh(Touched(ids))

    def _ruled(self) -> None:
        """Show what the rules set, wherever it is listed."""
        self._app.inbox_reader.refresh()
        self._app.changed.publish(Change(RULED, (), ""))

    def _examined(self) -> None:
        self._app.inbox_reader.refresh(Touched())

    def _set_queue(self, queue: QueueCounts, judged: bool = False) -> None:
        """Show how many pairs there are; the Inbox lists them if any was judged anew."""
        before, self._app.review = self._app.review, queue
        if judged or before is None or replace(before, unscanned=queue.unscanned) != queue:
            self._app.inbox_reader.refresh()

    def _show_progress(self, compared: int, pending: int, running: bool) -> None:
        """Show progress unless the status line is in use for something else."""
        self.compared, self.pending, self.running = compared, pending, running
        self._app.scan_status = f"{compared} {pending} {running}"
        total = compared + pending
        text = wording.scan_progress(compared, total) if running and pending and total >= MIN_REPORTED else ""
        status = self._app.status
        if not status.text or status.about == COMPARING:
            self._app.show_status(text, about=COMPARING, working=True)
