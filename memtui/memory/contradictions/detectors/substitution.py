"""Clauses that differ in one word where both cannot be true: opposites, members of one class, other
numbers."""

from __future__ import annotations

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, excerpts
from memtui.memory.contradictions.language.lexicon import WordRelation
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.coexistence import CLASS, NUMBER, OPPOSITE
from memtui.memory.contradictions.states.exclusion import exclusion_score
from memtui.memory.contradictions.states.tenses import is_state

_REASONS = {
    OPPOSITE: wording.opposites,
    CLASS: wording.exclusive_words,
    NUMBER: wording.two_numbers,
}


def opposite(pair: ClausePair) -> ClauseConflict | None:
    """Two words that are opposites."""
    return _find_conflict(pair, OPPOSITE)


def same_class(pair: ClausePair) -> ClauseConflict | None:
    """Two colours, two countries, two editors in one place."""
    return _find_conflict(pair, CLASS)


def number(pair: ClausePair) -> ClauseConflict | None:
    """Two values of the same measure in one place."""
    return _find_conflict(pair, NUMBER)


def _kind(conflict: TokenConflict) -> str:
    if conflict.relation is WordRelation.OPPOSITE:
        return OPPOSITE
    return NUMBER if conflict.kind == "number" else CLASS


def _find_conflict(pair: ClausePair, kind: str) -> ClauseConflict | None:
    if pair.a.negated != pair.b.negated or (pair.a.negated and kind != OPPOSITE):
        return None  # neither Japan nor Italy: both may be so
    if kind == NUMBER and pair.shared_subject and not (is_state(pair.a) and is_state(pair.b)):
        return None  # "drew 300 litres from the tank", "the tank holds 1,200"
    for conflict in pair.alignment.conflicts:
        if _kind(conflict) == kind and (score := exclusion_score(pair, conflict, kind)):
            one, two = pair.a.content[conflict.index_a], pair.b.content[conflict.index_b]
            topic = _topic(pair) if kind != OPPOSITE else ""
            if pair.is_multi_valued(topic):
                continue
            reason = _REASONS[kind](one.text, two.text)
            return ClauseConflict(kind, score, excerpts(one, two), reason, topic)
    return None


def _topic(pair: ClausePair) -> str:
    if pair.a.frame and pair.a.frame == pair.b.frame:
        return pair.a.frame.lstrip("@")
    return ""
