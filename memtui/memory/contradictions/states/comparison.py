"""Two clauses about one thing: what they share, and what each has of its own."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import (
    EXCLUSIVE_CLASSES,
    LIGHT_VERBS,
    LIGHT_WORDS,
    TIME_CLASSES,
)
from memtui.memory.contradictions.states.change_marks import change_marks

KIND = "change"
_LIGHT = (LIGHT_VERBS | LIGHT_WORDS) - {"run", "perform", "people", "region"}
_TIME_KINDS = frozenset(("date", "clock", "year", "quarter"))
MEASURE_WORDS = frozenset(
    "rate price cost budget fee amount count size limit total term wage salary @costs tall high "
    "height wide width long length deep depth heavy weight old age rent "
    "payment terms invoice cause reason rhythm cadence frequency interval pace".split()
)
# Collective nouns that stand for the thing: "the flock is down to 25 ewes" is about the farm.
_COLLECTIVES = frozenset(
    "flock herd team crew staff fleet stock membership headcount workforce firm business household".split()
)


@dataclass(slots=True)
class Comparison:
    """Two clauses about one thing. `shared` are the matched content words as (index in A, index in B),
    `unmatched_a` and `unmatched_b` the content words that only one has, all without names of the thing and
    light words."""

    pair: ClausePair
    shared: list[tuple[int, int]]
    unmatched_a: list[int]
    unmatched_b: list[int]

    @property
    def alignment(self) -> Alignment:
        return self.pair.alignment

    @property
    def a(self) -> Clause:
        return self.pair.a

    @property
    def b(self) -> Clause:
        return self.pair.b


def compare(pair: ClausePair) -> Comparison:
    """Compare two clauses about one thing."""
    alignment = pair.alignment
    topic = [
        (i, j)
        for i, j in alignment.matches
        if not is_light(alignment.a, i)
        and not is_light(alignment.b, j)
        and alignment.a.lemmas[i] not in pair.names
        and not is_ordinal(alignment.a.content[i])
    ]
    unmatched_a = [
        i
        for i in alignment.unmatched_a
        if not is_light(alignment.a, i) and alignment.a.lemmas[i] not in pair.names
    ]
    unmatched_b = [
        j
        for j in alignment.unmatched_b
        if not is_light(alignment.b, j) and alignment.b.lemmas[j] not in pair.names
    ]
    return Comparison(pair, topic, unmatched_a, unmatched_b)


def is_light(clause: Clause, index: int) -> bool:
    """Whether a word carries too little meaning to be compared."""
    return clause.lemmas[index] in _LIGHT


def core_indices(clause: Clause) -> set[int]:
    """Return the indices of the core of a clause: the end of its subject, its verb and the two words
    behind."""
    if len(clause.content) <= 6:
        return set(range(len(clause.content)))
    first = max(0, clause.subject_end - 1)
    return set(range(first, min(len(clause.content), clause.subject_end + 3)))


def is_time(token: Token) -> bool:
    """Whether a word is a time: a date, a clock time, a weekday, a season."""
    if token.quantity is not None:
        return token.quantity.kind in _TIME_KINDS
    return any(kind.startswith(TIME_CLASSES) for kind in lexicon().classes_of(token.lemma))


def is_ordinal(token: Token) -> bool:
    """Whether a word gives a place in an order: "second", "last"."""
    return token.lemma in ("last", "next") or (
        token.quantity is not None and token.quantity.kind == "ordinal"
    )


def is_tool(token: Token) -> bool:
    """Whether a word names a program, a service or the like."""
    kinds = lexicon().classes_of(token.lemma) | lexicon().classes_of(token.low)
    return any(kind.lower().startswith(EXCLUSIVE_CLASSES) for kind in kinds)


def sides(comparison: Comparison) -> tuple[tuple[Clause, list[int]], tuple[Clause, list[int]]]:
    """Return both clauses with their unmatched words."""
    return (comparison.a, comparison.unmatched_a), (comparison.b, comparison.unmatched_b)


# Nouns that stand for any entity: "the service".
_GENERIC_NOUNS = frozenset(
    "service app application project repo repository codebase system platform tool program script server "
    "product site website company business firm studio shop store thing everything all one it we they "
    "table dataset file collection group class course club recount count tally audit census survey".split()
)


WHOLE_WORDS = _COLLECTIVES | _GENERIC_NOUNS


def one_tells_of_part(comparison: Comparison) -> bool:
    """Whether one clause is about a named part or about somebody else, the other about the whole: "written in
    Rust", "the CLI is written in Python"."""
    unmatched_subjects = [
        [
            c.lemmas[index]
            for index in range(c.subject_end)
            if index not in matched and c.content[index].quantity is None
        ]
        for c, matched in (
            (comparison.a, {i for i, _ in comparison.alignment.matches}),
            (comparison.b, {j for _, j in comparison.alignment.matches}),
        )
    ]
    own_words = [
        set(words) - comparison.pair.names - MEASURE_WORDS - WHOLE_WORDS for words in unmatched_subjects
    ]
    for clause, words in ((comparison.a, own_words[0]), (comparison.b, own_words[1])):
        words -= {
            lemma
            for index, lemma in enumerate(clause.lemmas)
            if is_light(clause, index) or _is_change_word(clause, index)
        }
    return bool(own_words[0]) != bool(own_words[1])


