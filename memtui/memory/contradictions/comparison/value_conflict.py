"""Whether two values of one topic exclude each other."""

from __future__ import annotations

from itertools import pairwise

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.alignment import token_relation
from memtui.memory.contradictions.comparison.clause_pair import has_scope
from memtui.memory.contradictions.language import quantities
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import SCOPE_MARKERS
from memtui.memory.contradictions.pairs import ClauseConflict

KIND = "value"
_PLACE_CLASSES = frozenset(
    (
        *("countries", "continents", "world cities", "US states", "German states", "Canadian provinces"),
        *("clouds and hosts", "cloud compute services", "cloud regions", "nationalities", "landscapes"),
    )
)
_WIDE_PLACES = frozenset(("countries", "continents", "US states", "German states", "Canadian provinces"))
_TIME_KINDS = frozenset(("weekdays", "months", "seasons", "times of day : kin", "times of day"))
# Topics whose values need not be names.
_COMMON_NOUN_TOPICS = frozenset(
    [
        *("works as", "works at", "named", "runs on", "stored in", "favourite", "written in", "studies at"),
        *("drives", "default"),
    ]
)


def find_value_conflict(
    one: list[Token], two: list[Token], topic: str, score: float
) -> ClauseConflict | None:
    """Return the conflict of two values that exclude each other as names, numbers or members of one class, or
    None."""
    excluded = False
    for token_a in one:
        for token_b in two:
            relation, _ = token_relation(token_a, token_b)
            if relation in (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER):
                return None
            if token_a.quantity is not None and token_b.quantity is not None:
                if (
                    token_a.quantity.approximate
                    or token_b.quantity.approximate
                    or quantities.equal(token_a.quantity, token_b.quantity)
                ):
                    return None
                excluded = excluded or token_a.quantity.kind == token_b.quantity.kind
            excluded = excluded or relation in (WordRelation.EXCLUSIVE, WordRelation.OPPOSITE)
    if is_abbreviation(one, two) or is_abbreviation(two, one):
        return None
    classes_a, classes_b = _classes(one), _classes(two)
    if (
        not excluded
        and (
            (classes_a & _PLACE_CLASSES and classes_b & _PLACE_CLASSES)
            or (classes_a | classes_b) & _WIDE_PLACES
        )
        and not classes_a & classes_b
    ):
        return None  # a country and a city, or an unknown place: one may lie in the other
    if not excluded and bool(classes_a & _TIME_KINDS) != bool(classes_b & _TIME_KINDS):
        return None  # one says when, the other something else
    both_named = any(map(is_named, one)) and any(map(is_named, two))
    common_nouns = topic in _COMMON_NOUN_TOPICS and topic not in ("works at", "drives")
    if not excluded and not common_nouns and any(map(is_named, one)) != any(map(is_named, two)):
        return None  # "at a logistics company", "at Adyen"
    if not excluded and not both_named and topic not in _COMMON_NOUN_TOPICS:
        return None
    return value_conflict(one, two, topic, score if excluded else score - 0.1)


def value_conflict(tokens_a: list[Token], tokens_b: list[Token], topic: str, score: float) -> ClauseConflict:
    """Build the conflict of two values of a topic."""
    words = " ".join(t.text for t in tokens_a)[:60], " ".join(t.text for t in tokens_b)[:60]
    return ClauseConflict(KIND, score, words, wording.two_values(topic, *words), topic)


def is_named(token: Token) -> bool:
    """Whether a word is a name: of a person, a company, or a thing that is in no dictionary."""
    if token.quantity is not None:
        return False
    return (
        token.is_name
        or (not lexicon().has_word(token.lemma) and not lexicon().classes_of(token.lemma))
        or "_" in token.low
    )


def value_indices(clause: Clause, unmatched: list[int]) -> list[int]:
    """Return the indices of the value itself: the words before the first gap or another marker."""
    marker = clause.content[unmatched[0]].marker
    found = [unmatched[0]]
    for previous, i in pairwise(unmatched):
        if i != previous + 1 or clause.content[i].marker not in ("", marker):
            break
        found.append(i)
    return found


def is_conditional(tokens: list[Token]) -> bool:
    """Whether a value depends on a condition ("when it rains"); a scope word such as "main" alone is a
    value."""
    return any(token.marker in SCOPE_MARKERS for token in tokens) or (
        len(tokens) > 1 and has_scope(tokens[1:])
    )


def _classes(tokens: list[Token]) -> set[str]:
    return {kind for token in tokens for kind in lexicon().classes_of(token.lemma)}


def is_abbreviation(one: list[Token], two: list[Token]) -> bool:
    """Whether the first value abbreviates the second: "PM" for "product manager", "prod" for "production"."""
    full = " ".join(token.low for token in two).split()
    short = " ".join(token.low for token in one)
    if len(one) == 1 and len(full) > 1 and short == "".join(word[0] for word in full):
        return True
    return len(short) >= 2 and len(full) == 1 and full[0].startswith(short) and full[0] != short
