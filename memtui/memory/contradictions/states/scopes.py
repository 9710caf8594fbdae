"""Whether two clauses about one thing are about different times, places or conditions."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import ENVIRONMENTS
from memtui.memory.contradictions.states.comparison import Comparison, sides
from memtui.memory.contradictions.states.tenses import is_state

# "Version: 12", "version 11 is still accepted"
_STILL_VALID = re.compile(r"\bstill (?:accepted|supported|available|allowed|served|valid|readable)\b", re.I)
_MEALS = frozenset("breakfast lunch dinner supper brunch tea".split())


def in_different_environments(comparison: Comparison) -> bool:
    """Whether the two are about different environments: production, staging."""
    tokens_a = [comparison.a.content[i] for i in comparison.alignment.unmatched_a]
    tokens_b = [comparison.b.content[j] for j in comparison.alignment.unmatched_b]
    return _differ_in_environment(tokens_a, tokens_b)


def differ_in_scope(comparison: Comparison, changed: frozenset[str] = frozenset()) -> bool:
    """Whether the two are about different times, places or conditions, apart from the words in `changed`."""
    if any(map(_STILL_VALID.search, (comparison.a.text, comparison.b.text))):
        return True
    alignment = comparison.alignment
    tokens_a = [comparison.a.content[i] for i in alignment.unmatched_a]
    tokens_b = [comparison.b.content[j] for j in alignment.unmatched_b]
    tokens_a = [token for token in tokens_a if token.lemma not in changed]
    tokens_b = [token for token in tokens_b if token.lemma not in changed]
    if (
        len(tokens_a) + len(tokens_b) > 2
        and any(map(_is_year_or_season, tokens_a))
        and any(map(_is_year_or_season, tokens_b))
    ):
        return True  # "ran the 2022 marathon in 4:12", "opens at 7 in summer"
    conflicting_indices = (
        {each.index_a for each in alignment.conflicts},
        {each.index_b for each in alignment.conflicts},
    )
    single = len(alignment.conflicts) < 2  # the conflict may be in the time itself
    for tokens, clause, used in (
        (tokens_a, comparison.a, conflicting_indices[0]),
        (tokens_b, comparison.b, conflicting_indices[1]),
    ):
        conflicting = [clause.content[i] for i in used if single or clause.content[i].quantity is not None]
        tokens[:] = [token for token in tokens if not any(token is each for each in conflicting)]
    if _has_scope(tokens_a) and _has_scope(tokens_b):
        return True
    related = [
        (comparison.a.content[i], comparison.b.content[j])
        for i, j in alignment.matches
        if (i, j) in alignment.relations
    ]
    loosely_related = [pair for pair in related if not lexicon().are_synonyms(pair[0].lemma, pair[1].lemma)]
    purposes = (
        [*tokens_a, *(one for one, _ in loosely_related)],
        [*tokens_b, *(other for _, other in loosely_related)],
    )
    if _differ_in_environment(tokens_a, tokens_b) or all(map(_has_purpose, purposes)):
        return True
    return (
        any(map(_is_day_or_year, tokens_a))
        and any(map(_is_day_or_year, tokens_b))
        and not (is_state(comparison.a) and is_state(comparison.b))
    )


def on_different_days(comparison: Comparison) -> bool:
    """Whether each says what happened on a day of its own: "a concert on 14 December in the chapel"."""
    days = [_dates_on(clause) for clause in (comparison.a, comparison.b)]
    if not (days[0] and days[1]) or days[0] & days[1]:
        return False
    return all(
        any(clause.content[k].quantity is None for k in unmatched) for clause, unmatched in sides(comparison)
    )


def _dates_on(clause: Clause) -> frozenset[str]:
    return frozenset(
        token.lemma
        for token in clause.content
        if token.marker == "on" and token.quantity is not None and token.quantity.kind == "date"
    )


def are_consecutive(comparison: Comparison) -> bool:
    """Whether one ended before the other began: "team lead until 2021", "architect since 2022"."""
    for one, other in ((comparison.a, comparison.b), (comparison.b, comparison.a)):
        until, since = _UNTIL_YEAR.search(one.text), _SINCE_YEAR.search(other.text)
        if until and since and int(until[1]) <= int(since[1]):
            return True
    return False


_UNTIL_YEAR = re.compile(r"\b(?:until|till|up to)(?: the end of| end of)?(?: \w+)? (\d{4})\b", re.I)
_SINCE_YEAR = re.compile(r"\b(?:since|from)(?: the start of)?(?: \w+)? (\d{4})\b", re.I)


def both_scoped(comparison: Comparison) -> bool:
    """Whether both clauses have unmatched words that say when, where or under which condition."""
    return all(_has_scope([clause.content[k] for k in unmatched]) for clause, unmatched in sides(comparison))


def _is_day_or_year(token: Token) -> bool:
    return token.quantity is not None and token.quantity.kind in ("year", "date")


def _is_year_or_season(token: Token) -> bool:
    """Whether a word names a year or season."""
    if token.marker in ("since", "after", "until"):
        return False
    if token.quantity is not None:
        return token.quantity.kind == "year"
    kinds = lexicon().classes_of(token.lemma)
    return "seasons" in kinds or (token.marker == "from" and "months" in kinds)


def _has_scope(tokens: list[Token]) -> bool:
    limiting = (token for token in tokens if token.marker not in ("since", "after", "until"))
    return any(token.is_scope or (token.marker and token.lemma in _MEALS) for token in limiting)


def _has_purpose(tokens: list[Token]) -> bool:
    return any(token.marker in ("for", "as") for token in tokens)


def _differ_in_environment(tokens_a: list[Token], tokens_b: list[Token]) -> bool:
    """Whether each is about an environment of its own: "on staging", "in production"."""
    return _environments(tokens_a) != _environments(tokens_b)


def _environments(tokens: list[Token]) -> frozenset[str]:
    return frozenset(
        token.low
        for token in tokens
        if token.low in ENVIRONMENTS and token.marker not in ("after", "since", "until")
    )


def negated_elsewhere(no: Clause, yes: Clause) -> bool:
    """Whether the negation is about another place: "use two spaces in YAML, never tabs", "use tabs in
    Makefiles"."""
    scopes = {(token.marker, token.lemma) for token in yes.content}
    for marker in {marker for marker, _ in no.inherited_scope}:
        same_marker = {each for each in scopes if each[0] == marker}
        if same_marker and not same_marker & set(no.inherited_scope):
            return True
    return False
