"""One clause says that something ended, the other still tells of it."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS
from memtui.memory.contradictions.states.apart import set_elsewhere
from memtui.memory.contradictions.states.marks import ChangeKind, ChangeMark, change_marks
from memtui.memory.contradictions.states.posts import ROLES
from memtui.memory.contradictions.states.two import (
    WHOLE_WORDS,
    Comparison,
    core_of,
    is_time,
    is_tool,
    other_heads,
    sides,
)
from memtui.memory.contradictions.subjects import words_in

# "The RDS instances are gone" tells of RDS.
_OF_A_NAME = frozenset(
    "instance account contract subscription licence license membership deal plan idea setup integration "
    "arrangement agreement partnership lease".split()
)
_PLACES = frozenset(("office", "seat", "station"))  # "gave up her office desk", "role: engineer"
# "Phones stay in the pocket, switched off": told of a part, if of anything.
_OF_PARTS = re.compile(
    r"(?:switched|turned|shut|cut|taken) off|removed|deleted|archived|lost|sold|left|lifted|pulled"
    r"|uninstalled|torn down|waived|revoked|refunded|replaced",
    re.I,
)
_TIES = frozenset("engagement marriage wedding relationship".split())
_ONGOING = re.compile(
    r"\b(?:is|are) (?:being|currently|still|now|active|live|in use|in force|running)\b"
    r"|^\W*(?:still|active|in use)\b|\bstill \w+ing\b",
    re.I,
)


def still_told(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` still tells what ended: as its verb, its object or what it is about."""
    if set_elsewhere(two) or any(
        each.kind is ChangeKind.SWITCHED and each.old & mark.things for each in change_marks(says.text)
    ):
        return -1  # both know that it ended
    if all(words_in(word) <= two.pair.names for word in mark.things):
        if _OF_PARTS.fullmatch(mark.phrase) or _of_something_else(two, mark, told):
            return -1
        return _of_all_ended(two, told, says, turned)
    if says.frame == "@married to" and two.shared and mark.things & _TIES:
        return says.frame_at
    alignment = two.pair.alignment
    met_told = {pair[turned] for pair in alignment.matches}
    if any(
        i not in met_told and _is_named(told.content[i]) and told.lemmas[i] not in two.pair.names
        for i in range(told.subject)
    ):
        return -1  # "Aunt Pilar's own starter died", "topic entries.v1 was retired"
    if all(any(c.content[k].is_name for k in left) for c, left in sides(two)):
        return -1  # "a show in Madrid", "the show in Lyon fell through"
    surely = {pair[turned] for pair in alignment.matches if pair not in alignment.relations or _is_same(two, pair)}
    if (
        told.subject
        and told.lemmas[told.subject - 1] in mark.things - two.pair.names
        and told.lemmas[told.subject - 1] not in _OF_A_NAME
        and (told.subject - 1 not in surely and not any(is_tool(told.content[i]) for i in surely))
    ):
        return -1  # "the rent includes water", "the water main is switched off"
    core = core_of(says)
    met = [(pair[turned], pair[not turned]) for pair in two.shared if told.lemmas[pair[turned]] in mark.things]
    met = [(i, j) for i, j in met if i in surely]
    met = [(i, j) for i, j in met if told.lemmas[i] not in _PLACES or not says.lemmas[j].startswith("@")]
    if any(
        told.content[i].quantity is not None and told.lemmas[i] in mark.things
        for i in (two.unmatched_b if turned else two.unmatched_a)
    ):
        return -1  # "version 1", "version 2"
    if mark.ambiguous and any(_on_one_day(token) for token in told.content):
        return -1  # "closed on 26 December"
    if mark.ambiguous:
        ties = two.pair.alignment.relations
        met = [(i, j) for i, j in met if ((j, i) if turned else (i, j)) not in ties]
        tools = [(i, j) for i, j in met if is_tool(told.content[i])]
        named = [(i, j) for i, j in met if told.content[i].is_name and mark.phrase.lower() == "left"]
        if says.frame not in (*ROLES, "@drives", "@has", "@owns") and (
            len(met) < len(mark.things) or not _goes_on(says)
        ):
            met = tools or named
    for i, j in met:
        if j in core or told.content[i].is_name or is_tool(told.content[i]) or len(met) > 1:
            return j
    return -1


def _is_named(token: Token) -> bool:
    return token.is_name or (
        token.quantity is None and any(char.isdigit() or char in "._/#" for char in token.text)
    )


def _is_same(two: Comparison, pair: tuple[int, int]) -> bool:
    return lexicon().are_synonyms(two.a.lemmas[pair[0]], two.b.lemmas[pair[1]])


def _of_all_ended(two: Comparison, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells that it goes on as a habit, though `about` says that it is over altogether."""
    if any(map(_is_habit, told.content)) or _FOR_A_TIME.search(told.text):
        return -1  # "closed on Mondays", "closed for four weeks in July"
    if not two.pair.shared_subject or [t for t in told.content if not is_time(t)][3:] or other_heads(two):
        return -1
    habits = [j for j, token in enumerate(says.content) if _is_habit(token)]
    if not habits and _ONGOING.search(says.text):
        return min(says.subject, len(says.content) - 1)
    return habits[0] if habits else -1


def _of_something_else(two: Comparison, mark: ChangeMark, told: Clause) -> bool:
    """Whether a clause names what ended, and it is not the whole: "scrub finished with no errors"."""
    before = words_in(told.text.lower().partition(mark.phrase.lower())[0])
    said = {token.lemma for token in told.content if token.low in before and token.quantity is None}
    return bool(said - two.pair.names - WHOLE_WORDS - LIGHT_WORDS)


_FOR_A_TIME = re.compile(r"\b(?:for|between|during|over) (?:the |a |an )?\w+", re.I)


def _on_one_day(token: Token) -> bool:
    quantity = token.quantity
    if quantity is not None and quantity.kind in ("date", "year") and token.marker == "in":
        return True  # "finished the half marathon in January 2024"
    dated = quantity is not None and quantity.kind == "date" and isinstance(quantity.value, tuple)
    return dated and quantity is not None and bool(quantity.value[2]) and token.marker == "on"  # type: ignore[index]


def _is_habit(token: Token) -> bool:
    if token.quantity is not None:
        return token.quantity.kind == "number a year"
    return "weekdays" in lexicon().classes_of(token.lemma)


def _goes_on(clause: Clause) -> bool:
    """Whether a clause says that something is going on: "is reading"."""
    at = clause.subject
    return at < len(clause.content) and clause.content[at].low.endswith("ing")
