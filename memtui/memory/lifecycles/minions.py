"""minions: weak memories that are not accessed lose a tenth a day (S-21)."""

from __future__ import annotations

from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import DAY, DecayInputs, Lifecycle, Projection, Transition
from memtui.memory.lifecycles.step_decay import StepDecay, steps_to_zero

STEP, GRACE, WEAK, HIGHEST = 0.1, 90 * DAY, 0.3, 0.95


class Minions(Lifecycle):
    """Confidence 0–1.

    | what | rule |
    |---|---|
    | start | 0.70, a lesson 0.60; never set above 0.95 by the user or an agent |
    | reinforce | +0.1, at most 0.95; renews when it was last reinforced |
    | decay | below 0.3 and not accessed for 90 days: −0.1 for each whole day beyond |
    | leave | at 0, or past its expiry; an expiry record is written |
    | frozen | dismissed, or pinned |

    A lesson is never accessed: its days count from when it was last reinforced.
    """

    name, title = "minions", "minions"

    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        xp = inputs.xp
        reinforced = xp.where(xp.isnan(inputs.last_confirmed), inputs.last_use, inputs.last_confirmed)
        last = xp.where(inputs.lesson, reinforced, inputs.last_use)
        return StepDecay(inputs, now, (), last, inputs.decays & (inputs.confidence < WEAK), STEP, GRACE, DAY)

    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        assert isinstance(projection, StepDecay)
        inputs, xp = projection.inputs, projection.inputs.xp
        confidence = xp.where(xp.isnan(inputs.confidence), 1.0, inputs.confidence)
        removed = projection.time_of_step(steps_to_zero(xp, confidence, STEP))
        expires = inputs.unless_frozen(inputs.expires)
        return (
            Transition(removed, "expired", wording.UNUSED_AND_WEAK, removes=True),
            Transition(expires, "expired", wording.PAST_EXPIRY, removes=True),
            Transition(projection.time_of_step(1), "", wording.UNUSED_AND_WEAK),
        )

    def reinforced(self, confidence: float) -> float:
        return max(confidence, min(HIGHEST, confidence + 0.1))

    def settable(self, confidence: float) -> float:
        return min(HIGHEST, super().settable(confidence))
