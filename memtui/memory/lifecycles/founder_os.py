"""Founder OS: whole numbers that go down by five once a memory is not used (S-20)."""

from __future__ import annotations

from memtui.memory.lifecycles.base import DAY, Ages, Course, Event, Lifecycle
from memtui.memory.lifecycles.promotion import assured, gained
from memtui.memory.lifecycles.step_decay import StepDecay

STEP, GRACE, LEAST = 5, 30 * DAY, 10  # of 100


class FounderOs(Lifecycle):
    """Confidence 0–100, here 0–1.

    | what | rule |
    |---|---|
    | start | by the user 0.50, detected 0.20, an override seen twice 0.35, a new entity 0.30, taught 1.00 |
    | reinforce | +0.15, at most 1; by a person's word at least 0.60 |
    | promote | candidate → confirmed at 0.60; confirmed → applied at 0.80 and 3 confirmations |
    | demote | never |
    | decay | unused for 30 days: −0.05 for each whole week beyond (first on day 37) |
    | leave | below 0.10, or past its expiry; its adaptations are reverted |
    | frozen | dismissed, or pinned |
    """

    name, title = "founder-os", "Founder OS"
    starts = {"user": 0.5, "detected": 0.2, "override": 0.35, "entity": 0.3, "taught": 1.0}
    promotes = True
    every, reading = 7 * DAY, "week"
    notes = ("Founder OS by its weekly reading: −5 for each whole week unused beyond 30 days.",)

    def number(self, ages: Ages, now: float) -> Course:
        steps = ages.ageing & (ages.confidence > 0)
        return StepDecay(ages, now, (), ages.last, steps, STEP / 100, GRACE, self.every)

    def events(self, course: Course) -> tuple[Event, ...]:
        assert isinstance(course, StepDecay)
        ages, xp = course.ages, course.ages.xp
        # Whole numbers: 0.15 is 15, and 15 - 5 is not below 10.
        number = xp.floor(xp.where(ages.ageing, ages.confidence, 0.0) * 100 + 0.5)
        weak = course.when(xp.floor(xp.maximum(number - LEAST, 0) / STEP) + 1)
        weak = xp.where(ages.ageing & (number < LEAST), course.now, weak)
        rule = f"−5 a {self.reading} unused beyond 30 days"
        return (
            Event(weak, "deleted", f"below 10, by {rule}", leaves=True),
            Event(ages.unless_frozen(ages.expires), "deleted", "past its expiry", leaves=True),
            Event(course.when(1), "", rule),
        )

    def reinforced(self, confidence: float) -> float:
        return gained(confidence)

    def assured(self, confidence: float) -> float:
        return assured(confidence)


class FounderOsDaily(FounderOs):
    """As `founder-os`, by the other reading of the same words: −0.05 for each whole day unused beyond 30
    days (first on day 31)."""

    name, title = "founder-os-daily", "Founder OS, daily"
    every, reading = DAY, "day"
    notes = ("Founder OS by its daily reading: −5 for each whole day unused beyond 30 days.",)
