"""Which of two memories that cannot both be so is the newer one, and by what that is known (S-43)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memtui.memory.contradictions.language.tokens import tokens_of
from memtui.memory.contradictions.pairs import Pair
from memtui.memory.contradictions.states.marks import ChangeKind, change_marks
from memtui.memory.memory import Memory

_MOMENT = 60.0  # seconds within which two were first seen together


class By(StrEnum):
    """By what it is known, the surest first; the last two say too little to suggest anything."""

    WORD = "word"  # it tells of a change
    DATE = "date"  # both texts name a date
    TIME = "time"  # the records' own times
    SEEN = "seen"  # when memtui first saw them
    PLACE = "place"  # it stands further down in its entity


@dataclass(frozen=True, slots=True)
class Recency:
    """`second`: B is the newer one. `phrase` is the one that tells of a change."""

    second: bool
    by: By
    phrase: str = ""

    @property
    def tells(self) -> bool:
        """Whether that is enough to suggest something."""
        return self.by in (By.WORD, By.DATE, By.TIME)


def newer(pair: Pair, a: Memory, b: Memory, seen: tuple[float, float] = (0.0, 0.0)) -> Recency | None:
    """The newer one of a pair; `seen` are the Unix seconds at which memtui first saw A and B. None where
    nothing tells."""
    words = [_change(clause) for clause in pair.clauses]
    if bool(words[0]) != bool(words[1]):
        return Recency(bool(words[1]), By.WORD, words[1] or words[0])
    dates = [_date(clause) for clause in pair.clauses]
    if dates[0] and dates[1] and dates[0] != dates[1]:
        return Recency(dates[1] > dates[0], By.DATE)
    one, other = said_at(a), said_at(b)
    if one and other and one != other:
        return Recency(other > one, By.TIME)
    if all(seen) and abs(seen[0] - seen[1]) > _MOMENT:
        return Recency(seen[1] > seen[0], By.SEEN)
    if a.subject and a.subject == b.subject and a.store == b.store:
        return Recency(pair.b > pair.a, By.PLACE)
    return None


def said_at(memory: Memory) -> float:
    """When it was said: as of its own time, else when it was made; 0 where nobody knows."""
    return memory.event_time or memory.valid_from or memory.created_at or memory.updated_at or 0.0


def _change(clause: str) -> str:
    """The word by which a clause tells of a change, "" where it tells of none."""
    found = change_marks(clause)
    strong = [mark for mark in found if mark.kind is not ChangeKind.NOW]
    return next((mark.phrase for mark in strong or found), "")


def _date(clause: str) -> tuple[int, ...]:
    """The latest date with its year that a clause names."""
    found: list[tuple[int, ...]] = [(0, 0, 0)]
    for token in tokens_of(clause):
        quantity = token.quantity
        if quantity is not None and quantity.kind == "date" and isinstance(quantity.value, tuple):
            if quantity.value[0]:
                found.append(tuple(int(part or 0) for part in quantity.value))
        elif quantity is not None and quantity.kind == "year" and isinstance(quantity.value, int):
            found.append((quantity.value, 0, 0))
    return () if max(found) == (0, 0, 0) else max(found)
