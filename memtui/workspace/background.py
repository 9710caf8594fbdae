"""How long work behaves that nobody waits for: it can be stopped, and lets a person go first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

_NOTICED = 0.0002  # seconds of work of others that call for a rest,
_GIVEN, _SHORTEST, _LONGEST = 3, 0.004, 0.03  # which is so many times as long, within these bounds


@dataclass(slots=True)
class JobControl:
    """How the work behaves: `stop` ends it soon, `busy` says that a person types now, `tell` is told
    how many are done and how many are left, `judged` how many pairs were judged until now."""

    stop: Callable[[], bool] = lambda: False
    busy: Callable[[], bool] = lambda: False
    tell: Callable[[int, int], None] = lambda done, left: None
    patience: float = 5.0  # seconds that it waits for a busy person, between two batches
    nap: Callable[[float], None] = time.sleep
    judged: Callable[[int], None] = lambda pairs: None

    def wait(self) -> None:
        """Let a busy person go first, for a while."""
        waited = 0.0
        while waited < self.patience and self.busy() and not self.stop():
            self.nap(0.05)
            waited += 0.05


class Yielding:
    """Leaves time to the other threads of this process: only one at a time runs Python, and the one that
    answers keys needs it often for a moment."""

    def __init__(self) -> None:
        self._theirs = self._now()

    def rest(self) -> None:
        """Rest for a while, if others worked since the last rest."""
        worked = self._now() - self._theirs
        if worked > _NOTICED:
            time.sleep(min(_LONGEST, max(_SHORTEST, _GIVEN * worked)))
        self._theirs = self._now()

    def _now(self) -> float:
        return time.process_time() - time.thread_time()
