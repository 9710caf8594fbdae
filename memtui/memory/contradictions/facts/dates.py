"""When something is planned, starts, is due or ends: "launches on 14 April", "moved back to June"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import tokens_of
from memtui.memory.contradictions.language.units import MONTHS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts
from memtui.memory.contradictions.states.partial_dates import PartialDate, partial_date
from memtui.memory.contradictions.states.tenses import is_state

_MONTH = "|".join(MONTHS)
_ENDS = re.compile(
    rf"\b(?:ends?|expires?|runs out|due|deadline|(?:runs|valid|lasts|extended) (?:until|to|till)"
    rf"|to be handed in|wants? the|hand-in|hand(?:ed)? in by|submit(?:ted)? by"
    rf"|by (?=\d|mid|early|late|the end|{_MONTH}))\b"
)
_BEGINS = re.compile(
    r"\b(?:launch(?:es)?|starts?|opens?|opening|begins?|takes? place|(?:is|are|will be) held|goes live"
    r"|go-live|ships?|planned|scheduled|set for|booked|moves? in|marry|marries|wedding"
    r"|release(?:s|d)?(?= on| in| is| for)|exam|arrives?|pushed|put (?:off|back)|postponed|delayed|slid"
    r"|slipped|moved|rescheduled|brought forward|pulled forward|deferred)\b"
)
_REPEATED = re.compile(r"\b(?:every|each|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)\b")


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    lower = text.lower()
    topic = "the end" if _ENDS.search(lower) else "the date" if _BEGINS.search(lower) else ""
    if not topic or _REPEATED.search(lower):
        return
    tokens = tokens_of(text)
    dates = [(when, token.text) for token in tokens if (when := partial_date(token)) is not None]
    if any(token.quantity is not None and token.quantity.kind == "clock" for token in tokens):
        dates = [each for each in dates if each[0].day]  # not "opens at 9 in summer"
    if len(dates) == 1:
        yield Fact(topic, dates[0][0], dates[0][1])


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    assert isinstance(one.value, PartialDate)
    assert isinstance(other.value, PartialDate)
    if not one.value.differs(other.value) or comparison.a.negated or comparison.b.negated:
        return False
    if not all(is_state(clause) or _MOVED.search(clause.text) for clause in (comparison.a, comparison.b)):
        return False
    event = any(lexicon().has_word(name) and not lexicon().is_animate(name) for name in comparison.pair.names)
    return (
        bool(comparison.shared) or event or comparison.pair.shared_attribute
    ) and not name_different_parts(comparison, require_both=True)


_MOVED = re.compile(
    r"\b(?:pushed|put (?:off|back)|postponed|delayed|slid|slipped|moved|rescheduled|brought forward"
    r"|pulled forward|deferred|extended|planned|scheduled|booked)\b",
    re.I,
)
FAMILY = FactFamily("number", read, excludes)
