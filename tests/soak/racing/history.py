"""Whether what several processes did to a text, one after the other, explains what was found in the end.

For each text there is a number: how often it is in the store. Each process did its own steps in order,
each between two moments; somewhere between them it took effect, at once. The history is explained if
there is an order of all steps in which each could be taken and the last leaves what was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """What one process did to the number: `kind` is "read" (it was `number`), "set" (it became
    `number`) or "add" (so many more; never below zero). One that `may_fail` perhaps had no effect."""

    start: float
    end: float
    kind: str
    number: int
    may_fail: bool = False

    def results(self, now: int) -> set[int]:
        """What the number can be after this step."""
        out = {now} if self.may_fail else set()
        if self.kind == "set":
            out.add(self.number)
        elif self.kind == "add" and now + self.number >= 0:
            out.add(now + self.number)
        elif self.kind == "read" and now == self.number:
            out.add(now)
        return out


def find_unexplained(before: int, processes: Sequence[Sequence[Step]], after: int) -> list[Step | None] | None:
    """None if there is such an order; else the steps of each process at which the longest try ended."""
    begun = (tuple(0 for _ in processes), before)
    seen, todo = {begun}, [begun]
    farthest = begun[0]
    while todo:
        done, now = todo.pop()
        left = _next(processes, done)
        if not any(left) and now == after:
            return None
        farthest = max(farthest, done, key=sum)
        for number, step in enumerate(left):
            # Whatever ended before this one began must come first.
            if step is None or any(other is not None and other.end < step.start for other in left):
                continue
            following = tuple(n + (place == number) for place, n in enumerate(done))
            for result in step.results(now):
                if (state := (following, result)) not in seen:
                    seen.add(state)
                    todo.append(state)
    return _next(processes, farthest)


def _next(processes: Sequence[Sequence[Step]], done: Sequence[int]) -> list[Step | None]:
    return [steps[n] if n < len(steps) else None for steps, n in zip(processes, done, strict=True)]
