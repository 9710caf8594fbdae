"""Lifecycles that decay in steps, or not at all: Founder OS, minions and mem-skill, by figures worked out by
hand (S-20 … S-22)."""

from __future__ import annotations

import math

import pytest

from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import DAY
from tests.memory.lifecycles.projections import (
    NONE,
    NOW,
    STEP_LIFECYCLES,
    next_event,
    project,
    removal,
    removal_rule,
    scores,
)

# Founder OS (S-20)


def test_founder_os_loses_five_a_week() -> None:
    projection = project("founder-os", confidence=0.80)
    # Unused for 90 days: 60 beyond the 30, 8 whole weeks, 80 − 40. After 365: 47 weeks, down to 0.
    assert scores(projection) == [0.80, 0.80, 0.80, 0.40, 0.0]
    # The first is on day 37, the second on day 44.
    assert scores(projection, 36.999, 37, 43.999, 44) == [0.80, 0.75, 0.75, 0.70]
    assert next_event(projection) == (37, "")
    # 80 − 14 × 5 = 10 is not below 10; 15 weeks are 30 + 105 days.
    assert scores(projection, 134.999, 135) == [0.10, 0.05]
    assert removal(projection) == (135, "deleted")
    assert "below 10" in removal_rule(projection)
    assert "week" in removal_rule(projection)


def test_founder_os_loses_five_a_day() -> None:
    projection = project("founder-os-daily", confidence=0.80)
    assert scores(projection) == [0.80, 0.80, 0.80, 0.0, 0.0]
    assert scores(projection, 30.999, 31, 32, 40) == [0.80, 0.75, 0.70, 0.30]
    assert next_event(projection) == (31, "")
    assert removal(projection) == (45, "deleted")  # 15 days beyond 30
    assert "day" in removal_rule(projection)


@pytest.mark.parametrize(
    ("number", "week"),
    [(1.00, 19), (0.95, 18), (0.50, 9), (0.15, 2), (0.14, 1), (0.11, 1), (0.10, 1), (0.7 - 0.6, 1)],
)
def test_founder_os_deletes_below_ten(number: float, week: int) -> None:
    # 15 − 5 is 10, which is not below 10; 14 − 5 is 9, which is.
    assert removal(project("founder-os", confidence=number)) == (30 + 7 * week, "deleted")
    assert removal(project("founder-os-daily", confidence=number)) == (30 + week, "deleted")


@pytest.mark.parametrize("number", [0.09, 0.05, 0.01, 0.0])
def test_founder_os_deletes_at_once_what_is_below_ten(number: float) -> None:
    assert removal(project("founder-os", confidence=number)) == (0, "deleted")


def test_founder_os_counts_disuse_from_the_last_use() -> None:
    # Used 36 days ago: its 37th day of disuse is tomorrow.
    projection = project("founder-os", created=-300, last_used=-36, since=0)
    assert next_event(projection) == (1, "")
    assert scores(projection) == [0.80, 0.75, 0.55, 0.15, 0.0]  # days 43, 66, 126: 1, 5, 13 weeks


def test_founder_os_counts_disuse_from_creation_if_never_used() -> None:
    assert next_event(project("founder-os", created=-36)) == (1, "")
    assert next_event(project("founder-os-daily", created=-29.5)) == (1.5, "")


@pytest.mark.parametrize("name", ["founder-os", "founder-os-daily"])
def test_steps_before_the_memory_was_known_are_not_due(name: str) -> None:
    # 100 days unused; its own engine may have run. The number is as of now.
    assert project(name, created=-100).score(NOW) == 0.80


def test_steps_since_the_last_run_are_due() -> None:
    # Unused for 100 days: weeks end on days 37, 44 … 93, 100. Run 8 days ago (day 92): days 93 and 100.
    projection = project("founder-os", created=-100, since=-8)
    assert scores(projection) == [0.70, 0.65, 0.50, 0.10, 0.0]  # + 1, + 4 and + 12 weeks
    assert next_event(projection) == (-7, "")
    # Run on day 93, at the moment of that step: it is written already.
    assert scores(project("founder-os", created=-100, since=-7)) == [0.75, 0.70, 0.55, 0.15, 0.0]
    assert scores(project("founder-os-daily", created=-100, since=-8), 0, 1) == [0.40, 0.35]


def test_due_steps_can_take_a_memory_below_ten() -> None:
    # 14 − 5 on day 93, a week ago.
    assert removal(project("founder-os", confidence=0.14, created=-100, since=-8)) == (-7, "deleted")


def test_a_use_after_the_last_run_restarts_the_count() -> None:
    assert next_event(project("founder-os", created=-300, last_used=-5, since=-60)) == (32, "")


