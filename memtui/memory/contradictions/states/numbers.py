"""Two amounts of one thing: whether they count the same, and surely differ."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.states.two import Comparison, core_of

_ALIKE = (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER)
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def surely_differ(one: Token, other: Token) -> bool:
    """Whether two amounts are surely not the same, also where each is told roughly."""
    mine, theirs = one.quantity, other.quantity
    if mine is None or theirs is None or mine.kind in ("year", "date", "ordinal"):
        return False
    if mine.kind != theirs.kind:
        rates = {mine.kind, theirs.kind}
        base = mine.kind.removesuffix(" a year")
        if rates != {base, f"{base} a year"} or not base.startswith(("money", "share")):
            return False
        said = [_FIGURE.search(token.text) for token in (one, other)]
        figures = [float(found[0].replace(",", "")) for found in said if found is not None]
        return len(figures) == 2 and max(figures) > min(figures) * 1.03
    if {one.marker, other.marker} & {"by"} or (mine.kind == "time" and one.marker == other.marker == "for"):
        return False  # "shorter by ten pages", "for two years"
    if not isinstance(mine.value, float) or not isinstance(theirs.value, float):
        return mine.value != theirs.value
    low, high = sorted((abs(mine.value), abs(theirs.value)))
    rough = (mine.approximate or theirs.approximate) and not (mine.bound and mine.bound == theirs.bound)
    return high > low * (1.3 if rough else 1.03)


# A number behind one of these is a name: "line 2", "room 14".
_NUMBERED = frozenset(
    "line room phase step page week chapter section route gate platform bus tram lane level stage track flat "
    "floor bay aisle table task ticket issue item exercise part unit module lesson question".split()
)


def _is_name(clause: Clause, place: int) -> bool:
    if clause.key or clause.frame or not place:
        return False
    before = clause.content[place - 1]
    return before.lemma in _NUMBERED and before.position + 1 == clause.content[place].position


def of_the_price_of_a_thing(two: Comparison) -> bool:
    """Whether one price is that of something of which the other clause does not tell: "annual fee: 85 EUR",
    "rents lockers for 20 euros a year"."""
    told = [pair for pair in two.shared if pair not in two.pair.alignment.relations]
    return not told and any(map(_is_price_of_a_thing, (two.a, two.b)))


def _is_price_of_a_thing(clause: Clause) -> bool:
    return any(
        token.marker == "for" and token.quantity is not None and token.quantity.kind.startswith("money")
        for token in clause.content[1:]
    )


def count_the_same(two: Comparison, i: int, j: int) -> bool:
    """Whether two numbers count the same: "nine hives", "down to four hives"; "a crew of five", "the crew is
    up to nine"."""
    if _is_name(two.a, i) != _is_name(two.b, j):
        return False
    if of_the_price_of_a_thing(two):
        return False
    one, other = _counted(two.a, i), _counted(two.b, j)
    if one and other:
        return lexicon().relation(one, other)[0] in _ALIKE
    if one or other:
        clause, place = (two.b, j) if one else (two.a, i)
        return any(
            lemma == (one or other)
            and (k < clause.subject or 0 < clause.content[place].position - token.position < 4)
            for k, (lemma, token) in enumerate(zip(clause.lemmas, clause.content, strict=True))
        )
    cores = core_of(two.a), core_of(two.b)
    quantity = two.a.content[i].quantity
    if quantity is not None and quantity.kind in ("number a year", "time"):
        alike = two.a.content[i].marker == two.b.content[j].marker != ""  # "within 14 days", "within 60"
        return alike or any(k in cores[0] and m in cores[1] for k, m in two.shared)
    plain = quantity is not None and quantity.kind == "number"
    weighed = quantity is not None and quantity.kind in ("weight", "volume", "length")
    plain = plain or weighed
    return bool(two.shared) or not plain or (len(two.a.content) <= 3 and len(two.b.content) <= 3)


def of_other_units(two: Comparison, i: int, j: int) -> bool:
    """Whether two sums are of other units: "12 euros per seat", "120 euros a year"."""
    units = _unit(two.a, i), _unit(two.b, j)
    return all(units) and units[0] != units[1]


def _unit(clause: Clause, place: int) -> str:
    token = clause.content[place]
    if token.quantity is not None and token.quantity.kind.endswith(" a year"):
        return "year"
    behind = clause.content[place + 1] if place + 1 < len(clause.content) else None
    return behind.lemma if behind is not None and behind.marker == "per" else ""


def _counted(clause: Clause, place: int) -> str:
    """What a number counts: the word right behind it, or the one behind that: "95 milking cows"."""
    quantity = clause.content[place].quantity
    if quantity is None or quantity.kind != "number":
        return ""
    counted = ""
    for k in range(place + 1, min(place + 3, len(clause.content))):
        token = clause.content[k]
        if token.position - clause.content[place].position != k - place or token.direct_marker or token.quantity is not None:
            break
        counted = token.lemma
        if not token.low.endswith(("ing", "ed")) and not lexicon().can_be(token.lemma, "a"):
            break
    return counted


def of_like_kinds(one: Token, other: Token) -> bool:
    if one.quantity is None or other.quantity is None:
        return False
    return one.quantity.kind.removesuffix(" a year") == other.quantity.kind.removesuffix(" a year")


def of_one_kind(two: Comparison, each: TokenConflict) -> bool:
    one, other = two.a.content[each.index_a].quantity, two.b.content[each.index_b].quantity
    return one is not None and other is not None and one.kind == other.kind and one.kind != "year"
