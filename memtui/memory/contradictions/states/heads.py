"""Of what each of two clauses about one thing tells: of the thing itself, or of a part of it, by the words
that stand before the verb."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import Tie, lexicon
from memtui.memory.contradictions.language.vocabulary import LIGHT
from memtui.memory.contradictions.states.marks import marks_of
from memtui.memory.contradictions.states.two import MEASURES, OF_THE_WHOLE
from memtui.memory.contradictions.subjects import said_in

# Words that leave a thing the same: "the current rent" is the rent.
PLAIN = frozenset(
    "current new old total overall main usual own whole actual official present full latest final regular "
    "normal default maximum max minimum min average whole net gross base basic standard expected estimated "
    "monthly weekly daily yearly annual exact real root rhythm cadence frequency interval pace".split()
)


# "A recount shows 57 customers" tells of the customers.
_REPORTS = frozenset("recount count tally audit census survey check show report affect".split())


def of_other_heads(lay: Alignment, names: frozenset[str], *, strictly: bool = False) -> bool:
    """Whether the two clauses tell of two things, each by a name or a word of its own: "contact", "deputy
    contact"; `strictly`, also where the words are quite other ones: "the garden faces south", "the street
    side faces north"."""
    named = [said_in(clause.text) & names for clause in (lay.a, lay.b)]
    if named[0] and named[1] and not named[0] & named[1]:
        return True  # of "Emeka and Zainab", each tells of one
    one, other = _head(lay.a, names), _head(lay.b, names)
    if not one or not other:
        return False
    met = {(i, j) for i, j in lay.same if lay.ties.get((i, j), Tie.SAME) is Tie.SAME}
    last_a, last_b = one[-1], other[-1]
    left_a = [i for i in one if i not in {i for i, _ in met}]
    left_b = [j for j in other if j not in {j for _, j in met}]
    if any(lay.a.content[i].name for i in left_a) and any(lay.b.content[j].name for j in left_b):
        return True
    if (last_a, last_b) not in met:
        one = [i for i in one if lay.a.lemmas[i] not in MEASURES]
        other = [j for j in other if lay.b.lemmas[j] not in MEASURES]
        said = {lay.a.lemmas[i] for i in one} | {lay.b.lemmas[j] for j in other}
        strictly = strictly and bool(one and other)
        return strictly and not said & OF_THE_WHOLE and not any(i in one and j in other for i, j in met)
    return bool(_telling(lay.a, left_a) or _telling(lay.b, left_b))


def of_one_head(lay: Alignment, names: frozenset[str]) -> bool:
    """Whether only one of the clauses names what it tells of: "started in October", "honeymoon in
    November"."""
    heads = [
        [clause.lemmas[i] for i in _head(clause, names) if clause.lemmas[i] not in MEASURES | OF_THE_WHOLE]
        for clause in (lay.a, lay.b)
    ]
    return bool(heads[0]) != bool(heads[1])


def _telling(clause: Clause, places: list[int]) -> bool:
    return any(
        clause.lemmas[i] not in PLAIN and not clause.content[i].scope and clause.content[i].quantity is None
        for i in places
    )


def _head(clause: Clause, names: frozenset[str]) -> list[int]:
    """The places of the words by which a clause says of what it tells, without the name of the thing."""
    if clause.key:
        end = len([lemma for lemma in clause.lemmas if set(lemma.split()) <= set(clause.key.split())])
    else:
        end = clause.subject or _leading(clause)
    marked = " ".join(mark.word.lower() for mark in marks_of(clause.text))
    return [
        i
        for i in range(end)
        if (clause.lemmas[i] not in names | LIGHT or clause.content[i].text.endswith(("'s", "\u2019s")))
        and not clause.lemmas[i].startswith("@")
        and clause.content[i].quantity is None
        and clause.content[i].low not in marked
        and clause.lemmas[i] not in _REPORTS
    ]


def _leading(clause: Clause) -> int:
    """How many nouns a clause without a known verb begins with."""
    count = 0
    for i, token in enumerate(clause.content[:4]):
        if token.marker or token.quantity is not None or token.lemma.startswith("@"):
            break
        verb = lexicon().can_be(token.lemma, "v")
        if verb and (i or token.low != token.lemma or not lexicon().can_be(token.lemma, "n")):
            break
        if (
            not token.name
            and not lexicon().can_be(token.lemma, "n")
            and not lexicon().can_be(token.lemma, "a")
        ):
            break
        count = i + 1
    return count if count < len(clause.content) else 0
