"""Helpers for tests of lifecycles: one memory, its projection, and what happens to it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import DAY, DecayInputs, Projection, Transition
from tests.support.lifecycle_simulation import (
    HORIZONS,
)

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
    "half_life": NONE,
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


def upcoming(projection: Projection) -> list[Transition]:
    return [transition for transition in projection.transitions if transition.at < NEVER]
