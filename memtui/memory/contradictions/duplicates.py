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
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks
from memtui.memory.contradictions.templates import Phrases, template_indices
from memtui.memory.contradictions.word_changes import differ_in_meaning

_NEAR, _MAYBE = 0.75, 0.7  # minimum share of words in common
_MAX_EXTRA = 1  # words that only one of two near duplicates may have


def compare(
    a: ParsedMemory,
    b: ParsedMemory,
    alignments: list[Alignment],
    has_conflict: bool,
    common: Phrases = frozenset(),
) -> tuple[str, float]:
    """Return the kind of duplicate (exact, near, maybe or "") and the share of words in common, 0 to 1.

    Phrases that both share with many other memories (`common`) do not count. Two memories are near duplicates
    only if no significant word of either is unaccounted for; everything else is left to the user.
    """
    if a.fingerprint == b.fingerprint and a.fingerprint:
        return ("" if has_conflict else EXACT), 1.0
    if not alignments:
        return "", 0.0
    total = sum(_word_count(c, common) for c in (*a.clauses, *b.clauses))
    shared = sum(alignment.shared - _template_matches(alignment, common) for alignment in alignments)
    overlap = 2 * shared / max(1, total)
    if has_conflict:
        return "", overlap
    if (
        a.truncated
        or b.truncated
        or overlap < _MAYBE
        or any(map(_state_different_values, alignments))
        or differ_in_meaning(a.text, b.text)
    ):
        return "", overlap
    if not (a.subject or b.subject) and any(map(_differ_in_object, alignments)):
        return "", overlap
    if not any(_has_sure_match(alignment) for alignment in alignments):
        return "", overlap  # "books all her travel", "swims before work": only related words match
    complete = len(a.clauses) == len(b.clauses) == len(alignments)
    if (
        complete
        and overlap >= _NEAR
        and all(map(_is_covered, alignments))
        and _function_words_agree(alignments)
    ):
        return NEAR, overlap
    return MAYBE, overlap


def _differ_in_object(alignment: Alignment) -> bool:
    """Whether two clauses differ only in what they are about: "backups of invoice", "backups of pricing"."""
    if len(alignment.unmatched_a) != 1 or len(alignment.unmatched_b) != 1:
        return False
    word_a, word_b = (
        alignment.a.content[alignment.unmatched_a[0]],
        alignment.b.content[alignment.unmatched_b[0]],
    )
    return word_a.marker == word_b.marker and word_a.marker in ("in", "of", "for", "on", "at")


def _word_count(clause: Clause, common: Phrases) -> int:
    """Count the words of a clause that do not belong to a template."""
    words = set(range(len(clause.content)))
    return len(words - template_indices(clause, common)) if common else len(words)


def _template_matches(alignment: Alignment, common: Phrases) -> int:
    """Count the matched words that belong to a template."""
    if not common:
        return 0
    in_a, in_b = template_indices(alignment.a, common), template_indices(alignment.b, common)
    return sum(i in in_a and j in in_b for i, j in alignment.matches)


def _state_different_values(alignment: Alignment) -> bool:
    """Whether the two state different values of something, so that they are two memories however similar."""
    if (
        alignment.conflicts
        or alignment.a.negated != alignment.b.negated
        or _tells_change(alignment.a) != _tells_change(alignment.b)
    ):
        return True
    if any(
        i < alignment.a.subject_end and not _is_sure_match(alignment, i, j) for i, j in alignment.relations
    ):
        return True  # "the service of billing" is not "the service of taxes"
    rest = (
        [alignment.a.content[i] for i in alignment.unmatched_a],
        [alignment.b.content[j] for j in alignment.unmatched_b],
    )
    return all(any(t.quantity is not None or t.is_name or t.is_scope for t in side) for side in rest)


def _tells_change(clause: Clause) -> bool:
    """Whether a clause says that something is no longer what it was."""
    return any(mark.kind is not ChangeKind.NOW for mark in change_marks(clause.text))


def _is_covered(alignment: Alignment) -> bool:
    """Whether neither clause has a significant word that the other lacks."""
    unmatched = (
        [alignment.a.content[i] for i in alignment.unmatched_a],
        [alignment.b.content[j] for j in alignment.unmatched_b],
    )
    if (
        (unmatched[0] and unmatched[1])
        or alignment.reordered
        or alignment.conflicts
        or alignment.a.negated != alignment.b.negated
    ):
        return False
    if (
        alignment.broader
        or alignment.narrower
        or not all(_is_sure_match(alignment, i, j) for i, j in alignment.relations)
    ):
        return False
    extra = unmatched[0] or unmatched[1]
    return (
        len(extra) <= _MAX_EXTRA
        and alignment.shared >= 2 + len(extra)
        and not any(map(_is_significant, extra))
    )


def _has_sure_match(alignment: Alignment) -> bool:
    """Whether at least one word is surely the same in both."""
    return any(
        (i, j) not in alignment.relations or _is_sure_match(alignment, i, j) for i, j in alignment.matches
    )


def _is_sure_match(alignment: Alignment, i: int, j: int) -> bool:
    one, two = alignment.a.content[i], alignment.b.content[j]
    return one.quantity is not None or lexicon().are_synonyms(one.lemma, two.lemma)


def _is_significant(token: Token) -> bool:
    return (
        token.quantity is not None
        or token.is_name
        or token.is_scope
        or token.lemma in QUALIFIERS
        or token.low in QUALIFIERS
    )


def _function_words_agree(alignments: list[Alignment]) -> bool:
    """Whether the function words do not change the meaning: with/without, only, all."""
    for alignment in alignments:
        one, two = Counter(alignment.a.function_words), Counter(alignment.b.function_words)
        if any(word in QUALIFIERS for word in [*(one - two), *(two - one)]):
            return False
        if sum(((one - two) | (two - one)).values()) > 3:
            return False
    return True
