"""Two clauses laid side by side: which words answer to which, and what is left over."""

from __future__ import annotations

from dataclasses import dataclass, field

from memtui.memory.contradictions.language import quantities
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import VAGUE_VERBS

_LOOSE = 10  # words left over on a side beyond which they are not held against each other


@dataclass(slots=True)
class TokenConflict:
    """Two words in one place of which only one can be right; `aligned`: what stands around them agrees."""

    index_a: int
    index_b: int
    relation: WordRelation
    kind: str  # the class, "number", …
    aligned: bool


@dataclass(slots=True)
class Alignment:
    """`matches` pairs of places in the contents of A and B, equal or meaning the same; `unmatched_a` and `unmatched_b`
    what nothing answers to. `reordered`: equal words in another order. `broader` counts words to which B says
    something broader, `narrower` something more special."""

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
    relations: dict[tuple[int, int], WordRelation] = field(default_factory=dict)  # of pairs that are not equal

    @property
    def shared(self) -> int:
        return len(self.matches)


def align(a: Clause, b: Clause) -> Alignment:
    """Lay two clauses side by side."""
    found = Alignment(a, b)
    la, lb = a.lemmas, b.lemmas
    start = 0
    while start < len(la) and start < len(lb) and la[start] == lb[start]:
        found.matches.append((start, start))
        start += 1
    end = 0
    while end < min(len(la), len(lb)) - start and la[-1 - end] == lb[-1 - end]:
        end += 1
    found.matches += _common(la, lb, start, len(la) - end, len(lb) - end)
    found.matches += [(len(la) - k, len(lb) - k) for k in range(end, 0, -1)]
    in_a, in_b = dict(found.matches), {j: i for i, j in found.matches}
    unmatched_a = [i for i in range(len(la)) if i not in in_a]
    unmatched_b = [j for j in range(len(lb)) if j not in in_b]
    if not unmatched_a and not unmatched_b:
        return found
    found.slots_a = _gaps(len(la), in_a)
    found.slots_b = _gaps(len(lb), in_b)
    if unmatched_a and unmatched_b:
        _equal_elsewhere(found, unmatched_a, unmatched_b)
        if len(unmatched_a) <= _LOOSE and len(unmatched_b) <= _LOOSE:
            _by_meaning(found, unmatched_a, unmatched_b)
    found.unmatched_a, found.unmatched_b = unmatched_a, unmatched_b
    return found


def _common(la: list[str], lb: list[str], start: int, end_a: int, end_b: int) -> list[tuple[int, int]]:
    """The longest common run of words in order, of what lies between."""
    n, m = end_a - start, end_b - start
    if n <= 0 or m <= 0:
        return []
    if not set(la[start:end_a]) & set(lb[start:end_b]):
        return []
    table = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        row, below, word = table[i], table[i + 1], la[start + i]
        for j in range(m - 1, -1, -1):
            row[j] = below[j + 1] + 1 if word == lb[start + j] else max(below[j], row[j + 1])
    pairs, i, j = [], 0, 0
    while i < n and j < m:
        if la[start + i] == lb[start + j]:
            pairs.append((start + i, start + j))
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _gaps(length: int, matched: dict[int, int]) -> list[int]:
    gaps, count = [], 0
    for i in range(length):
        gaps.append(count)
        count += i in matched
    return gaps


def _equal_elsewhere(found: Alignment, unmatched_a: list[int], unmatched_b: list[int]) -> None:
    for i in list(unmatched_a):
        for j in unmatched_b:
            if found.a.lemmas[i] == found.b.lemmas[j] or _equal(found.a.content[i], found.b.content[j]):
                found.reordered = found.reordered or found.slots_a[i] != found.slots_b[j]
                found.matches.append((i, j))
                unmatched_a.remove(i)
                unmatched_b.remove(j)
                break


def _equal(one: Token, two: Token) -> bool:
    if one.quantity is not None and two.quantity is not None:
        return bool(quantities.equal(one.quantity, two.quantity))
    return False


