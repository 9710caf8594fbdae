"""One thing with two identities: "the on-call engineer is Bo", "the on-call engineer is Cy"."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair, has_scope
from memtui.memory.contradictions.comparison.value_conflict import (
    find_value_conflict,
    is_conditional,
    is_named,
    value_conflict,
    value_indices,
)
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import MULTI_VALUED_VERBS
from memtui.memory.contradictions.pairs import ClauseConflict

_IS = re.compile(r"\b(?:is|are|was|will be)\b|'s\b")
# What any thing has only one of.
_SINGLE_VALUED_NOUNS = frozenset(
    """
    cause reason codename title role venue winner capital nickname password region motto slogan colour color
    default format style approach framework strategy method mascot theme topic seat desk
    """.split()
)


def different_identity(pair: ClausePair) -> ClauseConflict | None:
    """ "The on-call engineer is Bo" and "The on-call engineer is Cy"."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if a.negated or b.negated or not pair.is_definite or a.frame or b.frame or a.event or b.event:
        return None
    if pair.differ_in_time():
        return None
    if not a.subject_end or not b.subject_end or not pair.subjects_match() or alignment.reordered:
        return None
    if any(i < a.subject_end for i in alignment.unmatched_a) or any(
        j < b.subject_end for j in alignment.unmatched_b
    ):
        return None
    one, two = [a.content[i] for i in alignment.unmatched_a], [b.content[j] for j in alignment.unmatched_b]
    if not one or not two or len(one) > 3 or len(two) > 3 or is_conditional([*one, *two]):
        return None
    if len(value_indices(a, alignment.unmatched_a)) < len(one) and len(
        value_indices(b, alignment.unmatched_b)
    ) < len(two):
        return None
    if (
        alignment.unmatched_a[0] != a.subject_end
        or alignment.unmatched_b[0] != b.subject_end
        or not (_has_be(a.text) and _has_be(b.text))
    ):
        return None
    if _is_verb_form(one[0]) and _is_verb_form(two[0]):
        return None  # "is sent", "is kept": both may be true
    topic = " ".join(token.low for token in a.content[: a.subject_end])[:60]
    if (a.subject_end == 1 and (a.content[0].is_name or a.lemmas[0] == "user")) or pair.is_multi_valued(
        topic
    ):
        return None  # "Ana is …" may be said of many things
    found = find_value_conflict(one, two, topic, 0.7)
    nouns = len(one) == len(two) == 1 and not any(map(_is_description, [*one, *two]))
    if (
        found is None
        and a.lemmas[a.subject_end - 1] in _SINGLE_VALUED_NOUNS
        and not alignment.broader
        and not alignment.narrower
    ):
        return value_conflict(one, two, topic, 0.6)
    if found is None and nouns and (alignment.unmatched_a[0] > a.subject_end or a.subject_end > 1):
        return value_conflict(one, two, topic, 0.55)
    return found


def different_name(pair: ClausePair) -> ClauseConflict | None:
    """Clauses that are equal but for a name: "is done with Tailwind", "is done with Bulma"."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if (
        a.negated
        or b.negated
        or not pair.is_definite
        or a.event
        or b.event
        or alignment.reordered
        or alignment.shared < 2
    ):
        return None
    if pair.differ_in_time() or not pair.subjects_match():
        return None
    if (
        len(alignment.unmatched_a) != 1
        or len(alignment.unmatched_b) != 1
        or alignment.slots_a[alignment.unmatched_a[0]] != alignment.slots_b[alignment.unmatched_b[0]]
    ):
        return None
    i, j = alignment.unmatched_a[0], alignment.unmatched_b[0]
    one, two = a.content[i], b.content[j]
    if (
        i < a.subject_end
        or j < b.subject_end
        or has_scope([one, two])
        or not (is_named(one) and is_named(two))
    ):
        return None
    if MULTI_VALUED_VERBS & set(a.lemmas[: i + 1]) or (a.personal and not a.frame and alignment.shared < 3):
        return None
    topic = " ".join(token.low for token in a.content[a.subject_end : i])[:60].lstrip("@")
    return None if pair.is_multi_valued(topic) else find_value_conflict([one], [two], topic, 0.65)


def _is_verb_form(token: Token) -> bool:
    """Whether a word is an inflected verb: "sent", "sending"."""
    return token.low != token.lemma and lexicon().can_be(token.lemma, "v") and not token.low.endswith("s")


def _is_description(token: Token) -> bool:
    words = lexicon()
    return token.quantity is not None or words.can_be(token.lemma, "a") or token.low.endswith(("ed", "ing"))


def _has_be(text: str) -> bool:
    return _IS.search(text) is not None
