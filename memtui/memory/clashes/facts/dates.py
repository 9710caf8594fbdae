"""When something is planned for, begins, is due or ends: "launches on 14 April", "moved back to June"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memtui.memory.clashes.facts.fact import Fact, Family
from memtui.memory.clashes.lexicon import lexicon
from memtui.memory.clashes.quantities import MONTHS
from memtui.memory.clashes.states.tenses import is_state
from memtui.memory.clashes.states.two import Two, other_heads
from memtui.memory.clashes.tokens import Token, tokens_of

_MONTH = "|".join(MONTHS)
_ENDS = re.compile(
    rf"\b(?:ends?|expires?|runs out|due|deadline|(?:runs|valid|lasts|extended) (?:until|to|till)"
    rf"|to be handed in|"
    rf"wants? the|hand(?:ed)? in by|submit(?:ted)? by|by (?=\d|mid|early|late|the end|{_MONTH}))\b"
)
_BEGINS = re.compile(
    r"\b(?:launch(?:es)?|starts?|opens?|opening|begins?|takes? place|(?:is|are|will be) held|goes live"
    r"|go-live|ships?|"
    r"planned|scheduled|set for|booked|moves? in|marry|marries|wedding|release(?:s|d)?(?= on| in| is| for)"
    r"|exam|arrives?|"
    r"pushed|put (?:off|back)|postponed|delayed|slid|slipped|moved|rescheduled|brought forward"
    r"|pulled forward|deferred)\b"
)
_SEASONS = {
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "fall": (9, 10, 11),
    "winter": (12, 1, 2),
}
_REPEATED = re.compile(r"\b(?:every|each|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)\b")


@dataclass(frozen=True, slots=True)
class When:
    """As much of a date as is said."""

    year: int | None
    months: frozenset[int]
    day: int | None


def read(text: str) -> Iterator[Fact]:
    low = text.lower()
    topic = "the end" if _ENDS.search(low) else "the date" if _BEGINS.search(low) else ""
    if not topic or _REPEATED.search(low):
        return
    tokens = tokens_of(text)
    said = [(when, token.text) for token in tokens if (when := _when(token)) is not None]
    if any(token.quantity is not None and token.quantity.kind == "clock" for token in tokens):
        said = [each for each in said if each[0].day]  # not "opens at 9 in summer"
    if len(said) == 1:
        yield Fact(topic, said[0][0], said[0][1])


def _when(token: Token) -> When | None:
    quantity = token.quantity
    if token.marker in ("since", "from", "after", "before"):
        return None
    if quantity is not None and quantity.kind == "date" and isinstance(quantity.value, tuple):
        year, month, day = quantity.value
        return When(year, frozenset((month,)) if month else frozenset(), day)
    if quantity is not None and quantity.kind == "quarter" and isinstance(quantity.value, int):
        first = 3 * quantity.value - 2
        return When(None, frozenset(range(first, first + 3)), None)
    last = token.low.split()[-1] if token.low else ""
    if (token.quantity is None and last in MONTHS and last != "may") or token.text == "May":
        return When(None, frozenset((MONTHS[last],)), None)
    if last in _SEASONS:
        return When(None, frozenset(_SEASONS[last]), None)
    return None


def exclude(one: Fact, other: Fact, two: Two) -> bool:
    assert isinstance(one.value, When)
    assert isinstance(other.value, When)
    mine, theirs = one.value, other.value
    years = mine.year is not None and theirs.year is not None and mine.year != theirs.year
    months = bool(mine.months) and bool(theirs.months) and not mine.months & theirs.months
    days = mine.months == theirs.months and None not in (mine.day, theirs.day) and mine.day != theirs.day
    if not (years or months or days) or two.a.denied or two.b.denied:
        return False
    if not all(is_state(clause) or _MOVED.search(clause.text) for clause in (two.a, two.b)):
        return False
    event = any(lexicon().knows(name) and not lexicon().is_being(name) for name in two.meeting.names)
    return (bool(two.topic) or event or two.meeting.narrow) and not other_heads(two, loosely=True)


_MOVED = re.compile(
    r"\b(?:pushed|put (?:off|back)|postponed|delayed|slid|slipped|moved|rescheduled|brought forward"
    r"|pulled forward|"
    r"deferred|extended|planned|scheduled|booked)\b",
    re.I,
)
FAMILY = Family("number", read, exclude)
