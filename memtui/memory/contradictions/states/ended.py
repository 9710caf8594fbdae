"""One clause says that something ended, the other still states it."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS
from memtui.memory.contradictions.states.change_marks import ChangeKind, ChangeMark, change_marks
from memtui.memory.contradictions.states.comparison import (
    WHOLE_WORDS,
    Comparison,
    core_indices,
    is_time,
    is_tool,
    name_different_parts,
    sides,
)
from memtui.memory.contradictions.states.jobs import ROLE_FRAMES
from memtui.memory.contradictions.states.scopes import in_different_environments
from memtui.memory.contradictions.subjects import words_in

# Nouns whose end is that of what they name: "The RDS instances are gone".
_CONTRACT_NOUNS = frozenset(
    "instance account contract subscription licence license membership deal plan idea setup integration "
    "arrangement agreement partnership lease".split()
)
_PLACES = frozenset(("office", "seat", "station"))  # "gave up her office desk", "role: engineer"
# Phrases that may describe the end of a part only: "Phones stay in the pocket, switched off".
_PARTIAL_END = re.compile(
    r"(?:switched|turned|shut|cut|taken) off|removed|deleted|archived|lost|sold|left|lifted|pulled"
    r"|uninstalled|torn down|waived|revoked|refunded|replaced",
    re.I,
)
_RELATIONSHIPS = frozenset("engagement marriage wedding relationship".split())
_ONGOING = re.compile(
    r"\b(?:is|are) (?:being|currently|still|now|active|live|in use|in force|running)\b"
    r"|^\W*(?:still|active|in use)\b|\bstill \w+ing\b",
    re.I,
)


def index_of_ended(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Return the index of the word by which `state` still states what ended (its verb, object or subject), or
    -1."""
    if in_different_environments(comparison) or any(
        each.kind is ChangeKind.SWITCHED and each.old & mark.things for each in change_marks(state.text)
    ):
        return -1
    if all(words_in(word) <= comparison.pair.names for word in mark.things):
        if _PARTIAL_END.fullmatch(mark.phrase) or _names_other_thing(comparison, mark, change):
            return -1
        return _find_ongoing(comparison, change, state, swapped)
    if state.frame == "@married to" and comparison.shared and mark.things & _RELATIONSHIPS:
        return state.frame_at
    sure = {
        pair[swapped]
        for pair in comparison.alignment.matches
        if pair not in comparison.alignment.relations or _are_synonyms(comparison, pair)
    }
    if _ends_something_else(comparison, mark, change, sure, swapped):
        return -1
    matched = _matched_things(comparison, mark, change, state, sure, swapped)
    core = core_indices(state)
    for i, j in matched:
        if j in core or change.content[i].is_name or is_tool(change.content[i]) or len(matched) > 1:
            return j
    return -1


def _ends_something_else(
    comparison: Comparison, mark: ChangeMark, change: Clause, sure: set[int], swapped: bool
) -> bool:
    """Whether something else ended than what the other clause is about, or only for a day."""
    names = comparison.pair.names
    matched = {pair[swapped] for pair in comparison.alignment.matches}
    if any(
        i not in matched and _is_named(change.content[i]) and change.lemmas[i] not in names
        for i in range(change.subject_end)
    ):
        return True  # "Aunt Pilar's own starter died", "topic entries.v1 was retired"
    if all(any(c.content[k].is_name for k in unmatched) for c, unmatched in sides(comparison)):
        return True  # "a show in Madrid", "the show in Lyon fell through"
    head = change.subject_end - 1
    if (
        head >= 0
        and change.lemmas[head] in mark.things - names
        and change.lemmas[head] not in _CONTRACT_NOUNS
        and head not in sure
        and not any(is_tool(change.content[i]) for i in sure)
    ):
        return True  # "the rent includes water", "the water main is switched off"
    if any(
        change.content[i].quantity is not None and change.lemmas[i] in mark.things
        for i in (comparison.unmatched_b if swapped else comparison.unmatched_a)
    ):
        return True  # "version 1", "version 2"
    return mark.ambiguous and any(map(_on_one_day, change.content))  # "closed on 26 December"


def _matched_things(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, sure: set[int], swapped: bool
) -> list[tuple[int, int]]:
    """Return the words for what ended that `state` has, too, as indices into `change` and into `state`."""
    matched = [
        (i, j)
        for i, j in ((pair[swapped], pair[not swapped]) for pair in comparison.shared)
        if change.lemmas[i] in mark.things
        and i in sure
        and (change.lemmas[i] not in _PLACES or not state.lemmas[j].startswith("@"))
    ]
    if not mark.ambiguous:
        return matched
    relations = comparison.alignment.relations
    matched = [(i, j) for i, j in matched if ((j, i) if swapped else (i, j)) not in relations]
    if state.frame in (*ROLE_FRAMES, "@drives", "@has", "@owns"):
        return matched
    if len(matched) >= len(mark.things) and _is_ongoing(state):
        return matched
    tools = [(i, j) for i, j in matched if is_tool(change.content[i])]
    return tools or [
        (i, j) for i, j in matched if change.content[i].is_name and mark.phrase.lower() == "left"
    ]


def _is_named(token: Token) -> bool:
    return token.is_name or (
        token.quantity is None and any(char.isdigit() or char in "._/#" for char in token.text)
    )


def _are_synonyms(comparison: Comparison, pair: tuple[int, int]) -> bool:
    return lexicon().are_synonyms(comparison.a.lemmas[pair[0]], comparison.b.lemmas[pair[1]])


def _find_ongoing(comparison: Comparison, change: Clause, state: Clause, swapped: bool) -> int:
    """Return the index of a word by which `state` says that it goes on, though `change` says that all of it
    is over, or -1."""
    if any(map(_is_habit, change.content)) or _FOR_A_PERIOD.search(change.text):
        return -1  # "closed on Mondays", "closed for four weeks in July"
    if (
        not comparison.pair.shared_subject
        or [t for t in change.content if not is_time(t)][3:]
        or name_different_parts(comparison)
    ):
        return -1
    habits = [j for j, token in enumerate(state.content) if _is_habit(token)]
    if not habits and _ONGOING.search(state.text):
        return min(state.subject_end, len(state.content) - 1)
    return habits[0] if habits else -1


def _names_other_thing(comparison: Comparison, mark: ChangeMark, change: Clause) -> bool:
    """Whether a clause names what ended, and that is not the whole thing: "scrub finished with no errors"."""
    beginning = words_in(change.text.lower().partition(mark.phrase.lower())[0])
    words = {token.lemma for token in change.content if token.low in beginning and token.quantity is None}
    return bool(words - comparison.pair.names - WHOLE_WORDS - LIGHT_WORDS)


_FOR_A_PERIOD = re.compile(r"\b(?:for|between|during|over) (?:the |a |an )?\w+", re.I)


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


def _is_ongoing(clause: Clause) -> bool:
    """Whether a clause says that something is going on: "is reading"."""
    at = clause.subject_end
    return at < len(clause.content) and clause.content[at].low.endswith("ing")
