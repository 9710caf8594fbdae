"""Lifecycles by numbers worked out by hand, by a slow walk through the days, and by what always holds
(S-20 … S-26)."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.lifecycles import NAMES, base_coat, by_name, cognitive
from memtui.memory.lifecycles.base import DAY, Ages, Course, Event, ages_of, tier_number
from memtui.memory.lifecycles.confirmation import confirmed, standing
from memtui.memory.memory import STATUSES, Memory
from tests.support.lifecycle_simulation import (
    CATEGORIES,
    HORIZONS,
    LAST,
    STEPPING,
    WALKS,
    Numbers,
    Some,
    some,
)
from tests.support.sizes import examples

NOW = 1_790_000_000.0
NONE, NEVER = math.nan, math.inf
STEPS = ("founder-os", "founder-os-daily", "minions")
FADES = ("base-coat", "cognitive", "memtui")

IN_DAYS = ("created", "last_used", "last_confirmed", "expires", "valid_from", "valid_to", "since", "demoted")
USUAL: dict[str, Any] = {
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


def aged(**said: Any) -> Ages:
    """One memory, its times in days from now; what is not said is as usual, and nothing of it is near."""
    given_ = {**USUAL, **said}
    return Ages(**{name: NOW + value * DAY if name in IN_DAYS else value for name, value in given_.items()})


def goes(name: str, **said: Any) -> Course:
    """How one memory goes on by a lifecycle."""
    return by_name(name).course(aged(**said), NOW)


def scores(course: Course, *days: float) -> Any:
    """Its scores after so many days; now, a week, a month, three, and a year if none are said."""
    return pytest.approx([float(course.score(NOW + day * DAY)) for day in days or HORIZONS], abs=5e-7)


def told(course: Course, *, leaving: bool = False) -> tuple[float, str] | None:
    """What happens next, or what takes it: after how many days and what it becomes; None if nothing does."""
    at, which = course.leaving() if leaving else course.next()
    if which < 0:
        assert at == NEVER
        return None
    assert course.events[which].at == at
    return round((at - NOW) / DAY, 3), course.events[which].to


def following(course: Course) -> tuple[float, str] | None:
    return told(course)


def leaves(course: Course) -> tuple[float, str] | None:
    return told(course, leaving=True)


def rule(course: Course) -> str:
    """The rule by which it leaves."""
    rule: str = course.events[course.leaving()[1]].rule
    return rule


# Founder OS (S-20)


def test_founder_os_by_weeks() -> None:
    course = goes("founder-os", confidence=0.80)
    # Unused for 90 days: 60 beyond the 30, 8 whole weeks, 80 − 40. After 365: 47 weeks, down to 0.
    assert scores(course) == [0.80, 0.80, 0.80, 0.40, 0.0]
    # The first is on day 37, the second on day 44.
    assert scores(course, 36.999, 37, 43.999, 44) == [0.80, 0.75, 0.75, 0.70]
    assert following(course) == (37, "")
    # 80 − 14 × 5 = 10 is not below 10; 15 weeks are 30 + 105 days.
    assert scores(course, 134.999, 135) == [0.10, 0.05]
    assert leaves(course) == (135, "deleted")
    assert "below 10" in rule(course)
    assert "week" in rule(course)


def test_founder_os_by_days() -> None:
    course = goes("founder-os-daily", confidence=0.80)
    assert scores(course) == [0.80, 0.80, 0.80, 0.0, 0.0]
    assert scores(course, 30.999, 31, 32, 40) == [0.80, 0.75, 0.70, 0.30]
    assert following(course) == (31, "")
    assert leaves(course) == (45, "deleted")  # 15 days beyond 30
    assert "day" in rule(course)


@pytest.mark.parametrize(
    ("number", "week"),
    [(1.00, 19), (0.95, 18), (0.50, 9), (0.15, 2), (0.14, 1), (0.11, 1), (0.10, 1), (0.7 - 0.6, 1)],
)
def test_founder_os_lets_go_below_ten(number: float, week: int) -> None:
    # 15 − 5 is 10, which is not below 10; 14 − 5 is 9, which is.
    assert leaves(goes("founder-os", confidence=number)) == (30 + 7 * week, "deleted")
    assert leaves(goes("founder-os-daily", confidence=number)) == (30 + week, "deleted")


@pytest.mark.parametrize("number", [0.09, 0.05, 0.01, 0.0])
def test_founder_os_lets_go_at_once_of_what_is_below_ten(number: float) -> None:
    assert leaves(goes("founder-os", confidence=number)) == (0, "deleted")


def test_founder_os_counts_disuse_from_the_last_use() -> None:
    # Used 36 days ago: its 37th day of disuse is tomorrow.
    course = goes("founder-os", created=-300, last_used=-36, since=0)
    assert following(course) == (1, "")
    assert scores(course) == [0.80, 0.75, 0.55, 0.15, 0.0]  # days 43, 66, 126: 1, 5, 13 weeks


def test_founder_os_counts_disuse_from_the_beginning_where_it_was_never_used() -> None:
    assert following(goes("founder-os", created=-36)) == (1, "")
    assert following(goes("founder-os-daily", created=-29.5)) == (1.5, "")


@pytest.mark.parametrize("name", ["founder-os", "founder-os-daily"])
def test_what_fell_before_it_was_known_is_not_owed(name: str) -> None:
    # 100 days unused; its own engine may have run. The number is as of now.
    assert goes(name, created=-100).score(NOW) == 0.80


def test_what_fell_since_the_last_run_is_owed() -> None:
    # Unused for 100 days: weeks end on days 37, 44 … 93, 100. Run 8 days ago (day 92): days 93 and 100.
    course = goes("founder-os", created=-100, since=-8)
    assert scores(course) == [0.70, 0.65, 0.50, 0.10, 0.0]  # + 1, + 4 and + 12 weeks
    assert following(course) == (-7, "")
    # Run on day 93, at the very moment of that step: it is written already.
    assert scores(goes("founder-os", created=-100, since=-7)) == [0.75, 0.70, 0.55, 0.15, 0.0]
    assert scores(goes("founder-os-daily", created=-100, since=-8), 0, 1) == [0.40, 0.35]


def test_what_is_owed_may_take_it_below_ten() -> None:
    # 14 − 5 on day 93, a week ago.
    assert leaves(goes("founder-os", confidence=0.14, created=-100, since=-8)) == (-7, "deleted")


def test_a_use_after_the_last_run_starts_anew() -> None:
    assert following(goes("founder-os", created=-300, last_used=-5, since=-60)) == (32, "")


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("state", [{"live": False}, {"pinned": True}])
def test_steps_spare_what_is_dismissed_or_pinned(name: str, state: dict[str, bool]) -> None:
    course = goes(name, confidence=0.05, created=-400, since=-30, expires=-1, **state)
    assert scores(course) == [0.05] * 5
    assert following(course) is None
    assert leaves(course) is None


@pytest.mark.parametrize("name", STEPS)
def test_steps_need_a_number(name: str) -> None:
    course = goes(name, confidence=NONE, created=-400)
    assert math.isnan(course.score(NOW + 90 * DAY))
    assert following(course) is None
    assert leaves(goes(name, confidence=NONE, created=-400, expires=5)) is not None


@pytest.mark.parametrize(
    ("name", "becomes"),
    [("founder-os", "deleted"), ("minions", "expired"), ("base-coat", "deleted"), ("memtui", "expired")],
)
def test_past_its_expiry_it_leaves(name: str, becomes: str) -> None:
    course = goes(name, expires=12.5)
    assert leaves(course) == (12.5, becomes)
    assert rule(course) == "past its expiry"
    assert leaves(goes(name, expires=-3)) == (-3, becomes)  # due


def test_whichever_comes_first_takes_it() -> None:
    assert leaves(goes("founder-os", confidence=0.10, expires=36)) == (36, "deleted")
    assert leaves(goes("founder-os", confidence=0.10, expires=38)) == (37, "deleted")


# minions (S-21)


def test_minions_takes_a_tenth_a_day_of_what_is_weak_and_unasked() -> None:
    course = goes("minions", confidence=0.25, created=-80)
    # Day 91 of disuse is 11 days away: 0.15, 0.05, 0.
    assert scores(course) == [0.25, 0.25, 0.0, 0.0, 0.0]
    assert scores(course, 10.999, 11, 12, 13) == [0.25, 0.15, 0.05, 0.0]
    assert following(course) == (11, "")
    assert leaves(course) == (13, "expired")


@pytest.mark.parametrize(
    ("number", "days"), [(0.01, 1), (0.1, 1), (0.11, 2), (0.2, 2), (0.29, 3), (0.3 - 0.1, 2), (0.8 - 0.6, 2)]
)
def test_minions_ends_at_nothing(number: float, days: int) -> None:
    course = goes("minions", confidence=number)
    assert leaves(course) == (90 + days, "expired")
    assert course.score(NOW + (90 + days) * DAY) == pytest.approx(0)
    assert course.score(NOW + (89 + days) * DAY) > 0


@pytest.mark.parametrize("number", [0.3, 0.1 + 0.2, 0.7, 0.95, 1.0])
def test_minions_leaves_alone_what_is_not_weak(number: float) -> None:
    course = goes("minions", confidence=number, created=-300, since=-300)
    assert scores(course) == [number] * 5
    assert following(course) is None


def test_minions_owes_only_whole_days_since_the_last_run() -> None:
    # 100.5 days unused, run 2.2 days ago (98.3): days 99 and 100 are owed.
    course = goes("minions", confidence=0.29, created=-100.5, since=-2.2)
    assert scores(course, 0, 0.499, 0.5) == [0.09, 0.09, 0.0]
    assert following(course) == (-1.5, "")
    assert leaves(course) == (0.5, "expired")


def test_a_lesson_counts_from_when_it_was_last_reinforced() -> None:
    assert leaves(goes("minions", confidence=0.1, lesson=True, created=-300, last_confirmed=-50)) == (
        41,
        "expired",
    )
    assert leaves(goes("minions", confidence=0.1, lesson=True, created=-60)) == (31, "expired")
    # An item counts from when it was last accessed, whatever it was told since.
    assert leaves(goes("minions", confidence=0.1, created=-60, last_confirmed=-2)) == (31, "expired")


# mem-skill (S-22)


def test_mem_skill_does_not_fade() -> None:
    course = goes("mem-skill", confidence=0.4, created=-900)
    assert scores(course) == [0.4] * 5
    assert following(course) is None
    assert by_name("mem-skill").label(0.01) == "active"


def test_mem_skill_waits_until_it_is_valid() -> None:
    course = goes("mem-skill", valid_from=10, valid_to=60)
    assert [bool(course.waits(NOW + day * DAY)) for day in (0, 9.9, 10, 30)] == [True, True, False, False]
    assert following(course) == (10, "valid")
    assert leaves(course) == (60, "expired")
    assert not goes("mem-skill").waits(NOW)
    assert following(goes("mem-skill", valid_from=-10)) is None


def test_mem_skill_ends_with_its_validity() -> None:
    assert leaves(goes("mem-skill", valid_to=-2)) == (-2, "expired")
    assert leaves(goes("mem-skill", valid_to=20, expires=30)) == (20, "expired")
    assert leaves(goes("mem-skill", valid_to=20, live=False)) is None


# Base Coat (S-23)


def test_base_coat_halves_in_thirty_days_where_it_was_never_used() -> None:
    course = goes("base-coat", confidence=1.0)
    # 2^(−7/30), 2^−1, 2^−3, 2^(−365/30)
    assert scores(course) == [1.0, 0.850667, 0.5, 0.125, 0.000218]
    assert following(course) == (52.109, "fading")  # 30 × log2(1 / 0.3)
    (dormant,) = (event for event in course.events if event.to == "dormant")
    assert (dormant.at - NOW) / DAY == pytest.approx(99.65784)  # 30 × log2(10)
    assert leaves(course) is None


@pytest.mark.parametrize(("uses", "half"), [(0, 30), (1, 60), (3, 90), (7, 120), (15, 150), (1023, 330)])
def test_base_coat_fades_more_slowly_with_use(uses: int, half: int) -> None:
    course = goes("base-coat", confidence=0.8, used=uses, last_used=0, created=-1000)
    assert scores(course, half, 2 * half, half / 2) == [0.4, 0.2, 0.565685]


def test_base_coat_reckons_from_the_last_use() -> None:
    # A year unused before memtui knew of it counts all the same: the score is never written back.
    assert scores(goes("base-coat", confidence=1.0, created=-60), 0, 30) == [0.25, 0.125]
    # It is below 0.3 already, which is no news; 0.1 is to come.
    assert following(goes("base-coat", confidence=1.0, created=-60)) == (39.658, "dormant")


@pytest.mark.parametrize(
    ("uses", "heat"),
    [(0, "cold"), (2, "cold"), (3, "warm"), (9, "warm"), (10, "hot"), (5000, "hot")],
)
def test_base_coat_heats_with_use(uses: int, heat: str) -> None:
    assert base_coat.heat_of(uses) == heat
    assert by_name("base-coat").heat(aged(used=uses)) == heat
    assert by_name("memtui").heat(aged(used=uses)) == ""


def test_base_coat_tiers_go_down_by_disuse() -> None:
    kept: dict[str, Any] = {"confidence": 1.0, "used": 1000, "created": -500}  # fades in years
    assert following(goes("base-coat", tier=1, last_used=-20, **kept)) == (70, "l2")
    assert following(goes("base-coat", tier=2, last_used=-20, **kept)) == (40, "l3")
    assert following(goes("base-coat", tier=1, last_used=-95, **kept)) == (-5, "l2")
    for tier in (0, 3, 4, -1):
        assert "l" not in {event.to[:1] for event in _coming(goes("base-coat", tier=tier, **kept))}


def test_what_was_moved_down_has_the_days_of_its_new_tier() -> None:
    course = goes("base-coat", tier=2, last_used=-100, created=-500, used=1000, demoted=-10)
    assert following(course) == (50, "l3")
    course = goes("base-coat", tier=2, last_used=-5, created=-500, used=1000, demoted=-10)
    assert following(course) == (55, "l3")  # it was used since


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
    lifecycle, ages = by_name("base-coat"), aged(tier=tier, created=-500, last_used=-20, used=5)
    tiers = [lifecycle.tier(ages, NOW, NOW + day * DAY) for day in (39.9, 70, 129.9, 130, 1826)]
    assert tiers == expected
    pinned = [lifecycle.tier(ages.kept(), NOW, NOW + day * DAY) for day in (0, 1826)]
    assert pinned == [tier, tier]


@pytest.mark.parametrize(
    ("said", "becomes"),
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
def test_base_coat_tiers_go_up_by_sessions(said: dict[str, Any], becomes: str | None) -> None:
    said = {"share": 0.2, **said}
    due = [event.to for event in _coming(goes("base-coat", **said)) if event.at <= NOW]
    assert due == ([becomes] if becomes else [])
    pinned = [event.to for event in _coming(goes("base-coat", pinned=True, **said)) if event.at <= NOW]
    assert pinned == due
    assert _coming(goes("base-coat", live=False, **said)) == []


@pytest.mark.parametrize("tier", [4, 3, 2, 1])
def test_without_a_session_log_nothing_goes_up(tier: int) -> None:
    course = goes("base-coat", tier=tier, used=99)
    assert all(event.at > NOW for event in _coming(course))
    assert any("session log" in note for note in by_name("base-coat").notes)
    assert any("memtui's" in note for note in by_name("base-coat").notes)


def test_base_coat_spares_what_is_pinned_but_for_its_expiry() -> None:
    course = goes("base-coat", tier=1, created=-400, pinned=True, expires=40)
    assert scores(course) == [0.8] * 5
    assert [event.to for event in _coming(course)] == ["deleted"]
    assert leaves(course) == (40, "deleted")


def _coming(course: Course) -> list[Event]:
    return [event for event in course.events if event.at < NEVER]


# Cognitive (S-24)


def test_cognitive_by_its_formula() -> None:
    course = goes("cognitive", importance=0.9, used=3, last_used=0, created=-50, category="decision")
    # 0.9 × log2(4) × 1.3 = 2.34, times e^−0.21, e^−0.9, e^−2.7, e^−10.95
    assert scores(course) == [2.34, 1.896767, 0.951373, 0.157261, 0.0000410858]
    # ln(2.34 / 0.5) / 0.03, ln(11.7) / 0.03, ln(46.8) / 0.03
    days = {event.to: round((event.at - NOW) / DAY, 3) for event in course.events}
    assert days == {"fading": 51.443, "dormant": 81.986, "archived": 128.196}
    assert following(course) == (51.443, "fading")
    assert leaves(course) is None


@pytest.mark.parametrize(
    ("accesses", "factor"), [(0, 0.5), (1, 1.0), (3, 2.0), (7, 3.0), (10, 3.459432), (1023, 10.0)]
)
def test_cognitive_grows_with_access(accesses: int, factor: float) -> None:
    course = goes("cognitive", importance=1.0, used=accesses, category="fix")
    assert scores(course, 0) == [factor]


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
    course = goes("cognitive", importance=0.5, used=1, category=category)
    assert scores(course, 0) == [0.5 * weight]
    assert cognitive.score(0.5, 1, 0, category) == pytest.approx(0.5 * weight)


def test_cognitive_counts_from_creation_where_it_was_never_accessed() -> None:
    # 1.0 × 0.5 × 1.0 × e^(−0.03 × 12.5)
    assert scores(goes("cognitive", importance=1.0, category="fix", created=-12.5), 0) == [0.343645]
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


def test_the_vault_is_worth_more_than_all_else() -> None:
    course = goes("cognitive", importance=0.1, created=-900, pinned=True)
    assert scores(course) == [999.0] * 5
    assert following(course) is None
    assert cognitive.score(0.1, 0, 900, "general", pinned=True) == 999.0


def test_cognitive_takes_nothing_away() -> None:
    assert leaves(goes("cognitive", importance=0.1, created=-3000)) is None


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
    course = goes("memtui", confidence=0.9, category=category)
    assert scores(course) == expected
    assert following(course) == (fading, "fading")
    assert leaves(course) == (expired, "expired")


def test_a_person_sets_how_fast_memories_fade() -> None:
    lifecycle = by_name("memtui", {"episode": 100, "song": 10, "other": 50, "fact": math.inf})
    for category, half in (("episode", 100), ("song", 10), ("contact", 50), ("preference", 180)):
        course = lifecycle.course(aged(category=category), NOW)
        assert scores(course, half, 2 * half) == [0.4, 0.2]
        assert leaves(course) == (half * 3, "expired")  # 0.8 is eight tenths
    assert following(lifecycle.course(aged(category="fact"), NOW)) is None
    assert by_name("cognitive", {"fact": 1}).course(aged(), NOW).score(NOW + DAY) > 0.3


def test_memtui_counts_from_the_last_use_or_confirmation() -> None:
    assert scores(goes("memtui", created=-180, last_used=-90), 0, 90) == [0.4, 0.2]
    assert scores(goes("memtui", created=-180, last_confirmed=-90), 0) == [0.4]
    assert scores(goes("memtui", created=-360, last_used=-180, last_confirmed=-90), 0) == [0.4]
    assert scores(goes("memtui", created=-360, last_used=-90, last_confirmed=-180), 0) == [0.4]
    assert scores(goes("memtui", created=-90, last_confirmed=0), 0) == [0.8]


@pytest.mark.parametrize("name", FADES)
def test_a_clock_that_is_ahead_makes_nothing_worth_more(name: str) -> None:
    course = goes(name, importance=0.8, used=1, created=-10, last_used=5, category="fix")
    assert scores(course, 0, 2.5) == [0.8, 0.8]
    assert course.score(NOW + 5.5 * DAY) < 0.8


def test_memtui_tells_of_fading_only_beforehand() -> None:
    course = goes("memtui", created=-180)  # at 0.2
    assert following(course) == (90, "expired")
    assert leaves(goes("memtui", created=-300)) == (-30, "expired")  # due: 0.1 was 270 days after
    assert leaves(goes("memtui", confidence=0.05, created=-3)) == (-3, "expired")  # below from the first


def test_memtui_expires_what_is_worth_nothing() -> None:
    """“Expired below 0.1”: 0 is below 0.1."""
    course = goes("memtui", confidence=0.0, created=-3)
    at, which = course.leaving()
    assert which >= 0
    assert at <= NOW


@pytest.mark.parametrize("state", [{"live": False}, {"pinned": True}])
def test_memtui_spares_what_is_dismissed_or_pinned(state: dict[str, bool]) -> None:
    course = goes("memtui", created=-900, expires=4, **state)
    assert scores(course) == [0.8] * 5
    assert following(course) is None


# What one word or one use would change


def test_if_used_once() -> None:
    once = aged(confidence=0.1, used=1, created=-400, last_used=-60).used_once(NOW)
    assert (once.used, once.last_used, once.created) == (2, NOW, NOW - 400 * DAY)
    assert leaves(by_name("founder-os").course(once, NOW)) == (37, "deleted")
    assert leaves(by_name("minions").course(once, NOW)) == (91, "expired")
    # Base Coat: from half-life 60 to 30 × (1 + log2(3)) = 77.549, and from now: 0.1 × 2^(−60 / 77.549)
    assert scores(by_name("base-coat").course(once, NOW), 0, 60) == [0.1, 0.058491]
    fresh = replace(once, confidence=0.8)
    assert leaves(by_name("memtui").course(fresh, NOW)) == (270, "expired")
    # Cognitive: 0.8 (no importance) × log2(3) × 0.8 (no such type)
    assert scores(by_name("cognitive").course(fresh, NOW), 0) == [1.014376]


def test_if_pinned() -> None:
    fading = aged(confidence=0.2, created=-400, expires=9)
    for name in (*STEPS, "memtui", "mem-skill"):
        assert leaves(by_name(name).course(fading, NOW)) is not None
        assert leaves(by_name(name).course(fading.kept(), NOW)) is None
    assert leaves(by_name("base-coat").course(fading.kept(), NOW)) == (9, "deleted")
    assert by_name("cognitive").course(fading.kept(), NOW).score(NOW) == 999


def test_where_memories_begin() -> None:
    starts = {name: dict(by_name(name).starts) for name in NAMES}
    assert starts["founder-os"] == {
        "user": 0.5,
        "detected": 0.2,
        "override": 0.35,
        "entity": 0.3,
        "taught": 1.0,
    }
    assert starts["founder-os-daily"] == starts["founder-os"]
    assert starts["minions"] == {"item": 0.7, "lesson": 0.6}
    assert starts["mem-skill"] == {"mention": 0.4}
    assert starts["base-coat"] == {"": 1.0}


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
def test_how_sure_a_memory_is_once_it_is_said_again(name: str, before: float, after: float) -> None:
    assert by_name(name).reinforced(before) == pytest.approx(after)


def test_founder_os_gains_fifteen_where_it_is_said_again() -> None:
    """Only a person's word lifts to 60 at least (section 7); the same key stored again is +15 (S-20)."""
    assert by_name("founder-os").reinforced(0.20) == pytest.approx(0.35)


