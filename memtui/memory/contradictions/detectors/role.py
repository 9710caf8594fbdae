"""What has one of whom it is: who owns it, who is the lead."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.comparison.value_conflict import differ, told
from memtui.memory.contradictions.language.vocabulary import LIGHT_VERBS, SINGLE_SUBJECT
from memtui.memory.contradictions.pairs import ClauseConflict

_THE = re.compile(r"^\W*[\w.-]+ (?:is|'s) (?:the|our|my|her|his|their) ")


def other_owner(meeting: ClausePair) -> ClauseConflict | None:
    """ "Ravi owns payments", "Helena owns payments"."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if a.negated or b.negated or a.frame not in SINGLE_SUBJECT or a.frame != b.frame or not meeting.is_definite:
        return None
    if (a.frame_at, b.frame_at) not in alignment.matches:
        return None
    topic = a.frame.lstrip("@")
    behind = [i for i in alignment.unmatched_a if i > a.frame_at] + [j for j in alignment.unmatched_b if j > b.frame_at]
    if behind or alignment.shared < 2 or meeting.is_multi_valued(topic):
        return None
    one = [a.content[i] for i in alignment.unmatched_a if i < a.frame_at]
    two = [b.content[j] for j in alignment.unmatched_b if j < b.frame_at]
    return (
        differ(one, two, topic, 0.7)
        if one and two and all(t.is_name or t.text[:1].isupper() for t in [*one, *two])
        else None
    )


def other_way_round(meeting: ClausePair) -> ClauseConflict | None:
    """ "Beatriz leads Atlas" and "Atlas is headed by Quentin"."""
    a, b = meeting.a, meeting.b
    if {a.frame, b.frame} != {"@owns", "@owned by"} or a.negated or b.negated or a.past != b.past:
        return None
    by, of = (a, b) if a.frame == "@owns" else (b, a)
    one, thing = by.content[: by.frame_at], by.content[by.frame_at + 1 :]
    two, other = of.content[of.frame_at + 1 :], of.content[: of.frame_at]
    if not one or not two or not {t.lemma for t in thing} & {t.lemma for t in other}:
        return None
    more = {t.lemma for t in other} - {t.lemma for t in thing} - LIGHT_VERBS
    if more or {t.lemma for t in one} & {t.lemma for t in two} or not (one[0].is_name or two[0].is_name):
        return None
    if meeting.is_multi_valued("owns"):
        return None
    return told(*((one, two) if by is a else (two, one)), "owns", 0.65)


def only_one_is(meeting: ClausePair) -> ClauseConflict | None:
    """ "Ana is the team lead", "Bo is the team lead"."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if a.negated or b.negated or a.past or b.past or alignment.reordered or len(alignment.unmatched_a) != 1 or len(alignment.unmatched_b) != 1:
        return None
    if alignment.unmatched_a[0] != 0 or alignment.unmatched_b[0] != 0 or not (_THE.search(a.text) and _THE.search(b.text)):
        return None
    one, two = a.content[0], b.content[0]
    if not (one.text[:1].isupper() and two.text[:1].isupper()) or alignment.shared < 1:
        return None
    topic = " ".join(token.low for token in a.content[1:])[:60]
    return None if meeting.is_multi_valued(topic) else told([one], [two], topic, 0.7)
