"""Word alignment of two clauses: which words correspond, and which have no counterpart."""

from __future__ import annotations

from dataclasses import dataclass, field

from memtui.memory.contradictions.language import quantities
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.units import MONTHS
from memtui.memory.contradictions.language.vocabulary import VAGUE_VERBS

_MAX_UNMATCHED = 10  # unmatched words on a side beyond which they are not compared by meaning


@dataclass(slots=True)
class TokenConflict:
    """Two words in the same role of which only one can be right. `aligned`: they stand between the same
    matched words."""

    index_a: int
    index_b: int
    relation: WordRelation
    kind: str  # "number", or the name of the class
    aligned: bool


@dataclass(slots=True)
class Alignment:
    """The words of clause A matched with those of clause B.

    Words are indices into the clauses' content. `matches` are equal or mean the same; `unmatched_a` and
    `unmatched_b` have no counterpart; `conflicts` exclude each other. `slots_a[i]` is the number of matched
    words before word i, so words with equal slots stand in the same place. `reordered`: equal words come in
    another order. `broader` counts the words of A for which B has a broader one, `narrower` those for which
    it has a narrower one.
    """

    a: Clause
    b: Clause
    matches: list[tuple[int, int]] = field(default_factory=list)
    unmatched_a: list[int] = field(default_factory=list)
    unmatched_b: list[int] = field(default_factory=list)
    conflicts: list[TokenConflict] = field(default_factory=list)
    reordered: bool = False
    broader: int = 0
    narrower: int = 0
    slots_a: list[int] = field(default_factory=list)
    slots_b: list[int] = field(default_factory=list)
    # Of the matches that are not equal.
    relations: dict[tuple[int, int], WordRelation] = field(default_factory=dict)

    @property
    def shared(self) -> int:
        """The number of matched words."""
        return len(self.matches)


def align(a: Clause, b: Clause) -> Alignment:
    """Align two clauses: equal words first, then words that mean the same or exclude each other."""
    alignment = Alignment(a, b)
    lemmas_a, lemmas_b = a.lemmas, b.lemmas
    prefix = 0
    while prefix < len(lemmas_a) and prefix < len(lemmas_b) and lemmas_a[prefix] == lemmas_b[prefix]:
        alignment.matches.append((prefix, prefix))
        prefix += 1
    suffix = 0
    while (
        suffix < min(len(lemmas_a), len(lemmas_b)) - prefix and lemmas_a[-1 - suffix] == lemmas_b[-1 - suffix]
    ):
        suffix += 1
    alignment.matches += _common(lemmas_a, lemmas_b, prefix, len(lemmas_a) - suffix, len(lemmas_b) - suffix)
    alignment.matches += [(len(lemmas_a) - k, len(lemmas_b) - k) for k in range(suffix, 0, -1)]
    in_a, in_b = dict(alignment.matches), {j: i for i, j in alignment.matches}
    unmatched_a = [i for i in range(len(lemmas_a)) if i not in in_a]
    unmatched_b = [j for j in range(len(lemmas_b)) if j not in in_b]
    if not unmatched_a and not unmatched_b:
        return alignment
    alignment.slots_a = _slots(len(lemmas_a), in_a)
    alignment.slots_b = _slots(len(lemmas_b), in_b)
    if unmatched_a and unmatched_b:
        _match_equal_elsewhere(alignment, unmatched_a, unmatched_b)
        if len(unmatched_a) <= _MAX_UNMATCHED and len(unmatched_b) <= _MAX_UNMATCHED:
            _match_by_meaning(alignment, unmatched_a, unmatched_b)
    alignment.unmatched_a, alignment.unmatched_b = unmatched_a, unmatched_b
    return alignment


def _common(
    lemmas_a: list[str], lemmas_b: list[str], start: int, end_a: int, end_b: int
) -> list[tuple[int, int]]:
    """Return the longest common subsequence between the common prefix and suffix, as pairs of indices."""
    n, m = end_a - start, end_b - start
    if n <= 0 or m <= 0:
        return []
    if not set(lemmas_a[start:end_a]) & set(lemmas_b[start:end_b]):
        return []
    table = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        row, below, word = table[i], table[i + 1], lemmas_a[start + i]
        for j in range(m - 1, -1, -1):
            row[j] = below[j + 1] + 1 if word == lemmas_b[start + j] else max(below[j], row[j + 1])
    pairs, i, j = [], 0, 0
    while i < n and j < m:
        if lemmas_a[start + i] == lemmas_b[start + j]:
            pairs.append((start + i, start + j))
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _slots(length: int, matched: dict[int, int]) -> list[int]:
    slots, count = [], 0
    for i in range(length):
        slots.append(count)
        count += i in matched
    return slots


