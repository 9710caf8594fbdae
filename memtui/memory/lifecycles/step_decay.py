"""Numbers that go down by steps: the number on disk is as of now, and only steps to come are foretold."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.lifecycles.base import DAY, NEVER, Course, Numbers

_EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class StepDecay(Course):
    """Down by `size` for each whole `every` seconds beyond `grace` seconds of disuse, where `ages` says
    so; never below 0. Steps that fell before `ages.since` are none of ours."""

    last: Numbers = 0.0
    steps: Numbers = True
    size: float = 0.0
    grace: float = 0.0
    every: float = DAY

    def taken(self, at: Numbers) -> Numbers:
        """How many steps fell up to an instant, since the beginning."""
        beyond = (at - self.last - self.grace) / self.every
        return self.ages.xp.maximum(self.ages.xp.floor(beyond), 0)

    def owed(self, at: Numbers) -> Numbers:
        """How many steps fall up to an instant that are not yet written."""
        xp = self.ages.xp
        return xp.where(self.steps, xp.maximum(self.taken(at) - self.taken(self.ages.since), 0), 0)

    def score(self, at: Numbers) -> Numbers:
        return self.ages.xp.maximum(self.ages.confidence - self.size * self.owed(at), 0.0)

    def when(self, count: Numbers) -> Numbers:
        """When so many more steps have fallen, inf where none do."""
        xp = self.ages.xp
        fell = self.last + self.grace + self.every * (self.taken(self.ages.since) + count)
        return xp.where(self.steps, fell, NEVER)


def steps_to(xp: object, amount: Numbers, size: float) -> Numbers:
    """How many steps take an amount to 0 or below, at least one."""
    count = xp.ceil(amount / size - _EXACT)  # type: ignore[attr-defined]
    return xp.maximum(count, 1)  # type: ignore[attr-defined]
