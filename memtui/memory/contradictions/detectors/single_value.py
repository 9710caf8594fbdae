"""What a thing has one of, by a relation that the vocabulary knows: where somebody lives, what it costs."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.comparison.value_conflict import conditional, differ, value_of
from memtui.memory.contradictions.language.vocabulary import SINGLE_VALUED
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.limits import of_other_deeds


def find(meeting: ClausePair) -> ClauseConflict | None:
    """The same relation of the same thing, with another name behind it."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    if a.negated or b.negated or not a.frame or a.frame != b.frame or not meeting.is_definite:
        return None
    if (a.frame_at, b.frame_at) not in alignment.matches:
        return None
    topic = a.frame.lstrip("@")
    if a.frame not in SINGLE_VALUED or not meeting.subjects_match() or meeting.is_multi_valued(topic):
        return None
    mine = [i for i in alignment.unmatched_a if i > a.frame_at]
    theirs = [j for j in alignment.unmatched_b if j > b.frame_at]
    before = [a.content[i] for i in alignment.unmatched_a if i < a.frame_at] + [
        b.content[j] for j in alignment.unmatched_b if j < b.frame_at
    ]
    if not mine or not theirs or before or len(mine) > 4 or len(theirs) > 4:
        return None
    if of_other_deeds(a.text, b.text):
        return None
    first_a, first_b = value_of(a, mine), value_of(b, theirs)
    if (len(first_a) < len(mine) and len(first_b) < len(theirs)) or meeting.other_times():
        return None  # where or when differs, too
    one, two = [a.content[i] for i in mine], [b.content[j] for j in theirs]
    if conditional([*one, *two]) or not _first_values(a.frame_at, mine, b.frame_at, theirs):
        return None
    return differ([a.content[i] for i in first_a], [b.content[j] for j in first_b], topic, 0.8)


def _first_values(frame_a: int, mine: list[int], frame_b: int, theirs: list[int]) -> bool:
    """Whether what differs stands right behind the relation."""
    return mine[0] - frame_a <= 2 and theirs[0] - frame_b <= 2
