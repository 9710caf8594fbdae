"""Lifecycles reckoned slowly, a day at a time, in the words of SPEC 4: what closed forms are held against.

Days are whole and counted from now: −3 was three days ago. Each walk takes the same step for all
memories at once, and nothing here knows of any formula that jumps over days.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

NEVER = math.inf
FIRST, LAST = -380, 400  # before the first day there was nothing, beyond the last one nobody looks
DAYS = range(FIRST, LAST + 1)
HORIZONS = (0, 7, 30, 90, 365)

HALF_LIVES = {"preference": 180, "decision": 90, "fact": 90, "episode": 14}
WEIGHTS = {
    "procedure": 1.4,
    "decision": 1.3,
    "insight": 1.25,
    "solution": 1.2,
    "code_pattern": 1.1,
    "configuration": 1.1,
    "fix": 1.0,
    "workflow": 1.0,
    "problem": 0.9,
    "error": 0.8,
    "general": 0.8,
}
CATEGORIES = (*WEIGHTS, "preference", "fact", "episode", "contact")


@dataclass(frozen=True)
class Some:
    """Memories of all sorts; NaN where a format has none, and for a day that never was."""

    confidence: Numbers
    importance: Numbers
    used: Numbers
    created: Numbers
    last_used: Numbers
    last_confirmed: Numbers
    expires: Numbers
    valid_from: Numbers
    valid_to: Numbers
    since: Numbers
    demoted: Numbers
    live: Flags
    pinned: Flags
    lesson: Flags
    tier: Numbers
    sessions: Numbers
    share: Numbers
    category: NDArray[np.int64]

    @property
    def last(self) -> Numbers:
        """Never used counts from creation."""
        return np.where(np.isnan(self.last_used), self.created, self.last_used)

    @property
    def ageing(self) -> Flags:
        """Neither dismissed nor pinned."""
        return self.live & ~self.pinned

    def of_category(self, table: dict[str, float], other: float) -> Numbers:
        """What a table says of each one's category."""
        return np.array([table.get(name, other) for name in CATEGORIES])[self.category]


def some(count: int, seed: int, *, whole: bool = False) -> Some:
    """Random memories; with `whole` their confidence is in hundredths."""
    dice = np.random.default_rng(seed)

    def day(first: int, last: int, *, without: float, none: float = math.nan) -> Numbers:
        return np.where(dice.random(count) < without, none, dice.integers(first, last, count, endpoint=True))

    def share(without: float) -> Numbers:
        number = dice.uniform(0.01, 1.0, count) * dice.choice([1.0, 0.3], count)  # many are weak
        number = np.maximum(0.01, np.round(number, 2)) if whole else number
        return np.where(dice.random(count) < without, math.nan, number)

    created = day(FIRST, 0, without=0.0)
    sessions = day(0, 8, without=0.3)
    return Some(
        confidence=share(0.03),
        importance=share(0.05),
        used=dice.integers(0, 14, count).astype(float),
        created=created,
        last_used=np.maximum(created, day(FIRST, 0, without=0.3)),
        last_confirmed=np.maximum(created, day(FIRST, 0, without=0.5)),
        expires=day(-20, LAST + 50, without=0.6, none=NEVER),
        valid_from=day(-50, LAST, without=0.5, none=-NEVER),
        valid_to=day(-20, LAST + 50, without=0.4, none=NEVER),
        since=-day(0, 60, without=0.3, none=0.0),
        demoted=day(-100, 0, without=0.7),
        live=dice.random(count) < 0.93,
        pinned=dice.random(count) < 0.07,
        lesson=dice.random(count) < 0.2,
        tier=dice.integers(-1, 5, count).astype(float),
        sessions=sessions,
        share=np.where(np.isnan(sessions), math.nan, dice.random(count)),
        category=dice.integers(0, len(CATEGORIES), count),
    )


@dataclass
class Told:
    """What a walk saw: scores on the days that are asked for, and the day on which each thing first
    happened to each memory, by what it became. `leaving` are the things after which it is gone."""

    leaving: tuple[str, ...]
    scores: dict[int, Numbers] = field(default_factory=dict)
    first: dict[str, Numbers] = field(default_factory=dict)

    def note(self, what: str, day: int, happens: Flags) -> None:
        """Something happens to some on a day."""
        known = self.first.setdefault(what, np.full(len(happens), NEVER))
        known[happens & np.isinf(known)] = day

    def see(self, day: int, score: Numbers) -> None:
        """How memories stand at the end of a day."""
        if day in HORIZONS:
            self.scores[day] = score


def walked_founder_os(some: Some, every: int) -> Told:
    """S-20: −5 of 100 for each whole week (or day) unused beyond 30 days; below 10 it expires."""
    told = Told(leaving=("deleted", "expiry"))
    number = np.rint(some.confidence * 100)
    told.note("deleted", 0, some.ageing & (number < 10))
    for day in DAYS:
        beyond = day - some.last - 30
        falls = some.ageing & (number > 0) & (day > some.since) & (beyond > 0) & (beyond % every == 0)
        number = np.where(falls, number - 5, number)
        number = np.where(number < 0, 0, number)
        told.note("", day, falls)
        told.note("deleted", day, falls & (number < 10))
        told.note("expiry", day, some.ageing & (day >= some.expires))
        told.see(day, number / 100)
    return told


