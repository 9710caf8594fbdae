"""Whether two clauses about one thing speak of other times, places or conditions."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import ENVIRONMENTS
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.states.two import Comparison, sides

# "Version: 12", "version 11 is still accepted"
_STILL = re.compile(r"\bstill (?:accepted|supported|available|allowed|served|valid|readable)\b", re.I)
_MEALS = frozenset("breakfast lunch dinner supper brunch tea".split())


def set_elsewhere(two: Comparison) -> bool:
    """Whether the two speak of other environments: of production, of staging."""
    mine = [two.a.content[i] for i in two.pair.alignment.unmatched_a]
    theirs = [two.b.content[j] for j in two.pair.alignment.unmatched_b]
    return _apart(mine, theirs)


def elsewhere(two: Comparison, changed: frozenset[str] = frozenset()) -> bool:
    """Whether the two speak of other times, places or conditions, beside what is told to have `changed`."""
    if any(map(_STILL.search, (two.a.text, two.b.text))):
        return True
    alignment = two.pair.alignment
    mine = [two.a.content[i] for i in alignment.unmatched_a]
    theirs = [two.b.content[j] for j in alignment.unmatched_b]
    mine = [token for token in mine if token.lemma not in changed]
    theirs = [token for token in theirs if token.lemma not in changed]
    if len(mine) + len(theirs) > 2 and any(map(_dated, mine)) and any(map(_dated, theirs)):
        return True  # "ran the 2022 marathon in 4:12", "opens at 7 in summer"
    clashing = {each.index_a for each in alignment.conflicts}, {each.index_b for each in alignment.conflicts}
    lone = len(alignment.conflicts) < 2  # what clashes may be the time itself
    for tokens, clause, spent in ((mine, two.a, clashing[0]), (theirs, two.b, clashing[1])):
        out = [clause.content[i] for i in spent if lone or clause.content[i].quantity is not None]
        tokens[:] = [token for token in tokens if not any(token is each for each in out)]
    if _scoped(mine) and _scoped(theirs):
        return True
    tied = [(two.a.content[i], two.b.content[j]) for i, j in alignment.matches if (i, j) in alignment.relations]
    alike = [pair for pair in tied if not lexicon().are_synonyms(pair[0].lemma, pair[1].lemma)]
    purposes = [*mine, *(one for one, _ in alike)], [*theirs, *(other for _, other in alike)]
    if _apart(mine, theirs) or all(map(_purposed, purposes)):
        return True
    return (
        any(map(_on_a_day, mine))
        and any(map(_on_a_day, theirs))
        and not (is_state(two.a) and is_state(two.b))
    )


def other_days(two: Comparison) -> bool:
    """Whether each tells of another day what happened on it: "a concert on 14 December in the chapel"."""
    days = [_days(clause) for clause in (two.a, two.b)]
    if not (days[0] and days[1]) or days[0] & days[1]:
        return False
    return all(any(clause.content[k].quantity is None for k in left) for clause, left in sides(two))


def _days(clause: Clause) -> frozenset[str]:
    return frozenset(
        token.lemma
        for token in clause.content
        if token.marker == "on" and token.quantity is not None and token.quantity.kind == "date"
    )


def one_after_the_other(two: Comparison) -> bool:
    """Whether one was so until the other began: "team lead until 2021", "architect since 2022"."""
    for one, other in ((two.a, two.b), (two.b, two.a)):
        until, since = _UNTIL.search(one.text), _SINCE.search(other.text)
        if until and since and int(until[1]) <= int(since[1]):
            return True
    return False


_UNTIL = re.compile(r"\b(?:until|till|up to)(?: the end of| end of)?(?: \w+)? (\d{4})\b", re.I)
_SINCE = re.compile(r"\b(?:since|from)(?: the start of)?(?: \w+)? (\d{4})\b", re.I)


def scoped_apart(two: Comparison) -> bool:
    return all(_scoped([clause.content[k] for k in left]) for clause, left in sides(two))


def _on_a_day(token: Token) -> bool:
    return token.quantity is not None and token.quantity.kind in ("year", "date")


def _dated(token: Token) -> bool:
    """Whether a word says in which year or season."""
    if token.marker in ("since", "after", "until"):
        return False
    if token.quantity is not None:
        return token.quantity.kind == "year"
    kinds = lexicon().classes_of(token.lemma)
    return "seasons" in kinds or (token.marker == "from" and "months" in kinds)


def _scoped(tokens: list[Token]) -> bool:
    said = (token for token in tokens if token.marker not in ("since", "after", "until"))
    return any(token.is_scope or (token.marker and token.lemma in _MEALS) for token in said)


def _purposed(tokens: list[Token]) -> bool:
    return any(token.marker in ("for", "as") for token in tokens)


def _apart(mine: list[Token], theirs: list[Token]) -> bool:
    """Whether each is of a place of its own: "on staging", "in production"."""
    return _placed(mine) != _placed(theirs)


def _placed(tokens: list[Token]) -> frozenset[str]:
    return frozenset(
        token.low
        for token in tokens
        if token.low in ENVIRONMENTS and token.marker not in ("after", "since", "until")
    )


def set_apart(no: Clause, yes: Clause) -> bool:
    """Whether what is denied is denied of another place: "use two spaces in YAML, never tabs", "use tabs in
    Makefiles"."""
    placed = {(token.marker, token.lemma) for token in yes.content}
    for marker in {marker for marker, _ in no.inherited_scope}:
        said = {each for each in placed if each[0] == marker}
        if said and not said & set(no.inherited_scope):
            return True
    return False
