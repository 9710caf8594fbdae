"""memtui's own: an exponential with a half-life for each category (S-25)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.lifecycles.base import DAY, FADING, Ages, Course, Event, Lifecycle
from memtui.memory.lifecycles.exponential_decay import ExponentialDecay
from memtui.memory.lifecycles.promotion import assured, gained

LN2 = 0.6931471805599453
FADES, EXPIRES = 0.3, 0.1
HALF_LIVES: Mapping[str, float] = {"preference": 180.0, "decision": 90.0, "fact": 90.0, "episode": 14.0}
LONGEST_HALF = 3_650  # days that a key reaches
OTHER = 60.0  # days; a category without a half-life of its own


class Memtui(Lifecycle):
    """Confidence 0–1, as of when it was last used or confirmed.

    | what | rule |
    |---|---|
    | start | by a person 0.50 |
    | reinforce | +0.15, at most 1; by a person's word at least 0.60 |
    | promote | candidate → confirmed at 0.60; confirmed → applied at 0.80 and 3 confirmations |
    | decay | half of it in: preference 180 days, decision and fact 90, episode 14, else 60; settings say otherwise |
    | labels | from 0.3 active, below fading |
    | leave | below 0.1, or past its expiry: `expired`, kept and restorable |
    | frozen | dismissed, or pinned |
    """  # noqa: E501

    name, title = "memtui", "memtui"
    starts = {"user": 0.5}
    promotes = True
    half_life = True

    def __init__(self, half_lives: Mapping[str, float] | None = None) -> None:
        """`half_lives` in days by category; "other" is for those without one."""
        self.half_lives = {**HALF_LIVES, "other": OTHER, **(half_lives or {})}

    def number(self, ages: Ages, now: float) -> Course:
        xp = ages.xp
        confirmed = xp.where(xp.isnan(ages.last_confirmed), ages.last, ages.last_confirmed)
        half = ages.by_category(self.half_lives, self.half_lives["other"]) * DAY
        rate = xp.where(ages.ageing, LN2 / half, 0.0)
        return ExponentialDecay(ages, now, (), ages.confidence, rate, xp.maximum(ages.last, confirmed))

    def events(self, course: Course) -> tuple[Event, ...]:
        assert isinstance(course, ExponentialDecay)
        ages = course.ages
        return (
            Event(course.below(EXPIRES), "expired", "below 0.1, by its half-life", leaves=True),
            Event(ages.unless_frozen(ages.expires), "expired", "past its expiry", leaves=True),
            Event(course.to_come(FADES), FADING, "below 0.3, by its half-life"),
        )

    def reinforced(self, confidence: float) -> float:
        return gained(confidence)

    def assured(self, confidence: float) -> float:
        return assured(confidence)
