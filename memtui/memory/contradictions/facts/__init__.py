"""Facts that can be stated in many ways and of which only one can be true: habits, statuses, permissions,
amounts (S-40)."""

from __future__ import annotations

from functools import lru_cache

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.facts import (
    amounts,
    attributes,
    cadences,
    channels,
    dates,
    habits,
    holders,
    permissions,
    possessions,
    preferences,
    stages,
    statuses,
)
from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import (
    ChangeKind,
    change_marks,
    is_planned,
    is_scheduled,
)
from memtui.memory.contradictions.states.comparison import (
    KIND,
    compare,
    in_different_positions,
    one_tells_of_part,
)
from memtui.memory.contradictions.states.heads import name_different_heads
from memtui.memory.contradictions.states.scopes import on_different_days
from memtui.memory.contradictions.subjects import words_in

FAMILIES: dict[str, FactFamily] = {
    "habits": habits.FAMILY,
    "statuses": statuses.FAMILY,
    "permissions": permissions.FAMILY,
    "cadences": cadences.FAMILY,
    "amounts": amounts.FAMILY,
    "attributes": attributes.FAMILY,
    "dates": dates.FAMILY,
    "holders": holders.FAMILY,
    "preferences": preferences.FAMILY,
    "channels": channels.FAMILY,
    "stages": stages.FAMILY,
    "possessions": possessions.FAMILY,
}
# Topics of a thing as a whole, for which its name is enough.
_WHOLE_TOPICS = frozenset(("licence", "language", "life"))
# Families whose topics the user may mark as having several values; "how often" or "taste" would be too broad.
_TEACHABLE = frozenset(("amounts", "holders", "attributes", "stages"))
# Families in which a fact of a part is no fact of the whole: "the CLI is written in Python".
_PER_PART = frozenset(("amounts", "cadences", "attributes", "stages"))


def find(pair: ClausePair) -> ClauseConflict | None:
    """Find one fact in two versions that exclude each other."""
    a, b = pair.a, pair.b
    if a.explanatory or b.explanatory or (a.key and b.key and a.key != b.key):
        return None
    if not pair.shared_subject and pair.names.isdisjoint(words_in(a.text) | words_in(b.text)):
        return None
    if any(
        pair.is_multi_valued(topic) for clause in (a, b) for topic in (clause.frame.lstrip("@"), clause.key)
    ):
        return None
    if is_planned(a.text) or is_planned(b.text):
        return None
    if name_different_heads(pair.alignment, pair.names):
        return None
    comparison = None
    facts_a, facts_b = facts_in(a.text), facts_in(b.text)
    for name in (name for name in facts_a if name in facts_b):
        family = FAMILIES[name]
        for one in facts_a[name]:
            for other in facts_b[name]:
                if one.topic != other.topic or one.value == other.value or pair.is_multi_valued(one.topic):
                    continue
                comparison = comparison or compare(pair)
                same_thing = pair.shared_subject or bool(comparison.shared) or one.topic in _WHOLE_TOPICS
                scheduled = name == "amounts" and (is_scheduled(a.text) or is_scheduled(b.text))
                separate = (
                    not same_thing
                    or scheduled
                    or in_different_positions(comparison)
                    or on_different_days(comparison)
                )
                separate = separate or (name == "permissions" and bool(a.key) != bool(b.key))
                separate = separate or (name in _PER_PART and one_tells_of_part(comparison))
                if not separate and family.excludes(one, other, comparison):
                    is_change = any(
                        mark.kind is not ChangeKind.OPINION
                        for text in (a.text, b.text)
                        for mark in change_marks(text)
                    )
                    words = _as_written(one.phrase, a.text), _as_written(other.phrase, b.text)
                    topic = one.topic if name in _TEACHABLE else ""
                    return ClauseConflict(
                        KIND if is_change else family.kind, 0.7, words, wording.ONE_STATE, topic
                    )
    return None


def find_in_rules(pair: ClausePair) -> ClauseConflict | None:
    """Find two rules that exclude each other where no name says what they are about: "mock the ledger",
    "never mock it"."""
    a, b = pair.a, pair.b
    if a.explanatory or b.explanatory or a.key or b.key:
        return None
    comparison = None
    for one in facts_in(a.text).get("permissions", ()):
        for other in facts_in(b.text).get("permissions", ()):
            comparison = comparison or compare(pair)
            if (
                one.value != other.value
                and len(comparison.shared) > 1
                and permissions.excludes(one, other, comparison)
            ):
                words = _as_written(one.phrase, a.text), _as_written(other.phrase, b.text)
                return ClauseConflict("polarity", 0.7, words, wording.ONE_STATE)
    return None


def _as_written(phrase: str, text: str) -> str:
    """Return a phrase as it is capitalised in the text."""
    plain = " ".join(text.split())
    start = plain.lower().find(phrase.lower())
    same_thing = start >= 0 and len(plain) == len(plain.lower())
    return (plain[start : start + len(phrase)] if same_thing else phrase)[:60]


@lru_cache(maxsize=16_384)
def facts_in(text: str) -> dict[str, tuple[Fact, ...]]:
    """Return the facts in a clause by the names of their families."""
    plain = " ".join(text.split())
    first_match = {name: tuple(family.read(plain)) for name, family in FAMILIES.items()}
    return {name: facts for name, facts in first_match.items() if facts}
