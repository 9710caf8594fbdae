"""Of what each of two clauses about one thing tells: of the thing itself, or of a part of it, by the words
that stand before the verb."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS
from memtui.memory.contradictions.states.marks import change_marks
from memtui.memory.contradictions.states.two import MEASURE_WORDS, WHOLE_WORDS
from memtui.memory.contradictions.subjects import words_in

# Words that leave a thing the same: "the current rent" is the rent.
NEUTRAL_MODIFIERS = frozenset(
    "current new old total overall main usual own whole actual official present full latest final regular "
    "normal default maximum max minimum min average whole net gross base basic standard expected estimated "
    "monthly weekly daily yearly annual exact real root rhythm cadence frequency interval pace".split()
)


# "A recount shows 57 customers" tells of the customers.
_REPORTS = frozenset("recount count tally audit census survey check show report affect".split())


def of_other_heads(alignment: Alignment, names: frozenset[str], *, strictly: bool = False) -> bool:
    """Whether the two clauses tell of two things, each by a name or a word of its own: "contact", "deputy
    contact"; `strictly`, also where the words are quite other ones: "the garden faces south", "the street
    side faces north"."""
    named = [words_in(clause.text) & names for clause in (alignment.a, alignment.b)]
    if named[0] and named[1] and not named[0] & named[1]:
        return True  # of "Emeka and Zainab", each tells of one
    one, other = _head(alignment.a, names), _head(alignment.b, names)
    if not one or not other:
        return False
    met = {(i, j) for i, j in alignment.matches if alignment.relations.get((i, j), WordRelation.SAME) is WordRelation.SAME}
    last_a, last_b = one[-1], other[-1]
    unmatched_a = [i for i in one if i not in {i for i, _ in met}]
    unmatched_b = [j for j in other if j not in {j for _, j in met}]
    if any(alignment.a.content[i].is_name for i in unmatched_a) and any(alignment.b.content[j].is_name for j in unmatched_b):
        return True
    if (last_a, last_b) not in met:
        one = [i for i in one if alignment.a.lemmas[i] not in MEASURE_WORDS]
        other = [j for j in other if alignment.b.lemmas[j] not in MEASURE_WORDS]
        said = {alignment.a.lemmas[i] for i in one} | {alignment.b.lemmas[j] for j in other}
        strictly = strictly and bool(one and other)
        return strictly and not said & WHOLE_WORDS and not any(i in one and j in other for i, j in met)
    return bool(_telling(alignment.a, unmatched_a) or _telling(alignment.b, unmatched_b))


def of_one_head(alignment: Alignment, names: frozenset[str]) -> bool:
    """Whether only one of the clauses names what it tells of: "started in October", "honeymoon in
    November"."""
    heads = [
        [clause.lemmas[i] for i in _head(clause, names) if clause.lemmas[i] not in MEASURE_WORDS | WHOLE_WORDS]
        for clause in (alignment.a, alignment.b)
    ]
    return bool(heads[0]) != bool(heads[1])


def _telling(clause: Clause, places: list[int]) -> bool:
    return any(
        clause.lemmas[i] not in NEUTRAL_MODIFIERS and not clause.content[i].is_scope and clause.content[i].quantity is None
        for i in places
    )


def _head(clause: Clause, names: frozenset[str]) -> list[int]:
    """The places of the words by which a clause says of what it tells, without the name of the thing."""
    if clause.key:
        end = len([lemma for lemma in clause.lemmas if set(lemma.split()) <= set(clause.key.split())])
    else:
        end = clause.subject or _leading(clause)
    marked = " ".join(mark.phrase.lower() for mark in change_marks(clause.text))
    return [
        i
        for i in range(end)
        if (clause.lemmas[i] not in names | LIGHT_WORDS or clause.content[i].text.endswith(("'s", "\u2019s")))
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
            not token.is_name
            and not lexicon().can_be(token.lemma, "n")
            and not lexicon().can_be(token.lemma, "a")
        ):
            break
        count = i + 1
    return count if count < len(clause.content) else 0