@pytest.mark.parametrize("name", NAMES)
def test_labels(name: str) -> None:
    lifecycle = by_name(name)
    assert lifecycle.label(0.9) == "active"
    assert lifecycle.label(NONE) == ""
    strong = aged(confidence=0.9, importance=0.9)
    assert lifecycle.word(lifecycle.number(replace(strong, live=False), NOW), 0.9, NOW) == "archived"
    assert lifecycle.word(lifecycle.number(replace(strong, pinned=True), NOW), 0.001, NOW) == "active"


def test_memtui_labels() -> None:
    lifecycle = by_name("memtui")
    assert [lifecycle.label(score) for score in (1.0, 0.3, 0.2999, 0.1)] == ["active"] * 2 + ["fading"] * 2


def test_every_lifecycle_is_found_by_its_name() -> None:
    assert set(NAMES) == set(WALKS)
    assert [by_name(name).name for name in NAMES] == list(NAMES)
    assert "weekly" in by_name("founder-os").notes[0]
    assert "daily" in by_name("founder-os-daily").notes[0]


# A person's word


def memory(**said: Any) -> Memory:
    return Memory(uid="m1", store="native", ref="1", **said)


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
@pytest.mark.parametrize("was", ["candidate", "pending", "confirmed"])
def test_a_persons_word(lifecycle: str, before: float, after: float, was: str) -> None:
    changed = confirmed(memory(confidence=before, status=was), NOW, lifecycle)
    assert changed.get("confidence", before) == pytest.approx(after)
    assert changed.get("status", was) == "confirmed"
    assert (changed["times_confirmed"], changed["last_confirmed_at"]) == (1, NOW)


