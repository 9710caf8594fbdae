"""Two clauses with different values of which a thing has one: a number, a tool, a place, a day."""

from __future__ import annotations

import re

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.alignment import TokenConflict, token_relation
from memtui.memory.contradictions.comparison.clause_pair import excerpts
from memtui.memory.contradictions.comparison.value_conflict import find_value_conflict
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import (
    EXCLUSIVE_CLASSES,
    LIGHT_VERBS,
    SCENE_CLASSES,
    SINGLE_VALUED,
    TIME_CLASSES,
)
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.amounts import (
    find_amounts,
    find_single_number,
    hold_for_some,
    only_verbs,
)
from memtui.memory.contradictions.states.change_marks import ChangeKind, change_marks
from memtui.memory.contradictions.states.coexistence import have_different_relations
from memtui.memory.contradictions.states.comparison import (
    KIND,
    Comparison,
    core_indices,
    is_ordinal,
    is_time,
    name_different_parts,
)
from memtui.memory.contradictions.states.exclusion import may_have_many
from memtui.memory.contradictions.states.heads import name_different_heads, only_one_names_head
from memtui.memory.contradictions.states.limits import (
    concern_different_matters,
    concerns_subset,
)
from memtui.memory.contradictions.states.numbers import (
    count_same_thing,
    have_same_kind,
    surely_differ,
)
from memtui.memory.contradictions.states.scopes import differ_in_scope, on_different_days
from memtui.memory.contradictions.states.tenses import is_state

_SEQUENCE = re.compile(r"\b(?:first|last|then|next|after that|finally)\b", re.I)
_UNITS = frozenset("day week month year hour quarter".split())
_SINGLE_EVENT = re.compile(
    r"\b(?:found(?:ed|ing|ation)|incorporat\w+|establish\w+|born|birth\w*|built|construct\w+)\b", re.I
)


def find_different_dates(comparison: Comparison) -> ClauseConflict | None:
    """Find two dates of an event that happens once: "founded in 1962", "founded in 1971"."""
    a, b = comparison.a, comparison.b
    words = [_SINGLE_EVENT.search(clause.text) for clause in (a, b)]
    if (
        not all(words)
        or a.negated
        or b.negated
        or name_different_parts(comparison, require_both=True)
        or not comparison.pair.shared_subject
    ):
        return None
    if len({word[0].lower()[:4] for word in words if word is not None}) > 1:
        return None
    for each in comparison.alignment.conflicts:
        one, other = a.content[each.index_a], b.content[each.index_b]
        if one.quantity and other.quantity and one.quantity.kind == other.quantity.kind in ("year", "date"):
            return ClauseConflict("number", 0.75, excerpts(one, other), wording.ONE_STATE)
    return None


def find_different_values(comparison: Comparison) -> ClauseConflict | None:
    """Find two values that exclude each other, of one attribute of the thing."""
    a, b = comparison.a, comparison.b
    if (found := find_single_number(comparison)) is not None:
        return found
    if (
        a.negated != b.negated
        or not is_state(a)
        or not is_state(b)
        or differ_in_scope(comparison)
        or on_different_days(comparison)
    ):
        return None
    if name_different_parts(comparison, require_both=comparison.pair.shared_attribute):
        return None
    if a.negated or name_different_heads(comparison.alignment, comparison.pair.names, include_unrelated=True):
        return None
    different_parts = name_different_parts(comparison)
    topic = a.frame.lstrip("@") if a.frame == b.frame else a.key if a.key == b.key else ""
    if comparison.pair.is_multi_valued(topic):
        return None
    is_change = any(
        mark.kind is not ChangeKind.OPINION for text in (a.text, b.text) for mark in change_marks(text)
    )
    if not different_parts and (found := find_amounts(comparison, topic)) is not None:
        return found
    if sum(each.relation is WordRelation.OPPOSITE for each in comparison.alignment.conflicts) > 1:
        return None  # "hates long meetings", "likes short meetings"
    for each in comparison.alignment.conflicts:
        if different_parts and not _has_class(each, *EXCLUSIVE_CLASSES, *TIME_CLASSES):
            continue
        if not (
            _numbers_exclude(comparison, each) if each.kind == "number" else _words_exclude(comparison, each)
        ):
            continue
        if any(
            may(comparison, each)
            for may in (may_both_hold, _concern_different_groups, _name_unit, _concern_different_moments)
        ):
            continue
        if concerns_subset(comparison.pair, each) or not _concern_same_attribute(comparison, each):
            continue
        one, other = a.content[each.index_a], b.content[each.index_b]
        kind = (
            "number"
            if each.kind == "number"
            else "opposite"
            if each.relation is WordRelation.OPPOSITE
            else "class"
        )
        return ClauseConflict(
            KIND if is_change else kind, 0.7, excerpts(one, other), wording.ONE_STATE, topic
        )
    return None


