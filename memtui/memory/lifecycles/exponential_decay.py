"""Exponential decay: the stored value is as of the last use, and decayed values are never written back."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.lifecycles.base import NEVER, Numbers, Projection

_SMALLEST_RATIO = 1e-300  # keeps the logarithm finite


@dataclass(frozen=True, slots=True)
class ExponentialDecay(Projection):
    """`amount` × e^(−`rate` × seconds since `last`); constant with rate 0."""

    amount: Numbers = 0.0
    rate: Numbers = 0.0
    last: Numbers = 0.0

    @property
    def current(self) -> Numbers:
        return self.score(self.now)

    def score(self, at: Numbers) -> Numbers:
        xp = self.inputs.xp
        return self.amount * xp.exp(-self.rate * xp.maximum(at - self.last, 0.0))

    def below(self, threshold: float) -> Numbers:
        """Return when the score falls below a threshold: possibly in the past, inf if never."""
        xp = self.inputs.xp
        decays = self.rate > 0
        rate = xp.where(decays, self.rate, 1.0)
        # A score that began below the threshold has been so since `last`.
        ratio = xp.maximum(self.amount, threshold * _SMALLEST_RATIO) / threshold
        fell = self.last + xp.maximum(xp.log(ratio), 0.0) / rate
        return xp.where(decays & (self.amount >= 0), fell, NEVER)

    def upcoming(self, threshold: float) -> Numbers:
        """Return when the score falls below a threshold if that is in the future, else inf."""
        at = self.below(threshold)
        return self.inputs.xp.where(at > self.now, at, NEVER)
