"""Which memories will be removed, when and by which rule, up to any horizon (S-26).

The arrays are computed once; another horizon only cuts them elsewhere.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import DAY, DecayInputs, Lifecycle, Numbers, Projection

if TYPE_CHECKING:
    import numpy as np

WEEK = 7 * DAY
LONGEST = 1_826  # days: five years


@dataclass(frozen=True, slots=True)
class Group:
    """Memories with the same lifecycle; `ids` are rows of the workspace, in the order of `inputs`."""

    lifecycle: Lifecycle
    ids: np.ndarray[Any, Any]  # shape and dtype are numpy's own type parameters
    inputs: DecayInputs
    projection: Projection

    def count_frozen(self) -> int:
        """Return how many are pinned and never removed; an expiry date may remove a pinned memory."""
        never = self.inputs.xp.isinf(self.projection.removal()[0])
        return int((self.inputs.live & self.inputs.pinned & never).sum())


def _narrowed(group: Group, ids: Sequence[int], now: float) -> Group:
    import numpy as np

    chosen = np.isin(group.ids, np.asarray(ids, dtype=np.int64))
    arrays = {
        each.name: getattr(group.inputs, each.name)[chosen]
        for each in fields(group.inputs)
        if each.name not in ("categories", "xp")
    }
    inputs = replace(group.inputs, **arrays)
    return Group(group.lifecycle, group.ids[chosen], inputs, group.lifecycle.projection(inputs, now))


@dataclass(frozen=True, slots=True)
class OutlookRow:
    """One memory of a list: when what happens to it and by which rule, and when it would happen if the
    memory were pinned or used once (Unix seconds, inf is never)."""

    id: int
    at: float
    to: str
    rule: str
    score: float
    if_pinned: float
    if_used: float


@dataclass(slots=True)
class Outlook:
    """The projections of all memories of a workspace, from `now`.

    Its lists hold removals or, with `removals=False`, all transitions, soonest first.
    """

    now: float
    groups: Sequence[Group]
    count: int = 0  # live memories
    frozen: int = 0  # pinned memories that are never removed
    _removals: _Schedule | None = field(default=None)
    _transitions: _Schedule | None = field(default=None)

    def what_if(self, lifecycle_name: str, half_lives: Mapping[str, float]) -> Outlook:
        """Return the outlook by another lifecycle (each store's own if ""), with these half-lives."""
        groups = []
        for group in self.groups:
            lifecycle, inputs = group.lifecycle, group.inputs
            if lifecycle_name and lifecycle.name != lifecycle_name:
                lifecycle = by_name(lifecycle_name, half_lives)
                # A lifecycle that is only tried has no steps due from before.
                inputs = replace(inputs, since=inputs.created * 0 + self.now)
            elif lifecycle.has_half_life:
                lifecycle = by_name(lifecycle.name, half_lives)
            else:
                groups.append(group)
                continue
            groups.append(Group(lifecycle, group.ids, inputs, lifecycle.projection(inputs, self.now)))
        return Outlook(self.now, groups, self.count, self.frozen)

    def narrowed(self, ids: Sequence[int]) -> Outlook:
        """Return the outlook of those of its memories that are among these rows."""
        groups = [each for group in self.groups if len((each := _narrowed(group, ids, self.now)).ids)]
        count = sum(int(group.inputs.live.sum()) for group in groups)
        return Outlook(self.now, groups, count, sum(group.count_frozen() for group in groups))

    def schedule(self, *, removals: bool) -> _Schedule:
        """Return the removals, or all transitions, soonest first; computed once."""
        schedule = self._removals if removals else self._transitions
        if schedule is None:
            schedule = _schedule(self.groups, removals=removals)
            if removals:
                self._removals = schedule
            else:
                self._transitions = schedule
        return schedule

    def count_until(self, days: float, *, removals: bool = True) -> int:
        """Return how many are in the list within `days`, those that are due included."""
        return self.schedule(removals=removals).count_until(self.now + days * DAY)

    def rows(self, start: int, stop: int, *, removals: bool = True) -> list[OutlookRow]:
        """Return a part of the list."""
        schedule = self.schedule(removals=removals)
        return [
            self._row(int(schedule.group[n]), int(schedule.index[n]), removals)
            for n in range(start, min(stop, schedule.size))
        ]

    def ids(self, count: int, *, removals: bool = True) -> array[int]:
        """Return the rows of the workspace for the first `count` of the list."""
        return array("q", self.schedule(removals=removals).ids[:count].tobytes())

    def by_week(self, days: float, *, removals: bool = True) -> list[int]:
        """Return the number of each week from now, within `days`."""
        return self.schedule(removals=removals).by_week(self.now, days)

    def by_category(self, days: float, *, removals: bool = True) -> dict[str, int]:
        """Return the number of each category within `days`, largest first."""
        schedule = self.schedule(removals=removals)
        counts = schedule.by_category(schedule.count_until(self.now + days * DAY))
        return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))

    def at(self, position: int, *, removals: bool = True) -> tuple[Lifecycle, DecayInputs]:
        """Return the lifecycle and inputs of the memory at a position of the list."""
        schedule = self.schedule(removals=removals)
        group = self.groups[int(schedule.group[position])]
        return group.lifecycle, group.inputs.single(int(schedule.index[position]))

    def find(self, id: int) -> tuple[Lifecycle, DecayInputs] | None:
        """Return the lifecycle and inputs of one memory, None if nothing is projected for it."""
        for group in self.groups:
            positions = group.inputs.xp.flatnonzero(group.ids == id)
            if len(positions):
                return group.lifecycle, group.inputs.single(int(positions[0]))
        return None

    def _row(self, group_index: int, index: int, removals: bool) -> OutlookRow:
        group = self.groups[group_index]
        inputs, lifecycle = group.inputs.single(index), group.lifecycle
        projection = lifecycle.projection(inputs, self.now)
        at, which = projection.removal() if removals else projection.next_transition()
        transition = projection.transitions[which]
        return OutlookRow(
            int(group.ids[index]),
            float(at),
            transition.to or f"{float(projection.score(at - 1)):.2f} → {float(projection.score(at)):.2f}",
            transition.rule,
            float(projection.current),
            _first_time(lifecycle.projection(inputs.as_pinned(), self.now), removals),
            _first_time(lifecycle.projection(inputs.after_use(self.now), self.now), removals),
        )