def walked_minions(some: Some) -> Told:
    """S-21: not accessed for 90 days and below 0.3: −0.1 for each whole day beyond, expired at 0."""
    told = Told(leaving=("expired", "expiry"))
    number = np.rint(some.confidence * 100)
    reinforced = np.where(np.isnan(some.last_confirmed), some.last, some.last_confirmed)
    last = np.where(some.lesson, reinforced, some.last)
    for day in DAYS:
        falls = some.ageing & (number < 30) & (number > 0) & (day > some.since) & (day - last > 90)
        number = np.where(falls, number - 10, number)
        number = np.where(number < 0, 0, number)
        told.note("", day, falls)
        told.note("expired", day, falls & (number == 0))
        told.note("expiry", day, some.ageing & (day >= some.expires))
        told.see(day, number / 100)
    return told


def walked_mem_skill(some: Some) -> Told:
    """S-22: a window of validity, and no decay."""
    told = Told(leaving=("expired",))
    for day in DAYS:
        told.note("expired", day, some.ageing & ((day >= some.valid_to) | (day >= some.expires)))
        told.note("valid", day, some.live & (day > 0) & (day == some.valid_from))
        told.see(day, some.confidence)
    return told


def walked_base_coat(some: Some) -> Told:
    """S-23: half of it in 30 d × (1 + log2(1 + uses)); tiers go up by sessions and down by disuse."""
    told = Told(leaving=("expiry",))
    daily = 0.5 ** (1 / (30 * (1 + np.log2(1 + some.used))))
    rises = (
        ("l2", (some.tier >= 3) & (some.used >= 3) & (some.sessions >= 2) & (0 - some.last < 60)),
        ("l1", (some.tier == 2) & (some.sessions >= 5) & (0 - some.last < 90)),
        ("l0", (some.tier == 1) & (some.share > 0.5) & (0 - some.last < 90)),
    )  # none that would sink again
    rising = some.live & np.logical_or.reduce([here for _, here in rises])
    for tier, here in rises:
        told.note(tier, 0, some.live & here)
    # One that was moved down has the days of its new tier from then on.
    in_tier = np.where(some.demoted > some.last, some.demoted, some.last)

    def happens(day: int) -> None:
        sinks = some.ageing & ~rising
        told.note("l2", day, sinks & (some.tier == 1) & (day - some.last >= 90))
        told.note("l3", day, sinks & (some.tier == 2) & (day - in_tier >= 60))
        told.note("expiry", day, some.live & (day >= some.expires))

    _fade(told, some, some.confidence, daily, some.last, (("fading", 0.3), ("dormant", 0.1)), happens)
    return told


def walked_cognitive(some: Some) -> Told:
    """S-24: importance × usage × type weight, and 3 % less (e^−0.03) with each day; nothing leaves."""
    told = Told(leaving=())
    worth = np.where(np.isnan(some.importance), some.confidence, some.importance)
    worth = worth * np.where(some.used == 0, 0.5, np.log2(some.used + 1)) * some.of_category(WEIGHTS, 0.8)
    labels = (("fading", 0.5), ("dormant", 0.2), ("archived", 0.05))
    _fade(told, some, worth, np.full(len(worth), math.exp(-0.03)), some.last, labels)
    vault = some.pinned & ~np.isnan(worth)
    told.scores = {day: np.where(vault, 999.0, score) for day, score in told.scores.items()}
    return told


def walked_memtui(some: Some) -> Told:
    """S-25: a half-life for each category; fading below 0.3, expired below 0.1."""
    told = Told(leaving=("expired", "expiry"))
    daily = 0.5 ** (1 / some.of_category({name: float(days) for name, days in HALF_LIVES.items()}, 60.0))
    last = np.where(some.last_confirmed > some.last, some.last_confirmed, some.last)

    def happens(day: int) -> None:
        told.note("expiry", day, some.ageing & (day >= some.expires))

    _fade(told, some, some.confidence, daily, last, (("fading", 0.3),), happens, expired_below=0.1)
    return told


def _fade(
    told: Told,
    some: Some,
    number: Numbers,
    daily: Numbers,
    last: Numbers,
    labels: Sequence[tuple[str, float]],
    happens: Callable[[int], None] = lambda day: None,
    expired_below: float = 0.0,
) -> None:
    """Each day after the last use takes its part; a label is only told of days to come."""
    for day in DAYS:
        before = number
        number = np.where(some.ageing & (day > last), number * daily, number)
        for name, least in labels:
            told.note(name, day, (day > 0) & (before >= least) & (number < least))
        if expired_below:
            told.note("expired", day, some.ageing & (day >= last) & (number < expired_below))
        happens(day)
        told.see(day, number)


WALKS: dict[str, Callable[[Some], Told]] = {
    "founder-os": lambda some: walked_founder_os(some, 7),
    "founder-os-daily": lambda some: walked_founder_os(some, 1),
    "minions": walked_minions,
    "mem-skill": walked_mem_skill,
    "base-coat": walked_base_coat,
    "cognitive": walked_cognitive,
    "memtui": walked_memtui,
}
STEPPING = ("founder-os", "founder-os-daily", "minions", "mem-skill")  # whose times are whole days
