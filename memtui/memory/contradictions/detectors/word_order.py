"""The same said with a small word or the order turned: up or down, tabs over spaces or spaces over tabs."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.exclusion import OPPOSITE

ORDER = "order"


def opposite(meeting: ClausePair) -> ClauseConflict | None:
    """All that carries the sentence is the same, but a small word is the opposite: up/down, with/without."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if (
        len(alignment.unmatched_a) + len(alignment.unmatched_b) > 1
        or alignment.reordered
        or a.negated != b.negated
        or alignment.shared < 1 + (len(a.content) > 1)
    ):
        return None
    mine = [word for word in a.function_words if word not in b.function_words] + [a.content[i].low for i in alignment.unmatched_a]
    theirs = [word for word in b.function_words if word not in a.function_words] + [b.content[j].low for j in alignment.unmatched_b]
    if len(mine) > 3 or len(theirs) > 3:
        return None
    for one in mine:
        for two in theirs:
            if lexicon().relation(one, two)[0] is WordRelation.OPPOSITE:
                reason = f"“{one}” and “{two}” are opposites, and all else is said alike."
                return ClauseConflict(OPPOSITE, 0.85, (one, two), reason)
    return None


def order(meeting: ClausePair) -> ClauseConflict | None:
    """The same two things compared the other way round: "tabs over spaces", "A before B"."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if alignment.unmatched_a or alignment.unmatched_b or not alignment.reordered or a.negated != b.negated or a.function_words != b.function_words:
        return None
    if len(a.content) != len(b.content):
        return None
    if {(t.lemma, t.direct_marker) for t in a.content} == {
        (t.lemma, t.direct_marker) for t in b.content
    } and a.frame != "@prefers":
        return None  # "after a minute it ends", "it ends after a minute"
    words = [word for word in a.function_words if word in ("than", "before", "after")]
    if not words and not a.frame == b.frame == "@prefers":
        return None
    moved = [i for i, j in alignment.matches if i != j]
    if len(moved) < 2:
        return None
    one, two = a.content[moved[0]], b.content[moved[0]]
    reason = "The same two are put the other way round."
    return ClauseConflict(ORDER, 0.8, (one.text[:60], two.text[:60]), reason)


# How often, from never to always; neighbours may be the same.
_OFTEN = {
    **dict.fromkeys(("rarely", "seldom", "hardly ever"), 1),
    **dict.fromkeys(("sometimes", "occasionally", "now and then", "from time to time"), 2),
    **dict.fromkeys(("often", "frequently", "regularly"), 3),
    **dict.fromkeys(("always", "every time", "without exception"), 5),
}
_HOW_OFTEN = re.compile(rf"\b(?:{'|'.join(_OFTEN)})\b", re.I)
_ONLY = re.compile(r"\b(?:only|nothing but|exclusively|solely)\b", re.I)


def how_often(meeting: ClausePair) -> ClauseConflict | None:
    """All is said alike, but always on one side and only often on the other."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    one, two = _HOW_OFTEN.search(a.text), _HOW_OFTEN.search(b.text)
    if one is None or two is None or a.negated != b.negated or alignment.shared < 2:
        return None
    if len(alignment.unmatched_a) + len(alignment.unmatched_b) > 1 or abs(_OFTEN[one[0].lower()] - _OFTEN[two[0].lower()]) < 2:
        return None
    return ClauseConflict(OPPOSITE, 0.75, (one[0], two[0]), f"“{one[0]}” is not “{two[0]}”.")


def only(meeting: ClausePair) -> ClauseConflict | None:
    """Of each it is told that it is the only one: "drinks only oat milk", "drinks only soy milk"."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if a.negated or b.negated or alignment.shared < 2 or not (_ONLY.search(a.text) and _ONLY.search(b.text)):
        return None
    if len(alignment.unmatched_a) != 1 or len(alignment.unmatched_b) != 1 or alignment.slots_a[alignment.unmatched_a[0]] != alignment.slots_b[alignment.unmatched_b[0]]:
        return None
    if not meeting.subjects_match() or alignment.unmatched_a[0] < a.subject:
        return None
    words = a.content[alignment.unmatched_a[0]].text[:60], b.content[alignment.unmatched_b[0]].text[:60]
    return ClauseConflict("class", 0.75, words, f"Only one can be the only one: {words[0]} or {words[1]}.")
