"""One thing, told to be two: "the on-call engineer is Bo", "the on-call engineer is Cy"."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair, scoped
from memtui.memory.contradictions.comparison.value_conflict import conditional, differ, named, told, value_of
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import MULTI_VALUED_VERBS
from memtui.memory.contradictions.pairs import ClauseConflict

_IS = re.compile(r"\b(?:is|are|was|will be)\b|'s\b")
# What a thing has one of, whatever it is.
_ONLY = frozenset(
    """
    cause reason codename title role venue winner capital nickname password region motto slogan colour color
    default format style approach framework strategy method mascot theme topic seat desk
    """.split()
)


def told_to_be(meeting: ClausePair) -> ClauseConflict | None:
    """ "The on-call engineer is Bo" and "… is Cy": one thing, told to be two."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if a.negated or b.negated or not meeting.is_definite or a.frame or b.frame or a.event or b.event:
        return None
    if meeting.other_times():
        return None
    if not a.subject or not b.subject or not meeting.subjects_match() or alignment.reordered:
        return None
    if any(i < a.subject for i in alignment.unmatched_a) or any(j < b.subject for j in alignment.unmatched_b):
        return None
    one, two = [a.content[i] for i in alignment.unmatched_a], [b.content[j] for j in alignment.unmatched_b]
    if not one or not two or len(one) > 3 or len(two) > 3 or conditional([*one, *two]):
        return None
    if len(value_of(a, alignment.unmatched_a)) < len(one) and len(value_of(b, alignment.unmatched_b)) < len(two):
        return None
    if alignment.unmatched_a[0] != a.subject or alignment.unmatched_b[0] != b.subject or not (_is(a.text) and _is(b.text)):
        return None
    if _done(one[0]) and _done(two[0]):
        return None  # "is sent", "is kept": two things are told of it
    topic = " ".join(token.low for token in a.content[: a.subject])[:60]
    if (a.subject == 1 and (a.content[0].is_name or a.lemmas[0] == "user")) or meeting.is_multi_valued(topic):
        return None  # "Ana is …" many things
    found = differ(one, two, topic, 0.7)
    plain = len(one) == len(two) == 1 and not any(map(_described, [*one, *two]))
    if found is None and a.lemmas[a.subject - 1] in _ONLY and not alignment.broader and not alignment.narrower:
        return told(one, two, topic, 0.6)
    if found is None and plain and (alignment.unmatched_a[0] > a.subject or a.subject > 1):
        return told(one, two, topic, 0.55)
    return found


def renamed(meeting: ClausePair) -> ClauseConflict | None:
    """All is said alike but for a name: "is done with Tailwind", "is done with Bulma"."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if a.negated or b.negated or not meeting.is_definite or a.event or b.event or alignment.reordered or alignment.shared < 2:
        return None
    if meeting.other_times() or not meeting.subjects_match():
        return None
    if len(alignment.unmatched_a) != 1 or len(alignment.unmatched_b) != 1 or alignment.slots_a[alignment.unmatched_a[0]] != alignment.slots_b[alignment.unmatched_b[0]]:
        return None
    i, j = alignment.unmatched_a[0], alignment.unmatched_b[0]
    one, two = a.content[i], b.content[j]
    if i < a.subject or j < b.subject or scoped([one, two]) or not (named(one) and named(two)):
        return None
    if MULTI_VALUED_VERBS & set(a.lemmas[: i + 1]) or (a.personal and not a.frame and alignment.shared < 3):
        return None
    topic = " ".join(token.low for token in a.content[a.subject : i])[:60].lstrip("@")
    return None if meeting.is_multi_valued(topic) else differ([one], [two], topic, 0.65)


def _done(token: Token) -> bool:
    """Whether a word is a form of a verb: "sent", "sending"."""
    return token.low != token.lemma and lexicon().can_be(token.lemma, "v") and not token.low.endswith("s")


def _described(token: Token) -> bool:
    words = lexicon()
    return token.quantity is not None or words.can_be(token.lemma, "a") or token.low.endswith(("ed", "ing"))


def _is(text: str) -> bool:
    return _IS.search(text) is not None