def _by_meaning(found: Alignment, unmatched_a: list[int], unmatched_b: list[int]) -> None:
    """What means the same, what is broader, then what clashes; in the same place first."""
    options: list[tuple[int, bool, int, int, WordRelation, str]] = []
    la, lb = found.a.lemmas, found.b.lemmas
    for i in unmatched_a:
        for j in unmatched_b:
            tie, kind = token_relation(found.a.content[i], found.b.content[j])
            if not tie or (_RANKS[tie] < _CLASHES and {la[i], lb[j]} & VAGUE_VERBS):
                continue
            near = found.slots_a[i] == found.slots_b[j]
            rank = _RANKS[tie]
            options.append((rank, not near, i, j, tie, kind))
    for rank, far, i, j, tie, kind in sorted(options):
        if i not in unmatched_a or j not in unmatched_b:
            continue
        if rank == _CLASHES:
            if not any(each.index_a == i or each.index_b == j for each in found.conflicts):
                found.conflicts.append(TokenConflict(i, j, tie, kind, not far))
            continue
        unmatched_a.remove(i)
        unmatched_b.remove(j)
        found.matches.append((i, j))
        found.relations[i, j] = tie
        found.broader += tie is WordRelation.BROADER
        found.narrower += tie is WordRelation.NARROWER


_RANKS = {WordRelation.SAME: 0, WordRelation.BROADER: 1, WordRelation.NARROWER: 1, WordRelation.OPPOSITE: 2, WordRelation.EXCLUSIVE: 2}
_CLASHES = 2  # from this rank on


def token_relation(one: Token, two: Token) -> tuple[WordRelation, str]:
    """What one token is to another in its place."""
    if one.quantity is not None or two.quantity is not None:
        if one.quantity is not None and two.quantity is not None:
            equal = quantities.equal(one.quantity, two.quantity)
            if equal is None:
                return WordRelation.NONE, ""
            if equal:
                return WordRelation.SAME, ""
            about = one.quantity.approximate or two.quantity.approximate
            bound = one.quantity.bound
            if (bound and bound == two.quantity.bound) or quantities.bounds_exclude(one.quantity, two.quantity):
                return WordRelation.EXCLUSIVE, "number"
            return (WordRelation.NONE, "") if about else (WordRelation.EXCLUSIVE, "number")
        if (months := _months(one, two)) is not None:
            return (WordRelation.SAME, "") if months else (WordRelation.EXCLUSIVE, "months")
        tie, kind = lexicon().relation(one.low, two.low)
        return (tie, kind) if tie is WordRelation.OPPOSITE else (WordRelation.NONE, "")
    words = lexicon()
    for framed, plain in ((one, two), (two, one)):
        if framed.lemma.startswith("@") and plain.lemma in map(words.lemma_of, framed.low.split()):
            return WordRelation.SAME, ""  # "is stored in", "store"
    if one.is_name != two.is_name and words.classes_of((one if one.is_name else two).lemma):
        return words.class_relation(one.lemma, two.lemma)  # Sublime is an editor, and sublimes nothing
    tie, kind = words.relation(one.lemma, two.lemma)
    if (one.low, two.low) != (one.lemma, two.lemma) and tie not in (WordRelation.OPPOSITE, WordRelation.SAME):
        again, other = words.relation(one.low, two.low)
        if again:
            return again, other
    return tie, kind


def _months(one: Token, two: Token) -> bool | None:
    """Whether a date and the name of a month are of the same month; None where they are not such."""
    dated, named = (one, two) if one.quantity is not None else (two, one)
    quantity = dated.quantity
    if quantity is None or quantity.kind != "date" or named.quantity is not None:
        return None
    month = quantities.MONTHS.get(named.lemma) if named.is_name or named.lemma != "may" else None
    if month is None or not isinstance(quantity.value, tuple) or quantity.value[1] is None:
        return None
    return bool(quantity.value[1] == month)
