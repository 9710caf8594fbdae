"""Checks whether the steps of several processes explain how often a text is in the store in the end.

Each process took its steps in order; a step took effect at one moment between its start and its end. The
history is explained if there is an order of all steps in which each is possible and the last leaves what was
found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """What one process did to the count of a text: `kind` is "read" (it was `number`), "set" (it became
    `number`) or "add" (it grew by `number`, but is never below zero). If `may_fail`, the step may have had no
    effect."""

    start: float
    end: float
    kind: str
    number: int
    may_fail: bool = False

    def results(self, count: int) -> set[int]:
        """Return what the count can be after this step."""
        out = {count} if self.may_fail else set()
        if self.kind == "set":
            out.add(self.number)
        elif self.kind == "add" and count + self.number >= 0:
            out.add(count + self.number)
        elif self.kind == "read" and count == self.number:
            out.add(count)
        return out


def find_unexplained(
    before: int, processes: Sequence[Sequence[Step]], after: int
) -> list[Step | None] | None:
    """Return None if there is such an order, else the next step of each process where the longest attempt
    ended."""
    start = (tuple(0 for _ in processes), before)
    seen, todo = {start}, [start]
    farthest = start[0]
    while todo:
        done, count = todo.pop()
        left = _next(processes, done)
        if not any(left) and count == after:
            return None
        farthest = max(farthest, done, key=sum)
        for number, step in enumerate(left):
            # A step that ended before this one began must come first.
            if step is None or any(other is not None and other.end < step.start for other in left):
                continue
            following = tuple(n + (index == number) for index, n in enumerate(done))
            for result in step.results(count):
                if (state := (following, result)) not in seen:
                    seen.add(state)
                    todo.append(state)
    return _next(processes, farthest)


def _next(processes: Sequence[Sequence[Step]], done: Sequence[int]) -> list[Step | None]:
    return [steps[n] if n < len(steps) else None for steps, n in zip(processes, done, strict=True)]
