"""Whether two values of one thing exclude each other."""

from __future__ import annotations

from itertools import pairwise

from memtui.memory.contradictions.comparison.alignment import token_relation
from memtui.memory.contradictions.comparison.clause_pair import scoped
from memtui.memory.contradictions.language import quantities
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import SCOPE_MARKERS
from memtui.memory.contradictions.pairs import ClauseConflict

KIND = "value"
_PLACES = frozenset(
    (
        *("countries", "continents", "world cities", "US states", "German states", "Canadian provinces"),
        *("clouds and hosts", "cloud compute services", "cloud regions", "nationalities", "landscapes"),
    )
)
_WIDE = frozenset(("countries", "continents", "US states", "German states", "Canadian provinces"))
_TIMES = frozenset(("weekdays", "months", "seasons", "times of day : kin", "times of day"))
# Relations whose values need be no names.
_ANY_WORDS = frozenset(
    [
        *("works as", "works at", "named", "runs on", "stored in", "favourite", "written in", "studies at"),
        *("drives", "default"),
    ]
)


def differ(one: list[Token], two: list[Token], topic: str, score: float) -> ClauseConflict | None:
    """Whether two values exclude each other, as far as they are names, numbers or of one class."""
    excluded = False
    for mine in one:
        for theirs in two:
            tie, _ = token_relation(mine, theirs)
            if tie in (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER):
                return None
            if mine.quantity is not None and theirs.quantity is not None:
                if (
                    mine.quantity.approximate
                    or theirs.quantity.approximate
                    or quantities.equal(mine.quantity, theirs.quantity)
                ):
                    return None
                excluded = excluded or mine.quantity.kind == theirs.quantity.kind
            excluded = excluded or tie in (WordRelation.EXCLUSIVE, WordRelation.OPPOSITE)
    if short_for(one, two) or short_for(two, one):
        return None
    kinds_a, kinds_b = _kinds(one), _kinds(two)
    if (
        not excluded
        and ((kinds_a & _PLACES and kinds_b & _PLACES) or (kinds_a | kinds_b) & _WIDE)
        and not kinds_a & kinds_b
    ):
        return None  # a country and a city, or one that nobody knows: one may lie in the other
    if not excluded and bool(kinds_a & _TIMES) != bool(kinds_b & _TIMES):
        return None  # when, and by what means
    names = any(map(named, one)) and any(map(named, two))
    plain = topic in _ANY_WORDS and topic not in ("works at", "drives")
    if not excluded and not plain and any(map(named, one)) != any(map(named, two)):
        return None  # "at a logistics company", "at Adyen"
    if not excluded and not names and topic not in _ANY_WORDS:
        return None
    return told(one, two, topic, score if excluded else score - 0.1)


def about(one: list[Token], two: list[Token], topic: str, score: float) -> ClauseConflict:
    words = " ".join(t.text for t in one)[:60], " ".join(t.text for t in two)[:60]
    reason = f"One “{topic}” with two values: {words[0]} and {words[1]}."
    return ClauseConflict(KIND, score, words, reason, topic)


def named(token: Token) -> bool:
    """Whether a word is a name: of a person, a firm, a thing that no dictionary has."""
    if token.quantity is not None:
        return False
    return (
        token.is_name
        or (not lexicon().has_word(token.lemma) and not lexicon().classes_of(token.lemma))
        or "_" in token.low
    )


def value_of(clause: Clause, left: list[int]) -> list[int]:
    """The words of the value itself: those behind the first that another small word ties on are not of it."""
    marker = clause.content[left[0]].marker
    found = [left[0]]
    for before, i in pairwise(left):
        if i != before + 1 or clause.content[i].marker not in ("", marker):
            break
        found.append(i)
    return found


def conditional(tokens: list[Token]) -> bool:
    """Whether a value hangs on a condition: "when it rains". A word such as "main" alone is a value."""
    return any(token.marker in SCOPE_MARKERS for token in tokens) or (len(tokens) > 1 and scoped(tokens[1:]))


def _kinds(tokens: list[Token]) -> set[str]:
    return {kind for token in tokens for kind in lexicon().classes_of(token.lemma)}


def short_for(one: list[Token], two: list[Token]) -> bool:
    """ "PM" for "product manager", "prod" for "production"."""
    words = " ".join(token.low for token in two).split()
    short = " ".join(token.low for token in one)
    if len(one) == 1 and len(words) > 1 and short == "".join(word[0] for word in words):
        return True
    return len(short) >= 2 and len(words) == 1 and words[0].startswith(short) and words[0] != short
