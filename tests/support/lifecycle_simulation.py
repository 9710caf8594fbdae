"""Lifecycles simulated day by day, as SPEC 4 describes them: the reference for the closed forms.

Days are whole and counted from now: −3 is three days ago. A simulation takes each step for all memories at
once, and uses no formula that skips days.
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
FIRST, LAST = -380, 400  # days that are simulated
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
class Population:
    """Memories of all kinds, a column each; NaN where a format has no value, and for a day without event."""

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
        """The day of the last use, or of the creation if there was none."""
        return np.where(np.isnan(self.last_used), self.created, self.last_used)

    @property
    def decaying(self) -> Flags:
        """Whether each is neither dismissed nor pinned."""
        return self.live & ~self.pinned

    def by_category(self, table: dict[str, float], default: float) -> Numbers:
        """Look up the category of each in a table."""
        return np.array([table.get(name, default) for name in CATEGORIES])[self.category]


def random_population(count: int, seed: int, *, whole: bool = False) -> Population:
    """Make random memories; with `whole` their confidence is in hundredths."""
    dice = np.random.default_rng(seed)

    def day(first: int, last: int, *, missing: float, default: float = math.nan) -> Numbers:
        return np.where(
            dice.random(count) < missing, default, dice.integers(first, last, count, endpoint=True)
        )

    def share(missing: float) -> Numbers:
        number = dice.uniform(0.01, 1.0, count) * dice.choice([1.0, 0.3], count)  # many are weak
        number = np.maximum(0.01, np.round(number, 2)) if whole else number
        return np.where(dice.random(count) < missing, math.nan, number)

    created = day(FIRST, 0, missing=0.0)
    sessions = day(0, 8, missing=0.3)
    return Population(
        confidence=share(0.03),
        importance=share(0.05),
        used=dice.integers(0, 14, count).astype(float),
        created=created,
        last_used=np.maximum(created, day(FIRST, 0, missing=0.3)),
        last_confirmed=np.maximum(created, day(FIRST, 0, missing=0.5)),
        expires=day(-20, LAST + 50, missing=0.6, default=NEVER),
        valid_from=day(-50, LAST, missing=0.5, default=-NEVER),
        valid_to=day(-20, LAST + 50, missing=0.4, default=NEVER),
        since=-day(0, 60, missing=0.3, default=0.0),
        demoted=day(-100, 0, missing=0.7),
        live=dice.random(count) < 0.93,
        pinned=dice.random(count) < 0.07,
        lesson=dice.random(count) < 0.2,
        tier=dice.integers(-1, 5, count).astype(float),
        sessions=sessions,
        share=np.where(np.isnan(sessions), math.nan, dice.random(count)),
        category=dice.integers(0, len(CATEGORIES), count),
    )


@dataclass
class Simulation:
    """Result of a simulation: the scores on the days of HORIZONS, and for each event (what a memory becomes)
    the day on which it first happens to each memory. `leaving` are the events that remove a memory."""

    leaving: tuple[str, ...]
    scores: dict[int, Numbers] = field(default_factory=dict)
    first: dict[str, Numbers] = field(default_factory=dict)

    def add_event(self, name: str, day: int, happens: Flags) -> None:
        """Record that an event happens to some memories on a day."""
        first_days = self.first.setdefault(name, np.full(len(happens), NEVER))
        first_days[happens & np.isinf(first_days)] = day

    def add_scores(self, day: int, score: Numbers) -> None:
        """Record the scores at the end of a day, if it is one of HORIZONS."""
        if day in HORIZONS:
            self.scores[day] = score


def simulate_founder_os(memories: Population, every: int) -> Simulation:
    """S-20: −5 of 100 for each whole week (or day) unused beyond 30 days; below 10 it expires."""
    simulation = Simulation(leaving=("deleted", "expiry"))
    number = np.rint(memories.confidence * 100)
    simulation.add_event("deleted", 0, memories.decaying & (number < 10))
    for day in DAYS:
        beyond = day - memories.last - 30
        falls = (
            memories.decaying & (number > 0) & (day > memories.since) & (beyond > 0) & (beyond % every == 0)
        )
        number = np.where(falls, number - 5, number)
        number = np.where(number < 0, 0, number)
        simulation.add_event("", day, falls)
        simulation.add_event("deleted", day, falls & (number < 10))
        simulation.add_event("expiry", day, memories.decaying & (day >= memories.expires))
        simulation.add_scores(day, number / 100)
    return simulation


def simulate_minions(memories: Population) -> Simulation:
    """S-21: not accessed for 90 days and below 0.3: −0.1 for each whole day beyond, expired at 0."""
    simulation = Simulation(leaving=("expired", "expiry"))
    number = np.rint(memories.confidence * 100)
    reinforced = np.where(np.isnan(memories.last_confirmed), memories.last, memories.last_confirmed)
    last = np.where(memories.lesson, reinforced, memories.last)
    for day in DAYS:
        falls = memories.decaying & (number < 30) & (number > 0) & (day > memories.since) & (day - last > 90)
        number = np.where(falls, number - 10, number)
        number = np.where(number < 0, 0, number)
        simulation.add_event("", day, falls)
        simulation.add_event("expired", day, falls & (number == 0))
        simulation.add_event("expiry", day, memories.decaying & (day >= memories.expires))
        simulation.add_scores(day, number / 100)
    return simulation


def simulate_mem_skill(memories: Population) -> Simulation:
    """S-22: a window of validity, and no decay."""
    simulation = Simulation(leaving=("expired",))
    for day in DAYS:
        simulation.add_event(
            "expired", day, memories.decaying & ((day >= memories.valid_to) | (day >= memories.expires))
        )
        simulation.add_event("valid", day, memories.live & (day > 0) & (day == memories.valid_from))
        simulation.add_scores(day, memories.confidence)
    return simulation


def simulate_base_coat(memories: Population) -> Simulation:
    """S-23: half-life 30 d × (1 + log2(1 + uses)); tiers go up by sessions and down by disuse."""
    simulation = Simulation(leaving=("expiry",))
    daily = 0.5 ** (1 / (30 * (1 + np.log2(1 + memories.used))))
    promotions = (
        (
            "l2",
            (memories.tier >= 3) & (memories.used >= 3) & (memories.sessions >= 2) & (0 - memories.last < 60),
        ),
        ("l1", (memories.tier == 2) & (memories.sessions >= 5) & (0 - memories.last < 90)),
        ("l0", (memories.tier == 1) & (memories.share > 0.5) & (0 - memories.last < 90)),
    )  # none that would be demoted again
    promoted = memories.live & np.logical_or.reduce([is_due for _, is_due in promotions])
    for tier, is_due in promotions:
        simulation.add_event(tier, 0, memories.live & is_due)
    # After a demotion, the days in the new tier count from then on.
    in_tier = np.where(memories.demoted > memories.last, memories.demoted, memories.last)

    def on_day(day: int) -> None:
        sinks = memories.decaying & ~promoted
        simulation.add_event("l2", day, sinks & (memories.tier == 1) & (day - memories.last >= 90))
        simulation.add_event("l3", day, sinks & (memories.tier == 2) & (day - in_tier >= 60))
        simulation.add_event("expiry", day, memories.live & (day >= memories.expires))

    _simulate_decay(
        simulation,
        memories,
        memories.confidence,
        daily,
        memories.last,
        (("fading", 0.3), ("dormant", 0.1)),
        on_day,
    )
    return simulation


def simulate_cognitive(memories: Population) -> Simulation:
    """S-24: importance × usage × type weight, times e^−0.03 for each day; nothing leaves."""
    simulation = Simulation(leaving=())
    worth = np.where(np.isnan(memories.importance), memories.confidence, memories.importance)
    worth = (
        worth
        * np.where(memories.used == 0, 0.5, np.log2(memories.used + 1))
        * memories.by_category(WEIGHTS, 0.8)
    )
    labels = (("fading", 0.5), ("dormant", 0.2), ("archived", 0.05))
    _simulate_decay(simulation, memories, worth, np.full(len(worth), math.exp(-0.03)), memories.last, labels)
    vault = memories.pinned & ~np.isnan(worth)
    simulation.scores = {day: np.where(vault, 999.0, score) for day, score in simulation.scores.items()}
    return simulation


def simulate_memtui(memories: Population) -> Simulation:
    """S-25: a half-life for each category; fading below 0.3, expired below 0.1."""
    simulation = Simulation(leaving=("expired", "expiry"))
    daily = 0.5 ** (1 / memories.by_category({name: float(days) for name, days in HALF_LIVES.items()}, 60.0))
    last = np.where(memories.last_confirmed > memories.last, memories.last_confirmed, memories.last)

    def on_day(day: int) -> None:
        simulation.add_event("expiry", day, memories.decaying & (day >= memories.expires))

    _simulate_decay(
        simulation, memories, memories.confidence, daily, last, (("fading", 0.3),), on_day, expired_below=0.1
    )
    return simulation


def _simulate_decay(
    simulation: Simulation,
    memories: Population,
    number: Numbers,
    daily: Numbers,
    last: Numbers,
    labels: Sequence[tuple[str, float]],
    on_day: Callable[[int], None] = lambda day: None,
    expired_below: float = 0.0,
) -> None:
    """Decay the scores on each day after the last use; labels are recorded for future days only."""
    for day in DAYS:
        before = number
        number = np.where(memories.decaying & (day > last), number * daily, number)
        for name, least in labels:
            simulation.add_event(name, day, (day > 0) & (before >= least) & (number < least))
        if expired_below:
            simulation.add_event("expired", day, memories.decaying & (day >= last) & (number < expired_below))
        on_day(day)
        simulation.add_scores(day, number)


SIMULATIONS: dict[str, Callable[[Population], Simulation]] = {
    "founder-os": lambda memories: simulate_founder_os(memories, 7),
    "founder-os-daily": lambda memories: simulate_founder_os(memories, 1),
    "minions": simulate_minions,
    "mem-skill": simulate_mem_skill,
    "base-coat": simulate_base_coat,
    "cognitive": simulate_cognitive,
    "memtui": simulate_memtui,
}
STEPWISE = ("founder-os", "founder-os-daily", "minions", "mem-skill")  # lifecycles with times of whole days
