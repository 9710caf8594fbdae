"""Clauses that differ in a function word or in word order: up or down, tabs over spaces or spaces over
tabs."""

from __future__ import annotations

import re

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, excerpts
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.coexistence import OPPOSITE

ORDER = "order"


def opposite_function_word(pair: ClausePair) -> ClauseConflict | None:
    """All content words are the same, but a function word is the opposite: up/down, with/without."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if (
        len(alignment.unmatched_a) + len(alignment.unmatched_b) > 1
        or alignment.reordered
        or a.negated != b.negated
        or alignment.shared < 1 + (len(a.content) > 1)
    ):
        return None
    own_a = [word for word in a.function_words if word not in b.function_words] + [
        a.content[i].low for i in alignment.unmatched_a
    ]
    own_b = [word for word in b.function_words if word not in a.function_words] + [
        b.content[j].low for j in alignment.unmatched_b
    ]
    if len(own_a) > 3 or len(own_b) > 3:
        return None
    for one in own_a:
        for two in own_b:
            if lexicon().relation(one, two)[0] is WordRelation.OPPOSITE:
                reason = wording.only_opposites_differ(one, two)
                return ClauseConflict(OPPOSITE, 0.85, (one, two), reason)
    return None


def reversed_order(pair: ClausePair) -> ClauseConflict | None:
    """The same two things compared in reverse: "tabs over spaces", "A before B"."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if (
        alignment.unmatched_a
        or alignment.unmatched_b
        or not alignment.reordered
        or a.negated != b.negated
        or a.function_words != b.function_words
    ):
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
    return ClauseConflict(ORDER, 0.8, excerpts(one, two), wording.REVERSED)


# From never (0) to always (5); neighbors do not exclude each other.
_FREQUENCY = {
    **dict.fromkeys(("rarely", "seldom", "hardly ever"), 1),
    **dict.fromkeys(("sometimes", "occasionally", "now and then", "from time to time"), 2),
    **dict.fromkeys(("often", "frequently", "regularly"), 3),
    **dict.fromkeys(("always", "every time", "without exception"), 5),
}
_FREQUENCY_PATTERN = re.compile(rf"\b(?:{'|'.join(_FREQUENCY)})\b", re.I)
_ONLY = re.compile(r"\b(?:only|nothing but|exclusively|solely)\b", re.I)


def frequency(pair: ClausePair) -> ClauseConflict | None:
    """Equal clauses with very different frequencies: "always", "rarely"."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    one, two = _FREQUENCY_PATTERN.search(a.text), _FREQUENCY_PATTERN.search(b.text)
    if one is None or two is None or a.negated != b.negated or alignment.shared < 2:
        return None
    if (
        len(alignment.unmatched_a) + len(alignment.unmatched_b) > 1
        or abs(_FREQUENCY[one[0].lower()] - _FREQUENCY[two[0].lower()]) < 2
    ):
        return None
    return ClauseConflict(OPPOSITE, 0.75, (one[0], two[0]), wording.different_frequency(one[0], two[0]))


def exclusive(pair: ClausePair) -> ClauseConflict | None:
    """Two things of which each is said to be the only one: "drinks only oat milk", "drinks only soy milk"."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if a.negated or b.negated or alignment.shared < 2 or not (_ONLY.search(a.text) and _ONLY.search(b.text)):
        return None
    if (
        len(alignment.unmatched_a) != 1
        or len(alignment.unmatched_b) != 1
        or alignment.slots_a[alignment.unmatched_a[0]] != alignment.slots_b[alignment.unmatched_b[0]]
    ):
        return None
    if not pair.subjects_match() or alignment.unmatched_a[0] < a.subject_end:
        return None
    words = excerpts(a.content[alignment.unmatched_a[0]], b.content[alignment.unmatched_b[0]])
    return ClauseConflict("class", 0.75, words, wording.two_only(*words))
