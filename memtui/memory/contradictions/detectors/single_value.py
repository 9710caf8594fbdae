"""Relations with one value at a time: where somebody lives, what something costs."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.comparison.value_conflict import (
    find_value_conflict,
    is_conditional,
    value_indices,
)
from memtui.memory.contradictions.language.vocabulary import SINGLE_VALUED
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.limits import concern_different_matters


def find(pair: ClausePair) -> ClauseConflict | None:
    """The same single-valued relation of the same thing with different values."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    if a.negated or b.negated or not a.frame or a.frame != b.frame or not pair.is_definite:
        return None
    if (a.frame_at, b.frame_at) not in alignment.matches:
        return None
    topic = a.frame.lstrip("@")
    if a.frame not in SINGLE_VALUED or not pair.subjects_match() or pair.is_multi_valued(topic):
        return None
    rest_a = [i for i in alignment.unmatched_a if i > a.frame_at]
    rest_b = [j for j in alignment.unmatched_b if j > b.frame_at]
    before_frame = [a.content[i] for i in alignment.unmatched_a if i < a.frame_at] + [
        b.content[j] for j in alignment.unmatched_b if j < b.frame_at
    ]
    if not rest_a or not rest_b or before_frame or len(rest_a) > 4 or len(rest_b) > 4:
        return None
    if concern_different_matters(a.text, b.text):
        return None
    value_a, value_b = value_indices(a, rest_a), value_indices(b, rest_b)
    if (len(value_a) < len(rest_a) and len(value_b) < len(rest_b)) or pair.differ_in_time():
        return None  # a place or time differs, too
    tokens_a, tokens_b = [a.content[i] for i in rest_a], [b.content[j] for j in rest_b]
    if is_conditional([*tokens_a, *tokens_b]) or not _follow_directly(a.frame_at, rest_a, b.frame_at, rest_b):
        return None
    return find_value_conflict([a.content[i] for i in value_a], [b.content[j] for j in value_b], topic, 0.8)


def _follow_directly(frame_a: int, rest_a: list[int], frame_b: int, rest_b: list[int]) -> bool:
    """Whether the differing words stand right behind the relation."""
    return rest_a[0] - frame_a <= 2 and rest_b[0] - frame_b <= 2
