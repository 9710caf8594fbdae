"""Lifecycles against a day-by-day simulation, and arrays against single memories (S-20 … S-26)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from memtui.memory.lifecycles import NAMES, by_name
from memtui.memory.lifecycles.base import DAY, DecayInputs, Transition
from tests.memory.lifecycles.projections import (
    IN_DAYS,
    NEVER,
    NONE,
    NOW,
)
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

# Ten thousand memories against the simulation


def as_arrays(memories: Population) -> DecayInputs:
    """Return the same memories as inputs of a lifecycle: arrays, in seconds."""
    numbers = {each.name: getattr(memories, each.name) for each in fields(memories)}
    numbers |= {name: NOW + numbers[name] * DAY for name in IN_DAYS}
    return DecayInputs(
        **numbers, confirmed=memories.used * 0, half_life=memories.used * np.nan, categories=CATEGORIES, xp=np
    )


def event_name(transition: Transition) -> str:
    """Return the name that the simulation has for an event."""
    return "expiry" if transition.rule == "past its expiry date" else transition.to


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
    "half_life": [NONE, 1.0, 400.0],
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
