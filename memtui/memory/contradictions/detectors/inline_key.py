"""One key with two values in the texts themselves: "region: us-east-1", "region: eu-west-1"."""

from __future__ import annotations

import re

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import EXCERPT, ClausePair
from memtui.memory.contradictions.comparison.value_conflict import KIND, is_abbreviation
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import is_multi_valued_key
from memtui.memory.contradictions.pairs import ClauseConflict

_PURPOSE = re.compile(r"\b(?:for|in|on) (\w+)")
_WORDS = re.compile(r"[\w.+#/@:%$€£-]+")


def find(pair: ClausePair) -> ClauseConflict | None:
    """ "region: us-east-1" and "region: eu-west-1"."""
    a, b = pair.a, pair.b
    if (
        not a.key
        or a.key != b.key
        or is_multi_valued_key(a.key)
        or _value_negated(a) != _value_negated(b)
        or _names_several(a)
    ):
        return None
    topic = a.frame.lstrip("@") if a.frame else a.key  # "Owner: Ana" states the same as "owned by Ana"
    if pair.is_multi_valued(topic):
        return None
    value_a, value_b = a.value.casefold().strip(), b.value.casefold().strip()
    if (
        value_a == value_b
        or len(value_a.split()) > 8
        or len(value_b.split()) > 8
        or pair.is_multi_valued(a.key)
    ):
        return None
    words_a, words_b = set(_WORDS.findall(value_a)), set(_WORDS.findall(value_b))
    if (
        not words_a
        or not words_b
        or words_a <= words_b
        or words_b <= words_a
        or ("," in value_a and words_a & words_b)
    ):
        return None
    purposes = [set(_PURPOSE.findall(value)) for value in (value_a, value_b)]
    if all(purposes) and purposes[0] != purposes[1]:
        return None  # "Haller for oak", "Nordwood for pine"
    unmatched_a = [a.content[i] for i in pair.alignment.unmatched_a]
    unmatched_b = [b.content[j] for j in pair.alignment.unmatched_b]
    if (
        a.key.startswith("to ")
        or is_abbreviation(unmatched_a, unmatched_b)
        or is_abbreviation(unmatched_b, unmatched_a)
    ):
        return None
    if lexicon().relation(value_a, value_b)[0] in (
        WordRelation.SAME,
        WordRelation.BROADER,
        WordRelation.NARROWER,
    ):
        return None  # "done", "completed"
    if any(t.quantity is not None and t.quantity.approximate for t in [*unmatched_a, *unmatched_b]):
        return None
    if not (unmatched_a and unmatched_b) and (" " in value_a or " " in value_b):
        return None
    words = a.value[:EXCERPT], b.value[:EXCERPT]
    return ClauseConflict(KIND, 0.9, words, wording.inline_key(a.key), topic)


def _value_negated(clause: Clause) -> bool:
    """Whether the value itself is negated, not something behind it ("archived, no further releases")."""
    return clause.negated and clause.negator.lower() in clause.value.lower().partition(",")[0]


def _names_several(clause: Clause) -> bool:
    """Whether a key has several values ("metrics tracked", "allowed to borrow the van")."""
    words = clause.text.partition(":")[0].lower().split()
    ends = {words[0], words[-1]} if words else set()
    plural = any(word.endswith("s") and lexicon().lemma_of(word) == word.rstrip("s") for word in ends)
    return plural or bool(ends & {"allowed", "supported", "including", "includes", "tracked"})
