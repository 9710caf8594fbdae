"""One call of a connected agent, while it is in progress: whether its answer is still wanted, and how far it
is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl

# Receives a number that grows, the number at which the work is done if that is known, and what is being done.
Report = Callable[[float, float | None, str], None]
_EVERY = 0.1  # seconds between two reports


class Call:
    """A call of `tool` in a session of the client. `stop` may be called from any thread."""

    def __init__(self, tool: str, session: str = "", report: Report | None = None) -> None:
        self.tool = tool
        self.session = session
        self._report = report
        self._stopped = threading.Event()
        self._done = 0.0  # by earlier parts of the call: what is reported grows
        self._reported = 0.0
        self._last = 0.0  # when that was

    def stop(self) -> None:
        """Say that the answer is not wanted any more: long work ends soon."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        """Whether the answer is not wanted any more."""
        return self._stopped.is_set()

    def begin(self, what: str) -> None:
        """Report a part of the call that may take long, and cannot tell how long."""
        self._done += 1
        self._tell(self._done, None, what)

    def control(self, what: str) -> JobControl:
        """Return how a job is controlled that is a part of the call."""
        from memtui.workspace.background import JobControl

        base = self._done

        def report(done: int, left: int) -> None:
            self._done = max(self._done, base + done)
            if time.monotonic() - self._last >= _EVERY:
                self._tell(self._done, base + done + left, what)

        return JobControl(stop=self._stopped.is_set, report=report)

    def _tell(self, done: float, total: float | None, what: str) -> None:
        self._last = time.monotonic()
        if self._report is not None and done > self._reported:
            self._reported = done
            self._report(done, total, what)
