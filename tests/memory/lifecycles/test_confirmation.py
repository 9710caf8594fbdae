"""Uses, pins, confirmations, labels and the inputs of lifecycles (S-20 … S-26)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from memtui.memory.lifecycles import NAMES, by_name
from memtui.memory.lifecycles.base import DAY, inputs_of, tier_number
from memtui.memory.lifecycles.confirmation import confirmed, status_by_numbers
from memtui.memory.memory import STATUSES, Memory
from tests.memory.lifecycles.projections import (
    NEVER,
    NONE,
    NOW,
    STEP_LIFECYCLES,
    decay_inputs,
    removal,
    scores,
)
from tests.support.lifecycle_simulation import (
    SIMULATIONS,
)

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
