"""Why two conflicting words may both be true."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, has_scope, in_subject
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import (
    ENVIRONMENTS,
    INTENTION_VERBS,
    LIGHT_VERBS,
    SCENE_CLASSES,
    SINGLE_VALUED,
    STATIVE_VERBS,
)
from memtui.memory.contradictions.states.heads import name_different_heads
from memtui.memory.contradictions.states.limits import concerns_subset

OPPOSITE, CLASS, NUMBER = "opposite", "class", "number"
# Relations that may be expressed by a plain "is".
_COPULA_FRAMES = frozenset(
    [
        *("@works as", "@due", "@starts at", "@ends at", "@costs", "@version", "@default", "@timezone"),
        *("@named", "@lives in", "@limited to"),
    ]
)
_ORIGIN = re.compile(r"\b(?:been to|from)\b")
_LOCATION_FRAMES = {"@lives in", "@runs on", "@stored in"}  # all of a location


@dataclass(slots=True)
class Substitution:
    """Two conflicting words with the other unmatched words of both sides; `shared` counts the words in
    common."""

    pair: ClausePair
    conflict: TokenConflict
    kind: str  # opposite, class or number
    others_a: list[Token]
    others_b: list[Token]
    shared: int

    @property
    def token_a(self) -> Token:
        return self.pair.a.content[self.conflict.index_a]

    @property
    def token_b(self) -> Token:
        return self.pair.b.content[self.conflict.index_b]

    @property
    def personal(self) -> bool:
        """Whether one of the clauses is about a named person, the user or us."""
        return self.pair.a.personal or self.pair.b.personal

    @property
    def are_animate(self) -> bool:
        """Whether both words name people or animals."""
        return lexicon().is_animate(self.token_a.lemma) and lexicon().is_animate(self.token_b.lemma)


def may_both_be_true(substitution: Substitution) -> bool:
    """Whether something shows that both of two conflicting words may be true."""
    return any(reason(substitution) for reason in _REASONS)


def _differ_twice(substitution: Substitution) -> bool:
    """The clauses differ in something else, too, so that they do not state the same."""
    rest = [*substitution.others_a, *substitution.others_b]
    if substitution.kind == OPPOSITE:
        rest = [token for token in rest if token.marker != "for"]  # "waits for review"
    preceding = {substitution.token_a.position - 1, substitution.token_b.position - 1}
    rest = [
        token for token in rest if token.direct_marker or token.position not in preceding
    ]  # "office manager"
    others = any(conflict is not substitution.conflict for conflict in substitution.pair.alignment.conflicts)
    used = {substitution.conflict.index_a}, {substitution.conflict.index_b}
    return (
        others or has_scope(rest) or substitution.pair.differs_elsewhere(*used, substitution.kind == OPPOSITE)
    )


def _different_scenes(substitution: Substitution) -> bool:
    """Two people or places that nothing identifies with each other."""
    pair, conflict = substitution.pair, substitution.conflict
    if pair.is_definite and substitution.personal:
        return False
    kinds = lexicon().classes_of(substitution.token_a.lemma) & lexicon().classes_of(
        substitution.token_b.lemma
    )
    if conflict.kind in SCENE_CLASSES or (in_subject(pair, conflict) and kinds & SCENE_CLASSES):
        return True
    different_places = pair.a.function_words != pair.b.function_words  # "along the beach", "through a field"
    return substitution.kind == CLASS and (
        different_places or (substitution.are_animate and "nationalities" not in kinds)
    )


def _different_times(substitution: Substitution) -> bool:
    """Before and after. Opposites in past and present do contradict each other, unless the past one is
    dated."""
    pair = substitution.pair
    if substitution.kind == OPPOSITE and pair.a.past != pair.b.past:
        return _is_dated(pair.a if pair.a.past else pair.b)  # "was broken in May", "has been repaired"
    return pair.differ_in_time()


def _is_dated(clause: Clause) -> bool:
    """Whether a clause says when it was so."""
    return any(
        token.marker in ("in", "on", "last")
        and (
            (token.quantity is not None and token.quantity.kind in ("date", "year"))
            or "months" in lexicon().classes_of(token.lemma)
        )
        for token in clause.content
    )


def _different_environments(substitution: Substitution) -> bool:
    """ "Is on in staging", "is off in production"."""
    return (
        substitution.kind != NUMBER
        and substitution.token_a.low in ENVIRONMENTS
        and substitution.token_b.low in ENVIRONMENTS
    )


def _both_valid(substitution: Substitution) -> bool:
    """ "Version: 12", "version 11 is still accepted"."""
    return substitution.kind == NUMBER and any(
        map(_STILL_VALID.search, (substitution.pair.a.text, substitution.pair.b.text))
    )


_STILL_VALID = re.compile(
    r"\bstill (?:accepted|supported|available|allowed|served|valid|works|readable)\b", re.I
)


def _is_about_part(substitution: Substitution) -> bool:
    """One clause is about a part of what the other is about: "Lantern", "the tests of Lantern"."""
    if substitution.kind == OPPOSITE:
        return False
    a, b = substitution.pair.a, substitution.pair.b
    return _names_part_of(a, b) or _names_part_of(b, a)


def _names_part_of(clause: Clause, other: Clause) -> bool:
    whole = set(other.lemmas[: other.subject_end])
    for k in range(1, min(clause.subject_end, len(clause.content))):
        head = clause.lemmas[k - 1]
        if clause.content[k].marker == "of" and clause.lemmas[k] in whole and head not in other.bag:
            return head not in _ATTRIBUTES
    return False


# Attributes with one value, equivalent to a verb: "the language of", "is written in".
_ATTRIBUTES = frozenset(
    "language name price cost colour color owner lead head author date day time place home size limit port "
    "host version status state capital licence license".split()
)


def _number_names(substitution: Substitution) -> bool:
    """Numbers that are names: "issue 77", "issue 78"."""
    if substitution.kind != NUMBER or not substitution.pair.is_definite:
        return False
    return _is_name(substitution.pair.a, substitution.conflict.index_a) or _is_name(
        substitution.pair.b, substitution.conflict.index_b
    )


def _consecutive_steps(substitution: Substitution) -> bool:
    """Both happened, one after the other: "began", "finished"."""
    past = all(
        token.low != token.lemma and not token.low.endswith(("s", "ing"))
        for token in (substitution.token_a, substitution.token_b)
    )
    return (
        substitution.kind == OPPOSITE
        and past
        and {substitution.token_a.lemma, substitution.token_b.lemma} <= _STEPS
    )


def _different_ordinals(substitution: Substitution) -> bool:
    """The first and the second of several: "hired his first employee", "hired a second"."""
    return (
        substitution.kind == OPPOSITE
        # Not the lemmas: that of "first" is a number, that of "a second" a time.
        and {substitution.token_a.text.lower(), substitution.token_b.text.lower()} <= _ORDINALS
        and not substitution.pair.shared_subject
    )


_ORDINALS = frozenset("first second third next last".split())
_STEPS = frozenset(
    "begin start open join enter arrive finish complete end stop close leave quit exit depart".split()
)


def _is_intention(substitution: Substitution) -> bool:
    """ "Is unemployed", "wants to become a manager"."""
    return bool((substitution.pair.a.bag ^ substitution.pair.b.bag) & INTENTION_VERBS)


def _different_breadth(substitution: Substitution) -> bool:
    """ "Likes tea", "hates sweet drinks"."""
    alignment = substitution.pair.alignment
    return (
        substitution.kind == OPPOSITE
        and bool(alignment.broader or alignment.narrower)
        and substitution.personal
    )


def _concerns_subset(substitution: Substitution) -> bool:
    return concerns_subset(substitution.pair, substitution.conflict)


def _different_heads(substitution: Substitution) -> bool:
    """ "Hydration: 74 percent", "pizza dough hydration is 65 percent"."""
    return substitution.pair.shared_subject and name_different_heads(
        substitution.pair.alignment, substitution.pair.names
    )


def _different_relations(substitution: Substitution) -> bool:
    """ "Was born in Oslo", "works in Rome"."""
    return substitution.kind != OPPOSITE and have_different_relations(
        substitution.pair.a, substitution.pair.b
    )


_REASONS: tuple[Callable[[Substitution], bool], ...] = (
    _differ_twice,
    _different_scenes,
    _different_times,
    _is_about_part,
    _different_environments,
    _both_valid,
    _number_names,
    _consecutive_steps,
    _different_ordinals,
    _is_intention,
    _different_breadth,
    _concerns_subset,
    _different_heads,
    _different_relations,
)


def _is_name(clause: Clause, index: int) -> bool:
    """Whether a number is a name: "issue 77", "room 4"."""
    quantity, previous = clause.content[index].quantity, clause.content[index - 1]
    is_number = quantity is not None and quantity.kind == "number" and quantity.text[:1].isdigit()
    return (
        is_number
        and index > 0
        and previous.lemma in _NUMBERED_NOUNS
        and not clause.content[index].direct_marker
    )


_NUMBERED_NOUNS = frozenset(
    """
    issue pr ticket project task sprint room step phase chapter note item row line page part floor gate bus
    route team group table unit node server worker case order invoice experiment run build job day week lesson
    section figure question problem bug incident migration track level round episode season volume number
    """.split()
)


def have_different_relations(a: Clause, b: Clause) -> bool:
    """Whether the two state different relations: "was born in Oslo", "works in Rome"."""
    frames = {a.frame, b.frame}
    if a.frame == b.frame or not frames & SINGLE_VALUED or frames <= _LOCATION_FRAMES:
        return False
    single, other = (a, b) if a.frame in SINGLE_VALUED else (b, a)
    if _ORIGIN.search(other.text):
        return True
    if lexicon().lemma_of(single.content[single.frame_at].low.split()[0]) in other.bag:
        return False  # "targets Java 17", "the target is Java 21"
    verb = other.content[other.subject_end].lemma if 0 < other.subject_end < len(other.content) else ""
    if not verb and single.frame not in _COPULA_FRAMES:
        return True  # "the supervisor is a professor"
    return bool(other.frame) or verb in STATIVE_VERBS - LIGHT_VERBS
