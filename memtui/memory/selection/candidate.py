"""A memory that may be given to an agent, with what decides whether it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from memtui.memory.memory import Memory

DAY = 86_400.0  # seconds
DEFAULT_CONFIDENCE = 0.7  # of a memory whose format has none
HALF_LIFE = 180.0  # days after which a memory that nobody touched counts half
MIN_FRESHNESS = 0.05


class Priority(IntEnum):
    """The classes of memories, in the order in which a budget is given to them (S-71)."""

    PINNED = 0
    CONSTRAINT = 1
    TASK = 2
    DECISION = 3
    PREFERENCE = 4
    OTHER = 5


# The categories of all formats that put a memory into a class.
_CATEGORIES = {
    Priority.CONSTRAINT: (
        "constraint",
        "feedback",  # Claude Code: how the user wants it to work
        "guardrail",
        "hard_constraint",
        "hard_preference",
        "policy",
        "rule",
    ),
    Priority.TASK: ("current_task", "project", "task", "task_context", "todo"),
    Priority.DECISION: (
        "architecture",
        "configuration",
        "convention",
        "decision",
        "fix",
        "procedure",
        "solution",
        "workflow",
    ),
    Priority.PREFERENCE: ("preference", "soft_preference", "style", "user"),
}
_PRIORITY_OF = {name: priority for priority, names in _CATEGORIES.items() for name in names}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be given to an agent.

    `relevance` is how well it answers the query, 0–1, None without one. `strength` is its score by its
    store's lifecycle, 0–1, None if the format has none. `contradicts` and `duplicates` are uids of memories
    in open pairs with it. `place` is where it stands among the memories of all stores, which orders equals.
    """

    memory: Memory
    relevance: float | None = None
    strength: float | None = None
    contradicts: frozenset[str] = frozenset()
    duplicates: frozenset[str] = frozenset()
    place: int = 0

    @property
    def priority(self) -> Priority:
        """The class of the memory: by its pin, else by its category."""
        return Priority.PINNED if self.memory.pinned else self.category_class

    @property
    def category_class(self) -> Priority:
        """The class that its category alone puts the memory into."""
        category = (self.memory.category or "").casefold().replace("-", "_").replace(" ", "_")
        return _PRIORITY_OF.get(category, Priority.OTHER)

    @property
    def touched_at(self) -> float | None:
        """When it was last written, confirmed or used, in Unix seconds; None if nothing says so."""
        memory = self.memory
        times = (memory.updated_at, memory.created_at, memory.last_confirmed_at, memory.last_used_at)
        return max((each for each in times if each is not None), default=None)

    def worth(self, now: float) -> float:
        """Return confidence × relevance, or × freshness without a query, 0–1; `now` is in Unix seconds.

        A memory without a confidence counts as `DEFAULT_CONFIDENCE`, one without a time as fresh. The place
        among the answers to a query already depends on the age: counting it twice loses answers
        (benchmarks/budget.py).
        """
        confidence = self.memory.confidence
        share = DEFAULT_CONFIDENCE if confidence is None else min(1.0, max(0.0, confidence))
        if self.relevance is not None:
            return self.relevance * share
        touched = self.touched_at
        freshness = 1.0 if touched is None else 0.5 ** (max(0.0, now - touched) / (HALF_LIFE * DAY))
        return share * max(MIN_FRESHNESS, freshness)


def by_place(ids: Iterable[int]) -> dict[int, float]:
    """Return the relevance of the answers to a query, best first: 1, 1/2, 1/3, …

    Of several functions of place and score this one found most answers within a budget
    (benchmarks/budget.py).
    """
    return {id: 1 / place for place, id in enumerate(ids, 1)}