@pytest.mark.parametrize("lifecycle", ["founder-os", "memtui"])
def test_three_confirmations_and_eighty_make_it_applied(lifecycle: str) -> None:
    def becomes(confidence: float, times: int) -> str:
        said = memory(confidence=confidence, times_confirmed=times)
        return str(confirmed(said, NOW, lifecycle).get("status", said.status))

    assert becomes(0.65, 2) == "applied"
    assert becomes(0.65, 1) == "confirmed"  # the second confirmation
    assert becomes(0.64, 2) == "confirmed"  # 79
    assert confirmed(memory(confidence=0.9, times_confirmed=9), NOW, "minions").get("status") is None


def test_a_word_without_a_number_is_counted_alone() -> None:
    changed = confirmed(memory(status="candidate"), NOW, "founder-os")
    assert changed == {"times_confirmed": 1, "last_confirmed_at": NOW, "status": "confirmed"}


def test_what_numbers_alone_say() -> None:
    assert standing(0.59, 0) == "candidate"
    assert standing(0.60, 9) == "confirmed"
    assert standing(0.80, 3) == "applied"
    assert standing(0.80, 2) == "confirmed"
    assert standing(None, 0) == "confirmed"


# What lifecycles see of a memory


def test_ages_of_a_memory() -> None:
    seen = ages_of(
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
    assert (seen.confidence, seen.created, seen.expires, seen.tier) == (0.5, 100.0, 900.0, 2)
    assert (seen.lesson, seen.category, seen.used, seen.pinned) == (True, "decision", 4, True)
    assert (seen.since, seen.sessions, seen.valid_from, seen.valid_to) == (50.0, 3, -NEVER, NEVER)
    assert all(math.isnan(none) for none in (seen.importance, seen.last_used, seen.demoted, seen.share))


def test_ages_of_a_memory_that_says_little() -> None:
    assert ages_of(memory(event_time=7.0, updated_at=9.0), NOW).created == 7.0
    assert ages_of(memory(updated_at=9.0), NOW).created == 9.0
    bare = ages_of(memory(kind="episode"), NOW)
    assert (bare.created, bare.since, bare.category, bare.tier) == (NOW, NOW, "episode", -1)
    assert [tier_number(tier) for tier in ("l0", "l4", "l5", "", None)] == [0, 4, -1, -1, -1]


@pytest.mark.parametrize("status", STATUSES)
def test_only_what_is_live_ages(status: str) -> None:
    live = status in ("candidate", "pending", "confirmed", "applied")
    assert ages_of(memory(status=status), NOW).live is live


# Ten thousand memories, day by day


def at_once(some: Some) -> Ages:
    """The same memories as lifecycles see them: arrays, in seconds."""
    numbers = {each.name: getattr(some, each.name) for each in fields(some)}
    numbers |= {name: NOW + numbers[name] * DAY for name in IN_DAYS}
    return Ages(**numbers, confirmed=some.used * 0, categories=CATEGORIES, xp=np)


def word(event: Event) -> str:
    """As the walk calls it."""
    return "expiry" if event.rule == "past its expiry" else event.to


def days(at: Numbers, *, exact: bool) -> Numbers:
    """The day on which something is seen to have happened, never where that is beyond the walk."""
    passed = (at - NOW) / DAY
    if exact:
        assert np.array_equal(passed[np.isfinite(passed)] % 1, np.zeros(np.isfinite(passed).sum()))
    day: Numbers = np.ceil(passed - 1e-6)
    return np.where(day > LAST, NEVER, day)


@pytest.mark.parametrize("name", NAMES)
def test_closed_forms_tell_what_a_walk_through_the_days_meets(name: str) -> None:
    memories = some(10_000, seed=NAMES.index(name), whole=name in STEPPING)
    walk = WALKS[name](memories)
    exact = name in STEPPING
    with np.errstate(all="raise"):
        course = by_name(name).course(at_once(memories), NOW)
        for day in HORIZONS:
            np.testing.assert_allclose(course.score(NOW + day * DAY), walk.scores[day], rtol=1e-9, atol=1e-9)
        words = [word(event) for event in course.events]
        assert set(words) == set(walk.first)
        for what, met in walk.first.items():
            soonest = np.min([event.at for event in course.events if word(event) == what], axis=0)
            np.testing.assert_array_equal(days(soonest, exact=exact), met, what)
            assert np.isfinite(met).sum() > 50, f"too few memories of which {what!r} is told"
        for (at, which), kinds in ((course.next(), tuple(walk.first)), (course.leaving(), walk.leaving)):
            nothing = np.full(len(at), NEVER)
            first = np.min([nothing, *(walk.first[kind] for kind in kinds)], axis=0)
            seen = days(at, exact=exact)
            np.testing.assert_array_equal(seen, first)
            np.testing.assert_array_equal(which == -1, np.isinf(at))
            # On one day several things may happen; the one that is told is one of them.
            for number, what in enumerate(words):
                its = (which == number) & np.isfinite(seen)
                assert what in kinds or not its.any()
                np.testing.assert_array_equal(walk.first[what][its], seen[its], what)


# Many at once are each by itself

ODD: dict[str, list[float]] = {
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


def odd_ones(count: int) -> Ages:
    """Memories that have what is rare, often."""
    dice = np.random.default_rng(20)
    columns = {name: dice.choice(np.array(values), count) for name, values in ODD.items()}
    columns |= {name: NOW + columns[name] * DAY for name in IN_DAYS}
    category = dice.integers(0, len(CATEGORIES), count)
    return Ages(**columns, confirmed=np.zeros(count), category=category, categories=CATEGORIES, xp=np)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what_if", ["as it is", "used", "pinned"])
def test_many_at_once_are_each_by_itself(name: str, what_if: str) -> None:
    lifecycle, ages = by_name(name), odd_ones(400)
    moments = [NOW + day * DAY for day in (0, 0.5, 7, 37, 365, 1826)]
    # What is as good as nothing may round to it.
    with np.errstate(all="raise", under="ignore"):
        many = lifecycle.course(_what_if(ages, what_if), NOW)
        table = np.array([many.score(at) for at in moments])
        waits = np.array([np.broadcast_to(many.waits(at), 400) for at in moments])
        next_at, next_which = many.next()
        leaving_at, leaving_which = many.leaving()
        current = many.current
        tiers = np.array([lifecycle.tier(many.ages, NOW, at) for at in moments])
    singles = [lifecycle.course(_what_if(ages.alone(number), what_if), NOW) for number in range(400)]
    for each in singles:
        assert isinstance(each.ages.confidence, float)
    close: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-300}
    np.testing.assert_allclose(table, [[each.score(at) for each in singles] for at in moments], **close)
    np.testing.assert_allclose(current, [each.current for each in singles], **close)
    np.testing.assert_array_equal(waits, [[each.waits(at) for each in singles] for at in moments])
    np.testing.assert_array_equal(
        tiers, [[lifecycle.tier(each.ages, NOW, at) for each in singles] for at in moments]
    )
    np.testing.assert_allclose(next_at, [each.next()[0] for each in singles], **close)
    np.testing.assert_array_equal(next_which, [each.next()[1] for each in singles])
    np.testing.assert_allclose(leaving_at, [each.leaving()[0] for each in singles], **close)
    np.testing.assert_array_equal(leaving_which, [each.leaving()[1] for each in singles])


def _what_if(ages: Ages, what_if: str) -> Ages:
    if what_if == "used":
        return ages.used_once(NOW)
    return ages.kept() if what_if == "pinned" else ages


@pytest.mark.parametrize("name", NAMES)
def test_none_at_all_are_no_trouble(name: str) -> None:
    with np.errstate(all="raise"):
        course = by_name(name).course(odd_ones(0), NOW)
        assert len(course.score(NOW)) == len(course.next()[0]) == len(course.leaving()[1]) == 0


# What always holds


def _days(first: int, last: int, other: float) -> st.SearchStrategy[float]:
    return st.one_of(st.just(other), st.integers(first, last).map(float), st.floats(first, last))


@st.composite
def any_memory(draw: st.DrawFn) -> Ages:
    """A memory that came to be, and was used and confirmed, at any time up to now."""
    shares = st.one_of(st.sampled_from([NONE, 0.0, 0.1, 0.3, 1.0]), st.floats(0, 1))
    return aged(
        confidence=draw(shares),
        importance=draw(shares),
        used=draw(st.integers(0, 30)),
        created=draw(_days(-900, 0, 0.0)),
        last_used=draw(_days(-900, 0, NONE)),
        last_confirmed=draw(_days(-900, 0, NONE)),
        expires=draw(_days(-30, 900, NEVER)),
        valid_from=draw(_days(-30, 900, -NEVER)),
        valid_to=draw(_days(-30, 900, NEVER)),
        since=draw(_days(-900, 0, 0.0)),
        demoted=draw(_days(-900, 0, NONE)),
        live=draw(st.sampled_from([True, True, True, False])),
        pinned=draw(st.sampled_from([False, False, False, True])),
        lesson=draw(st.booleans()),
        tier=draw(st.integers(-1, 4)),
        sessions=draw(st.sampled_from([NONE, 0, 2, 5, 9])),
        share=draw(shares),
        category=draw(st.sampled_from([*CATEGORIES, ""])),
    )


BOUNDED = examples(30)


@BOUNDED
@given(any_memory(), st.lists(st.floats(0, 1826), min_size=2, max_size=6))
def test_no_score_rises_without_use(ages: Ages, when: list[float]) -> None:
    for name in NAMES:
        course = by_name(name).course(ages, NOW)
        seen = [course.score(NOW + day * DAY) for day in sorted(when)]
        if math.isnan(seen[0]):
            assert all(math.isnan(score) for score in seen)
        else:
            assert seen == sorted(seen, reverse=True)
            assert seen[-1] >= 0


@BOUNDED
@given(any_memory())
def test_neither_a_pin_nor_a_use_makes_it_leave_sooner(ages: Ages) -> None:
    for name in NAMES:
        at, _ = by_name(name).course(ages, NOW).leaving()
        assert by_name(name).course(ages.kept(), NOW).leaving()[0] >= at
        assert by_name(name).course(ages.used_once(NOW), NOW).leaving()[0] >= at


@BOUNDED
@given(any_memory())
def test_something_happens_no_later_than_it_leaves(ages: Ages) -> None:
    for name in NAMES:
        course = by_name(name).course(ages, NOW)
        (at, which), (leaving, by) = course.next(), course.leaving()
        assert at <= leaving
        assert (which == -1) == (at == NEVER)
        assert (by == -1) == (leaving == NEVER)
        assert by == -1 or course.events[by].leaves


@BOUNDED
@given(any_memory())
def test_nothing_happens_to_what_is_dismissed(ages: Ages) -> None:
    for name in NAMES:
        course = by_name(name).course(replace(ages, live=False), NOW)
        assert following(course) is None
        first, last = course.score(NOW), course.score(NOW + 1826 * DAY)
        assert first == last or math.isnan(first)


@BOUNDED
@given(any_memory(), st.integers(0, 100), st.sampled_from(STEPS))
def test_what_is_written_changes_nothing_of_what_is_foretold(ages: Ages, number: int, name: str) -> None:
    """A run writes what fell due (S-27): the days to come are then the same, and nothing is owed twice."""
    ages = replace(ages, confidence=number / 100)
    before = by_name(name).course(ages, NOW)
    after = by_name(name).course(replace(ages, confidence=before.score(NOW), since=NOW), NOW)
    if before.leaving()[0] <= NOW:
        return
    assert scores(after) == [float(before.score(NOW + day * DAY)) for day in HORIZONS]
    assert leaves(after) == leaves(before)
    assert after.score(NOW) == after.current


@BOUNDED
@given(any_memory(), st.sampled_from(FADES))
def test_what_fades_is_the_same_whenever_it_is_asked(ages: Ages, name: str) -> None:
    """Nothing is written back, so a later look sees what an earlier one foretold."""
    later = NOW + 40 * DAY
    early, late = by_name(name).course(ages, NOW), by_name(name).course(ages, later)
    for day in (40, 41.5, 400):
        there = early.score(NOW + day * DAY)
        assert late.score(NOW + day * DAY) == there or math.isnan(there)
    assert early.leaving()[0] == late.leaving()[0]
