"""Numbers that fade by an exponential: the number on disk is as of the last use and never written back."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.lifecycles.base import NEVER, Course, Numbers


@dataclass(frozen=True, slots=True)
class ExponentialDecay(Course):
    """`amount` × e^(−`rate` × seconds since `last`); with rate 0 it stays."""

    amount: Numbers = 0.0
    rate: Numbers = 0.0
    last: Numbers = 0.0

    @property
    def current(self) -> Numbers:
        return self.score(self.now)

    def score(self, at: Numbers) -> Numbers:
        xp = self.ages.xp
        return self.amount * xp.exp(-self.rate * xp.maximum(at - self.last, 0.0))

    def below(self, threshold: float) -> Numbers:
        """When the score falls below a threshold: a time that may be past, inf if never."""
        xp = self.ages.xp
        fades = self.rate > 0
        rate = xp.where(fades, self.rate, 1.0)
        # What was below it from the first is so since then.
        ratio = xp.maximum(self.amount, threshold * _LEAST) / threshold
        fell = self.last + xp.maximum(xp.log(ratio), 0.0) / rate
        return xp.where(fades & (self.amount >= 0), fell, NEVER)

    def to_come(self, threshold: float) -> Numbers:
        """The same, if it is yet to come; else inf."""
        at = self.below(threshold)
        return self.ages.xp.where(at > self.now, at, NEVER)


_LEAST = 1e-300
