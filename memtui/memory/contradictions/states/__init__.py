"""One thing in two states: what it was, and what it is by now (S-40).

Only for clauses about the same thing of which one describes a state, the other a change or another value.
"""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.vocabulary import is_multi_valued_key
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import change_marks, is_planned
from memtui.memory.contradictions.states.changed import find_outdated
from memtui.memory.contradictions.states.comparison import compare, in_different_positions
from memtui.memory.contradictions.states.heads import name_different_heads
from memtui.memory.contradictions.states.jobs import find_job_conflict
from memtui.memory.contradictions.states.negated import find_negation
from memtui.memory.contradictions.states.scopes import are_consecutive
from memtui.memory.contradictions.states.values import (
    find_different_dates,
    find_different_frame_values,
    find_different_values,
)

# Exceptions to the rule: "an extra rehearsal on one Sunday".
_EXTRA = re.compile(r"\b(?:extra|additional|one-off|exceptionally|special|also|as well|besides|too)\b", re.I)


def find(pair: ClausePair) -> ClauseConflict | None:
    """Find a state that the other clause shows to be out of date."""
    a, b = pair.a, pair.b
    if a.explanatory or b.explanatory or is_planned(a.text) or is_planned(b.text):
        return None
    if a.key and a.key == b.key and is_multi_valued_key(a.key):
        return None
    if bool(_EXTRA.search(a.text)) != bool(_EXTRA.search(b.text)):
        return None
    if a.key and b.key and a.key != b.key:
        return None  # "height: 42 m", "length: 310 m"
    comparison = compare(pair)
    if (
        in_different_positions(comparison)
        or are_consecutive(comparison)
        or name_different_heads(pair.alignment, pair.names)
    ):
        return None
    found = (
        find_different_dates(comparison)
        or find_different_values(comparison)
        or find_different_frame_values(comparison)
        or find_negation(comparison)
        or find_job_conflict(comparison)
    )
    if found is not None:
        return found
    for mark in change_marks(a.text):
        if (found := find_outdated(comparison, mark, a, b, False)) is not None:
            return found
    for mark in change_marks(b.text):
        if (found := find_outdated(comparison, mark, b, a, True)) is not None:
            return found
    return None
