"""Why two memories were found, in one sentence, composed from what the detectors found."""

from __future__ import annotations

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.language.attributes import attribute_of
from memtui.memory.contradictions.pairs import EXACT, NEAR, ClauseConflict, Judgement
from memtui.memory.secrets.masking import shortened

_MOST = 90  # characters of a statement that is quoted
_SAME_WORDS = 0.995  # a share of common words that would be rounded to 100%


def conflict_reason(conflict: ClauseConflict) -> str:
    """Return why two memories cannot both be right: their statements, or the values that differ."""
    a, b = (each.strip().rstrip(".;,") for each in conflict.clauses)
    value_a, value_b = (each.strip() for each in conflict.words)
    statements = wording.either_statement(shortened(a, _MOST), shortened(b, _MOST)) if a and b else ""
    values = wording.either(value_a, value_b) if value_a and value_b else statements
    if conflict.kind == "mark":
        return wording.marked(statements) if statements else conflict.reason
    if conflict.kind == "polarity" and statements:
        return wording.one_negates(statements)
    if conflict.kind == "change" and statements:
        return wording.earlier_time(statements)
    if conflict.kind in ("key", "validity") or not values:
        return conflict.reason
    if conflict.kind == "opposite":
        return wording.opposite_values(values)
    if attribute := attribute_of(conflict.topic):
        return wording.values_of(attribute, values)
    if conflict.topic or conflict.kind in ("number", "value", "class"):
        return wording.conflicting_values(values)
    return conflict.reason


def duplicate_reason(judgement: Judgement) -> str:
    """Return how far two memories say the same."""
    if judgement.duplicate_kind == EXACT:
        return wording.SAME_TEXT
    if judgement.overlap >= _SAME_WORDS:
        overlap = wording.SAME_WORDS
    else:
        overlap = wording.shared_words(judgement.overlap)
    if judgement.duplicate_kind == NEAR:
        return wording.near_duplicate(overlap)
    return wording.possible_duplicate(overlap)
