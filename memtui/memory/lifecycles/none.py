"""No lifecycle, for a store whose format this program does not know."""

from __future__ import annotations

from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import DecayInputs, Lifecycle, Projection, Transition


class NoDecay(Lifecycle):
    """The score stays, and nothing happens."""

    name, title = "none", wording.NO_LIFECYCLE

    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        return Projection(inputs, now)

    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        return ()
