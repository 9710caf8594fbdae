"""Two clauses about one thing, laid side by side: what they share, and what each says of its own."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS, LIGHT_VERBS, EXCLUSIVE_CLASSES, TIME_CLASSES
from memtui.memory.contradictions.states.marks import change_marks

KIND = "change"
_LIGHT = (LIGHT_VERBS | LIGHT_WORDS) - {"run", "perform", "people", "region"}
_TIMES = frozenset(("date", "clock", "year", "quarter"))
MEASURE_WORDS = frozenset(
    "rate price cost budget fee amount count size limit total term wage salary @costs tall high "
    "height wide width long length deep depth heavy weight old age rent "
    "payment terms invoice cause reason rhythm cadence frequency interval pace".split()
)
# A thing by its members, so that "the flock is down to 25 ewes" tells of the farm.
_WHOLES = frozenset(
    "flock herd team crew staff fleet stock membership headcount workforce firm business household".split()
)
REASON = "Both say how it is, and only one can be true now."


@dataclass(slots=True)
class Comparison:
    """Two clauses about one thing, with what they share (`topic`) and what each says alone."""

    pair: ClausePair
    shared: list[tuple[int, int]]
    unmatched_a: list[int]
    unmatched_b: list[int]

    @property
    def a(self) -> Clause:
        return self.pair.a

    @property
    def b(self) -> Clause:
        return self.pair.b


def read(meeting: ClausePair) -> Comparison:
    alignment = meeting.alignment
    topic = [
        (i, j)
        for i, j in alignment.matches
        if not empty(alignment.a, i)
        and not empty(alignment.b, j)
        and alignment.a.lemmas[i] not in meeting.names
        and not is_ordinal(alignment.a.content[i])
    ]
    unmatched_a = [i for i in alignment.unmatched_a if not empty(alignment.a, i) and alignment.a.lemmas[i] not in meeting.names]
    unmatched_b = [j for j in alignment.unmatched_b if not empty(alignment.b, j) and alignment.b.lemmas[j] not in meeting.names]
    return Comparison(meeting, topic, unmatched_a, unmatched_b)


def empty(clause: Clause, place: int) -> bool:
    return clause.lemmas[place] in _LIGHT


def core_of(clause: Clause) -> set[int]:
    """The places of what a clause says above all: what it is about, its verb and the two words behind it."""
    if len(clause.content) <= 6:
        return set(range(len(clause.content)))
    first = max(0, clause.subject - 1)
    return set(range(first, min(len(clause.content), clause.subject + 3)))


def is_time(token: Token) -> bool:
    if token.quantity is not None:
        return token.quantity.kind in _TIMES
    return any(kind.startswith(TIME_CLASSES) for kind in lexicon().classes_of(token.lemma))


def is_ordinal(token: Token) -> bool:
    return token.lemma in ("last", "next") or (
        token.quantity is not None and token.quantity.kind == "ordinal"
    )


def is_tool(token: Token) -> bool:
    """Whether a word names a program, a service or the like."""
    kinds = lexicon().classes_of(token.lemma) | lexicon().classes_of(token.low)
    return any(kind.lower().startswith(EXCLUSIVE_CLASSES) for kind in kinds)


def sides(two: Comparison) -> tuple[tuple[Clause, list[int]], tuple[Clause, list[int]]]:
    return (two.a, two.unmatched_a), (two.b, two.unmatched_b)


# What an entity is called by its kind: "the service" of a service.
_KINDS_OF_THING = frozenset(
    "service app application project repo repository codebase system platform tool program script server "
    "product site website company business firm studio shop store thing everything all one it we they "
    "table dataset file collection group class course club recount count tally audit census survey".split()
)


WHOLE_WORDS = _WHOLES | _KINDS_OF_THING


def of_a_part(two: Comparison) -> bool:
    """Whether one clause tells of a part, by its name, what the other tells of the whole thing, or of
    somebody else: "written in Rust", "the CLI is written in Python"."""
    lone = [
        [c.lemmas[at] for at in range(c.subject) if at not in met and c.content[at].quantity is None]
        for c, met in (
            (two.a, {i for i, _ in two.pair.alignment.matches}),
            (two.b, {j for _, j in two.pair.alignment.matches}),
        )
    ]
    own = [set(words) - two.pair.names - MEASURE_WORDS - WHOLE_WORDS for words in lone]
    for clause, words in ((two.a, own[0]), (two.b, own[1])):
        words -= {lemma for at, lemma in enumerate(clause.lemmas) if empty(clause, at) or _marks(clause, at)}
    return bool(own[0]) != bool(own[1])


def other_heads(two: Comparison, *, loosely: bool = False) -> bool:
    """Whether the two clauses tell of other parts of the thing: "has 48 flats", "the north wing has 20";
    `loosely`, only where both name one."""
    met_a, met_b = {i for i, _ in two.pair.alignment.matches}, {j for _, j in two.pair.alignment.matches}
    if _own(two.a, two.unmatched_a, met_a) and _own(two.b, two.unmatched_b, met_b):
        return True  # "changes to billing", "changes of the docs"
    if _of_groups(two):
        return True
    one, other = _head(two, two.a, met_a), _head(two, two.b, met_b)
    if loosely and "" in (one, other):
        return False
    return "other" in (one, other) and "met" not in (one, other)


POSITIONS = frozenset(
    "left right upper lower front rear inner outer north south east west northern southern eastern western "
    "top bottom first second old new access refresh".split()
)


def other_parts(two: Comparison) -> bool:
    """Whether the two tell of parts that lie elsewhere: "front tyres", "rear tyres"."""
    mine = {two.a.content[i].low for i in two.pair.alignment.unmatched_a} & POSITIONS
    theirs = {two.b.content[j].low for j in two.pair.alignment.unmatched_b} & POSITIONS
    return bool(mine and theirs)


def _of_groups(two: Comparison) -> bool:
    """Whether each begins with a group of its own: "Juniors train …", "Masters train …"."""
    if not (0 in two.unmatched_a and 0 in two.unmatched_b and (1, 1) in two.pair.alignment.matches):
        return False
    heads = two.a.content[0], two.b.content[0]
    return (
        all(token.low == f"{token.lemma}s" and lexicon().can_be(token.lemma, "n") for token in heads)
        and lexicon().can_be(two.a.lemmas[1], "v")
        and not two.a.content[1].marker
    )


def _own(clause: Clause, left: list[int], met: set[int]) -> bool:
    """Whether a clause names something of its own that it is about."""
    for i in left:
        token = clause.content[i]
        beside_name = i + 1 in met and clause.content[i + 1].is_name and lexicon().is_animate(token.lemma)
        if i < clause.subject and not token.is_scope and not _marks(clause, i) and not beside_name:
            return True
    return False


def _head(two: Comparison, clause: Clause, met: set[int]) -> str:
    """What a clause is about: "met" by the other one, "other", or "" where it names nothing."""
    for at in range(clause.subject - 1, -1, -1):
        if at in met:
            return "met"
        named = clause.lemmas[at] in two.pair.names | MEASURE_WORDS | WHOLE_WORDS or empty(clause, at)
        if not named and clause.content[at].quantity is None and not _marks(clause, at):
            return "other"
    return ""


def _marks(clause: Clause, place: int) -> bool:
    """Whether a word only tells that something changed: "cut to 1,800"."""
    return any(clause.content[place].low in mark.phrase.lower() for mark in change_marks(clause.text))
