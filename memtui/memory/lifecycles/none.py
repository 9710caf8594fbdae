"""No lifecycle: of a store whose format this program does not know, nothing is foretold."""

from __future__ import annotations

from memtui.memory.lifecycles.base import Ages, Course, Event, Lifecycle


class NoDecay(Lifecycle):
    """The number stays, and nothing happens."""

    name, title = "none", "no lifecycle"

    def number(self, ages: Ages, now: float) -> Course:
        return Course(ages, now)

    def events(self, course: Course) -> tuple[Event, ...]:
        return ()
