"""Properties that hold for every lifecycle and memory (S-20 … S-27)."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.lifecycles import NAMES, by_name
from memtui.memory.lifecycles.base import DAY, DecayInputs
from tests.memory.lifecycles.projections import (
    EXPONENTIAL_LIFECYCLES,
    NEVER,
    NONE,
    NOW,
    STEP_LIFECYCLES,
    decay_inputs,
    next_event,
    removal,
    scores,
)
from tests.support.lifecycle_simulation import (
    CATEGORIES,
    HORIZONS,
)
from tests.support.sizes import examples


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
        half_life=draw(st.sampled_from([NONE, NONE, 1.0, 14.0, 3_650.0])),
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
