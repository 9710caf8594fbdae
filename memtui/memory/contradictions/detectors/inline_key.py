"""One key with two values, in the texts themselves: "region: us-east-1", "region: eu-west-1"."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.comparison.value_conflict import KIND, short_for
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import is_many
from memtui.memory.contradictions.pairs import ClauseConflict

_FOR = re.compile(r"\b(?:for|in|on) (\w+)")
_WORDS = re.compile(r"[\w.+#/@:%$€£-]+")


def find(meeting: ClausePair) -> ClauseConflict | None:
    """ "region: us-east-1" and "region: eu-west-1"."""
    a, b = meeting.a, meeting.b
    if not a.key or a.key != b.key or is_many(a.key) or _denied(a) != _denied(b) or _lists(a):
        return None
    topic = a.frame.lstrip("@") if a.frame else a.key  # "Owner: Ana" is what "owned by Ana" is
    if meeting.is_multi_valued(topic):
        return None
    one, two = a.value.casefold().strip(), b.value.casefold().strip()
    if one == two or len(one.split()) > 8 or len(two.split()) > 8 or meeting.is_multi_valued(a.key):
        return None
    mine, theirs = set(_WORDS.findall(one)), set(_WORDS.findall(two))
    if not mine or not theirs or mine <= theirs or theirs <= mine or ("," in one and mine & theirs):
        return None
    purposes = [set(_FOR.findall(value)) for value in (one, two)]
    if all(purposes) and purposes[0] != purposes[1]:
        return None  # "Haller for oak", "Nordwood for pine"
    unmatched_a = [a.content[i] for i in meeting.alignment.unmatched_a]
    unmatched_b = [b.content[j] for j in meeting.alignment.unmatched_b]
    if a.key.startswith("to ") or short_for(unmatched_a, unmatched_b) or short_for(unmatched_b, unmatched_a):
        return None
    if lexicon().relation(one, two)[0] in (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER):
        return None  # "done", "completed"
    if any(t.quantity is not None and t.quantity.approximate for t in [*unmatched_a, *unmatched_b]):
        return None
    if not (unmatched_a and unmatched_b) and (" " in one or " " in two):
        return None
    reason = f"Both tell “{a.key[:40]}”, with different values."
    return ClauseConflict(KIND, 0.9, (a.value[:60], b.value[:60]), reason, topic)


def _denied(clause: Clause) -> bool:
    """Whether the value itself is denied, not something behind it: "archived, no further releases"."""
    return clause.negated and clause.negator.lower() in clause.value.lower().partition(",")[0]


def _lists(clause: Clause) -> bool:
    """Whether a key names several ("metrics tracked", "allowed to borrow the van")."""
    words = clause.text.partition(":")[0].lower().split()
    ends = {words[0], words[-1]} if words else set()
    plural = any(word.endswith("s") and lexicon().lemma_of(word) == word.rstrip("s") for word in ends)
    return plural or bool(ends & {"allowed", "supported", "including", "includes", "tracked"})
