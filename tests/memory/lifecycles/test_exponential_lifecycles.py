"""Lifecycles that decay exponentially: Base Coat, Cognitive and memtui, by figures worked out by hand (S-23 …
S-25)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from memtui.memory.lifecycles import base_coat, by_name, cognitive
from memtui.memory.lifecycles.base import DAY
from tests.memory.lifecycles.projections import (
    EXPONENTIAL_LIFECYCLES,
    NOW,
    decay_inputs,
    next_event,
    project,
    removal,
    scores,
    upcoming,
)

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
    assert any("memtui uses" in note for note in by_name("base-coat").notes)


def test_a_pin_stops_everything_in_base_coat_but_the_expiry() -> None:
    projection = project("base-coat", tier=1, created=-400, pinned=True, expires=40)
    assert scores(projection) == [0.8] * 5
    assert [transition.to for transition in upcoming(projection)] == ["deleted"]
    assert removal(projection) == (40, "deleted")


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
