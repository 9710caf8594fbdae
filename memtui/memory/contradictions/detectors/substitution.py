"""The same said with one word in the place of another, where both cannot be: opposites, members of one
class, other numbers."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, quoted
from memtui.memory.contradictions.language.lexicon import WordRelation
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.exclusion import CLASS, NUMBER, OPPOSITE, excludes
from memtui.memory.contradictions.states.tenses import is_state


def opposite(meeting: ClausePair) -> ClauseConflict | None:
    """Words that exclude each other by what they mean."""
    return _first(meeting, OPPOSITE)


def of_a_class(meeting: ClausePair) -> ClauseConflict | None:
    """Two colours, two countries, two editors in one place."""
    return _first(meeting, CLASS)


def number(meeting: ClausePair) -> ClauseConflict | None:
    """Two values of the same measure in one place."""
    return _first(meeting, NUMBER)


def _kind(each: TokenConflict) -> str:
    if each.relation is WordRelation.OPPOSITE:
        return OPPOSITE
    return NUMBER if each.kind == "number" else CLASS


def _first(meeting: ClausePair, kind: str) -> ClauseConflict | None:
    if meeting.a.negated != meeting.b.negated or (meeting.a.negated and kind != OPPOSITE):
        return None  # neither Japan nor Italy: both may be so
    if kind == NUMBER and meeting.shared_subject and not (is_state(meeting.a) and is_state(meeting.b)):
        return None  # "drew 300 litres from the tank", "the tank holds 1,200"
    for each in meeting.alignment.conflicts:
        if _kind(each) == kind and (score := excludes(meeting, each, kind)):
            one, two = meeting.a.content[each.index_a], meeting.b.content[each.index_b]
            topic = _topic(meeting) if kind != OPPOSITE else ""
            if meeting.is_multi_valued(topic):
                continue
            reason = {
                OPPOSITE: f"“{one.text[:40]}” and “{two.text[:40]}” are opposites.",
                CLASS: f"Only one can stand there: “{one.text[:40]}” or “{two.text[:40]}”.",
                NUMBER: f"Two values of the same: {one.text[:40]} and {two.text[:40]}.",
            }[kind]
            return ClauseConflict(kind, score, quoted(one, two), reason, topic)
    return None


def _topic(meeting: ClausePair) -> str:
    if meeting.a.frame and meeting.a.frame == meeting.b.frame:
        return meeting.a.frame.lstrip("@")
    return ""
