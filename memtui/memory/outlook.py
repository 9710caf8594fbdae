"""Which memories will leave, when and by which rule: any horizon of it at once (S-26).

Arrays are worked out once; another horizon only cuts them elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import DAY, Ages, Course, Lifecycle

if TYPE_CHECKING:
    import numpy as np

WEEK = 7 * DAY
LONGEST = 1_826  # days: five years


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that age by one lifecycle; `ids` are the workspace's rows, in the order of `ages`."""

    lifecycle: Lifecycle
    ids: np.ndarray[Any, Any]
    ages: Ages
    course: Course


@dataclass(frozen=True, slots=True)
class Line:
    """One memory of a list: when what happens to it, by which rule, and what would be if it were
    pinned or used once (times in Unix seconds, inf is never)."""

    id: int
    at: float
    to: str
    rule: str
    score: float
    if_pinned: float
    if_used: float


@dataclass(slots=True)
class Outlook:
    """All that is foretold of the memories of a workspace, from `now`."""

    now: float
    groups: Sequence[Group]
    count: int = 0  # live memories
    frozen: int = 0  # pinned ones among them
    _leaving: _Listed | None = field(default=None)
    _changing: _Listed | None = field(default=None)

    def tried(self, what_if: str, half_lives: Mapping[str, float]) -> Outlook:
        """The same memories by another lifecycle (each store's own if ""), with these half-lives."""
        groups = []
        for group in self.groups:
            lifecycle, ages = group.lifecycle, group.ages
            if what_if and lifecycle.name != what_if:
                lifecycle = by_name(what_if, half_lives)
                ages = replace(ages, since=ages.created * 0 + self.now)  # nothing is owed by rules tried
            elif lifecycle.half_life:
                lifecycle = by_name(lifecycle.name, half_lives)
            else:
                groups.append(group)
                continue
            groups.append(Group(lifecycle, group.ids, ages, lifecycle.course(ages, self.now)))
        return Outlook(self.now, groups, self.count, self.frozen)

    def listed(self, *, leaving: bool) -> _Listed:
        """Who leaves, soonest first; or to whom anything happens."""
        held = self._leaving if leaving else self._changing
        if held is None:
            held = _listed(self.groups, leaving=leaving)
            if leaving:
                self._leaving = held
            else:
                self._changing = held
        return held

    def until(self, days: float, *, leaving: bool = True) -> int:
        """To how many it happens within so many days; what is due already is one of them."""
        return self.listed(leaving=leaving).until(self.now + days * DAY)

    def lines(self, start: int, stop: int, *, leaving: bool = True) -> list[Line]:
        """A part of the list."""
        held = self.listed(leaving=leaving)
        return [
            self._line(int(held.group[n]), int(held.index[n]), leaving)
            for n in range(start, min(stop, held.size))
        ]

    def ids(self, count: int, *, leaving: bool = True) -> list[int]:
        """The rows of the first so many of the list."""
        held = self.listed(leaving=leaving)
        return [int(self.groups[held.group[n]].ids[held.index[n]]) for n in range(min(count, held.size))]

    def weeks(self, days: float, *, leaving: bool = True) -> list[int]:
        """How many each week from now takes, within so many days."""
        return self.listed(leaving=leaving).weeks(self.now, days)

    def categories(self, days: float, *, leaving: bool = True) -> dict[str, int]:
        """How many of each category it takes within so many days, most first."""
        held = self.listed(leaving=leaving)
        count = held.until(self.now + days * DAY)
        out: dict[str, int] = {}
        for number, group in enumerate(self.groups):
            mine = held.index[:count][held.group[:count] == number]
            if len(mine):
                xp = group.ages.xp
                sums = xp.bincount(group.ages.category[mine], minlength=len(group.ages.categories))
                for name, sum in zip(group.ages.categories, sums.tolist(), strict=True):
                    if sum:
                        out[name] = out.get(name, 0) + sum
        return dict(sorted(out.items(), key=lambda each: (-each[1], each[0])))

    def find(self, id: int) -> tuple[Lifecycle, Ages] | None:
        """One memory by itself; None if nothing is foretold of it."""
        for group in self.groups:
            place = group.ages.xp.flatnonzero(group.ids == id)
            if len(place):
                return group.lifecycle, group.ages.alone(int(place[0]))
        return None

    def _line(self, group: int, index: int, leaving: bool) -> Line:
        held = self.groups[group]
        ages, lifecycle = held.ages.alone(index), held.lifecycle
        course = lifecycle.course(ages, self.now)
        at, which = course.leaving() if leaving else course.next()
        event = course.events[which]
        return Line(
            int(held.ids[index]),
            float(at),
            event.to or "−",
            event.rule,
            float(course.current),
            float(_when(lifecycle.course(ages.kept(), self.now), leaving)),
            float(_when(lifecycle.course(ages.used_once(self.now), self.now), leaving)),
        )


def _when(course: Course, leaving: bool) -> float:
    return (course.leaving() if leaving else course.next())[0]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _Listed:
    """When it happens to each, soonest first: the time, its group, and its place in there."""

    at: Any
    group: Any
    index: Any

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.at)

    def until(self, moment: float) -> int:
        """How many have their time up to a moment."""
        return int(self.at.searchsorted(moment, side="right"))

    def weeks(self, now: float, days: float) -> list[int]:
        """How many each week takes; what is due is in the first."""
        ends = [now + min(week * WEEK, days * DAY) for week in range(1, math.ceil(days / 7) + 1)]
        reached = [self.until(end) for end in ends]
        return [there - before for before, there in zip([0, *reached], reached, strict=False)]


def _listed(groups: Sequence[Group], *, leaving: bool) -> _Listed:
    import numpy as np

    times, where, places = [np.empty(0)], [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int64)]
    for number, group in enumerate(groups):
        at, _ = group.course.leaving() if leaving else group.course.next()
        index = np.flatnonzero(np.isfinite(at))
        times.append(at[index])
        where.append(np.full(len(index), number, dtype=np.int32))
        places.append(index)
    at, group_of, index = np.concatenate(times), np.concatenate(where), np.concatenate(places)
    order = np.argsort(at, kind="stable")
    return _Listed(at[order], group_of[order], index[order])