@pytest.mark.parametrize("name", STEP_LIFECYCLES)
@pytest.mark.parametrize("state", [{"live": False}, {"pinned": True}])
def test_steps_skip_dismissed_and_pinned_memories(name: str, state: dict[str, bool]) -> None:
    projection = project(name, confidence=0.05, created=-400, since=-30, expires=-1, **state)
    assert scores(projection) == [0.05] * 5
    assert next_event(projection) is None
    assert removal(projection) is None


@pytest.mark.parametrize("name", STEP_LIFECYCLES)
def test_steps_need_a_confidence(name: str) -> None:
    projection = project(name, confidence=NONE, created=-400)
    assert math.isnan(projection.score(NOW + 90 * DAY))
    assert next_event(projection) is None
    assert removal(project(name, confidence=NONE, created=-400, expires=5)) is not None


@pytest.mark.parametrize(
    ("name", "becomes"),
    [("founder-os", "deleted"), ("minions", "expired"), ("base-coat", "deleted"), ("memtui", "expired")],
)
def test_a_memory_leaves_at_its_expiry(name: str, becomes: str) -> None:
    projection = project(name, expires=12.5)
    assert removal(projection) == (12.5, becomes)
    assert removal_rule(projection) == "past its expiry date"
    assert removal(project(name, expires=-3)) == (-3, becomes)  # due


def test_the_earlier_of_expiry_and_decay_removes_it() -> None:
    assert removal(project("founder-os", confidence=0.10, expires=36)) == (36, "deleted")
    assert removal(project("founder-os", confidence=0.10, expires=38)) == (37, "deleted")


# minions (S-21)


def test_minions_loses_a_tenth_a_day_if_weak_and_unused() -> None:
    projection = project("minions", confidence=0.25, created=-80)
    # Day 91 of disuse is 11 days away: 0.15, 0.05, 0.
    assert scores(projection) == [0.25, 0.25, 0.0, 0.0, 0.0]
    assert scores(projection, 10.999, 11, 12, 13) == [0.25, 0.15, 0.05, 0.0]
    assert next_event(projection) == (11, "")
    assert removal(projection) == (13, "expired")


@pytest.mark.parametrize(
    ("number", "days"), [(0.01, 1), (0.1, 1), (0.11, 2), (0.2, 2), (0.29, 3), (0.3 - 0.1, 2), (0.8 - 0.6, 2)]
)
def test_minions_expires_at_zero(number: float, days: int) -> None:
    projection = project("minions", confidence=number)
    assert removal(projection) == (90 + days, "expired")
    assert projection.score(NOW + (90 + days) * DAY) == pytest.approx(0)
    assert projection.score(NOW + (89 + days) * DAY) > 0


@pytest.mark.parametrize("number", [0.3, 0.1 + 0.2, 0.7, 0.95, 1.0])
def test_minions_does_not_decay_strong_memories(number: float) -> None:
    projection = project("minions", confidence=number, created=-300, since=-300)
    assert scores(projection) == [number] * 5
    assert next_event(projection) is None


def test_only_whole_days_since_the_last_run_are_due_in_minions() -> None:
    # 100.5 days unused, run 2.2 days ago (98.3): days 99 and 100 are owed.
    projection = project("minions", confidence=0.29, created=-100.5, since=-2.2)
    assert scores(projection, 0, 0.499, 0.5) == [0.09, 0.09, 0.0]
    assert next_event(projection) == (-1.5, "")
    assert removal(projection) == (0.5, "expired")


def test_a_lesson_counts_from_when_it_was_last_reinforced() -> None:
    assert removal(project("minions", confidence=0.1, lesson=True, created=-300, last_confirmed=-50)) == (
        41,
        "expired",
    )
    assert removal(project("minions", confidence=0.1, lesson=True, created=-60)) == (31, "expired")
    # An item counts from its last access; a later confirmation does not matter.
    assert removal(project("minions", confidence=0.1, created=-60, last_confirmed=-2)) == (31, "expired")


# mem-skill (S-22)


def test_mem_skill_does_not_fade() -> None:
    projection = project("mem-skill", confidence=0.4, created=-900)
    assert scores(projection) == [0.4] * 5
    assert next_event(projection) is None
    assert by_name("mem-skill").label(0.01) == "active"


def test_mem_skill_is_dormant_until_it_is_valid() -> None:
    projection = project("mem-skill", valid_from=10, valid_to=60)
    assert [bool(projection.is_dormant(NOW + day * DAY)) for day in (0, 9.9, 10, 30)] == [
        True,
        True,
        False,
        False,
    ]
    assert next_event(projection) == (10, "valid")
    assert removal(projection) == (60, "expired")
    assert not project("mem-skill").is_dormant(NOW)
    assert next_event(project("mem-skill", valid_from=-10)) is None


def test_mem_skill_expires_with_its_validity() -> None:
    assert removal(project("mem-skill", valid_to=-2)) == (-2, "expired")
    assert removal(project("mem-skill", valid_to=20, expires=30)) == (20, "expired")
    assert removal(project("mem-skill", valid_to=20, live=False)) is None
