"""Two amounts of one thing: whether they count the same, and surely differ."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.states.comparison import Comparison, core_indices

_RELATED = (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER)
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def surely_differ(one: Token, other: Token) -> bool:
    """Whether two amounts surely differ, even if either is approximate."""
    quantity_a, quantity_b = one.quantity, other.quantity
    if quantity_a is None or quantity_b is None or quantity_a.kind in ("year", "date", "ordinal"):
        return False
    if quantity_a.kind != quantity_b.kind:
        rates = {quantity_a.kind, quantity_b.kind}
        base = quantity_a.kind.removesuffix(" a year")
        if rates != {base, f"{base} a year"} or not base.startswith(("money", "share")):
            return False
        matches = [_FIGURE.search(token.text) for token in (one, other)]
        figures = [float(found[0].replace(",", "")) for found in matches if found is not None]
        return len(figures) == 2 and max(figures) > min(figures) * 1.03
    if {one.marker, other.marker} & {"by"} or (
        quantity_a.kind == "time" and one.marker == other.marker == "for"
    ):
        return False  # "shorter by ten pages", "for two years"
    if not isinstance(quantity_a.value, float) or not isinstance(quantity_b.value, float):
        return quantity_a.value != quantity_b.value
    low, high = sorted((abs(quantity_a.value), abs(quantity_b.value)))
    approximate = (quantity_a.approximate or quantity_b.approximate) and not (
        quantity_a.bound and quantity_a.bound == quantity_b.bound
    )
    return high > low * (1.3 if approximate else 1.03)


# Nouns behind which a number is a name: "line 2", "room 14".
_NUMBERED_NOUNS = frozenset(
    "line room phase step page week chapter section route gate platform bus tram lane level stage track flat "
    "floor bay aisle table task ticket issue item exercise part unit module lesson question".split()
)


def _is_name(clause: Clause, index: int) -> bool:
    if clause.key or clause.frame or not index:
        return False
    previous = clause.content[index - 1]
    return previous.lemma in _NUMBERED_NOUNS and previous.position + 1 == clause.content[index].position


def is_price_of_other_thing(comparison: Comparison) -> bool:
    """Whether one price is that of something that the other clause does not name: "annual fee: 85 EUR",
    "rents lockers for 20 euros a year"."""
    sure = [pair for pair in comparison.shared if pair not in comparison.alignment.relations]
    return not sure and any(map(_has_price_for, (comparison.a, comparison.b)))


def _has_price_for(clause: Clause) -> bool:
    return any(
        token.marker == "for" and token.quantity is not None and token.quantity.kind.startswith("money")
        for token in clause.content[1:]
    )


def count_same_thing(comparison: Comparison, i: int, j: int) -> bool:
    """Whether two numbers count the same: "nine hives", "down to four hives"; "a crew of five", "the crew is
    up to nine"."""
    if _is_name(comparison.a, i) != _is_name(comparison.b, j):
        return False
    if is_price_of_other_thing(comparison):
        return False
    one, other = _counted(comparison.a, i), _counted(comparison.b, j)
    if one and other:
        return lexicon().relation(one, other)[0] in _RELATED
    if one or other:
        clause, index = (comparison.b, j) if one else (comparison.a, i)
        return any(
            lemma == (one or other)
            and (k < clause.subject_end or 0 < clause.content[index].position - token.position < 4)
            for k, (lemma, token) in enumerate(zip(clause.lemmas, clause.content, strict=True))
        )
    cores = core_indices(comparison.a), core_indices(comparison.b)
    quantity = comparison.a.content[i].quantity
    if quantity is not None and quantity.kind in ("number a year", "time"):
        same_marker = (
            comparison.a.content[i].marker == comparison.b.content[j].marker != ""
        )  # "within 14 days", "within 60"
        return same_marker or any(k in cores[0] and m in cores[1] for k, m in comparison.shared)
    is_count = quantity is not None and quantity.kind == "number"
    is_measure = quantity is not None and quantity.kind in ("weight", "volume", "length")
    is_count = is_count or is_measure
    return (
        bool(comparison.shared)
        or not is_count
        or (len(comparison.a.content) <= 3 and len(comparison.b.content) <= 3)
    )


def have_different_units(comparison: Comparison, i: int, j: int) -> bool:
    """Whether two prices are per different units: "12 euros per seat", "120 euros a year"."""
    units = _unit(comparison.a, i), _unit(comparison.b, j)
    return all(units) and units[0] != units[1]


def _unit(clause: Clause, index: int) -> str:
    token = clause.content[index]
    if token.quantity is not None and token.quantity.kind.endswith(" a year"):
        return "year"
    following = clause.content[index + 1] if index + 1 < len(clause.content) else None
    return following.lemma if following is not None and following.marker == "per" else ""


def _counted(clause: Clause, index: int) -> str:
    """Return what a number counts: the word behind it, or the one behind that ("95 milking cows")."""
    quantity = clause.content[index].quantity
    if quantity is None or quantity.kind != "number":
        return ""
    counted = ""
    for k in range(index + 1, min(index + 3, len(clause.content))):
        token = clause.content[k]
        if (
            token.position - clause.content[index].position != k - index
            or token.direct_marker
            or token.quantity is not None
        ):
            break
        counted = token.lemma
        if not token.low.endswith(("ing", "ed")) and not lexicon().can_be(token.lemma, "a"):
            break
    return counted


def have_like_kinds(one: Token, other: Token) -> bool:
    """Whether two quantities measure the same, a rate or not."""
    if one.quantity is None or other.quantity is None:
        return False
    return one.quantity.kind.removesuffix(" a year") == other.quantity.kind.removesuffix(" a year")


def have_same_kind(comparison: Comparison, each: TokenConflict) -> bool:
    """Whether two conflicting quantities measure the same, other than years."""
    one, other = comparison.a.content[each.index_a].quantity, comparison.b.content[each.index_b].quantity
    return one is not None and other is not None and one.kind == other.kind and one.kind != "year"
