"""What somebody's job is and where, of which there is one at a time."""

from __future__ import annotations

import re

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import EXCERPT, excerpts
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks
from memtui.memory.contradictions.states.comparison import KIND, Comparison, sides
from memtui.memory.contradictions.states.scopes import differ_in_scope
from memtui.memory.contradictions.states.tenses import is_state

ROLE_FRAMES = frozenset(("@works as", "@works at", "@owned by", "@owns", "@reports to"))
_ROLE_NOUNS = frozenset(
    "chair chairman chairwoman president secretary treasurer captain head lead leader manager director "
    "editor intern apprentice trainee assistant deputy partner owner founder member coach host coordinator "
    "cto ceo cfo maintainer reviewer student freelancer contractor volunteer consultant officer".split()
)


def find_job_conflict(comparison: Comparison) -> ClauseConflict | None:
    """Find two jobs of one person: "Junior accountant at Delmarsh", "Head of finance at Ruvello"."""
    a, b = comparison.a, comparison.b
    if a.negated or b.negated or not comparison.pair.shared_subject or a.subject_end > 1 or b.subject_end > 1:
        return None
    if not (states_role(a) and states_role(b) and is_state(a) and is_state(b)):
        return None
    if "volunteer" in a.bag | b.bag or differ_in_scope(comparison):
        return None
    employers = [
        [k for k in unmatched if c.content[k].marker == "at" and c.content[k].is_name]
        for c, unmatched in sides(comparison)
    ]
    if all(employers):
        words = excerpts(a.content[employers[0][0]], b.content[employers[1][0]])
        return ClauseConflict("value", 0.65, words, wording.ONE_STATE, "works at")
    if not any(mark.kind is ChangeKind.NOW for text in (a.text, b.text) for mark in change_marks(text)):
        return None
    roles = [
        [c.content[k].text[:EXCERPT] for k in unmatched if names_role(c.content[k])]
        for c, unmatched in sides(comparison)
    ]
    return ClauseConflict(KIND, 0.65, (roles[0][0], roles[1][0]), wording.ONE_STATE) if all(roles) else None


_RELATED_TO = re.compile(r"\b(?:with|to|by|and|from) (?:his|her|their|my|our|the)\b", re.I)


def states_role(clause: Clause) -> bool:
    """Whether a clause states somebody's role: "Treasurer of the rowing club"."""
    if _RELATED_TO.search(clause.text):
        return False
    at = clause.subject_end if clause.has_verb else 0
    return any(map(names_role, clause.content[at : at + 3]))


def names_role(token: Token) -> bool:
    """Whether a word names a role or a profession."""
    if token.text.endswith(("'s", "\u2019s")):
        return False
    is_role_noun = not _ROLE_NOUNS.isdisjoint((token.low, token.lemma.split()[-1]))
    return is_role_noun or "professions" in lexicon().classes_of(token.lemma)
