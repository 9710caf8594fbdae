"""How long work behaves that nobody waits for: it can be stopped, and lets a person go first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Manners:
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
