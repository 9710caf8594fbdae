"""Heads of two clauses about one thing: the words before the verb that say whether a clause is about the
thing itself or a part of it."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS
from memtui.memory.contradictions.states.change_marks import change_marks
from memtui.memory.contradictions.states.comparison import MEASURE_WORDS, WHOLE_WORDS
from memtui.memory.contradictions.subjects import words_in

# Modifiers that do not name another thing: "the current rent" is the rent.
NEUTRAL_MODIFIERS = frozenset(
    "current new old total overall main usual own whole actual official present full latest final regular "
    "normal default maximum max minimum min average whole net gross base basic standard expected estimated "
    "monthly weekly daily yearly annual exact real root rhythm cadence frequency interval pace".split()
)

# Words that only introduce what is reported: "A recount shows 57 customers" is about the customers.
_REPORTING_WORDS = frozenset("recount count tally audit census survey check show report affect".split())


def name_different_heads(
    alignment: Alignment, names: frozenset[str], *, include_unrelated: bool = False
) -> bool:
    """Whether the two clauses are about different things, each with a name or modifier of its own ("contact",
    "deputy contact"); `include_unrelated`, also where the heads have no word in common ("the garden faces
    south", "the street side faces north")."""
    named = [words_in(clause.text) & names for clause in (alignment.a, alignment.b)]
    if named[0] and named[1] and not named[0] & named[1]:
        return True  # about "Emeka and Zainab", each is about one
    head_a, head_b = _head_indices(alignment.a, names), _head_indices(alignment.b, names)
    if not head_a or not head_b:
        return False
    matched = {
        (i, j)
        for i, j in alignment.matches
        if alignment.relations.get((i, j), WordRelation.SAME) is WordRelation.SAME
    }
    last_a, last_b = head_a[-1], head_b[-1]
    rest_a = [i for i in head_a if i not in {i for i, _ in matched}]
    rest_b = [j for j in head_b if j not in {j for _, j in matched}]
    if any(alignment.a.content[i].is_name for i in rest_a) and any(
        alignment.b.content[j].is_name for j in rest_b
    ):
        return True
    if (last_a, last_b) not in matched:
        head_a = [i for i in head_a if alignment.a.lemmas[i] not in MEASURE_WORDS]
        head_b = [j for j in head_b if alignment.b.lemmas[j] not in MEASURE_WORDS]
        words = {alignment.a.lemmas[i] for i in head_a} | {alignment.b.lemmas[j] for j in head_b}
        include_unrelated = include_unrelated and bool(head_a and head_b)
        return (
            include_unrelated
            and not words & WHOLE_WORDS
            and not any(i in head_a and j in head_b for i, j in matched)
        )
    return bool(_has_significant(alignment.a, rest_a) or _has_significant(alignment.b, rest_b))


def only_one_names_head(alignment: Alignment, names: frozenset[str]) -> bool:
    """Whether only one of the clauses names what it is about: "started in October", "honeymoon in
    November"."""
    heads = [
        [
            clause.lemmas[i]
            for i in _head_indices(clause, names)
            if clause.lemmas[i] not in MEASURE_WORDS | WHOLE_WORDS
        ]
        for clause in (alignment.a, alignment.b)
    ]
    return bool(heads[0]) != bool(heads[1])


def _has_significant(clause: Clause, indices: list[int]) -> bool:
    return any(
        clause.lemmas[i] not in NEUTRAL_MODIFIERS
        and not clause.content[i].is_scope
        and clause.content[i].quantity is None
        for i in indices
    )


def _head_indices(clause: Clause, names: frozenset[str]) -> list[int]:
    """Return the indices of the words that say what a clause is about, without the name of the thing."""
    if clause.key:
        end = len([lemma for lemma in clause.lemmas if set(lemma.split()) <= set(clause.key.split())])
    else:
        end = clause.subject_end or _count_leading_nouns(clause)
    change_phrases = " ".join(mark.phrase.lower() for mark in change_marks(clause.text))
    return [
        i
        for i in range(end)
        if (clause.lemmas[i] not in names | LIGHT_WORDS or clause.content[i].text.endswith(("'s", "\u2019s")))
        and not clause.lemmas[i].startswith("@")
        and clause.content[i].quantity is None
        and clause.content[i].low not in change_phrases
        and clause.lemmas[i] not in _REPORTING_WORDS
    ]


def _count_leading_nouns(clause: Clause) -> int:
    """Count the nouns at the start of a clause without a known verb."""
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