def _first_time(projection: Projection, removals: bool) -> float:
    return float((projection.removal() if removals else projection.next_transition())[0])


@dataclass(frozen=True, slots=True)
class _Schedule:
    """Arrays, soonest first: the time, the group, and the index in that group."""

    at: Numbers
    group: Numbers
    index: Numbers
    ids: Numbers
    category: Numbers  # indexes into `names`
    names: tuple[str, ...]

    def by_category(self, count: int) -> dict[str, int]:
        """Return the number of each category among the first `count`."""
        import numpy as np

        sums = np.bincount(self.category[:count], minlength=len(self.names)).tolist()
        return {name: sum for name, sum in zip(self.names, sums, strict=True) if sum}

    @property
    def size(self) -> int:
        """The length of the list."""
        return len(self.at)

    def count_until(self, moment: float) -> int:
        """Return how many are up to a moment (Unix seconds)."""
        return int(self.at.searchsorted(moment, side="right"))

    def by_week(self, now: float, days: float) -> list[int]:
        """Return the number of each week; what is due counts in the first."""
        ends = [now + min(week * WEEK, days * DAY) for week in range(1, math.ceil(days / 7) + 1)]
        reached = [self.count_until(end) for end in ends]
        return [after - before for before, after in zip([0, *reached], reached, strict=False)]


def _schedule(groups: Sequence[Group], *, removals: bool) -> _Schedule:
    import numpy as np

    empty = np.empty(0, dtype=np.int64)
    times, group_numbers, indexes, ids, categories = [np.empty(0)], [empty], [empty], [empty], [empty]
    names: dict[str, int] = {}
    for number, group in enumerate(groups):
        at, _ = group.projection.removal() if removals else group.projection.next_transition()
        index = np.flatnonzero(np.isfinite(at))
        times.append(at[index])
        group_numbers.append(np.full(len(index), number))
        indexes.append(index)
        ids.append(group.ids[index])
        numbers = np.array(
            [names.setdefault(name, len(names)) for name in group.inputs.categories], dtype=int
        )
        categories.append(numbers[group.inputs.category[index]] if len(index) else empty)
    at = np.concatenate(times)
    order = np.argsort(at, kind="stable")
    return _Schedule(
        at[order],
        np.concatenate(group_numbers)[order],
        np.concatenate(indexes)[order],
        np.concatenate(ids)[order],
        np.concatenate(categories)[order],
        tuple(names),
    )
