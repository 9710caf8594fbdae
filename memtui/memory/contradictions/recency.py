"""Which memory of a pair is the newer one, and by what evidence (S-43)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memtui.memory.contradictions.language.tokens import tokens_of
from memtui.memory.contradictions.pairs import Pair
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks
from memtui.memory.memory import Memory

_MOMENT = 60.0  # seconds within which two memories were first seen together


class Evidence(StrEnum):
    """Evidence for which memory is newer, strongest first; the last two are too weak to base a suggestion
    on."""

    CHANGE = "word"  # its text describes a change
    DATE = "date"  # both texts name a date
    TIME = "time"  # the records' own times
    FIRST_SEEN = "seen"  # when memtui first read them
    POSITION = "place"  # it stands further down in its entity


@dataclass(frozen=True, slots=True)
class Recency:
    """The newer memory of a pair: B where `is_b`, else A. `phrase` is the one that describes a change."""

    is_b: bool
    evidence: Evidence
    phrase: str = ""

    @property
    def is_conclusive(self) -> bool:
        """Whether the evidence is strong enough to suggest something."""
        return self.evidence in (Evidence.CHANGE, Evidence.DATE, Evidence.TIME)


def find_newer(
    pair: Pair, a: Memory, b: Memory, first_seen: tuple[float, float] = (0.0, 0.0)
) -> Recency | None:
    """Return which memory of a pair is newer, or None if nothing shows it.

    `first_seen` holds the Unix seconds at which memtui first read A and B.
    """
    phrases = [_change_phrase(clause) for clause in pair.clauses]
    if bool(phrases[0]) != bool(phrases[1]):
        return Recency(bool(phrases[1]), Evidence.CHANGE, phrases[1] or phrases[0])
    dates = [_latest_date(clause) for clause in pair.clauses]
    if dates[0] and dates[1] and dates[0] != dates[1]:
        return Recency(dates[1] > dates[0], Evidence.DATE)
    time_a, time_b = stated_at(a), stated_at(b)
    if time_a and time_b and time_a != time_b:
        return Recency(time_b > time_a, Evidence.TIME)
    if all(first_seen) and abs(first_seen[0] - first_seen[1]) > _MOMENT:
        return Recency(first_seen[1] > first_seen[0], Evidence.FIRST_SEEN)
    if a.subject and a.subject == b.subject and a.store == b.store:
        return Recency(pair.b > pair.a, Evidence.POSITION)
    return None


def stated_at(memory: Memory) -> float:
    """Return when a memory was stated, in Unix seconds: its own time, else when it was created; 0 if
    unknown."""
    return memory.event_time or memory.valid_from or memory.created_at or memory.updated_at or 0.0


def _change_phrase(clause: str) -> str:
    """Return the phrase by which a clause describes a change, or ""."""
    found = change_marks(clause)
    strong = [mark for mark in found if mark.kind is not ChangeKind.NOW]
    return next((mark.phrase for mark in strong or found), "")


def _latest_date(clause: str) -> tuple[int, ...]:
    """Return the latest date that a clause names with its year, as (year, month, day), or ()."""
    found: list[tuple[int, ...]] = [(0, 0, 0)]
    for token in tokens_of(clause):
        quantity = token.quantity
        if quantity is not None and quantity.kind == "date" and isinstance(quantity.value, tuple):
            if quantity.value[0]:
                found.append(tuple(int(part or 0) for part in quantity.value))
        elif quantity is not None and quantity.kind == "year" and isinstance(quantity.value, int):
            found.append((quantity.value, 0, 0))
    return () if max(found) == (0, 0, 0) else max(found)