def _numbers_exclude(comparison: Comparison, each: TokenConflict) -> bool:
    """Whether two numbers count the same and surely differ."""
    one, other = comparison.a.content[each.index_a], comparison.b.content[each.index_b]
    if (
        not have_same_kind(comparison, each)
        or hold_for_some(comparison)
        or is_ordinal(one)
        or is_ordinal(other)
    ):
        return False
    return count_same_thing(comparison, each.index_a, each.index_b) and surely_differ(one, other)


def _words_exclude(comparison: Comparison, each: TokenConflict) -> bool:
    """Whether two words are about the same side of a thing: both where it is, both which tool it uses."""
    a, b = comparison.a, comparison.b
    one, other = a.content[each.index_a], b.content[each.index_b]
    if any(map(_SEQUENCE.search, (a.text, b.text))) or is_ordinal(one) or is_ordinal(other):
        return False  # "five nights in Kyoto", "the last nights in Osaka"
    if (one.is_scope or other.is_scope) and not _has_class(each, *TIME_CLASSES):
        return False  # "answer the customer when it is closed"
    if (
        is_time(one)
        and not comparison.shared
        and only_one_names_head(comparison.alignment, comparison.pair.names)
    ):
        return False  # "started in October", "honeymoon in November"
    if have_different_relations(a, b):
        return False  # "was born in Malmö", "works in Rotterdam"
    if not (one.marker and other.marker) or one.marker == other.marker or (a.frame and a.frame == b.frame):
        return True
    return is_time(one) or _has_class(each, *EXCLUSIVE_CLASSES)  # not "through the window", "in the hallway"


def _concern_different_groups(comparison: Comparison, each: TokenConflict) -> bool:
    """ "Men train on Mondays", "women train on Thursdays"."""
    a, b = comparison.a, comparison.b
    animate = lexicon().is_animate(a.lemmas[each.index_a]) and lexicon().is_animate(b.lemmas[each.index_b])
    return (each.index_a < a.subject_end and each.index_b < b.subject_end) or (
        animate and not each.index_a and not each.index_b
    )


def _name_unit(comparison: Comparison, each: TokenConflict) -> bool:
    """ "Day: 9 October", "shifted by a week"."""
    return bool({comparison.a.lemmas[each.index_a], comparison.b.lemmas[each.index_b]} & _UNITS)


def _concern_different_moments(comparison: Comparison, each: TokenConflict) -> bool:
    """ "Started on 6 October", "planned end: 30 September": opposites about two moments, or two things."""
    if each.relation is not WordRelation.OPPOSITE:
        return False
    times = all(any(map(is_time, clause.content)) for clause in (comparison.a, comparison.b))
    if times and {comparison.a.lemmas[each.index_a], comparison.b.lemmas[each.index_b]} & _MILESTONE_VERBS:
        return True
    share_word = any(comparison.a.content[i].quantity is None for i, _ in comparison.shared)
    return not (
        share_word
        or comparison.pair.shared_attribute
        or max(len(comparison.a.content), len(comparison.b.content)) < 4
    )


_MILESTONE_VERBS = frozenset("start begin end finish open close stop launch".split())


