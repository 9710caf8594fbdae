"""Counts of the Review queue."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Numbers of pairs by state. `duplicates` counts those of the open ones that say the same; `unscanned`
    counts memories that were not compared yet."""

    open: int = 0
    escalated: int = 0
    later: int = 0
    settled_today: int = 0
    unscanned: int = 0
    duplicates: int = 0

    @property
    def contradictions(self) -> int:
        """Open pairs of which only one memory can be right."""
        return self.open - self.duplicates