def name_different_parts(comparison: Comparison, *, require_both: bool = False) -> bool:
    """Whether the two clauses are about different parts of the thing ("has 48 flats", "the north wing has
    20"); with `require_both`, only if both name one."""
    met_a, met_b = (
        {i for i, _ in comparison.alignment.matches},
        {j for _, j in comparison.alignment.matches},
    )
    if _names_own_subject(comparison.a, comparison.unmatched_a, met_a) and _names_own_subject(
        comparison.b, comparison.unmatched_b, met_b
    ):
        return True  # "changes to billing", "changes of the docs"
    if _start_with_different_groups(comparison):
        return True
    status_a, status_b = (
        _head_status(comparison, comparison.a, met_a),
        _head_status(comparison, comparison.b, met_b),
    )
    if require_both and "" in (status_a, status_b):
        return False
    return "other" in (status_a, status_b) and "met" not in (status_a, status_b)


_POSITIONS = frozenset(
    "left right upper lower front rear inner outer north south east west northern southern eastern western "
    "top bottom first second old new access refresh".split()
)


def in_different_positions(comparison: Comparison) -> bool:
    """Whether the two are about parts in different positions: "front tyres", "rear tyres"."""
    positions_a = {comparison.a.content[i].low for i in comparison.alignment.unmatched_a} & _POSITIONS
    positions_b = {comparison.b.content[j].low for j in comparison.alignment.unmatched_b} & _POSITIONS
    return bool(positions_a and positions_b)


def _start_with_different_groups(comparison: Comparison) -> bool:
    """Whether each starts with a group of its own: "Juniors train …", "Masters train …"."""
    if not (
        0 in comparison.unmatched_a and 0 in comparison.unmatched_b and (1, 1) in comparison.alignment.matches
    ):
        return False
    first = comparison.a.content[0], comparison.b.content[0]
    return (
        all(token.low == f"{token.lemma}s" and lexicon().can_be(token.lemma, "n") for token in first)
        and lexicon().can_be(comparison.a.lemmas[1], "v")
        and not comparison.a.content[1].marker
    )


def _names_own_subject(clause: Clause, unmatched: list[int], matched: set[int]) -> bool:
    """Whether a clause names something of its own that it is about."""
    for i in unmatched:
        token = clause.content[i]
        is_title = i + 1 in matched and clause.content[i + 1].is_name and lexicon().is_animate(token.lemma)
        if i < clause.subject_end and not token.is_scope and not _is_change_word(clause, i) and not is_title:
            return True
    return False


def _head_status(comparison: Comparison, clause: Clause, matched: set[int]) -> str:
    """Return what the subject of a clause is: "met" if the other clause names it, too, "other", or "" if it
    names nothing."""
    for index in range(clause.subject_end - 1, -1, -1):
        if index in matched:
            return "met"
        is_generic = clause.lemmas[index] in comparison.pair.names | MEASURE_WORDS | WHOLE_WORDS or is_light(
            clause, index
        )
        if not is_generic and clause.content[index].quantity is None and not _is_change_word(clause, index):
            return "other"
    return ""


def _is_change_word(clause: Clause, index: int) -> bool:
    """Whether a word only says that something changed: "cut to 1,800"."""
    return any(clause.content[index].low in mark.phrase.lower() for mark in change_marks(clause.text))
