"""Whether a clause describes how things are, or what happened once: only how things are can be out of
date."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import STATIVE_VERBS

# Verbs whose past tense describes how things are: "asked for short answers", "booked for May".
_LASTING_VERBS = frozenset(
    "ask request want prefer insist book schedule plan reserve arrange decide agree choose settle commit "
    "promise require need".split()
)
_PARTICIPLES = frozenset("led held kept sent built made written run driven hosted based".split())
_DATE_PREFIX = re.compile(r"\W*\d{4}-\d{2}(?:-\d{2})?\W*:")  # "2026-02-02: 4.2 rolled out"
_PERIOD = re.compile(r"\bfrom \d{4} (?:to|until|till) \d{4}\b|\b\d{4} ?[-–] ?\d{4}\b")
_DID_NOT = re.compile(r"\bdid(?: not\b|n't)", re.I)
_THEN_BE = re.compile(r"(?: (?!to\b|in\b|at\b|where\b|who\b|that\b)\w+){1,3} (?:is|are)\b", re.I)
_HAS_HAD = re.compile(r"\b(?:has|have) had\b", re.I)
_BE_OR_HAVE = re.compile(r"\b(?:is|are|be|been|being|has|have|gets?)\b|'s\b", re.I)


def is_state(clause: Clause) -> bool:
    """Whether a clause describes how things are, not what happened once."""
    if (
        _PERIOD.search(clause.text)
        or _DATE_PREFIX.match(clause.text)
        or (clause.past and not _HAS_HAD.search(clause.text))
        or _DID_NOT.search(clause.text)
        or _on_one_day(clause)
    ):
        return False
    first = clause.content[0] if clause.content else None
    third = first is not None and first.position == 0 and first.low == f"{first.lemma}s"
    if third and first is not None and lexicon().can_be(first.lemma, "v") and not clause.frame:
        return True  # "wants every nit listed"
    verb_index = clause.subject_end if clause.has_verb else 0
    if verb_index >= len(clause.content):
        return True
    verb = clause.content[verb_index]
    low, lemma = verb.low.split()[0], verb.lemma.split()[0]
    if not clause.has_verb and not _is_past(verb):
        return True
    if verb.lemma.startswith("@") or low == lemma or low.endswith(("s", "ing")):
        return True
    if _THEN_BE.match(clause.text[clause.text.lower().find(low) + len(low) :]):
        return True  # "the minimum supported version is 3.9"
    if (
        verb.marker
        or lemma in _LASTING_VERBS
        or _BE_OR_HAVE.search(clause.text[: clause.text.lower().find(low)])
    ):
        return True  # "for paid search", "asked for", "is built"
    following = clause.content[verb_index + 1] if verb_index + 1 < len(clause.content) else None
    if verb_index <= 1 and following is not None and low.endswith("ed"):  # "Led by Ana", "Based in Rome"
        return following.marker in ("by", "with") or (bool(following.marker) and lemma in STATIVE_VERBS)
    return low in _PARTICIPLES and following is not None and bool(following.marker)


def _is_past(token: Token) -> bool:
    low, lemma = token.low.split()[0], token.lemma.split()[0]
    plain = token.quantity is None and not token.lemma.startswith("@") and low != lemma
    verbal = lexicon().can_be(lemma, "v") and not lexicon().is_animate(lemma)
    return plain and verbal and not low.endswith(("s", "ing"))


def _on_one_day(clause: Clause) -> bool:
    """Whether a note is about one day: "Emergency deploy on Saturday 11 October"."""
    if clause.key or clause.frame:
        return False
    days = [t for t in clause.content if t.quantity is not None and t.quantity.kind == "date"]
    return bool(days) and any("weekdays" in lexicon().classes_of(token.lemma) for token in clause.content)
