"""Two clauses laid side by side: which words answer to which, and what is left over."""

from __future__ import annotations

from dataclasses import dataclass, field

from memtui.memory.contradictions.language import quantities
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import Tie, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import WIDE_VERBS

_LOOSE = 10  # words left over on a side beyond which they are not held against each other


@dataclass(slots=True)
class Clashing:
    """Two words in one place of which only one can be right; `near`: what stands around them agrees."""

    i: int
    j: int
    tie: Tie
    kind: str  # the class, "number", …
    near: bool


@dataclass(slots=True)
class Alignment:
    """`same` pairs of places in the contents of A and B, equal or meaning the same; `left_a` and `left_b`
    what nothing answers to. `moved`: equal words in another order. `wider` counts words to which B says
    something broader, `narrower` something more special."""

    a: Clause
    b: Clause
    same: list[tuple[int, int]] = field(default_factory=list)
    left_a: list[int] = field(default_factory=list)
    left_b: list[int] = field(default_factory=list)
    clashing: list[Clashing] = field(default_factory=list)
    moved: bool = False
    wider: int = 0
    narrower: int = 0
    gap_a: list[int] = field(default_factory=list)
    gap_b: list[int] = field(default_factory=list)
    ties: dict[tuple[int, int], Tie] = field(default_factory=dict)  # of pairs that are not equal

    @property
    def shared(self) -> int:
        return len(self.same)


def align(a: Clause, b: Clause) -> Alignment:
    """Lay two clauses side by side."""
    found = Alignment(a, b)
    la, lb = a.lemmas, b.lemmas
    start = 0
    while start < len(la) and start < len(lb) and la[start] == lb[start]:
        found.same.append((start, start))
        start += 1
    end = 0
    while end < min(len(la), len(lb)) - start and la[-1 - end] == lb[-1 - end]:
        end += 1
    found.same += _common(la, lb, start, len(la) - end, len(lb) - end)
    found.same += [(len(la) - k, len(lb) - k) for k in range(end, 0, -1)]
    in_a, in_b = dict(found.same), {j: i for i, j in found.same}
    left_a = [i for i in range(len(la)) if i not in in_a]
    left_b = [j for j in range(len(lb)) if j not in in_b]
    if not left_a and not left_b:
        return found
    found.gap_a = _gaps(len(la), in_a)
    found.gap_b = _gaps(len(lb), in_b)
    if left_a and left_b:
        _equal_elsewhere(found, left_a, left_b)
        if len(left_a) <= _LOOSE and len(left_b) <= _LOOSE:
            _by_meaning(found, left_a, left_b)
    found.left_a, found.left_b = left_a, left_b
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


def _equal_elsewhere(found: Alignment, left_a: list[int], left_b: list[int]) -> None:
    for i in list(left_a):
        for j in left_b:
            if found.a.lemmas[i] == found.b.lemmas[j] or _equal(found.a.content[i], found.b.content[j]):
                found.moved = found.moved or found.gap_a[i] != found.gap_b[j]
                found.same.append((i, j))
                left_a.remove(i)
                left_b.remove(j)
                break


def _equal(one: Token, two: Token) -> bool:
    if one.quantity is not None and two.quantity is not None:
        return bool(quantities.same(one.quantity, two.quantity))
    return False


def _by_meaning(found: Alignment, left_a: list[int], left_b: list[int]) -> None:
    """What means the same, what is broader, then what clashes; in the same place first."""
    options: list[tuple[int, bool, int, int, Tie, str]] = []
    la, lb = found.a.lemmas, found.b.lemmas
    for i in left_a:
        for j in left_b:
            tie, kind = tie_of(found.a.content[i], found.b.content[j])
            if not tie or (_RANKS[tie] < _CLASHES and {la[i], lb[j]} & WIDE_VERBS):
                continue
            near = found.gap_a[i] == found.gap_b[j]
            rank = _RANKS[tie]
            options.append((rank, not near, i, j, tie, kind))
    for rank, far, i, j, tie, kind in sorted(options):
        if i not in left_a or j not in left_b:
            continue
        if rank == _CLASHES:
            if not any(each.i == i or each.j == j for each in found.clashing):
                found.clashing.append(Clashing(i, j, tie, kind, not far))
            continue
        left_a.remove(i)
        left_b.remove(j)
        found.same.append((i, j))
        found.ties[i, j] = tie
        found.wider += tie is Tie.BROADER
        found.narrower += tie is Tie.NARROWER


_RANKS = {Tie.SAME: 0, Tie.BROADER: 1, Tie.NARROWER: 1, Tie.OPPOSITE: 2, Tie.EXCLUSIVE: 2}
_CLASHES = 2  # from this rank on


def tie_of(one: Token, two: Token) -> tuple[Tie, str]:
    """What one token is to another in its place."""
    if one.quantity is not None or two.quantity is not None:
        if one.quantity is not None and two.quantity is not None:
            equal = quantities.same(one.quantity, two.quantity)
            if equal is None:
                return Tie.NONE, ""
            if equal:
                return Tie.SAME, ""
            about = one.quantity.about or two.quantity.about
            bound = one.quantity.bound
            if (bound and bound == two.quantity.bound) or quantities.apart(one.quantity, two.quantity):
                return Tie.EXCLUSIVE, "number"
            return (Tie.NONE, "") if about else (Tie.EXCLUSIVE, "number")
        if (months := _months(one, two)) is not None:
            return (Tie.SAME, "") if months else (Tie.EXCLUSIVE, "months")
        tie, kind = lexicon().tie(one.low, two.low)
        return (tie, kind) if tie is Tie.OPPOSITE else (Tie.NONE, "")
    words = lexicon()
    for framed, plain in ((one, two), (two, one)):
        if framed.lemma.startswith("@") and plain.lemma in map(words.base, framed.low.split()):
            return Tie.SAME, ""  # "is stored in", "store"
    if one.name != two.name and words.kinds((one if one.name else two).lemma):
        return words.tie_of_members(one.lemma, two.lemma)  # Sublime is an editor, and sublimes nothing
    tie, kind = words.tie(one.lemma, two.lemma)
    if (one.low, two.low) != (one.lemma, two.lemma) and tie not in (Tie.OPPOSITE, Tie.SAME):
        again, other = words.tie(one.low, two.low)
        if again:
            return again, other
    return tie, kind


def _months(one: Token, two: Token) -> bool | None:
    """Whether a date and the name of a month are of the same month; None where they are not such."""
    dated, named = (one, two) if one.quantity is not None else (two, one)
    quantity = dated.quantity
    if quantity is None or quantity.kind != "date" or named.quantity is not None:
        return None
    month = quantities.MONTHS.get(named.lemma) if named.name or named.lemma != "may" else None
    if month is None or not isinstance(quantity.value, tuple) or quantity.value[1] is None:
        return None
    return bool(quantity.value[1] == month)
