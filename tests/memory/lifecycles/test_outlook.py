"""Which memories leave, when and by which rule, for any horizon: lists and counts against plain reckoning
over memories that a slow walk through the days has seen go (S-26)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import DAY, Ages
from memtui.memory.lifecycles.outlook import LONGEST, WEEK, Group, Outlook
from tests.support.lifecycle_simulation import CATEGORIES, LAST, STEPPING, WALKS, some

NOW = 1_790_000_000.0
LIFECYCLES = ("founder-os", "minions", "mem-skill", "base-coat", "cognitive", "memtui")
MANY = 300  # of each
IN_DAYS = ("created", "last_used", "last_confirmed", "expires", "valid_from", "valid_to", "since", "demoted")
HORIZONS = (0, 1, 6, 7, 8, 30, 90, 365, 400)


@dataclass(frozen=True)
class Seen:
    """One memory as the walk saw it: the days on which it left, and on which anything first happened."""

    id: int
    group: int
    place: int
    category: str
    leaves: float
    changes: float

    def day(self, leaving: bool) -> float:
        return self.leaves if leaving else self.changes


def looked(seed: int = 5) -> tuple[Outlook, list[Seen]]:
    """Some hundred memories of several lifecycles, ahead and as the walk saw them."""
    groups, seen = [], []
    for number, name in enumerate(LIFECYCLES):
        memories = some(MANY, seed + number, whole=name in STEPPING)
        walk = WALKS[name](memories)
        numbers = {each: getattr(memories, each) for each in memories.__dataclass_fields__}
        numbers |= {each: NOW + numbers[each] * DAY for each in IN_DAYS}
        ages = Ages(**numbers, confirmed=memories.used * 0, categories=CATEGORIES, xp=np)
        ids = np.arange(MANY, dtype=np.int64) * 7 + 10_000 * number
        lifecycle = by_name(name)
        groups.append(Group(lifecycle, ids, ages, lifecycle.course(ages, NOW)))
        for place in range(MANY):
            met = {what: float(days[place]) for what, days in walk.first.items()}
            seen.append(
                Seen(
                    int(ids[place]),
                    number,
                    place,
                    CATEGORIES[memories.category[place]],
                    min((day for what, day in met.items() if what in walk.leaving), default=math.inf),
                    min(met.values(), default=math.inf),
                )
            )
    live = sum(int(group.ages.live.sum()) for group in groups)
    return Outlook(NOW, groups, count=live), seen


@pytest.fixture(scope="module", params=[True, False], ids=["leaving", "changing"])
def leaving(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def both() -> tuple[Outlook, list[Seen]]:
    return looked()


Both = tuple[Outlook, list[Seen]]


def within(seen: list[Seen], days: float, leaving: bool) -> list[Seen]:
    """Those to whom it happens within so many days."""
    return [each for each in seen if each.day(leaving) <= days]


def test_there_is_enough_to_look_at(both: Both, leaving: bool) -> None:
    _, seen = both
    counts = Counter(LIFECYCLES[each.group] for each in within(seen, LAST, leaving))
    wanted = set(LIFECYCLES) - ({"cognitive"} if leaving else set())
    assert set(counts) == wanted
    assert min(counts.values()) > 30
    assert len(within(seen, 0, leaving)) > 20  # due already


@pytest.mark.parametrize("days", HORIZONS)
def test_how_many_within_so_many_days(both: Both, leaving: bool, days: int) -> None:
    outlook, seen = both
    assert outlook.until(days, leaving=leaving) == len(within(seen, days, leaving))


def test_the_list_is_of_those_to_whom_it_happens_soonest_first(both: Both, leaving: bool) -> None:
    outlook, seen = both
    days = {each.id: each.day(leaving) for each in seen}
    for horizon in HORIZONS:
        wanted = {each.id for each in within(seen, horizon, leaving)}
        ids = outlook.ids(len(wanted), leaving=leaving)
        assert set(ids) == wanted
        assert [days[id] for id in ids] == sorted(days[id] for id in ids)
    every = outlook.ids(10_000_000, leaving=leaving)
    assert len(set(every)) == len(every) == outlook.listed(leaving=leaving).size
    assert set(every) >= {each.id for each in within(seen, LAST, leaving)}


def test_a_part_of_the_list_says_of_each_when_what_and_by_which_rule(both: Both, leaving: bool) -> None:
    outlook, seen = both
    known = {each.id: each for each in seen}
    count = outlook.until(LAST, leaving=leaving)
    lines = outlook.lines(0, count, leaving=leaving)
    assert [line.id for line in lines] == list(outlook.ids(count, leaving=leaving))
    for line in lines:
        one = known[line.id]
        group = outlook.groups[one.group]
        ages = group.ages.alone(one.place)
        course = group.lifecycle.course(ages, NOW)
        assert math.ceil((line.at - NOW) / DAY - 1e-6) == one.day(leaving)
        told = [event for event in course.events if event.leaves or not leaving]
        (soonest,) = {min(event.at for event in told)}
        assert line.at == pytest.approx(soonest)
        (event,) = [each for each in told if each.at == soonest][:1]
        steps = f"{course.score(soonest - 1):.2f} → {course.score(soonest):.2f}"
        assert (line.to, line.rule) == (event.to or steps, event.rule)
        assert line.score == pytest.approx(float(course.current), nan_ok=True)
        for asked, changed in ((line.if_pinned, ages.kept()), (line.if_used, ages.used_once(NOW))):
            what_if = group.lifecycle.course(changed, NOW)
            times = [event.at for event in what_if.events if event.leaves or not leaving]
            assert asked == pytest.approx(min(times, default=math.inf))


def test_parts_of_the_list_make_up_the_whole(both: Both, leaving: bool) -> None:
    outlook, _ = both
    size = outlook.listed(leaving=leaving).size
    whole = outlook.lines(0, size, leaving=leaving)
    parts = [outlook.lines(at, at + 97, leaving=leaving) for at in range(0, size, 97)]
    # A number that a format does not keep is none: it equals nothing, not even itself.
    assert repr([line for part in parts for line in part]) == repr(whole)
    assert outlook.lines(size, size + 5, leaving=leaving) == []
    assert len(outlook.lines(size - 2, size + 5, leaving=leaving)) == 2


@pytest.mark.parametrize("days", [1, 7, 10, 30, 90, 365])
def test_how_many_each_week_takes(both: Both, leaving: bool, days: int) -> None:
    outlook, seen = both
    weeks = [0] * math.ceil(days / 7)
    for each in within(seen, days, leaving):
        weeks[max(0, math.ceil(each.day(leaving) / 7) - 1)] += 1
    assert outlook.weeks(days, leaving=leaving) == weeks
    assert sum(weeks) == outlook.until(days, leaving=leaving)


def test_no_days_are_no_weeks(both: Both, leaving: bool) -> None:
    assert both[0].weeks(0, leaving=leaving) == []


@pytest.mark.parametrize("days", HORIZONS)
def test_how_many_of_each_category(both: Both, leaving: bool, days: int) -> None:
    outlook, seen = both
    counted = Counter(each.category for each in within(seen, days, leaving))
    told = outlook.categories(days, leaving=leaving)
    assert told == counted
    assert list(told.items()) == sorted(counted.items(), key=lambda each: (-each[1], each[0]))


def test_one_memory_is_found_by_its_row(both: Both) -> None:
    outlook, seen = both
    for each in seen[:: MANY // 7]:
        found = outlook.find(each.id)
        assert found is not None
        lifecycle, ages = found
        assert (lifecycle.name, ages.category) == (LIFECYCLES[each.group], each.category)
    assert outlook.find(-1) is None


def test_nobody_at_all() -> None:
    empty = Outlook(NOW, [])
    assert (empty.until(LONGEST), empty.lines(0, 10), list(empty.ids(10)), empty.find(1)) == (0, [], [], None)
    assert (empty.categories(30), empty.weeks(14)) == ({}, [0, 0])


def test_the_edges_of_a_horizon() -> None:
    """What is due has happened; what falls on the last instant of a week is of that week."""
    at: list[float] = [-3 * WEEK, 0.0, 1.0, WEEK, WEEK + 1, 2 * WEEK, 3 * WEEK, math.inf]
    outlook = Outlook(NOW, [_expiring([NOW + each for each in at])])
    assert list(outlook.ids(100)) == [0, 1, 2, 3, 4, 5, 6]
    assert [outlook.until(days) for days in (0, 7, 14, 21, LONGEST)] == [2, 4, 6, 7, 7]
    assert (outlook.weeks(21), outlook.weeks(15)) == ([4, 2, 1], [4, 2, 0])
    assert [line.at - NOW for line in outlook.lines(0, 9)] == at[:7]
    assert outlook.categories(14) == {"fact": 6}


def _expiring(times: list[float]) -> Group:
    """Memories of which nothing matters but when they expire."""
    size = len(times)

    def same(value: float) -> NDArray[np.float64]:
        return np.full(size, value)

    ages = Ages(
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
        category=np.zeros(size, dtype=np.int32),
        categories=("fact",),
        xp=np,
    )
    lifecycle = by_name("mem-skill")
    return Group(lifecycle, np.arange(size), ages, lifecycle.course(ages, NOW))
