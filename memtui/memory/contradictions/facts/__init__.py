"""Facts that are told in many words and of which only one can be true: habits, statuses, permissions, amounts
(S-40)."""

from __future__ import annotations

from functools import lru_cache

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.facts import (
    amounts,
    cadences,
    channels,
    dates,
    habits,
    holders,
    lacks,
    permissions,
    sayings,
    stages,
    statuses,
    tastes,
)
from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.apart import other_days
from memtui.memory.contradictions.states.heads import of_other_heads
from memtui.memory.contradictions.states.marks import ChangeKind, is_scheduled, is_planned, change_marks
from memtui.memory.contradictions.states.two import KIND, REASON, of_a_part, other_parts, read
from memtui.memory.contradictions.subjects import words_in

FAMILIES: dict[str, FactFamily] = {
    "habits": habits.FAMILY,
    "statuses": statuses.FAMILY,
    "permissions": permissions.FAMILY,
    "cadences": cadences.FAMILY,
    "amounts": amounts.FAMILY,
    "sayings": sayings.FAMILY,
    "dates": dates.FAMILY,
    "holders": holders.FAMILY,
    "tastes": tastes.FAMILY,
    "channels": channels.FAMILY,
    "stages": stages.FAMILY,
    "lacks": lacks.FAMILY,
}
# What is told of a thing as a whole, so that its name is enough.
_OF_THE_WHOLE = frozenset(("licence", "language", "life"))
# Of these a person may say that there are several; "how often" or "taste" would be too wide.
_ATTRIBUTES = frozenset(("amounts", "holders", "sayings", "stages"))
# What is told of a part is not told of the whole: "the CLI is written in Python".
_BY_PARTS = frozenset(("amounts", "cadences", "sayings", "stages"))


def find(meeting: ClausePair) -> ClauseConflict | None:
    """One fact told in two ways that exclude each other."""
    a, b = meeting.a, meeting.b
    if a.explanatory or b.explanatory or (a.key and b.key and a.key != b.key):
        return None
    if not meeting.shared_subject and meeting.names.isdisjoint(words_in(a.text) | words_in(b.text)):
        return None
    if any(meeting.is_multi_valued(topic) for clause in (a, b) for topic in (clause.frame.lstrip("@"), clause.key)):
        return None
    if is_planned(a.text) or is_planned(b.text):
        return None
    if of_other_heads(meeting.alignment, meeting.names):
        return None
    two = None
    mine, theirs = facts_in(a.text), facts_in(b.text)
    for name in (name for name in mine if name in theirs):
        family = FAMILIES[name]
        for one in mine[name]:
            for other in theirs[name]:
                if one.topic != other.topic or one.value == other.value or meeting.is_multi_valued(one.topic):
                    continue
                two = two or read(meeting)
                known = meeting.shared_subject or bool(two.shared) or one.topic in _OF_THE_WHOLE
                coming = name == "amounts" and (is_scheduled(a.text) or is_scheduled(b.text))
                apart = not known or coming or other_parts(two) or other_days(two)
                apart = apart or (name == "permissions" and bool(a.key) != bool(b.key))
                apart = apart or (name in _BY_PARTS and of_a_part(two))
                if not apart and family.exclude(one, other, two):
                    changed = any(
                        mark.kind is not ChangeKind.OPINION for text in (a.text, b.text) for mark in change_marks(text)
                    )
                    words = _as_written(one.phrase, a.text), _as_written(other.phrase, b.text)
                    topic = one.topic if name in _ATTRIBUTES else ""
                    return ClauseConflict(KIND if changed else family.kind, 0.7, words, REASON, topic)
    return None


def of_rules(meeting: ClausePair) -> ClauseConflict | None:
    """Two rules for whoever works here, where no name tells of what: "mock the ledger", "never mock it"."""
    a, b = meeting.a, meeting.b
    if a.explanatory or b.explanatory or a.key or b.key:
        return None
    two = None
    for one in facts_in(a.text).get("permissions", ()):
        for other in facts_in(b.text).get("permissions", ()):
            two = two or read(meeting)
            if one.value != other.value and len(two.shared) > 1 and permissions.exclude(one, other, two):
                words = _as_written(one.phrase, a.text), _as_written(other.phrase, b.text)
                return ClauseConflict("polarity", 0.7, words, REASON)
    return None


def _as_written(word: str, text: str) -> str:
    """What tells a fact, with the capitals that it has in the clause."""
    plain = " ".join(text.split())
    at = plain.lower().find(word.lower())
    known = at >= 0 and len(plain) == len(plain.lower())
    return (plain[at : at + len(word)] if known else word)[:60]


@lru_cache(maxsize=16_384)
def facts_in(text: str) -> dict[str, tuple[Fact, ...]]:
    """The facts that a clause tells, by the names of their families."""
    plain = " ".join(text.split())
    found = {name: tuple(family.read(plain)) for name, family in FAMILIES.items()}
    return {name: facts for name, facts in found.items() if facts}
