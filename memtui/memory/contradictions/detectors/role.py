"""Roles that one person holds: who owns a thing, who is the lead."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.comparison.value_conflict import find_value_conflict, value_conflict
from memtui.memory.contradictions.language.vocabulary import LIGHT_VERBS, SINGLE_SUBJECT
from memtui.memory.contradictions.pairs import ClauseConflict

_IS_THE = re.compile(r"^\W*[\w.-]+ (?:is|'s) (?:the|our|my|her|his|their) ")


def different_owner(pair: ClausePair) -> ClauseConflict | None:
    """ "Ravi owns payments" and "Helena owns payments"."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if a.negated or b.negated or a.frame not in SINGLE_SUBJECT or a.frame != b.frame or not pair.is_definite:
        return None
    if (a.frame_at, b.frame_at) not in alignment.matches:
        return None
    topic = a.frame.lstrip("@")
    after_frame = [i for i in alignment.unmatched_a if i > a.frame_at] + [
        j for j in alignment.unmatched_b if j > b.frame_at
    ]
    if after_frame or alignment.shared < 2 or pair.is_multi_valued(topic):
        return None
    one = [a.content[i] for i in alignment.unmatched_a if i < a.frame_at]
    two = [b.content[j] for j in alignment.unmatched_b if j < b.frame_at]
    return (
        find_value_conflict(one, two, topic, 0.7)
        if one and two and all(t.is_name or t.text[:1].isupper() for t in [*one, *two])
        else None
    )


def different_owner_inverse(pair: ClausePair) -> ClauseConflict | None:
    """ "Beatriz leads Atlas" and "Atlas is headed by Quentin"."""
    a, b = pair.a, pair.b
    if {a.frame, b.frame} != {"@owns", "@owned by"} or a.negated or b.negated or a.past != b.past:
        return None
    active, passive = (a, b) if a.frame == "@owns" else (b, a)
    owner_a, owned_a = active.content[: active.frame_at], active.content[active.frame_at + 1 :]
    owner_b, owned_b = passive.content[passive.frame_at + 1 :], passive.content[: passive.frame_at]
    if not owner_a or not owner_b or not {t.lemma for t in owned_a} & {t.lemma for t in owned_b}:
        return None
    extra = {t.lemma for t in owned_b} - {t.lemma for t in owned_a} - LIGHT_VERBS
    if (
        extra
        or {t.lemma for t in owner_a} & {t.lemma for t in owner_b}
        or not (owner_a[0].is_name or owner_b[0].is_name)
    ):
        return None
    if pair.is_multi_valued("owns"):
        return None
    return value_conflict(*((owner_a, owner_b) if active is a else (owner_b, owner_a)), "owns", 0.65)


def different_holder(pair: ClausePair) -> ClauseConflict | None:
    """ "Ana is the team lead" and "Bo is the team lead"."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if (
        a.negated
        or b.negated
        or a.past
        or b.past
        or alignment.reordered
        or len(alignment.unmatched_a) != 1
        or len(alignment.unmatched_b) != 1
    ):
        return None
    if (
        alignment.unmatched_a[0] != 0
        or alignment.unmatched_b[0] != 0
        or not (_IS_THE.search(a.text) and _IS_THE.search(b.text))
    ):
        return None
    one, two = a.content[0], b.content[0]
    if not (one.text[:1].isupper() and two.text[:1].isupper()) or alignment.shared < 1:
        return None
    topic = " ".join(token.low for token in a.content[1:])[:60]
    return None if pair.is_multi_valued(topic) else value_conflict([one], [two], topic, 0.7)
