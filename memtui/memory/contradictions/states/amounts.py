"""Two amounts of one thing, in equal or in different words."""

from __future__ import annotations

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import excerpts
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.comparison import MEASURE_WORDS, Comparison, sides
from memtui.memory.contradictions.states.limits import measure_different_things
from memtui.memory.contradictions.states.numbers import (
    count_same_thing,
    have_different_units,
    have_like_kinds,
    surely_differ,
)
from memtui.memory.contradictions.states.tenses import is_state


def hold_for_some(comparison: Comparison) -> bool:
    """Whether one amount holds for some people or cases that the other clause does not name: "the limit for
    admins"."""
    limited = [
        any(
            clause.content[k].marker in ("for", "per")
            and clause.content[k].quantity is None
            and not clause.content[k].is_name
            for k in unmatched
        )
        for clause, unmatched in sides(comparison)
    ]
    return limited[0] != limited[1]


def find_single_number(comparison: Comparison) -> ClauseConflict | None:
    """Find two clauses that differ in one number only: "49 USD a month, basic plan"."""
    if (
        len(comparison.unmatched_a) != 1
        or len(comparison.unmatched_b) != 1
        or not comparison.pair.shared_subject
        or len(comparison.shared) < 2
    ):
        return None
    one, other = (
        comparison.a.content[comparison.unmatched_a[0]],
        comparison.b.content[comparison.unmatched_b[0]],
    )
    if (
        comparison.a.negated != comparison.b.negated
        or not (one.quantity and other.quantity)
        or one.quantity.kind != other.quantity.kind
    ):
        return None
    if one.quantity.kind in ("ordinal", "year", "version") or not surely_differ(one, other):
        return None
    if not (is_state(comparison.a) and is_state(comparison.b)) or "number" in comparison.a.bag:
        return None
    return ClauseConflict("number", 0.75, excerpts(one, other), wording.ONE_STATE)


def find_amounts(comparison: Comparison, topic: str) -> ClauseConflict | None:
    """Find two amounts of the same, in different words: "charges 95 an hour", "the hourly rate is 120"."""
    if not comparison.pair.shared_subject:
        return None
    found = [
        (i, j)
        for i in comparison.unmatched_a
        for j in comparison.unmatched_b
        if have_like_kinds(comparison.a.content[i], comparison.b.content[j])
    ]
    if len(found) != 1:
        return None
    i, j = found[0]
    one, other = comparison.a.content[i], comparison.b.content[j]
    if hold_for_some(comparison) or measure_different_things(comparison.pair, i, j):
        return None
    if (
        have_different_units(comparison, i, j)
        or not surely_differ(one, other)
        or not (comparison.pair.shared_attribute or count_same_thing(comparison, i, j))
    ):
        return None
    assert one.quantity is not None
    other_words = (
        _other_words(comparison.a, comparison.unmatched_a, i),
        _other_words(comparison.b, comparison.unmatched_b, j),
    )
    is_size = one.quantity.kind in ("length", "weight", "size", "volume", "temperature")
    if not comparison.shared and not comparison.pair.shared_attribute and max(map(len, other_words)) > 2:
        return None  # "rent: 1,150 euros", "calligraphy course on Thursdays, 25 euros"
    measured = (
        (is_size and not other_words[0] and not other_words[1])
        or one.quantity.kind.startswith(("money", "share"))
        or bool(comparison.shared)
        or comparison.pair.shared_attribute
    )
    if not measured or (
        other_words[0]
        and other_words[1]
        and not (only_verbs(comparison.a, other_words[0]) or only_verbs(comparison.b, other_words[1]))
    ):
        return None
    return ClauseConflict("number", 0.7, excerpts(one, other), wording.ONE_STATE, topic)


def _other_words(clause: Clause, unmatched: list[int], number: int) -> list[int]:
    """Return the unmatched words other than numbers and the words that name what is measured."""
    return [
        k
        for k in unmatched
        if k != number and clause.content[k].quantity is None and clause.lemmas[k] not in MEASURE_WORDS
    ]


def only_verbs(clause: Clause, unmatched: list[int]) -> bool:
    """Whether these indices are at most the verb of the clause."""
    return all(i == clause.subject_end and lexicon().can_be(clause.lemmas[i], "v") for i in unmatched)
