"""Which memories go in and which are left out, each with the reason (S-71)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

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


def choose(
    candidates: Iterable[Candidate],
    costs: Mapping[str, int],
    budget: int | None,
    now: float,
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
    chooser = _Chooser(costs, budget, now, contradictions)
    ranked = _ranked(candidates, now)
    undecided = []
    for each in ranked:
        wanted = (overrides or {}).get(each.memory.uid)
        if wanted:
            chooser.include(each, Reason.CHOSEN)
        elif wanted is not None:
            chooser.leave_out(each, Reason.TAKEN_OUT)
        elif not _is_valid(each, now):
            chooser.leave_out(each, Reason.NOT_VALID)
        else:
            undecided.append(each)
    for priority in Priority:
        chooser.choose_class([each for each in undecided if each.priority is priority])
    chooser.fill(undecided)
    order = [each.memory.uid for each in ranked]
    return Choice(
        tuple(chooser.included[uid] for uid in order if uid in chooser.included),
        tuple(chooser.left_out[uid] for uid in order if uid in chooser.left_out),
    )


class _Chooser:
    """What is included and left out so far, by uid, and the room that is left."""

    def __init__(self, costs: Mapping[str, int], budget: int | None, now: float, contradictions: str) -> None:
        self.included: dict[str, Judged] = {}
        self.left_out: dict[str, Judged] = {}
        self._texts: dict[str, str] = {}  # of what is included, with its uid
        self._costs, self._room, self._now = costs, budget, now
        self._omits = contradictions == OMIT

    def include(self, each: Candidate, reason: Reason) -> None:
        """Include a candidate, whatever room is left."""
        uid = each.memory.uid
        self.included[uid] = Judged(each, reason, self._costs[uid])
        self.left_out.pop(uid, None)
        self._texts.setdefault(_text(each), uid)
        if self._room is not None:
            self._room -= self._costs[uid]

    def leave_out(self, each: Candidate, reason: Reason, other: str = "") -> None:
        """Leave a candidate out, because of an `other` if it repeats or contradicts that."""
        uid = each.memory.uid
        self.left_out[uid] = Judged(each, reason, self._costs[uid], other)

    def choose_class(self, candidates: Sequence[Candidate]) -> None:
        """Include the best of one class that the room allows."""
        rivals: dict[str, Candidate] = {}
        texts: dict[str, str] = {}
        for each in candidates:
            reason, other = self._objection(each, rivals, texts)
            if reason is not None:
                self.leave_out(each, reason, other)
            else:
                rivals[each.memory.uid] = each
                texts.setdefault(_text(each), each.memory.uid)
        contenders = list(rivals.values())
        fitting = set(self._fitting(contenders))
        for index, each in enumerate(contenders):
            if index in fitting:
                self.include(each, reason_of(each))
            else:
                self.leave_out(each, Reason.NO_ROOM)

    def fill(self, candidates: Iterable[Candidate]) -> None:
        """Include what still fits: what was left out for a memory that found no room itself."""
        for each in candidates:
            uid = each.memory.uid
            if uid in self.included:
                continue
            reason, other = self._objection(each, {}, {})
            if reason is not None:
                self.leave_out(each, reason, other)
            elif self._room is None or self._costs[uid] <= self._room:
                self.include(each, reason_of(each))
            else:
                self.leave_out(each, Reason.NO_ROOM)

    def _objection(
        self, each: Candidate, rivals: Mapping[str, Candidate], texts: Mapping[str, str]
    ) -> tuple[Reason | None, str]:
        """Return why a candidate conflicts with what is included or with a rival, and with which one."""
        text = _text(each)
        repeated = self._texts.get(text) or texts.get(text) or self._first(each.duplicates, rivals)
        if repeated:
            return Reason.DUPLICATE, repeated
        opposed = self._first(each.contradicts, rivals) if self._omits else ""
        return (Reason.CONTRADICTS, opposed) if opposed else (None, "")

    def _first(self, uids: Iterable[str], rivals: Mapping[str, Candidate]) -> str:
        return min((uid for uid in uids if uid in self.included or uid in rivals), default="")

    def _fitting(self, contenders: Sequence[Candidate]) -> Sequence[int]:
        if self._room is None:
            return range(len(contenders))
        return best_subset(
            [each.worth(self._now) for each in contenders],
            [self._costs[each.memory.uid] for each in contenders],
            max(0, self._room),
        )


def _ranked(candidates: Iterable[Candidate], now: float) -> list[Candidate]:
    """Return the candidates in the order of an export: by class, worth, time, place and uid."""

    def rank(each: Candidate) -> tuple[Priority, float, float, int, str]:
        return each.priority, -each.worth(now), -(each.touched_at or 0.0), each.place, each.memory.uid

    return sorted(candidates, key=rank)


def _is_valid(each: Candidate, now: float) -> bool:
    memory = each.memory
    begins, ends = memory.valid_from, (memory.valid_to, memory.expires_at)
    return (begins is None or begins <= now) and all(end is None or end > now for end in ends)


def _text(each: Candidate) -> str:
    memory = each.memory
    return "\x1f".join(" ".join((part or "").casefold().split()) for part in (memory.subject, memory.content))