def _match_equal_elsewhere(alignment: Alignment, unmatched_a: list[int], unmatched_b: list[int]) -> None:
    for i in list(unmatched_a):
        for j in unmatched_b:
            if alignment.a.lemmas[i] == alignment.b.lemmas[j] or _equal_quantities(
                alignment.a.content[i], alignment.b.content[j]
            ):
                alignment.reordered = alignment.reordered or alignment.slots_a[i] != alignment.slots_b[j]
                alignment.matches.append((i, j))
                unmatched_a.remove(i)
                unmatched_b.remove(j)
                break


def _equal_quantities(one: Token, two: Token) -> bool:
    if one.quantity is not None and two.quantity is not None:
        return bool(quantities.equal(one.quantity, two.quantity))
    return False


def _match_by_meaning(alignment: Alignment, unmatched_a: list[int], unmatched_b: list[int]) -> None:
    """Match synonyms first, then broader words, then conflicts; words in the same slot before others."""
    options: list[tuple[int, bool, int, int, WordRelation, str]] = []
    lemmas_a, lemmas_b = alignment.a.lemmas, alignment.b.lemmas
    for i in unmatched_a:
        for j in unmatched_b:
            relation, kind = token_relation(alignment.a.content[i], alignment.b.content[j])
            if not relation or (_RANKS[relation] < _CONFLICTING and {lemmas_a[i], lemmas_b[j]} & VAGUE_VERBS):
                continue
            displaced = alignment.slots_a[i] != alignment.slots_b[j]
            options.append((_RANKS[relation], displaced, i, j, relation, kind))
    for rank, displaced, i, j, relation, kind in sorted(options):
        if i not in unmatched_a or j not in unmatched_b:
            continue
        if rank == _CONFLICTING:
            if not any(each.index_a == i or each.index_b == j for each in alignment.conflicts):
                alignment.conflicts.append(TokenConflict(i, j, relation, kind, not displaced))
            continue
        unmatched_a.remove(i)
        unmatched_b.remove(j)
        alignment.matches.append((i, j))
        alignment.relations[i, j] = relation
        alignment.broader += relation is WordRelation.BROADER
        alignment.narrower += relation is WordRelation.NARROWER


_RANKS = {
    WordRelation.SAME: 0,
    WordRelation.BROADER: 1,
    WordRelation.NARROWER: 1,
    WordRelation.OPPOSITE: 2,
    WordRelation.EXCLUSIVE: 2,
}
_CONFLICTING = 2  # the rank of words that cannot both be right


def token_relation(one: Token, two: Token) -> tuple[WordRelation, str]:
    """Return what the second token is to the first, and the class in which they exclude each other."""
    if one.quantity is not None or two.quantity is not None:
        if one.quantity is not None and two.quantity is not None:
            equal = quantities.equal(one.quantity, two.quantity)
            if equal is None:
                return WordRelation.NONE, ""
            if equal:
                return WordRelation.SAME, ""
            approximate = one.quantity.approximate or two.quantity.approximate
            bound = one.quantity.bound
            if (bound and bound == two.quantity.bound) or quantities.bounds_exclude(
                one.quantity, two.quantity
            ):
                return WordRelation.EXCLUSIVE, "number"
            return (WordRelation.NONE, "") if approximate else (WordRelation.EXCLUSIVE, "number")
        if (same_month := _same_month(one, two)) is not None:
            return (WordRelation.SAME, "") if same_month else (WordRelation.EXCLUSIVE, "months")
        relation, kind = lexicon().relation(one.low, two.low)
        return (relation, kind) if relation is WordRelation.OPPOSITE else (WordRelation.NONE, "")
    words = lexicon()
    for phrase, word in ((one, two), (two, one)):
        if phrase.lemma.startswith("@") and word.lemma in map(words.lemma_of, phrase.low.split()):
            return WordRelation.SAME, ""  # "is stored in", "store"
    if one.is_name != two.is_name and words.classes_of((one if one.is_name else two).lemma):
        return words.class_relation(one.lemma, two.lemma)  # Sublime is an editor, not a verb
    relation, kind = words.relation(one.lemma, two.lemma)
    if (one.low, two.low) != (one.lemma, two.lemma) and relation not in (
        WordRelation.OPPOSITE,
        WordRelation.SAME,
    ):
        inflected, inflected_kind = words.relation(one.low, two.low)
        if inflected:
            return inflected, inflected_kind
    return relation, kind


def _same_month(one: Token, two: Token) -> bool | None:
    """Return whether a date and the name of a month are of the same month, None if they are not such."""
    dated, named = (one, two) if one.quantity is not None else (two, one)
    quantity = dated.quantity
    if quantity is None or quantity.kind != "date" or named.quantity is not None:
        return None
    month = MONTHS.get(named.lemma) if named.is_name or named.lemma != "may" else None
    if month is None or not isinstance(quantity.value, tuple) or quantity.value[1] is None:
        return None
    return bool(quantity.value[1] == month)
