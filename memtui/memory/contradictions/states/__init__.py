"""One thing in two states: what it was, and what it is by now (S-40).

Only where both memories are about the same thing, and one tells how it is while the other tells of a change,
or of another value of the same."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.vocabulary import is_many
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.apart import one_after_the_other
from memtui.memory.contradictions.states.changed import changed
from memtui.memory.contradictions.states.negated import denied
from memtui.memory.contradictions.states.heads import of_other_heads
from memtui.memory.contradictions.states.marks import is_planned, change_marks
from memtui.memory.contradictions.states.posts import posts
from memtui.memory.contradictions.states.two import other_parts, read
from memtui.memory.contradictions.states.values import framed, once, values

# What is told beside the rule: "an extra rehearsal on one Sunday".
_EXTRA = re.compile(r"\b(?:extra|additional|one-off|exceptionally|special|also|as well|besides|too)\b", re.I)


def find(meeting: ClausePair) -> ClauseConflict | None:
    """What was so of a thing, and what is so since."""
    a, b = meeting.a, meeting.b
    if a.explanatory or b.explanatory or is_planned(a.text) or is_planned(b.text):
        return None
    if a.key and a.key == b.key and is_many(a.key):
        return None
    if bool(_EXTRA.search(a.text)) != bool(_EXTRA.search(b.text)):
        return None
    if a.key and b.key and a.key != b.key:
        return None  # "height: 42 m", "length: 310 m"
    two = read(meeting)
    if other_parts(two) or one_after_the_other(two) or of_other_heads(meeting.alignment, meeting.names):
        return None
    found = once(two) or values(two) or framed(two) or denied(two) or posts(two)
    if found is not None:
        return found
    for mark in change_marks(a.text):
        if (found := changed(two, mark, a, b, False)) is not None:
            return found
    for mark in change_marks(b.text):
        if (found := changed(two, mark, b, a, True)) is not None:
            return found
    return None
