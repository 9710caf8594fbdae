"""Controls for background work: stopping it, reporting progress, yielding to the user."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

# A rest is called for by this much work of other threads, and lasts a multiple of it within bounds: seconds.
_MIN_WORK = 0.0002
_RATIO, _SHORTEST, _LONGEST = 3, 0.004, 0.03


@dataclass(slots=True)
class JobControl:
    """Callbacks of one background job: `stop` asks it to end soon, `busy` reports that the user is typing,
    `report` receives how many items are done and left, `judged` how many pairs were judged so far."""

    stop: Callable[[], bool] = lambda: False
    busy: Callable[[], bool] = lambda: False
    report: Callable[[int, int], None] = lambda done, left: None
    patience: float = 5.0  # longest wait for a busy user between two batches, seconds
    nap: Callable[[float], None] = time.sleep
    judged: Callable[[int], None] = lambda pairs: None

    def wait(self) -> None:
        """Wait while the user is busy, up to `patience`."""
        waited = 0.0
        while waited < self.patience and self.busy() and not self.stop():
            self.nap(0.05)
            waited += 0.05


class Yielding:
    """Yields the GIL to the thread that handles keys."""

    def __init__(self) -> None:
        self._others = self._now()

    def rest(self) -> None:
        """Sleep in proportion to what other threads did since the last rest."""
        worked = self._now() - self._others
        if worked > _MIN_WORK:
            time.sleep(min(_LONGEST, max(_SHORTEST, _RATIO * worked)))
        self._others = self._now()

    def _now(self) -> float:
        return time.process_time() - time.thread_time()
