"""Which memories go in and which are left out, each with the reason (S-71)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from memtui.memory.selection.candidate import Candidate, Priority
from memtui.memory.selection.knapsack import best_subset

OMIT, MARK = "omit", "mark"  # what happens to a memory that contradicts an included one


class Reason(StrEnum):
    """Why a memory is in or left out."""

    PINNED = "pinned"
    CONSTRAINT = "constraint"
    TASK = "task"
    DECISION = "decision"
    PREFERENCE = "preference"
    OTHER = "other"
    CHOSEN = "chosen"  # by the user

    TAKEN_OUT = "taken-out"  # by the user
    NOT_VALID = "not-valid"  # not yet, or no longer
    DUPLICATE = "duplicate"
    CONTRADICTS = "contradicts"
    NO_ROOM = "no-room"
    FORMAT_LIMIT = "format-limit"  # of the exporter


_REASON_OF = {
    Priority.PINNED: Reason.PINNED,
    Priority.CONSTRAINT: Reason.CONSTRAINT,
    Priority.TASK: Reason.TASK,
    Priority.DECISION: Reason.DECISION,
    Priority.PREFERENCE: Reason.PREFERENCE,
    Priority.OTHER: Reason.OTHER,
}


def reason_of(candidate: Candidate) -> Reason:
    """Return why a candidate is included: its class."""
    return _REASON_OF[candidate.priority]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate, why it is in or out, and the `tokens` it takes, 0 if they were not counted.

    `other` is the uid of the memory that it repeats or contradicts, or the limit of the format.
    """

    candidate: Candidate
    reason: Reason
    tokens: int = 0
    other: str = ""

    @property
    def uid(self) -> str:
        """The uid of its memory."""
        return self.candidate.memory.uid


@dataclass(frozen=True, slots=True)
class Choice:
    """What is included, in the order of the export, and what is left out, in the same order."""

    included: tuple[Judged, ...]
    left_out: tuple[Judged, ...]


class _Ranked(NamedTuple):
    """A candidate with what deciding on it needs, worked out once for all attempts."""

    candidate: Candidate
    uid: str
    priority: Priority
    worth: float
    text: str
    is_valid: bool


class Ranking:
    """Candidates in the order of an export: by class, worth, time, place and uid. Several choices among them
    share what they need to know of each."""

    def __init__(self, candidates: Iterable[Candidate], now: float) -> None:
        ranked = [
            _Ranked(each, each.memory.uid, each.priority, each.worth(now), _text(each), _is_valid(each, now))
            for each in candidates
        ]
        ranked.sort(
            key=lambda r: (r.priority, -r.worth, -(r.candidate.touched_at or 0.0), r.candidate.place, r.uid)
        )
        self._ranked = ranked

    def choose(
        self,
        costs: Mapping[str, int],
        budget: int | None,
        *,
        contradictions: str = OMIT,
        overrides: Mapping[str, bool] | None = None,
    ) -> Choice:
        """Return which candidates are included within a `budget` of tokens; None is no limit.

        `costs` are tokens by uid. The classes of `Priority` get the budget in their order; within a class the
        subset of the greatest worth is taken. Exact and found duplicates are included once. With `OMIT`, what
        contradicts an included memory is left out. `overrides` are the user's own decisions by uid: what they
        include is included whatever the budget.
        """
        chooser = _Chooser(costs, budget, contradictions)
        undecided: list[_Ranked] = []
        for each in self._ranked:
            wanted = overrides.get(each.uid) if overrides else None
            if wanted:
                chooser.include(each, Reason.CHOSEN)
            elif wanted is not None:
                chooser.leave_out(each, Reason.TAKEN_OUT)
            elif not each.is_valid:
                chooser.leave_out(each, Reason.NOT_VALID)
            else:
                undecided.append(each)
        for _, classmates in groupby(undecided, key=attrgetter("priority")):
            chooser.choose_class(list(classmates))
        chooser.fill(undecided)
        order = [each.uid for each in self._ranked]
        return Choice(
            tuple(chooser.included[uid] for uid in order if uid in chooser.included),
            tuple(chooser.left_out[uid] for uid in order if uid in chooser.left_out),
        )


