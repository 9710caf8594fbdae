"""Whether two memories say the same: the gate before merging (S-41, LIMITS 10)."""

from __future__ import annotations

from collections import Counter

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import QUALIFIERS
from memtui.memory.contradictions.pairs import EXACT, MAYBE, NEAR
from memtui.memory.contradictions.states.marks import ChangeKind, change_marks
from memtui.memory.contradictions.templates import Phrases, empty
from memtui.memory.contradictions.word_changes import turned

_NEAR, _MAYBE = 0.75, 0.7  # of the words are alike
_MORE = 1  # words that one side may have beside the other's


def compare(
    a: ParsedMemory, b: ParsedMemory, alignments: list[Alignment], clash: bool, common: Phrases = frozenset()
) -> tuple[str, float]:
    """exact, near, maybe or "", and how much is alike (0–1), beside the phrases that they have in `common`
    with many others. Near is only what leaves no word unexplained on both sides: all else is a person's to
    judge."""
    if a.fingerprint == b.fingerprint and a.fingerprint:
        return ("" if clash else EXACT), 1.0
    if not alignments:
        return "", 0.0
    total = sum(_counted(c, common) for c in (*a.clauses, *b.clauses))
    shared = sum(alignment.shared - _of_template(alignment, common) for alignment in alignments)
    alike = 2 * shared / max(1, total)
    if clash:
        return "", alike
    if a.truncated or b.truncated or alike < _MAYBE or any(map(_other_values, alignments)) or turned(a.text, b.text):
        return "", alike
    if not (a.subject or b.subject) and any(map(_of_two, alignments)):
        return "", alike
    if not any(_sure(alignment) for alignment in alignments):
        return "", alike  # "books all her travel", "swims before work": alike in kind only
    whole = len(a.clauses) == len(b.clauses) == len(alignments)
    if whole and alike >= _NEAR and all(map(_explained, alignments)) and _small_alike(alignments):
        return NEAR, alike
    return MAYBE, alike


def _of_two(alignment: Alignment) -> bool:
    """Whether two statements differ in of what they are: "backups of invoice", "backups of pricing"."""
    if len(alignment.unmatched_a) != 1 or len(alignment.unmatched_b) != 1:
        return False
    one, other = alignment.a.content[alignment.unmatched_a[0]], alignment.b.content[alignment.unmatched_b[0]]
    return one.marker == other.marker and one.marker in ("in", "of", "for", "on", "at")


def _counted(clause: Clause, common: Phrases) -> int:
    """How many words of a clause are no template's."""
    words = set(range(len(clause.content)))
    return len(words - empty(clause, common)) if common else len(words)


def _of_template(alignment: Alignment, common: Phrases) -> int:
    """How many of the words that two clauses share are a template's."""
    if not common:
        return 0
    in_a, in_b = empty(alignment.a, common), empty(alignment.b, common)
    return sum(i in in_a and j in in_b for i, j in alignment.matches)


def _other_values(alignment: Alignment) -> bool:
    """Whether the two tell different values of something: then they are two memories, though alike."""
    if alignment.conflicts or alignment.a.negated != alignment.b.negated or _changes(alignment.a) != _changes(alignment.b):
        return True
    if any(i < alignment.a.subject and not _surely(alignment, i, j) for i, j in alignment.relations):
        return True  # the service of billing is not that of taxes
    told = [alignment.a.content[i] for i in alignment.unmatched_a], [alignment.b.content[j] for j in alignment.unmatched_b]
    return all(any(t.quantity is not None or t.is_name or t.is_scope for t in side) for side in told)


def _changes(clause: Clause) -> bool:
    """Whether a clause tells that something is another than it was."""
    return any(mark.kind is not ChangeKind.NOW for mark in change_marks(clause.text))


def _explained(alignment: Alignment) -> bool:
    """Whether nothing that counts stands on one side alone."""
    left = [alignment.a.content[i] for i in alignment.unmatched_a], [alignment.b.content[j] for j in alignment.unmatched_b]
    if (left[0] and left[1]) or alignment.reordered or alignment.conflicts or alignment.a.negated != alignment.b.negated:
        return False
    if alignment.broader or alignment.narrower or not all(_surely(alignment, i, j) for i, j in alignment.relations):
        return False
    more = left[0] or left[1]
    return len(more) <= _MORE and alignment.shared >= 2 + len(more) and not any(map(_counts, more))


def _sure(alignment: Alignment) -> bool:
    """Whether at least one word of both is the very same."""
    return any((i, j) not in alignment.relations or _surely(alignment, i, j) for i, j in alignment.matches)


def _surely(alignment: Alignment, i: int, j: int) -> bool:
    one, two = alignment.a.content[i], alignment.b.content[j]
    return one.quantity is not None or lexicon().are_synonyms(one.lemma, two.lemma)


def _counts(token: Token) -> bool:
    return (
        token.quantity is not None or token.is_name or token.is_scope or token.lemma in QUALIFIERS or token.low in QUALIFIERS
    )


def _small_alike(alignments: list[Alignment]) -> bool:
    """Whether the small words do not turn what is said: with/without, only, all."""
    for alignment in alignments:
        one, two = Counter(alignment.a.function_words), Counter(alignment.b.function_words)
        if any(word in QUALIFIERS for word in [*(one - two), *(two - one)]):
            return False
        if sum(((one - two) | (two - one)).values()) > 3:
            return False
    return True
