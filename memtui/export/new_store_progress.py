"""How far a new store is, and the stop of it (S-70, S-82)."""

from __future__ import annotations

from memtui.workspace.background import JobControl

_REPORTS = 100  # at most, for each half of the work


class Stopped(Exception):
    """The user stopped the export."""


class Progress:
    """Counts the steps of a store that is made: each memory is planned, then files or rows are written.

    Both take about as long, so that each counts as half of every memory."""

    def __init__(self, control: JobControl, memories: int) -> None:
        self._control, self._memories = control, memories
        self._steps, self._of, self._half = 0, memories, 0.0
        self._told = 0

    def write(self, steps: int) -> None:
        """Begin with what is written, in so many steps."""
        self._steps, self._of, self._half = 0, steps, 0.5

    def step(self) -> None:
        """Count one step; raise Stopped if there is to be none."""
        if self._control.stop():
            raise Stopped
        self._steps += 1
        part = self._half + 0.5 * min(1.0, self._steps / max(1, self._of))
        done = int(part * self._memories)
        if done - self._told > self._memories / _REPORTS:
            self._told = done
            self._control.report(done, self._memories - done)
