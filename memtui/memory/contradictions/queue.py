"""The queue of Review in numbers, family by family."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many pairs wait; `unscanned` memories were not compared yet. `duplicates` of the open ones say the same,
    the others contradict."""

    open: int = 0
    escalated: int = 0
    later: int = 0
    settled_today: int = 0
    unscanned: int = 0
    duplicates: int = 0

    @property
    def contradictions(self) -> int:
        """Open pairs of which only one can be right."""
        return self.open - self.duplicates