def _concern_same_attribute(comparison: Comparison, each: TokenConflict) -> bool:
    """Whether two values that exclude each other are about the same attribute of the thing."""
    a, b = comparison.a, comparison.b
    if any(
        other is not each and not _is_time_or_opposite(comparison, other)
        for other in comparison.alignment.conflicts
    ):
        return False
    same_frame = bool(a.frame) and a.frame == b.frame
    short = len(a.content) <= 3 and len(b.content) <= 3 and comparison.pair.shared_subject
    if each.kind == "number" and not comparison.pair.shared_attribute:  # "seats 60", "can sleep 22"
        short = short and not (
            set(a.lemmas) - {a.lemmas[each.index_a]} and set(b.lemmas) - {b.lemmas[each.index_b]}
        )
    cores = core_indices(a), core_indices(b)
    matched = [(i, j) for i, j in comparison.shared if i in cores[0] and j in cores[1]]
    unmatched_a = [i for i in comparison.unmatched_a if i != each.index_a and not is_time(a.content[i])]
    unmatched_b = [j for j in comparison.unmatched_b if j != each.index_b and not is_time(b.content[j])]
    exclusive_class = _has_class(each, *EXCLUSIVE_CLASSES) and not any(
        _NON_EXCLUSIVE_VERBS & {*c.lemmas, *c.bag} for c in (a, b)
    )
    if not comparison.pair.shared_subject:
        few_unmatched = max(len(unmatched_a), len(unmatched_b)) < 3
        return len(matched) > 1 and (not (unmatched_a and unmatched_b) or (exclusive_class and few_unmatched))
    if comparison.pair.shared_attribute and (
        exclusive_class or (_has_class(each, *TIME_CLASSES) and max(len(unmatched_a), len(unmatched_b)) < 4)
    ):
        return True
    if unmatched_a and unmatched_b and not only_verbs(a, unmatched_a) and not only_verbs(b, unmatched_b):
        return False  # "measures soil moisture", "measures air temperature"
    if _is_verb(a, unmatched_a) and _is_verb(b, unmatched_b) and not same_frame and each.kind == "number":
        return False  # "listens on port 7410", "exposes metrics on port 9410"
    if each.relation is WordRelation.OPPOSITE:
        return bool(matched) or short
    return bool(matched) or same_frame or short or exclusive_class


# Verbs with which a tool is not the only one.
_NON_EXCLUSIVE_VERBS = frozenset(
    "like dislike love hate tolerate know learn try maintain read teach review understand enjoy".split()
)


def _has_class(each: TokenConflict, *kinds: str) -> bool:
    return each.kind.lower().startswith(kinds)


def _is_verb(clause: Clause, unmatched: list[int]) -> bool:
    return clause.has_verb and clause.subject_end in unmatched and len(unmatched) > 1


def _is_time_or_opposite(comparison: Comparison, each: TokenConflict) -> bool:
    return (
        is_time(comparison.a.content[each.index_a])
        or is_time(comparison.b.content[each.index_b])
        or each.relation is WordRelation.OPPOSITE
    )


def may_both_hold(comparison: Comparison, each: TokenConflict) -> bool:
    """Whether both of two conflicting words may well be true."""
    if each.relation is WordRelation.OPPOSITE or each.kind == "number":
        return False
    return each.kind in SCENE_CLASSES or may_have_many(comparison.pair, each)


def find_different_frame_values(comparison: Comparison) -> ClauseConflict | None:
    """Find a single-valued relation with another value right behind it."""
    a, b = comparison.a, comparison.b
    if a.negated or b.negated or not a.frame or a.frame != b.frame or a.frame not in SINGLE_VALUED:
        return None
    topic = a.frame.lstrip("@")
    if (
        comparison.pair.is_multi_valued(topic)
        or name_different_parts(comparison)
        or comparison.pair.differ_in_time()
        or differ_in_scope(comparison)
    ):
        return None
    if not comparison.pair.shared_subject and not comparison.shared:
        return None
    if (a.frame_at - 1, b.frame_at - 1) not in comparison.alignment.matches and (a.frame_at or b.frame_at):
        return None  # "his employee, called Tomos", "a loaf that he named after Nkechi"
    if any(
        a.content[each.index_a].is_scope and b.content[each.index_b].is_scope
        for each in comparison.alignment.conflicts
    ):
        return None  # "on Linux", "on Windows"
    if concern_different_matters(a.text, b.text):
        return None
    i, j = _value_index(a), _value_index(b)
    if i >= len(a.content) or j >= len(b.content) or (i, j) in comparison.alignment.matches:
        return None
    matched = (
        {one for one, _ in comparison.alignment.matches},
        {other for _, other in comparison.alignment.matches},
    )
    if (
        i in matched[0] or j in matched[1]
    ):  # "Coimbra, Portugal" and "Portugal", not "Fridays, Mondays are free"
        relation, kind = token_relation(a.content[i], b.content[j])
        if (
            relation is not WordRelation.EXCLUSIVE
            or not kind.startswith(TIME_CLASSES)
            or (i in matched[0] and j in matched[1])
        ):
            return None
    return find_value_conflict([a.content[i]], [b.content[j]], topic, 0.75)


def _value_index(clause: Clause) -> int:
    """Return the index of the value behind a relation: "goes by the name of Biscuit"."""
    at = clause.frame_at + 1
    return at + (at + 1 < len(clause.content) and clause.lemmas[at] in LIGHT_VERBS)
