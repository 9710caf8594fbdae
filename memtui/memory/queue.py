"""The queue of Review in numbers, family by family."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.pairs import ReviewState


@dataclass(frozen=True, slots=True)
class Queue(ReviewState):
    """How many pairs wait; `duplicates` of the open ones say the same, the others contradict."""

    duplicates: int = 0

    @property
    def contradictions(self) -> int:
        """Open pairs of which only one can be right."""
        return self.open - self.duplicates