class _Chooser:
    """What is included and left out so far, by uid, and the room that is left."""

    def __init__(self, costs: Mapping[str, int], budget: int | None, contradictions: str) -> None:
        self.included: dict[str, Judged] = {}
        self.left_out: dict[str, Judged] = {}
        self._texts: dict[str, str] = {}  # of what is included, with its uid
        self._costs, self._room = costs, budget
        self._omits = contradictions == OMIT

    def include(self, each: _Ranked, reason: Reason) -> None:
        """Include a candidate, whatever room is left."""
        uid = each.uid
        self.included[uid] = Judged(each.candidate, reason, self._costs[uid])
        self.left_out.pop(uid, None)
        self._texts.setdefault(each.text, uid)
        if self._room is not None:
            self._room -= self._costs[uid]

    def leave_out(self, each: _Ranked, reason: Reason, other: str = "") -> None:
        """Leave a candidate out, because of an `other` if it repeats or contradicts that."""
        self.left_out[each.uid] = Judged(each.candidate, reason, self._costs[each.uid], other)

    def choose_class(self, candidates: Sequence[_Ranked]) -> None:
        """Include the best of one class that the room allows."""
        rivals: dict[str, _Ranked] = {}
        texts: dict[str, str] = {}
        for each in candidates:
            reason, other = self._objection(each, rivals, texts)
            if reason is not None:
                self.leave_out(each, reason, other)
            else:
                rivals[each.uid] = each
                texts.setdefault(each.text, each.uid)
        contenders = list(rivals.values())
        fitting = set(self._fitting(contenders))
        for index, each in enumerate(contenders):
            if index in fitting:
                self.include(each, _REASON_OF[each.priority])
            else:
                self.leave_out(each, Reason.NO_ROOM)

    def fill(self, candidates: Iterable[_Ranked]) -> None:
        """Include what still fits: what was left out for a memory that found no room itself."""
        for each in candidates:
            if each.uid in self.included:
                continue
            reason, other = self._objection(each, {}, {})
            if reason is not None:
                self.leave_out(each, reason, other)
            elif self._room is None or self._costs[each.uid] <= self._room:
                self.include(each, _REASON_OF[each.priority])
            else:
                self.leave_out(each, Reason.NO_ROOM)

    def _objection(
        self, each: _Ranked, rivals: Mapping[str, _Ranked], texts: Mapping[str, str]
    ) -> tuple[Reason | None, str]:
        """Return why a candidate conflicts with what is included or with a rival, and with which one."""
        found = self._texts.get(each.text) or texts.get(each.text)
        duplicates, contradicts = each.candidate.duplicates, each.candidate.contradicts
        if repeated := found or (self._first(duplicates, rivals) if duplicates else ""):
            return Reason.DUPLICATE, repeated
        opposed = self._first(contradicts, rivals) if contradicts and self._omits else ""
        return (Reason.CONTRADICTS, opposed) if opposed else (None, "")

    def _first(self, uids: Iterable[str], rivals: Mapping[str, _Ranked]) -> str:
        return min((uid for uid in uids if uid in self.included or uid in rivals), default="")

    def _fitting(self, contenders: Sequence[_Ranked]) -> Sequence[int]:
        if self._room is None:
            return range(len(contenders))
        return best_subset(
            [each.worth for each in contenders],
            [self._costs[each.uid] for each in contenders],
            max(0, self._room),
        )


def _is_valid(each: Candidate, now: float) -> bool:
    memory = each.memory
    begins, ends = memory.valid_from, (memory.valid_to, memory.expires_at)
    return (begins is None or begins <= now) and all(end is None or end > now for end in ends)


def _text(each: Candidate) -> str:
    memory = each.memory
    return "\x1f".join(" ".join((part or "").casefold().split()) for part in (memory.subject, memory.content))
