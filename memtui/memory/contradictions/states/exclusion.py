"""How certain it is that two words in one place exclude each other."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.alignment import Alignment, TokenConflict
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, in_subject
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import (
    EXCLUSIVE_CLASSES,
    SCENE_CLASSES,
    SCOPE_MARKERS,
    SINGLE_VALUED,
    TIME_CLASSES,
)
from memtui.memory.contradictions.states.coexistence import (
    CLASS,
    NUMBER,
    OPPOSITE,
    Substitution,
    may_both_be_true,
)

# Words in common from which on both clauses describe one scene.
_MIN_SHARED_FOR_SCENE = {OPPOSITE: 2, CLASS: 4, NUMBER: 4}
_MAX_OTHERS = 3  # other unmatched words on a side, in clauses about one thing


def exclusion_score(pair: ClausePair, conflict: TokenConflict, kind: str) -> float:
    """Return how certain it is that only one of two words can be right, 0 to 1; 0 where both may."""
    alignment, a, b = pair.alignment, pair.a, pair.b
    shared = (
        sum(1 + a.lemmas[i].count(" ") for i, _ in alignment.matches)
        + (len(a.function_words) + len(b.function_words)) // 4
    )
    substitution = Substitution(
        pair, conflict, kind, *pair.other_unmatched({conflict.index_a}, {conflict.index_b}), shared
    )
    if may_both_be_true(substitution):
        return 0.0
    return _score_in_scene(substitution) or _score_of_one_thing(substitution)


def _score_in_scene(substitution: Substitution) -> float:
    """Score clauses that are otherwise equal, and so long that both must describe the same."""
    alignment, a, b = substitution.pair.alignment, substitution.pair.a, substitution.pair.b
    required = _MIN_SHARED_FOR_SCENE[substitution.kind] - (
        substitution.kind == OPPOSITE and max(len(a.content), len(b.content)) == 2
    )
    if (
        alignment.reordered
        or not substitution.conflict.aligned
        or substitution.shared < required
        or not _differ_only_in_conflict(alignment, substitution.conflict)
    ):
        return 0.0
    if not _may_repeat(substitution):
        return 0.9
    if not substitution.personal or (
        substitution.shared > _MIN_SHARED_FOR_SCENE[substitution.kind] and substitution.kind != CLASS
    ):
        return 0.7
    return 0.0


def _score_of_one_thing(substitution: Substitution) -> float:
    """Score clauses about one certain thing with little else unmatched."""
    pair, conflict = substitution.pair, substitution.conflict
    a, b = pair.a, pair.b
    if (
        substitution.token_a.marker in SCOPE_MARKERS
        and substitution.kind != NUMBER
        and not _is_about_time(pair)
    ):
        return 0.0
    if substitution.kind == OPPOSITE and substitution.are_animate:
        return 0.0  # a son and a daughter
    if (conflict.kind in SCENE_CLASSES and conflict.kind != "professions") or count_different_things(
        pair, conflict
    ):
        return 0.0
    if (
        _may_repeat(substitution)
        or not pair.is_definite
        or not pair.subjects_match()
        or in_subject(pair, conflict)
    ):
        return 0.0
    others = len(substitution.others_a), len(substitution.others_b)
    if max(others) > _MAX_OTHERS or (min(others) and sum(others) > 3):
        return 0.0
    short = not sum(others) and len(a.content) <= 4 and len(b.content) <= 4
    if substitution.shared < 1 or (not conflict.aligned and substitution.shared < 2 and not short):
        return 0.0
    return round(0.85 - 0.06 * sum(others) - 0.1 * (not conflict.aligned), 3)


def _may_repeat(substitution: Substitution) -> bool:
    """Whether it happened once, or may be true of several."""
    pair = substitution.pair
    return pair.a.event or pair.b.event or may_have_many(pair, substitution.conflict, substitution.kind)


def count_different_things(pair: ClausePair, conflict: TokenConflict) -> bool:
    """Whether two numbers count different things: "three siblings", "37"."""
    if conflict.kind != "number":
        return False
    met_a, met_b = {i for i, _ in pair.alignment.matches}, {j for _, j in pair.alignment.matches}
    one = _counted_noun(pair.a, conflict.index_a, met_a)
    two = _counted_noun(pair.b, conflict.index_b, met_b)
    if _is_subset(pair.a, conflict.index_a) or _is_subset(pair.b, conflict.index_b):
        return True
    if one and two:
        people = lexicon().is_animate(one) and lexicon().is_animate(two)  # "seven members", "eleven people"
        return not people and lexicon().relation(one, two)[0] in (WordRelation.NONE, WordRelation.EXCLUSIVE)
    return bool(one) != bool(two)


def _is_subset(clause: Clause, index: int) -> bool:
    """Whether a number counts part of a larger set: "two of the freezers"."""
    return (
        re.search(
            rf"\b{re.escape(clause.content[index].text)} of (?:the|its|his|her|our|their)\b",
            clause.text,
            re.I,
        )
        is not None
    )


def _counted_noun(clause: Clause, index: int, matched: set[int]) -> str:
    """Return the noun that a number counts, or "" where the other clause names it, too."""
    quantity = clause.content[index].quantity
    following = index + 1
    if (
        quantity is None
        or quantity.kind != "number"
        or following >= len(clause.content)
        or following in matched
    ):
        return ""
    distance = clause.content[following].position - clause.content[index].position
    return clause.lemmas[following] if distance == 1 else ""


def _differ_only_in_conflict(alignment: Alignment, conflict: TokenConflict) -> bool:
    """Whether nothing else is unmatched but what belongs to the conflicting words: "olive green", "red"."""
    rest = (
        [i for i in alignment.unmatched_a if i != conflict.index_a],
        [j for j in alignment.unmatched_b if j != conflict.index_b],
    )
    if (rest[0] and rest[1]) or len(rest[0]) + len(rest[1]) > 1:
        return False
    if any(alignment.a.content[i].quantity for i in rest[0]) or any(
        alignment.b.content[j].quantity for j in rest[1]
    ):
        return False
    subject = [i for i in rest[0] if i < alignment.a.subject_end <= conflict.index_a] + [
        j for j in rest[1] if j < alignment.b.subject_end <= conflict.index_b
    ]
    if subject:
        return False  # "the boss likes", "likes"
    return all(abs(i - conflict.index_a) == 1 for i in rest[0]) and all(
        abs(j - conflict.index_b) == 1 for j in rest[1]
    )


def _is_about_time(pair: ClausePair) -> bool:
    """Whether both state a time ("is on Mondays")."""
    return pair.a.frame in ("@due", "@starts at", "@ends at", "@born", "@timezone")


def may_have_many(pair: ClausePair, conflict: TokenConflict, kind: str = CLASS) -> bool:
    """Whether a thing may have several of what conflicts."""
    if kind != CLASS or any(part in conflict.kind.lower() for part in TIME_CLASSES):
        return False
    if pair.a.frame in SINGLE_VALUED and pair.a.frame == pair.b.frame:
        return False
    if conflict.kind.lower().startswith(EXCLUSIVE_CLASSES):
        return bool({"know", "like", "learn", "love", "enjoy", "try"} & pair.a.bag)
    return pair.allows_many(conflict)
