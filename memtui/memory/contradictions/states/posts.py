"""What somebody is or where somebody works, of which there is one at a time."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.apart import elsewhere
from memtui.memory.contradictions.states.marks import ChangeKind, change_marks
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.states.two import KIND, REASON, Comparison, sides

ROLES = frozenset(("@works as", "@works at", "@owned by", "@owns", "@reports to"))
_ROLE_NOUNS = frozenset(
    "chair chairman chairwoman president secretary treasurer captain head lead leader manager director "
    "editor intern apprentice trainee assistant deputy partner owner founder member coach host coordinator "
    "cto ceo cfo maintainer reviewer student freelancer contractor volunteer consultant officer".split()
)


def posts(two: Comparison) -> ClauseConflict | None:
    """Two posts of one person: "Junior accountant at Delmarsh", "Head of finance at Ruvello"."""
    a, b = two.a, two.b
    if a.negated or b.negated or not two.pair.shared_subject or a.subject > 1 or b.subject > 1:
        return None
    if not (is_role(a) and is_role(b) and is_state(a) and is_state(b)):
        return None
    if "volunteer" in a.bag | b.bag or elsewhere(two):
        return None
    at = [[k for k in left if c.content[k].marker == "at" and c.content[k].is_name] for c, left in sides(two)]
    if all(at):
        words = a.content[at[0][0]].text[:60], b.content[at[1][0]].text[:60]
        return ClauseConflict("value", 0.65, words, REASON, "works at")
    if not any(mark.kind is ChangeKind.NOW for text in (a.text, b.text) for mark in change_marks(text)):
        return None
    roles = [[c.content[k].text[:60] for k in left if names_role(c.content[k])] for c, left in sides(two)]
    return ClauseConflict(KIND, 0.65, (roles[0][0], roles[1][0]), REASON) if all(roles) else None


_OF_SOMEBODY = re.compile(r"\b(?:with|to|by|and|from) (?:his|her|their|my|our|the)\b", re.I)


def is_role(clause: Clause) -> bool:
    """Whether a clause says what somebody is: "Treasurer of the rowing club"."""
    if _OF_SOMEBODY.search(clause.text):
        return False
    at = clause.subject if clause.verb else 0
    return any(map(names_role, clause.content[at : at + 3]))


def names_role(token: Token) -> bool:
    if token.text.endswith(("'s", "\u2019s")):
        return False
    known = not _ROLE_NOUNS.isdisjoint((token.low, token.lemma.split()[-1]))
    return known or "professions" in lexicon().classes_of(token.lemma)
