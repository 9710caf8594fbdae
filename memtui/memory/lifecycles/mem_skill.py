"""mem-skill: facts are true from one day to another, and no number fades in between (S-22)."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from memtui.memory.lifecycles.base import ACTIVE, NEVER, Ages, Course, Event, Lifecycle, Numbers


class MemSkill(Lifecycle):
    """Confidence 0–1, which only words about it change.

    | what | rule |
    |---|---|
    | start | first mention 0.40 |
    | reinforce | a quarter of what is missing: c + 0.25 (1 − c) |
    | decay | none |
    | begin | at `valid_from` |
    | leave | at `valid_to`: expired, with a line in its history |
    | frozen | superseded, expired, or pinned |
    | labels | active; dormant until its validity begins |
    """

    name, title = "mem-skill", "mem-skill"
    labels = ((-inf, ACTIVE),)
    starts = {"mention": 0.4}

    def number(self, ages: Ages, now: float) -> Course:
        return _Valid(ages, now)

    def events(self, course: Course) -> tuple[Event, ...]:
        ages, xp = course.ages, course.ages.xp
        ends = xp.minimum(ages.valid_to, ages.expires)
        begins = xp.where(ages.valid_from > course.now, ages.valid_from, NEVER)
        return (
            Event(ages.unless_frozen(ends), "expired", "its validity ends", leaves=True),
            Event(xp.where(ages.live, begins, NEVER), "valid", "its validity begins"),
        )

    def reinforced(self, confidence: float) -> float:
        return confidence + 0.25 * (1 - confidence)


@dataclass(frozen=True, slots=True)
class _Valid(Course):
    """The number stays; it counts from when it is valid."""

    def waits(self, at: Numbers) -> Numbers:
        return self.ages.valid_from > at
