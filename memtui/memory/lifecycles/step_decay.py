"""Stepwise decay: the stored value is as of now, and only steps to come are projected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memtui.memory.lifecycles.base import DAY, NEVER, Numbers, Projection

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class StepDecay(Projection):
    """Down by `size` for each whole `every` seconds beyond `grace` seconds without use, where `steps` is
    true; never below 0. Steps before `inputs.since` are already written."""

    last: Numbers = 0.0
    steps: Numbers = True
    size: float = 0.0
    grace: float = 0.0
    every: float = DAY

    def steps_until(self, at: Numbers) -> Numbers:
        """Return how many steps there are up to an instant, from the beginning."""
        beyond = (at - self.last - self.grace) / self.every
        return self.inputs.xp.maximum(self.inputs.xp.floor(beyond), 0)

    def unwritten_steps(self, at: Numbers) -> Numbers:
        """Return how many steps up to an instant are not written yet."""
        xp = self.inputs.xp
        count = xp.maximum(self.steps_until(at) - self.steps_until(self.inputs.since), 0)
        return xp.where(self.steps, count, 0)

    def score(self, at: Numbers) -> Numbers:
        return self.inputs.xp.maximum(self.inputs.confidence - self.size * self.unwritten_steps(at), 0.0)

    def time_of_step(self, count: Numbers) -> Numbers:
        """Return when the `count`-th step from now is, inf where there are none."""
        xp = self.inputs.xp
        at = self.last + self.grace + self.every * (self.steps_until(self.inputs.since) + count)
        return xp.where(self.steps, at, NEVER)


def steps_to_zero(xp: Any, amount: Numbers, size: float) -> Numbers:  # `xp` is PLAIN or the numpy module
    """Return how many steps take an amount to 0 or below, at least one."""
    return xp.maximum(xp.ceil(amount / size - _TOLERANCE), 1)
