"""The outlook: which memories leave, when and by which rule, for any horizon; lists and counts are checked
against a day-by-day simulation (S-26)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import DAY, DecayInputs
from memtui.memory.lifecycles.outlook import LONGEST, WEEK, Group, Outlook
from tests.support.lifecycle_simulation import CATEGORIES, LAST, SIMULATIONS, STEPWISE, random_population

NOW = 1_790_000_000.0
LIFECYCLES = ("founder-os", "minions", "mem-skill", "base-coat", "cognitive", "memtui")
COUNT = 300  # memories of each lifecycle
IN_DAYS = ("created", "last_used", "last_confirmed", "expires", "valid_from", "valid_to", "since", "demoted")
HORIZONS = (0, 1, 6, 7, 8, 30, 90, 365, 400)


@dataclass(frozen=True)
class SimulatedMemory:
    """One simulated memory, with the days of its removal and of its first event."""

    id: int
    group: int
    index: int
    category: str
    leaves: float
    first_event: float

    def day(self, leaving: bool) -> float:
        return self.leaves if leaving else self.first_event


def outlook_and_simulation(seed: int = 5) -> tuple[Outlook, list[SimulatedMemory]]:
    """Return the outlook of memories of several lifecycles, and the same memories as simulated."""
    groups, simulated_memories = [], []
    for number, name in enumerate(LIFECYCLES):
        memories = random_population(COUNT, seed + number, whole=name in STEPWISE)
        simulation = SIMULATIONS[name](memories)
        numbers = {each: getattr(memories, each) for each in memories.__dataclass_fields__}
        numbers |= {each: NOW + numbers[each] * DAY for each in IN_DAYS}
        inputs = DecayInputs(
            **numbers,
            confirmed=memories.used * 0,
            half_life=memories.used * np.nan,
            categories=CATEGORIES,
            xp=np,
        )
        ids = np.arange(COUNT, dtype=np.int64) * 7 + 10_000 * number
        lifecycle = by_name(name)
        groups.append(Group(lifecycle, ids, inputs, lifecycle.projection(inputs, NOW)))
        for index in range(COUNT):
            events = {event: float(days[index]) for event, days in simulation.first.items()}
            simulated_memories.append(
                SimulatedMemory(
                    int(ids[index]),
                    number,
                    index,
                    CATEGORIES[memories.category[index]],
                    min(
                        (day for event, day in events.items() if event in simulation.leaving),
                        default=math.inf,
                    ),
                    min(events.values(), default=math.inf),
                )
            )
    live = sum(int(group.inputs.live.sum()) for group in groups)
    return Outlook(NOW, groups, count=live), simulated_memories


@pytest.fixture(scope="module", params=[True, False], ids=["leaving", "changing"])
def leaving(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def both() -> tuple[Outlook, list[SimulatedMemory]]:
    return outlook_and_simulation()


OutlookAndSimulation = tuple[Outlook, list[SimulatedMemory]]


def within(simulated_memories: list[SimulatedMemory], days: float, leaving: bool) -> list[SimulatedMemory]:
    """Return the memories to which it happens within so many days."""
    return [each for each in simulated_memories if each.day(leaving) <= days]


def test_the_sample_has_enough_of_everything(both: OutlookAndSimulation, leaving: bool) -> None:
    _, simulated_memories = both
    counts = Counter(LIFECYCLES[each.group] for each in within(simulated_memories, LAST, leaving))
    expected = set(LIFECYCLES) - ({"cognitive"} if leaving else set())
    assert set(counts) == expected
    assert min(counts.values()) > 30
    assert len(within(simulated_memories, 0, leaving)) > 20  # due already


@pytest.mark.parametrize("days", HORIZONS)
def test_count_until_a_day(both: OutlookAndSimulation, leaving: bool, days: int) -> None:
    outlook, simulated_memories = both
    assert outlook.count_until(days, removals=leaving) == len(within(simulated_memories, days, leaving))


def test_ids_are_listed_soonest_first(both: OutlookAndSimulation, leaving: bool) -> None:
    outlook, simulated_memories = both
    days = {each.id: each.day(leaving) for each in simulated_memories}
    for horizon in HORIZONS:
        expected = {each.id for each in within(simulated_memories, horizon, leaving)}
        ids = outlook.ids(len(expected), removals=leaving)
        assert set(ids) == expected
        assert [days[id] for id in ids] == sorted(days[id] for id in ids)
    all_ids = outlook.ids(10_000_000, removals=leaving)
    assert len(set(all_ids)) == len(all_ids) == outlook.schedule(removals=leaving).size
    assert set(all_ids) >= {each.id for each in within(simulated_memories, LAST, leaving)}


def test_rows_give_time_event_rule_and_what_ifs(both: OutlookAndSimulation, leaving: bool) -> None:
    outlook, simulated_memories = both
    by_id = {memory.id: memory for memory in simulated_memories}
    count = outlook.count_until(LAST, removals=leaving)
    rows = outlook.rows(0, count, removals=leaving)
    assert [row.id for row in rows] == list(outlook.ids(count, removals=leaving))
    for row in rows:
        simulated = by_id[row.id]
        group = outlook.groups[simulated.group]
        inputs = group.inputs.single(simulated.index)
        projection = group.lifecycle.projection(inputs, NOW)
        assert math.ceil((row.at - NOW) / DAY - 1e-6) == simulated.day(leaving)
        events = [event for event in projection.transitions if event.removes or not leaving]
        soonest = min(event.at for event in events)
        assert row.at == pytest.approx(soonest)
        event = next(event for event in events if event.at == soonest)
        steps = f"{projection.score(soonest - 1):.2f} → {projection.score(soonest):.2f}"
        assert (row.to, row.rule) == (event.to or steps, event.rule)
        assert row.score == pytest.approx(float(projection.current), nan_ok=True)
        for at, changed in ((row.if_pinned, inputs.as_pinned()), (row.if_used, inputs.after_use(NOW))):
            what_if = group.lifecycle.projection(changed, NOW)
            times = [event.at for event in what_if.transitions if event.removes or not leaving]
            assert at == pytest.approx(min(times, default=math.inf))


def test_windows_of_rows_join_to_the_whole_list(both: OutlookAndSimulation, leaving: bool) -> None:
    outlook, _ = both
    size = outlook.schedule(removals=leaving).size
    whole = outlook.rows(0, size, removals=leaving)
    parts = [outlook.rows(at, at + 97, removals=leaving) for at in range(0, size, 97)]
    # Compared as text: a score that a format does not keep is NaN, which does not equal itself.
    assert repr([row for part in parts for row in part]) == repr(whole)
    assert outlook.rows(size, size + 5, removals=leaving) == []
    assert len(outlook.rows(size - 2, size + 5, removals=leaving)) == 2


@pytest.mark.parametrize("days", [1, 7, 10, 30, 90, 365])
def test_counts_by_week(both: OutlookAndSimulation, leaving: bool, days: int) -> None:
    outlook, simulated_memories = both
    weeks = [0] * math.ceil(days / 7)
    for each in within(simulated_memories, days, leaving):
        weeks[max(0, math.ceil(each.day(leaving) / 7) - 1)] += 1
    assert outlook.by_week(days, removals=leaving) == weeks
    assert sum(weeks) == outlook.count_until(days, removals=leaving)


def test_zero_days_have_no_weeks(both: OutlookAndSimulation, leaving: bool) -> None:
    assert both[0].by_week(0, removals=leaving) == []


@pytest.mark.parametrize("days", HORIZONS)
def test_counts_by_category(both: OutlookAndSimulation, leaving: bool, days: int) -> None:
    outlook, simulated_memories = both
    counted = Counter(each.category for each in within(simulated_memories, days, leaving))
    by_category = outlook.by_category(days, removals=leaving)
    assert by_category == counted
    assert list(by_category.items()) == sorted(counted.items(), key=lambda each: (-each[1], each[0]))


def test_a_memory_is_found_by_its_id(both: OutlookAndSimulation) -> None:
    outlook, simulated_memories = both
    for each in simulated_memories[:: COUNT // 7]:
        found = outlook.find(each.id)
        assert found is not None
        lifecycle, inputs = found
        assert (lifecycle.name, inputs.category) == (LIFECYCLES[each.group], each.category)
    assert outlook.find(-1) is None


def test_an_empty_outlook() -> None:
    empty = Outlook(NOW, [])
    assert (empty.count_until(LONGEST), empty.rows(0, 10), list(empty.ids(10)), empty.find(1)) == (
        0,
        [],
        [],
        None,
    )
    assert (empty.by_category(30), empty.by_week(14)) == ({}, [0, 0])


def test_the_edges_of_a_horizon() -> None:
    """What is due counts as happened; the last instant of a week belongs to that week."""
    at: list[float] = [-3 * WEEK, 0.0, 1.0, WEEK, WEEK + 1, 2 * WEEK, 3 * WEEK, math.inf]
    outlook = Outlook(NOW, [_expiring([NOW + each for each in at])])
    assert list(outlook.ids(100)) == [0, 1, 2, 3, 4, 5, 6]
    assert [outlook.count_until(days) for days in (0, 7, 14, 21, LONGEST)] == [2, 4, 6, 7, 7]
    assert (outlook.by_week(21), outlook.by_week(15)) == ([4, 2, 1], [4, 2, 0])
    assert [row.at - NOW for row in outlook.rows(0, 9)] == at[:7]
    assert outlook.by_category(14) == {"fact": 6}


def _expiring(times: list[float]) -> Group:
    """Make memories that differ only in when they expire."""
    size = len(times)

    def same(value: float) -> NDArray[np.float64]:
        return np.full(size, value)

    inputs = DecayInputs(
        confidence=same(1.0),
        importance=same(math.nan),
        used=same(0),
        confirmed=same(0),
        created=same(NOW),
        last_used=same(math.nan),
        last_confirmed=same(math.nan),
        expires=np.array(times),
        valid_from=same(-math.inf),
        valid_to=same(math.inf),
        since=same(NOW),
        demoted=same(math.nan),
        live=np.full(size, True),
        pinned=np.full(size, False),
        lesson=np.full(size, False),
        tier=same(-1),
        sessions=same(math.nan),
        share=same(math.nan),
        half_life=same(math.nan),
        category=np.zeros(size, dtype=np.int32),
        categories=("fact",),
        xp=np,
    )
    lifecycle = by_name("mem-skill")
    return Group(lifecycle, np.arange(size), inputs, lifecycle.projection(inputs, NOW))
