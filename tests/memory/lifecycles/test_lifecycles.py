"""Lifecycles checked against figures worked out by hand, a day-by-day simulation, and properties (S-20 …
S-26)."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.lifecycles import NAMES, base_coat, by_name, cognitive
from memtui.memory.lifecycles.base import DAY, DecayInputs, Projection, Transition, inputs_of, tier_number
from memtui.memory.lifecycles.confirmation import confirmed, status_by_numbers
from memtui.memory.memory import STATUSES, Memory
from tests.support.lifecycle_simulation import (
    CATEGORIES,
    HORIZONS,
    LAST,
    SIMULATIONS,
    STEPWISE,
    Numbers,
    Population,
    random_population,
)
from tests.support.sizes import examples

NOW = 1_790_000_000.0
NONE, NEVER = math.nan, math.inf
STEP_LIFECYCLES = ("founder-os", "founder-os-daily", "minions")
EXPONENTIAL_LIFECYCLES = ("base-coat", "cognitive", "memtui")

IN_DAYS = ("created", "last_used", "last_confirmed", "expires", "valid_from", "valid_to", "since", "demoted")
DEFAULTS: dict[str, Any] = {
    "confidence": 0.8,
    "importance": NONE,
    "used": 0,
    "confirmed": 0,
    "created": 0.0,
    "last_used": NONE,
    "last_confirmed": NONE,
    "expires": NEVER,
    "valid_from": -NEVER,
    "valid_to": NEVER,
    "since": 0.0,
    "demoted": NONE,
    "live": True,
    "pinned": False,
    "lesson": False,
    "tier": -1,
    "sessions": NONE,
    "share": NONE,
    "category": "fact",
}


def decay_inputs(**fields: Any) -> DecayInputs:
    """Make one memory, with times in days from now; fields that are not given have the values of DEFAULTS."""
    values = {**DEFAULTS, **fields}
    return DecayInputs(
        **{name: NOW + value * DAY if name in IN_DAYS else value for name, value in values.items()}
    )


def project(name: str, **fields: Any) -> Projection:
    """Return the projection of one memory by a lifecycle."""
    return by_name(name).projection(decay_inputs(**fields), NOW)


def scores(projection: Projection, *days: float) -> Any:
    """Return the scores after the days given, by default those of HORIZONS."""
    return pytest.approx([float(projection.score(NOW + day * DAY)) for day in days or HORIZONS], abs=5e-7)


def event_of(projection: Projection, *, leaving: bool = False) -> tuple[float, str] | None:
    """Return the days until the next transition (or the removal) and what the memory becomes; None if there
    is none."""
    at, which = projection.removal() if leaving else projection.next_transition()
    if which < 0:
        assert at == NEVER
        return None
    assert projection.transitions[which].at == at
    return round((at - NOW) / DAY, 3), projection.transitions[which].to


def next_event(projection: Projection) -> tuple[float, str] | None:
    return event_of(projection)


def removal(projection: Projection) -> tuple[float, str] | None:
    return event_of(projection, leaving=True)


def removal_rule(projection: Projection) -> str:
    """Return the rule by which the memory leaves."""
    removal_rule: str = projection.transitions[projection.removal()[1]].rule
    return removal_rule


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
    assert removal_rule(projection) == "past its expiry"
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


# Base Coat (S-23)


def test_base_coat_has_a_half_life_of_thirty_days_if_never_used() -> None:
    projection = project("base-coat", confidence=1.0)
    # 2^(−7/30), 2^−1, 2^−3, 2^(−365/30)
    assert scores(projection) == [1.0, 0.850667, 0.5, 0.125, 0.000218]
    assert next_event(projection) == (52.109, "fading")  # 30 × log2(1 / 0.3)
    (dormant,) = (transition for transition in projection.transitions if transition.to == "dormant")
    assert (dormant.at - NOW) / DAY == pytest.approx(99.65784)  # 30 × log2(10)
    assert removal(projection) is None


@pytest.mark.parametrize(("uses", "half"), [(0, 30), (1, 60), (3, 90), (7, 120), (15, 150), (1023, 330)])
def test_base_coat_fades_more_slowly_with_use(uses: int, half: int) -> None:
    projection = project("base-coat", confidence=0.8, used=uses, last_used=0, created=-1000)
    assert scores(projection, half, 2 * half, half / 2) == [0.4, 0.2, 0.565685]


def test_base_coat_decays_from_the_last_use() -> None:
    # Days before memtui knew the memory count too: the score is never written back.
    assert scores(project("base-coat", confidence=1.0, created=-60), 0, 30) == [0.25, 0.125]
    # It is below 0.3 already, so only 0.1 is still to come.
    assert next_event(project("base-coat", confidence=1.0, created=-60)) == (39.658, "dormant")


@pytest.mark.parametrize(
    ("uses", "heat"),
    [(0, "cold"), (2, "cold"), (3, "warm"), (9, "warm"), (10, "hot"), (5000, "hot")],
)
def test_base_coat_heat_grows_with_use(uses: int, heat: str) -> None:
    assert base_coat.heat_of(uses) == heat
    assert by_name("base-coat").heat(decay_inputs(used=uses)) == heat
    assert by_name("memtui").heat(decay_inputs(used=uses)) == ""


def test_base_coat_tiers_go_down_by_disuse() -> None:
    kept: dict[str, Any] = {"confidence": 1.0, "used": 1000, "created": -500}  # fades in years
    assert next_event(project("base-coat", tier=1, last_used=-20, **kept)) == (70, "l2")
    assert next_event(project("base-coat", tier=2, last_used=-20, **kept)) == (40, "l3")
    assert next_event(project("base-coat", tier=1, last_used=-95, **kept)) == (-5, "l2")
    for tier in (0, 3, 4, -1):
        assert "l" not in {
            transition.to[:1] for transition in upcoming(project("base-coat", tier=tier, **kept))
        }


def test_a_demoted_memory_stays_for_the_days_of_its_new_tier() -> None:
    projection = project("base-coat", tier=2, last_used=-100, created=-500, used=1000, demoted=-10)
    assert next_event(projection) == (50, "l3")
    projection = project("base-coat", tier=2, last_used=-5, created=-500, used=1000, demoted=-10)
    assert next_event(projection) == (55, "l3")  # it was used since


@pytest.mark.parametrize(
    ("tier", "expected"),
    [
        (0, [0, 0, 0, 0, 0]),
        (1, [1, 2, 2, 3, 3]),  # l2 on day 70, and 60 days in l2 are over on day 130
        (2, [2, 3, 3, 3, 3]),  # l3 on day 40
        (3, [3, 3, 3, 3, 3]),
        (4, [4, 4, 4, 4, 4]),
        (-1, [-1, -1, -1, -1, -1]),
    ],
)
def test_base_coat_tiers_at_any_instant(tier: int, expected: list[int]) -> None:
    lifecycle, inputs = by_name("base-coat"), decay_inputs(tier=tier, created=-500, last_used=-20, used=5)
    tiers = [lifecycle.tier(inputs, NOW, NOW + day * DAY) for day in (39.9, 70, 129.9, 130, 1826)]
    assert tiers == expected
    pinned = [lifecycle.tier(inputs.as_pinned(), NOW, NOW + day * DAY) for day in (0, 1826)]
    assert pinned == [tier, tier]


@pytest.mark.parametrize(
    ("values", "becomes"),
    [
        ({"tier": 4, "used": 3, "sessions": 2}, "l2"),
        ({"tier": 3, "used": 3, "sessions": 2}, "l2"),
        ({"tier": 4, "used": 2, "sessions": 2}, None),
        ({"tier": 4, "used": 9, "sessions": 1}, None),  # not across sessions
        ({"tier": 2, "used": 9, "sessions": 5}, "l1"),
        ({"tier": 2, "used": 9, "sessions": 4}, None),
        ({"tier": 1, "used": 9, "sessions": 6, "share": 0.51}, "l0"),
        ({"tier": 1, "used": 9, "sessions": 6, "share": 0.5}, None),  # not more than half
        ({"tier": 0, "used": 99, "sessions": 60, "share": 1.0}, None),
        ({"tier": -1, "used": 99, "sessions": 60, "share": 1.0}, None),
    ],
)
def test_base_coat_tiers_go_up_by_sessions(values: dict[str, Any], becomes: str | None) -> None:
    values = {"share": 0.2, **values}
    due = [transition.to for transition in upcoming(project("base-coat", **values)) if transition.at <= NOW]
    assert due == ([becomes] if becomes else [])
    pinned = [
        transition.to
        for transition in upcoming(project("base-coat", pinned=True, **values))
        if transition.at <= NOW
    ]
    assert pinned == due
    assert upcoming(project("base-coat", live=False, **values)) == []


@pytest.mark.parametrize("tier", [4, 3, 2, 1])
def test_without_a_session_log_nothing_is_promoted(tier: int) -> None:
    projection = project("base-coat", tier=tier, used=99)
    assert all(transition.at > NOW for transition in upcoming(projection))
    assert any("session log" in note for note in by_name("base-coat").notes)
    assert any("memtui's" in note for note in by_name("base-coat").notes)


def test_a_pin_stops_everything_in_base_coat_but_the_expiry() -> None:
    projection = project("base-coat", tier=1, created=-400, pinned=True, expires=40)
    assert scores(projection) == [0.8] * 5
    assert [transition.to for transition in upcoming(projection)] == ["deleted"]
    assert removal(projection) == (40, "deleted")


def upcoming(projection: Projection) -> list[Transition]:
    return [transition for transition in projection.transitions if transition.at < NEVER]


# Cognitive (S-24)


def test_cognitive_follows_its_formula() -> None:
    projection = project("cognitive", importance=0.9, used=3, last_used=0, created=-50, category="decision")
    # 0.9 × log2(4) × 1.3 = 2.34, times e^−0.21, e^−0.9, e^−2.7, e^−10.95
    assert scores(projection) == [2.34, 1.896767, 0.951373, 0.157261, 0.0000410858]
    # ln(2.34 / 0.5) / 0.03, ln(11.7) / 0.03, ln(46.8) / 0.03
    days = {transition.to: round((transition.at - NOW) / DAY, 3) for transition in projection.transitions}
    assert days == {"fading": 51.443, "dormant": 81.986, "archived": 128.196}
    assert next_event(projection) == (51.443, "fading")
    assert removal(projection) is None


@pytest.mark.parametrize(
    ("accesses", "factor"), [(0, 0.5), (1, 1.0), (3, 2.0), (7, 3.0), (10, 3.459432), (1023, 10.0)]
)
def test_cognitive_grows_with_access(accesses: int, factor: float) -> None:
    projection = project("cognitive", importance=1.0, used=accesses, category="fix")
    assert scores(projection, 0) == [factor]


@pytest.mark.parametrize(
    ("category", "weight"),
    [
        ("procedure", 1.4),
        ("decision", 1.3),
        ("insight", 1.25),
        ("solution", 1.2),
        ("code_pattern", 1.1),
        ("configuration", 1.1),
        ("fix", 1.0),
        ("workflow", 1.0),
        ("problem", 0.9),
        ("error", 0.8),
        ("general", 0.8),
    ],
)
def test_cognitive_weighs_types(category: str, weight: float) -> None:
    projection = project("cognitive", importance=0.5, used=1, category=category)
    assert scores(projection, 0) == [0.5 * weight]
    assert cognitive.score(0.5, 1, 0, category) == pytest.approx(0.5 * weight)


def test_cognitive_decays_from_creation_if_never_accessed() -> None:
    # 1.0 × 0.5 × 1.0 × e^(−0.03 × 12.5)
    assert scores(project("cognitive", importance=1.0, category="fix", created=-12.5), 0) == [0.343645]
    assert cognitive.score(1.0, 0, 12.5, "fix") == pytest.approx(0.343645, abs=5e-7)


@pytest.mark.parametrize(
    ("score", "label"),
    [
        (999.0, "active"),
        (0.5, "active"),
        (0.4999, "fading"),
        (0.2, "fading"),
        (0.1999, "dormant"),
        (0.05, "dormant"),
        (0.0499, "archived"),
        (0.0, "archived"),
    ],
)
def test_cognitive_labels(score: float, label: str) -> None:
    assert by_name("cognitive").label(score) == label
    assert cognitive.label(score) == label


def test_a_pinned_cognitive_memory_has_the_score_of_the_vault() -> None:
    projection = project("cognitive", importance=0.1, created=-900, pinned=True)
    assert scores(projection) == [999.0] * 5
    assert next_event(projection) is None
    assert cognitive.score(0.1, 0, 900, "general", pinned=True) == 999.0


def test_cognitive_removes_nothing() -> None:
    assert removal(project("cognitive", importance=0.1, created=-3000)) is None


# memtui (S-25)


@pytest.mark.parametrize(
    ("category", "expected", "fading", "expired"),
    [
        # 0.9 × 2^(−days / half-life); 0.3 is a third of 0.9: half-life × log2(3), and 0.1 a ninth.
        ("preference", [0.9, 0.876064, 0.801809, 0.636396, 0.220709], 285.293, 570.587),
        ("decision", [0.9, 0.852764, 0.714330, 0.45, 0.054125], 142.647, 285.293),
        ("fact", [0.9, 0.852764, 0.714330, 0.45, 0.054125], 142.647, 285.293),
        ("episode", [0.9, 0.636396, 0.203788, 0.010448, 0.0], 22.189, 44.379),
        ("contact", [0.9, 0.830085, 0.636396, 0.318198, 0.013273], 95.098, 190.196),
    ],
)
def test_memtui_fades_by_category(
    category: str, expected: list[float], fading: float, expired: float
) -> None:
    projection = project("memtui", confidence=0.9, category=category)
    assert scores(projection) == expected
    assert next_event(projection) == (fading, "fading")
    assert removal(projection) == (expired, "expired")


def test_half_lives_can_be_set() -> None:
    lifecycle = by_name("memtui", {"episode": 100, "song": 10, "other": 50, "fact": math.inf})
    for category, half in (("episode", 100), ("song", 10), ("contact", 50), ("preference", 180)):
        projection = lifecycle.projection(decay_inputs(category=category), NOW)
        assert scores(projection, half, 2 * half) == [0.4, 0.2]
        assert removal(projection) == (half * 3, "expired")  # 0.8 is eight tenths
    assert next_event(lifecycle.projection(decay_inputs(category="fact"), NOW)) is None
    assert by_name("cognitive", {"fact": 1}).projection(decay_inputs(), NOW).score(NOW + DAY) > 0.3


def test_memtui_decays_from_the_last_use_or_confirmation() -> None:
    assert scores(project("memtui", created=-180, last_used=-90), 0, 90) == [0.4, 0.2]
    assert scores(project("memtui", created=-180, last_confirmed=-90), 0) == [0.4]
    assert scores(project("memtui", created=-360, last_used=-180, last_confirmed=-90), 0) == [0.4]
    assert scores(project("memtui", created=-360, last_used=-90, last_confirmed=-180), 0) == [0.4]
    assert scores(project("memtui", created=-90, last_confirmed=0), 0) == [0.8]


@pytest.mark.parametrize("name", EXPONENTIAL_LIFECYCLES)
def test_a_use_in_the_future_does_not_raise_the_score(name: str) -> None:
    projection = project(name, importance=0.8, used=1, created=-10, last_used=5, category="fix")
    assert scores(projection, 0, 2.5) == [0.8, 0.8]
    assert projection.score(NOW + 5.5 * DAY) < 0.8


def test_memtui_reports_only_future_fading() -> None:
    projection = project("memtui", created=-180)  # at 0.2
    assert next_event(projection) == (90, "expired")
    assert removal(project("memtui", created=-300)) == (-30, "expired")  # due: 0.1 was 270 days after
    assert removal(project("memtui", confidence=0.05, created=-3)) == (-3, "expired")  # below from the first


def test_memtui_expires_a_memory_of_confidence_zero() -> None:
    """“Expired below 0.1”: 0 is below 0.1."""
    projection = project("memtui", confidence=0.0, created=-3)
    at, which = projection.removal()
    assert which >= 0
    assert at <= NOW


@pytest.mark.parametrize("state", [{"live": False}, {"pinned": True}])
def test_memtui_skips_dismissed_and_pinned_memories(state: dict[str, bool]) -> None:
    projection = project("memtui", created=-900, expires=4, **state)
    assert scores(projection) == [0.8] * 5
    assert next_event(projection) is None


# What a use, a pin or a confirmation would change


def test_if_used_once() -> None:
    used = decay_inputs(confidence=0.1, used=1, created=-400, last_used=-60).after_use(NOW)
    assert (used.used, used.last_used, used.created) == (2, NOW, NOW - 400 * DAY)
    assert removal(by_name("founder-os").projection(used, NOW)) == (37, "deleted")
    assert removal(by_name("minions").projection(used, NOW)) == (91, "expired")
    # Base Coat: from half-life 60 to 30 × (1 + log2(3)) = 77.549, and from now: 0.1 × 2^(−60 / 77.549)
    assert scores(by_name("base-coat").projection(used, NOW), 0, 60) == [0.1, 0.058491]
    fresh = replace(used, confidence=0.8)
    assert removal(by_name("memtui").projection(fresh, NOW)) == (270, "expired")
    # Cognitive: 0.8 (no importance) × log2(3) × 0.8 (no such type)
    assert scores(by_name("cognitive").projection(fresh, NOW), 0) == [1.014376]


def test_if_pinned() -> None:
    fading = decay_inputs(confidence=0.2, created=-400, expires=9)
    for name in (*STEP_LIFECYCLES, "memtui", "mem-skill"):
        assert removal(by_name(name).projection(fading, NOW)) is not None
        assert removal(by_name(name).projection(fading.as_pinned(), NOW)) is None
    assert removal(by_name("base-coat").projection(fading.as_pinned(), NOW)) == (9, "deleted")
    assert by_name("cognitive").projection(fading.as_pinned(), NOW).score(NOW) == 999


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("founder-os", 0.50, 0.65),
        ("founder-os", 0.90, 1.00),
        ("founder-os-daily", 0.70, 0.85),
        ("minions", 0.70, 0.80),
        ("minions", 0.90, 0.95),
        ("minions", 0.95, 0.95),
        ("mem-skill", 0.40, 0.55),
        ("mem-skill", 0.55, 0.6625),
        ("mem-skill", 1.00, 1.00),
        ("base-coat", 0.50, 0.60),
        ("base-coat", 0.95, 1.00),
        ("cognitive", 0.30, 0.30),
        ("memtui", 0.50, 0.65),
        ("memtui", 0.95, 1.00),
    ],
)
def test_reinforcement_raises_the_confidence(name: str, before: float, after: float) -> None:
    assert by_name(name).reinforced(before) == pytest.approx(after)


def test_founder_os_reinforcement_adds_fifteen() -> None:
    """Only a confirmation by the user lifts to at least 60 (section 7); storing the same key again adds 15
    (S-20)."""
    assert by_name("founder-os").reinforced(0.20) == pytest.approx(0.35)


@pytest.mark.parametrize("name", NAMES)
def test_labels(name: str) -> None:
    lifecycle = by_name(name)
    assert lifecycle.label(0.9) == "active"
    assert lifecycle.label(NONE) == ""
    strong = decay_inputs(confidence=0.9, importance=0.9)
    assert lifecycle.label_at(lifecycle.scores(replace(strong, live=False), NOW), 0.9, NOW) == "archived"
    assert lifecycle.label_at(lifecycle.scores(replace(strong, pinned=True), NOW), 0.001, NOW) == "active"


def test_memtui_labels() -> None:
    lifecycle = by_name("memtui")
    assert [lifecycle.label(score) for score in (1.0, 0.3, 0.2999, 0.1)] == ["active"] * 2 + ["fading"] * 2


def test_every_lifecycle_is_found_by_its_name() -> None:
    assert set(NAMES) == set(SIMULATIONS)
    assert [by_name(name).name for name in NAMES] == list(NAMES)
    assert "weekly" in by_name("founder-os").notes[0]
    assert "daily" in by_name("founder-os-daily").notes[0]


# Confirmation by the user


def memory(**fields: Any) -> Memory:
    return Memory(uid="m1", store="native", ref="1", **fields)


@pytest.mark.parametrize(
    ("lifecycle", "before", "after"),
    [
        ("founder-os", 0.20, 0.60),
        ("founder-os", 0.50, 0.65),
        ("founder-os", 0.95, 1.00),
        ("minions", 0.20, 0.30),
        ("minions", 0.90, 0.95),
        ("minions", 0.97, 0.97),
        ("mem-skill", 0.40, 0.55),
        ("base-coat", 0.95, 1.00),
        ("cognitive", 0.80, 0.80),
        ("memtui", 0.50, 0.65),
    ],
)
@pytest.mark.parametrize("status", ["candidate", "pending", "confirmed"])
def test_confirmation_raises_confidence_and_status(
    lifecycle: str, before: float, after: float, status: str
) -> None:
    changed = confirmed(memory(confidence=before, status=status), NOW, lifecycle)
    assert changed.get("confidence", before) == pytest.approx(after)
    assert changed.get("status", status) == "confirmed"
    assert (changed["times_confirmed"], changed["last_confirmed_at"]) == (1, NOW)


@pytest.mark.parametrize("lifecycle", ["founder-os", "memtui"])
def test_three_confirmations_and_eighty_make_a_memory_applied(lifecycle: str) -> None:
    def becomes(confidence: float, times: int) -> str:
        before = memory(confidence=confidence, times_confirmed=times)
        return str(confirmed(before, NOW, lifecycle).get("status", before.status))

    assert becomes(0.65, 2) == "applied"
    assert becomes(0.65, 1) == "confirmed"  # the second confirmation
    assert becomes(0.64, 2) == "confirmed"  # 79
    assert confirmed(memory(confidence=0.9, times_confirmed=9), NOW, "minions").get("status") is None


def test_confirmation_without_confidence_is_only_counted() -> None:
    changed = confirmed(memory(status="candidate"), NOW, "founder-os")
    assert changed == {"times_confirmed": 1, "last_confirmed_at": NOW, "status": "confirmed"}


def test_status_by_numbers() -> None:
    assert status_by_numbers(0.59, 0) == "candidate"
    assert status_by_numbers(0.60, 9) == "confirmed"
    assert status_by_numbers(0.80, 3) == "applied"
    assert status_by_numbers(0.80, 2) == "confirmed"
    assert status_by_numbers(None, 0) == "confirmed"


# Inputs of a lifecycle


def test_inputs_of_a_memory() -> None:
    inputs = inputs_of(
        memory(
            confidence=0.5,
            created_at=100.0,
            expires_at=900.0,
            tier="l2",
            kind="lesson",
            category="Decision",
            times_used=4,
            pinned=True,
        ),
        NOW,
        since=50.0,
        sessions=3,
    )
    assert (inputs.confidence, inputs.created, inputs.expires, inputs.tier) == (0.5, 100.0, 900.0, 2)
    assert (inputs.lesson, inputs.category, inputs.used, inputs.pinned) == (True, "decision", 4, True)
    assert (inputs.since, inputs.sessions, inputs.valid_from, inputs.valid_to) == (50.0, 3, -NEVER, NEVER)
    assert all(
        math.isnan(none) for none in (inputs.importance, inputs.last_used, inputs.demoted, inputs.share)
    )


def test_inputs_of_a_memory_with_few_fields() -> None:
    assert inputs_of(memory(event_time=7.0, updated_at=9.0), NOW).created == 7.0
    assert inputs_of(memory(updated_at=9.0), NOW).created == 9.0
    bare = inputs_of(memory(kind="episode"), NOW)
    assert (bare.created, bare.since, bare.category, bare.tier) == (NOW, NOW, "episode", -1)
    assert [tier_number(tier) for tier in ("l0", "l4", "l5", "", None)] == [0, 4, -1, -1, -1]


@pytest.mark.parametrize("status", STATUSES)
def test_only_live_statuses_decay(status: str) -> None:
    live = status in ("candidate", "pending", "confirmed", "applied")
    assert inputs_of(memory(status=status), NOW).live is live


# Ten thousand memories against the simulation


def as_arrays(memories: Population) -> DecayInputs:
    """Return the same memories as inputs of a lifecycle: arrays, in seconds."""
    numbers = {each.name: getattr(memories, each.name) for each in fields(memories)}
    numbers |= {name: NOW + numbers[name] * DAY for name in IN_DAYS}
    return DecayInputs(**numbers, confirmed=memories.used * 0, categories=CATEGORIES, xp=np)


def event_name(transition: Transition) -> str:
    """Return the name that the simulation has for an event."""
    return "expiry" if transition.rule == "past its expiry" else transition.to


def days(at: Numbers, *, exact: bool) -> Numbers:
    """Return the day on which an event has happened; NEVER if that is after the simulated days."""
    passed = (at - NOW) / DAY
    if exact:
        assert np.array_equal(passed[np.isfinite(passed)] % 1, np.zeros(np.isfinite(passed).sum()))
    day: Numbers = np.ceil(passed - 1e-6)
    return np.where(day > LAST, NEVER, day)


@pytest.mark.parametrize("name", NAMES)
def test_closed_forms_agree_with_the_simulation(name: str) -> None:
    memories = random_population(10_000, seed=NAMES.index(name), whole=name in STEPWISE)
    simulation = SIMULATIONS[name](memories)
    exact = name in STEPWISE
    with np.errstate(all="raise"):
        projection = by_name(name).projection(as_arrays(memories), NOW)
        for day in HORIZONS:
            np.testing.assert_allclose(
                projection.score(NOW + day * DAY), simulation.scores[day], rtol=1e-9, atol=1e-9
            )
        events = [event_name(transition) for transition in projection.transitions]
        assert set(events) == set(simulation.first)
        for event, expected in simulation.first.items():
            earliest = np.min(
                [transition.at for transition in projection.transitions if event_name(transition) == event],
                axis=0,
            )
            np.testing.assert_array_equal(days(earliest, exact=exact), expected, event)
            assert np.isfinite(expected).sum() > 50, f"too few memories with the event {event!r}"
        for (at, which), kinds in (
            (projection.next_transition(), tuple(simulation.first)),
            (projection.removal(), simulation.leaving),
        ):
            nothing = np.full(len(at), NEVER)
            first = np.min([nothing, *(simulation.first[kind] for kind in kinds)], axis=0)
            day_of = days(at, exact=exact)
            np.testing.assert_array_equal(day_of, first)
            np.testing.assert_array_equal(which == -1, np.isinf(at))
            # Several events may fall on one day; the one that is returned is one of them.
            for number, event in enumerate(events):
                its = (which == number) & np.isfinite(day_of)
                assert event in kinds or not its.any()
                np.testing.assert_array_equal(simulation.first[event][its], day_of[its], event)


# Arrays give the same results as single memories

RARE_VALUES: dict[str, list[float]] = {
    "confidence": [NONE, 0.0, 1e-9, 0.1, 0.3, 0.6, 0.95, 1.0],
    "importance": [NONE, 0.0, 0.5, 1.0],
    "used": [0, 1, 3, 10, 100_000],
    "created": [-20_000.0, -180.0, -90.0, -37.0, -0.25, 0.0],
    "last_used": [NONE, -20_000.0, -60.0, -37.0, -0.5, 0.0, 3.0],
    "last_confirmed": [NONE, -91.0, -7.3, 0.0],
    "expires": [NEVER, -5.0, 0.0, 400.0],
    "valid_from": [-NEVER, -5.0, 0.0, 30.0],
    "valid_to": [NEVER, -5.0, 0.0, 90.0],
    "since": [-20_000.0, -37.0, -7.0, 0.0],
    "demoted": [NONE, -61.0, -10.0],
    "live": [True, True, True, False],
    "pinned": [False, False, False, True],
    "lesson": [False, True],
    "tier": [-1, 0, 1, 2, 3, 4],
    "sessions": [NONE, 0, 2, 5, 40],
    "share": [NONE, 0.0, 0.5, 1.0],
}


def rare_memories(count: int) -> DecayInputs:
    """Make memories in which rare values are frequent."""
    dice = np.random.default_rng(20)
    columns = {name: dice.choice(np.array(values), count) for name, values in RARE_VALUES.items()}
    columns |= {name: NOW + columns[name] * DAY for name in IN_DAYS}
    category = dice.integers(0, len(CATEGORIES), count)
    return DecayInputs(**columns, confirmed=np.zeros(count), category=category, categories=CATEGORIES, xp=np)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what_if", ["unchanged", "used", "pinned"])
def test_arrays_give_the_same_results_as_single_memories(name: str, what_if: str) -> None:
    lifecycle, inputs = by_name(name), rare_memories(400)
    times = [NOW + day * DAY for day in (0, 0.5, 7, 37, 365, 1826)]
    # Tiny scores may round to zero.
    with np.errstate(all="raise", under="ignore"):
        arrays = lifecycle.projection(_what_if(inputs, what_if), NOW)
        table = np.array([arrays.score(at) for at in times])
        dormant = np.array([np.broadcast_to(arrays.is_dormant(at), 400) for at in times])
        next_at, next_which = arrays.next_transition()
        leaving_at, leaving_which = arrays.removal()
        current = arrays.current
        tiers = np.array([lifecycle.tier(arrays.inputs, NOW, at) for at in times])
    projections = [
        lifecycle.projection(_what_if(inputs.single(number), what_if), NOW) for number in range(400)
    ]
    for each in projections:
        assert isinstance(each.inputs.confidence, float)
    close: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-300}
    np.testing.assert_allclose(table, [[each.score(at) for each in projections] for at in times], **close)
    np.testing.assert_allclose(current, [each.current for each in projections], **close)
    np.testing.assert_array_equal(dormant, [[each.is_dormant(at) for each in projections] for at in times])
    np.testing.assert_array_equal(
        tiers, [[lifecycle.tier(each.inputs, NOW, at) for each in projections] for at in times]
    )
    np.testing.assert_allclose(next_at, [each.next_transition()[0] for each in projections], **close)
    np.testing.assert_array_equal(next_which, [each.next_transition()[1] for each in projections])
    np.testing.assert_allclose(leaving_at, [each.removal()[0] for each in projections], **close)
    np.testing.assert_array_equal(leaving_which, [each.removal()[1] for each in projections])


def _what_if(inputs: DecayInputs, what_if: str) -> DecayInputs:
    if what_if == "used":
        return inputs.after_use(NOW)
    return inputs.as_pinned() if what_if == "pinned" else inputs


@pytest.mark.parametrize("name", NAMES)
def test_empty_arrays_are_accepted(name: str) -> None:
    with np.errstate(all="raise"):
        projection = by_name(name).projection(rare_memories(0), NOW)
        assert (
            len(projection.score(NOW))
            == len(projection.next_transition()[0])
            == len(projection.removal()[1])
            == 0
        )


# Properties


def any_day(first: int, last: int, other: float) -> st.SearchStrategy[float]:
    return st.one_of(st.just(other), st.integers(first, last).map(float), st.floats(first, last))


@st.composite
def memories_of_any_kind(draw: st.DrawFn) -> DecayInputs:
    """A memory created, used and confirmed at any times up to now."""
    shares = st.one_of(st.sampled_from([NONE, 0.0, 0.1, 0.3, 1.0]), st.floats(0, 1))
    return decay_inputs(
        confidence=draw(shares),
        importance=draw(shares),
        used=draw(st.integers(0, 30)),
        created=draw(any_day(-900, 0, 0.0)),
        last_used=draw(any_day(-900, 0, NONE)),
        last_confirmed=draw(any_day(-900, 0, NONE)),
        expires=draw(any_day(-30, 900, NEVER)),
        valid_from=draw(any_day(-30, 900, -NEVER)),
        valid_to=draw(any_day(-30, 900, NEVER)),
        since=draw(any_day(-900, 0, 0.0)),
        demoted=draw(any_day(-900, 0, NONE)),
        live=draw(st.sampled_from([True, True, True, False])),
        pinned=draw(st.sampled_from([False, False, False, True])),
        lesson=draw(st.booleans()),
        tier=draw(st.integers(-1, 4)),
        sessions=draw(st.sampled_from([NONE, 0, 2, 5, 9])),
        share=draw(shares),
        category=draw(st.sampled_from([*CATEGORIES, ""])),
    )


FEW_EXAMPLES = examples(30)


@FEW_EXAMPLES
@given(memories_of_any_kind(), st.lists(st.floats(0, 1826), min_size=2, max_size=6))
def test_no_score_rises_without_use(inputs: DecayInputs, days_ahead: list[float]) -> None:
    for name in NAMES:
        projection = by_name(name).projection(inputs, NOW)
        found = [projection.score(NOW + day * DAY) for day in sorted(days_ahead)]
        if math.isnan(found[0]):
            assert all(math.isnan(score) for score in found)
        else:
            assert found == sorted(found, reverse=True)
            assert found[-1] >= 0


@FEW_EXAMPLES
@given(memories_of_any_kind())
def test_neither_a_pin_nor_a_use_brings_the_removal_forward(inputs: DecayInputs) -> None:
    for name in NAMES:
        at, _ = by_name(name).projection(inputs, NOW).removal()
        assert by_name(name).projection(inputs.as_pinned(), NOW).removal()[0] >= at
        assert by_name(name).projection(inputs.after_use(NOW), NOW).removal()[0] >= at


@FEW_EXAMPLES
@given(memories_of_any_kind())
def test_the_next_transition_is_no_later_than_the_removal(inputs: DecayInputs) -> None:
    for name in NAMES:
        projection = by_name(name).projection(inputs, NOW)
        (at, which), (leaving, by) = projection.next_transition(), projection.removal()
        assert at <= leaving
        assert (which == -1) == (at == NEVER)
        assert (by == -1) == (leaving == NEVER)
        assert by == -1 or projection.transitions[by].removes


@FEW_EXAMPLES
@given(memories_of_any_kind())
def test_nothing_happens_to_a_dismissed_memory(inputs: DecayInputs) -> None:
    for name in NAMES:
        projection = by_name(name).projection(replace(inputs, live=False), NOW)
        assert next_event(projection) is None
        first, last = projection.score(NOW), projection.score(NOW + 1826 * DAY)
        assert first == last or math.isnan(first)


@FEW_EXAMPLES
@given(memories_of_any_kind(), st.integers(0, 100), st.sampled_from(STEP_LIFECYCLES))
def test_a_decay_run_does_not_change_the_projection(inputs: DecayInputs, number: int, name: str) -> None:
    """After a run has written the steps that were due (S-27), the rest of the projection is the same."""
    inputs = replace(inputs, confidence=number / 100)
    before = by_name(name).projection(inputs, NOW)
    after = by_name(name).projection(replace(inputs, confidence=before.score(NOW), since=NOW), NOW)
    if before.removal()[0] <= NOW:
        return
    assert scores(after) == [float(before.score(NOW + day * DAY)) for day in HORIZONS]
    assert removal(after) == removal(before)
    assert after.score(NOW) == after.current


@FEW_EXAMPLES
@given(memories_of_any_kind(), st.sampled_from(EXPONENTIAL_LIFECYCLES))
def test_exponential_projections_agree_whenever_they_are_made(inputs: DecayInputs, name: str) -> None:
    """Nothing is written back, so a later projection agrees with an earlier one."""
    later = NOW + 40 * DAY
    early, late = by_name(name).projection(inputs, NOW), by_name(name).projection(inputs, later)
    for day in (40, 41.5, 400):
        expected = early.score(NOW + day * DAY)
        assert late.score(NOW + day * DAY) == expected or math.isnan(expected)
    assert early.removal()[0] == late.removal()[0]
