"""Founder OS: whole numbers that drop by five once a memory is no longer used (S-20)."""

from __future__ import annotations

from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import DAY, DecayInputs, Lifecycle, Projection, Transition
from memtui.memory.lifecycles.promotion import confirmed, reinforced
from memtui.memory.lifecycles.step_decay import StepDecay

STEP, GRACE, LEAST = 5, 30 * DAY, 10  # of 100


class FounderOs(Lifecycle):
    """Confidence 0–100, here 0–1.

    | what | rule |
    |---|---|
    | start | by the user 0.50, detected 0.20, an override seen twice 0.35, a new entity 0.30, taught 1.00 |
    | reinforce | +0.15, at most 1; confirmed by the user at least 0.60 |
    | promote | candidate → confirmed at 0.60; confirmed → applied at 0.80 and 3 confirmations |
    | demote | never |
    | decay | unused for 30 days: −0.05 for each whole week beyond (first on day 37) |
    | leave | below 0.10, or past its expiry; its adaptations are reverted |
    | frozen | dismissed, or pinned |
    """

    name, title = "founder-os", "Founder OS"
    promotes = True
    every, unit = 7 * DAY, "week"
    notes = (wording.FOUNDER_OS_WEEKLY,)

    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        steps = inputs.decays & (inputs.confidence > 0)
        return StepDecay(inputs, now, (), inputs.last_use, steps, STEP / 100, GRACE, self.every)

    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        assert isinstance(projection, StepDecay)
        inputs, xp = projection.inputs, projection.inputs.xp
        # Whole numbers: 0.15 is 15, and 15 - 5 is not below 10.
        number = xp.floor(xp.where(inputs.decays, inputs.confidence, 0.0) * 100 + 0.5)
        removed = projection.time_of_step(xp.floor(xp.maximum(number - LEAST, 0) / STEP) + 1)
        removed = xp.where(inputs.decays & (number < LEAST), projection.now, removed)
        rule = wording.unused_step(self.unit)
        expires = inputs.unless_frozen(inputs.expires)
        return (
            Transition(removed, "deleted", wording.below_ten(rule), removes=True),
            Transition(expires, "deleted", wording.PAST_EXPIRY, removes=True),
            Transition(projection.time_of_step(1), "", rule),
        )

    def reinforced(self, confidence: float) -> float:
        return reinforced(confidence)

    def confirmed(self, confidence: float) -> float:
        return confirmed(confidence)

    def settable(self, confidence: float) -> float:
        return round(super().settable(confidence) * 100) / 100


class FounderOsDaily(FounderOs):
    """`founder-os` by the other reading of its rule: −0.05 for each whole day unused beyond 30 days (first
    on day 31)."""

    name, title = "founder-os-daily", "Founder OS, daily"
    every, unit = DAY, "day"
    notes = (wording.FOUNDER_OS_DAILY,)
