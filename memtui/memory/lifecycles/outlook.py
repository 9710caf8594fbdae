"""Which memories will leave, when and by which rule: any horizon of it at once (S-26).

Arrays are worked out once; another horizon only cuts them elsewhere.
"""

from __future__ import annotations

import math
from array import array
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
    frozen: int = 0  # pinned ones among them that never leave
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

    def ids(self, count: int, *, leaving: bool = True) -> array[int]:
        """The rows of the first so many of the list."""
        return array("q", self.listed(leaving=leaving).ids[:count].tobytes())

    def weeks(self, days: float, *, leaving: bool = True) -> list[int]:
        """How many each week from now takes, within so many days."""
        return self.listed(leaving=leaving).weeks(self.now, days)

    def categories(self, days: float, *, leaving: bool = True) -> dict[str, int]:
        """How many of each category it takes within so many days, most first."""
        held = self.listed(leaving=leaving)
        taken = held.categories(held.until(self.now + days * DAY))
        return dict(sorted(taken.items(), key=lambda each: (-each[1], each[0])))

    def place(self, place: int, *, leaving: bool = True) -> tuple[Lifecycle, Ages]:
        """The memory at a place of the list, by itself."""
        held = self.listed(leaving=leaving)
        group = self.groups[int(held.group[place])]
        return group.lifecycle, group.ages.alone(int(held.index[place]))

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
            event.to or f"{float(course.score(at - 1)):.2f} → {float(course.score(at)):.2f}",
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
    ids: Any
    category: Any  # of each, as a number of `names`
    names: tuple[str, ...]

    def categories(self, count: int) -> dict[str, int]:
        """How many of each category are among the first so many."""
        import numpy as np

        sums = np.bincount(self.category[:count], minlength=len(self.names)).tolist()
        return {name: sum for name, sum in zip(self.names, sums, strict=True) if sum}

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

    whole = np.empty(0, dtype=np.int64)
    times, where, places, ids, kinds = [np.empty(0)], [whole], [whole], [whole], [whole]
    names: dict[str, int] = {}
    for number, group in enumerate(groups):
        at, _ = group.course.leaving() if leaving else group.course.next()
        index = np.flatnonzero(np.isfinite(at))
        times.append(at[index])
        where.append(np.full(len(index), number))
        places.append(index)
        ids.append(group.ids[index])
        numbers = np.array([names.setdefault(name, len(names)) for name in group.ages.categories], dtype=int)
        kinds.append(numbers[group.ages.category[index]] if len(index) else whole)
    at = np.concatenate(times)
    order = np.argsort(at, kind="stable")
    return _Listed(
        at[order],
        np.concatenate(where)[order],
        np.concatenate(places)[order],
        np.concatenate(ids)[order],
        np.concatenate(kinds)[order],
        tuple(names),
    )
