"""One verb on many memories while it runs: its progress on the status line, and a stop between two."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.tui.messages import CHANGING
from memtui.tui.workers import wording

if TYPE_CHECKING:
    from memtui.tui.status import StatusApp
    from memtui.workspace.background import JobControl


class BulkRun:
    """Shows "Dismissing 41 of 240 memories …" for the action that `doing` names; `stop` ends it after the
    memories under way."""

    def __init__(self, app: StatusApp, doing: str, total: int, stop_key: str) -> None:
        self._app, self._doing, self._total, self._stop_key = app, doing, total, stop_key
        self._end = threading.Event()
        self._done = 0
        self._quits = False
        self.ended = False
        """Whether its result is known: a report that arrives later is not shown."""
        self.show(0)

    @property
    def control(self) -> JobControl:
        """What the verb reports to and asks whether to stop, in the writing thread."""
        from memtui.workspace.background import JobControl

        return JobControl(stop=self._end.is_set, report=lambda done, left: self._post(self.show, done))

    def show(self, done: int) -> None:
        """Show how many memories are done."""
        if self.ended:
            return
        self._done = done
        if self._end.is_set():
            text = wording.stopping(self._doing, done, self._total, quits=self._quits)
            self._app.show_status(text, about=CHANGING)
        else:
            text = wording.bulk_progress(self._doing, done, self._total)
            # What follows the last memory cannot be stopped.
            hint = wording.stop_hint(self._stop_key) if done < self._total else ""
            self._app.show_status(text, about=CHANGING, hint=hint)

    @property
    def is_stopping(self) -> bool:
        """Whether the verb was asked to end."""
        return self._end.is_set()

    def ask_to_stop(self) -> None:
        """Ask the verb to end after the memories that it is writing; may be called in any thread."""
        self._end.set()

    def stop(self, *, quits: bool = False) -> None:
        """Ask the verb to end, and show that it will; `quits` says that the program ends then."""
        self._quits = quits
        self.ask_to_stop()
        self.show(self._done)

    def _post(self, show: Callable[[int], None], done: int) -> None:
        with suppress(RuntimeError):  # the app has ended
            self._app.call_later(show, done)
