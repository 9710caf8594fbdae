"""minions: weak memories that nobody asks for lose a tenth a day (S-21)."""

from __future__ import annotations

from memtui.memory.lifecycles.base import DAY, Ages, Course, Event, Lifecycle
from memtui.memory.lifecycles.step_decay import StepDecay, steps_to

STEP, GRACE, WEAK, HIGHEST = 0.1, 90 * DAY, 0.3, 0.95


class Minions(Lifecycle):
    """Confidence 0–1.

    | what | rule |
    |---|---|
    | start | 0.70, a lesson 0.60; never set above 0.95 by a person or an agent |
    | reinforce | +0.1, at most 0.95; renews when it was last reinforced |
    | decay | below 0.3 and not accessed for 90 days: −0.1 for each whole day beyond |
    | leave | at 0, or past its expiry; an expiry record is written |
    | frozen | dismissed, or pinned |

    A lesson is never accessed: its days count from when it was last reinforced.
    """

    name, title = "minions", "minions"
    starts = {"item": 0.7, "lesson": 0.6}

    def number(self, ages: Ages, now: float) -> Course:
        xp = ages.xp
        taught = xp.where(xp.isnan(ages.last_confirmed), ages.last, ages.last_confirmed)
        last = xp.where(ages.lesson, taught, ages.last)
        return StepDecay(ages, now, (), last, ages.ageing & (ages.confidence < WEAK), STEP, GRACE, DAY)

    def events(self, course: Course) -> tuple[Event, ...]:
        assert isinstance(course, StepDecay)
        ages, xp = course.ages, course.ages.xp
        confidence = xp.where(xp.isnan(ages.confidence), 1.0, ages.confidence)
        rule = "below 0.3 and not accessed for 90 days: −0.1 a day"
        return (
            Event(course.when(steps_to(xp, confidence, STEP)), "expired", rule, leaves=True),
            Event(ages.unless_frozen(ages.expires), "expired", "past its expiry", leaves=True),
            Event(course.when(1), "", rule),
        )

    def reinforced(self, confidence: float) -> float:
        return max(confidence, min(HIGHEST, confidence + 0.1))
