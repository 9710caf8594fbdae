"""One clause describes a change, the other states what was before, or something else in its place (S-40).

The finders return the index of the word in `state` that is out of date, or -1; `swapped` if B describes the
change.
"""

from __future__ import annotations

import re

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import EXCERPT
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import (
    EXCLUSIVE_CLASSES,
    SINGLE_VALUED,
    is_multi_valued_key,
)
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import (
    ChangeKind,
    ChangeMark,
    change_marks,
    is_scheduled,
)
from memtui.memory.contradictions.states.comparison import (
    KIND,
    Comparison,
    core_indices,
    is_time,
    name_different_parts,
)
from memtui.memory.contradictions.states.ended import index_of_ended
from memtui.memory.contradictions.states.heads import NEUTRAL_MODIFIERS, name_different_heads
from memtui.memory.contradictions.states.jobs import ROLE_FRAMES, names_role, states_role
from memtui.memory.contradictions.states.numbers import count_same_thing, surely_differ
from memtui.memory.contradictions.states.partial_dates import PartialDate, partial_date
from memtui.memory.contradictions.states.scopes import both_scoped, differ_in_scope
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.states.values import may_both_hold
from memtui.memory.contradictions.subjects import words_in

_OBJECT_MARKERS = frozenset("as at by from in into on through to under via with".split())
_ADVERBIAL_MARKERS = frozenset("in on at before after with by from through under via over".split())


def find_outdated(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> ClauseConflict | None:
    """Return a conflict if `state` still holds to what `change` says has changed."""
    if (
        state.negated
        or not is_state(state)
        or any(each.kind is ChangeKind.ENDED for each in change_marks(state.text))
    ):
        return None
    if not comparison.pair.shared_subject and len(comparison.shared) < 2:
        return None
    bag = comparison.pair.bags[not swapped]
    new = {word for word in mark.new if not word.startswith("#")}
    bag |= {part for word in bag for part in word.split()}  # "engineering manager"
    if mark.new and (mark.new <= bag or (new and new <= bag)) and not _has_other_number(mark, state):
        return None  # both have the new value
    if state.key and is_multi_valued_key(state.key):
        return None  # "member of: board, rota"
    finder = _FINDERS.get(mark.kind)
    index = finder(comparison, mark, change, state, swapped) if finder is not None else -1
    if index < 0 and mark.kind in (ChangeKind.SWITCHED, ChangeKind.NOW):
        index = _find_other_key_value(comparison, mark, change, state)
    if index < 0:
        return None
    words = mark.phrase[:EXCERPT], state.content[min(index, len(state.content) - 1)].text[:EXCERPT]
    return ClauseConflict(KIND, 0.75, words[::-1] if swapped else words, wording.ONE_STATE)


def _has_other_number(mark: ChangeMark, state: Clause) -> bool:
    """Whether `state` has another number than the new one; "15.6" is not other than "to 15"."""
    new = {word for word in mark.new if word.startswith("#")}
    stated = {token.lemma for token in state.content if token.quantity is not None}
    if not new or not stated or new & stated:
        return False
    figures = [{word.rpartition(":")[2].removesuffix(".0") for word in words} for words in (new, stated)]
    return not any(y.startswith(f"{x}.") for x in figures[0] for y in figures[1])


def _find_other_key_value(comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause) -> int:
    """Find another value of the key of `state`: "plan: standard", "upgraded to the enterprise plan"."""
    if not state.key or " " in state.key or change.negated or not 2 <= len(state.content) <= 4:
        return -1
    for k in range(1, len(change.content)):
        token, previous = change.content[k], change.content[k - 1]
        separate = previous.position + 1 != token.position or (
            k <= change.subject_end and token.lemma not in mark.new
        )
        if token.lemma != state.key or separate or previous.quantity is not None:
            continue
        if (
            previous.lemma not in {*state.bag, *comparison.pair.names}
            and previous.low not in NEUTRAL_MODIFIERS
        ):
            return 1
    return -1


def _find_after_switch(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Find what was before the switch, or something else in the place of what is new."""
    if is_scheduled(change.text):
        return -1
    figures = {word.rpartition(":")[2].removesuffix(".0") for word in mark.new if word.startswith("#")}
    if any(token.text.startswith(f"{figure}.") for token in state.content for figure in figures):
        return -1  # "upgraded to 15", "15.6"
    if name_different_parts(comparison, require_both=True):
        return -1
    indices = {lemma: j for j, lemma in enumerate(state.lemmas)}
    if mark.old and mark.old <= indices.keys() and not mark.new & indices.keys():
        return min(indices[word] for word in mark.old)
    if (
        mark.old
        and (mark.old & indices.keys())
        and len(comparison.shared) > 1
        and not mark.new & indices.keys()
    ):
        return min(indices[word] for word in mark.old & indices.keys())
    if differ_in_scope(comparison, mark.new | {"new"}) or not mark.new or name_different_parts(comparison):
        return -1
    for each in comparison.alignment.conflicts:
        i, j = (each.index_a, each.index_b) if not swapped else (each.index_b, each.index_a)
        exclusive = each.relation is WordRelation.EXCLUSIVE and each.kind.lower().startswith(
            EXCLUSIVE_CLASSES
        )
        if change.lemmas[i] in mark.new and exclusive and not may_both_hold(comparison, each):
            return j
    for each in comparison.alignment.conflicts:
        i, j = (each.index_a, each.index_b) if not swapped else (each.index_b, each.index_a)
        moved = change.lemmas[i] in mark.new and each.kind in ("world cities", "countries")
        if moved and not mark.things - comparison.pair.names and state.frame in ("@lives in", "@works at"):
            return j
    matched = [pair[not swapped] for pair in comparison.shared if change.lemmas[pair[swapped]] in mark.things]
    unmatched = comparison.unmatched_b if not swapped else comparison.unmatched_a
    core = core_indices(state)
    has_value = state.frame in SINGLE_VALUED or any(
        token.marker in _ADVERBIAL_MARKERS for token in state.content
    )
    if any(j in core for j in matched) and unmatched and has_value:
        return unmatched[0]
    if (
        state.frame == "@lives in"
        and _MOVING.search(mark.phrase)
        and not mark.things - comparison.pair.names
        and unmatched
        and comparison.pair.shared_subject
        and change.subject_end <= 1
    ):
        return unmatched[0]
    return -1


def _find_other_amount(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Find another number that counts the same."""
    if (
        differ_in_scope(comparison)
        or (change.subject_end and name_different_parts(comparison))
        or _has_unrelated_key(comparison, state)
    ):
        return -1
    numbers = [
        [k for k, token in enumerate(each.content) if token.quantity is not None]
        for each in (comparison.a, comparison.b)
    ]
    for i in numbers[0]:
        for j in numbers[1]:
            if surely_differ(comparison.a.content[i], comparison.b.content[j]) and count_same_thing(
                comparison, i, j
            ):
                return i if swapped else j
    return -1


def _has_unrelated_key(comparison: Comparison, state: Clause) -> bool:
    """Whether the key of `state` is not what changed: "deposit: 3,500", "the rent is 1,245 since May"."""
    return bool(state.key) and not comparison.shared


def _find_after_now(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Find another number, or the same action with another object: "now published as"."""
    if (index := _find_other_amount(comparison, mark, change, state, swapped)) >= 0:
        return index
    if change.negated or both_scoped(comparison) or not comparison.pair.shared_subject:
        return -1
    if name_different_heads(comparison.alignment, comparison.pair.names, include_unrelated=True):
        return -1
    cores = core_indices(comparison.a), core_indices(comparison.b)
    same = {
        pair
        for pair in comparison.alignment.matches
        if pair[0] == comparison.a.subject_end and pair[1] == comparison.b.subject_end
    }
    verbs = [*same] + [
        (i, j)
        for i, j in comparison.shared
        if i in cores[0]
        and j in cores[1]
        and lexicon().can_be(comparison.a.lemmas[i], "v")
        and i >= comparison.a.subject_end
        if not _is_modifier(comparison.a, i) and not _is_modifier(comparison.b, j)
    ]
    markers = [
        {c.content[k].marker for k in unmatched} & _OBJECT_MARKERS
        for c, unmatched in ((comparison.a, comparison.unmatched_a), (comparison.b, comparison.unmatched_b))
    ]
    if not verbs or len(markers[0] & markers[1]) != 1:
        return -1
    unmatched = comparison.unmatched_a if swapped else comparison.unmatched_b
    return next(k for k in unmatched if state.content[k].marker in markers[0] & markers[1])


def _is_modifier(clause: Clause, index: int) -> bool:
    """Whether a word modifies the noun behind it: "the travel folder"."""
    tokens = clause.content[index : index + 2]
    return (
        len(tokens) > 1
        and bool(tokens[0].marker)
        and not tokens[1].marker
        and tokens[1].quantity is None
        and tokens[0].position + 1 == tokens[1].position
    )


def _find_other_time(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Find another time of the same event."""
    dated_frame = state.frame in ("@due", "@starts at")
    if not comparison.shared and not dated_frame:
        return -1
    times = [j for j, token in enumerate(state.content) if is_time(token)]
    new = [
        i
        for i, token in enumerate(change.content)
        if is_time(token)
        and token.marker != "by"
        and (
            token.lemma in mark.new
            or not mark.phrase.lower().startswith(("mov", "shift", "chang", "advanc", "slip"))
        )
    ]
    moved = {
        word for each in change_marks(change.text) if each.kind is ChangeKind.SWITCHED for word in each.things
    }
    if (
        moved
        and change.subject_end
        and not dated_frame
        and not moved & {change.lemmas[pair[swapped]] for pair in comparison.shared}
    ):
        return -1  # "the steering group moved the end date"
    matched = {pair[not swapped] for pair in comparison.shared}
    core = core_indices(state)
    new_dates = [when for i in new if (when := partial_date(change.content[i])) is not None]
    sorts = {_time_sort(change.content[i]) for i in new}
    open_times = [
        j
        for j in times
        if j not in matched
        and _time_sort(state.content[j]) in sorts
        and not _may_be_within(state.content[j], new_dates)
    ]
    return open_times[0] if open_times and new and (dated_frame or matched & core) else -1


def _time_sort(token: Token) -> str:
    """Return whether a time is of day, a habit or a date; only times of one sort can exclude each other."""
    if token.quantity is not None:
        return "clock" if token.quantity.kind == "clock" else "date"
    return (
        "habit"
        if token.low.endswith("days")
        else "clock"
        if "times of day" in lexicon().classes_of(token.lemma)
        else "date"
    )


def _may_be_within(token: Token, dates: list[PartialDate]) -> bool:
    """Whether a time may be one of these dates: "in the autumn", "in September"."""
    date = partial_date(token)
    return date is not None and bool(dates) and not any(date.differs(each) for each in dates)


def _find_other_role(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Find another role of the same person."""
    if (state.frame not in ROLE_FRAMES and not states_role(state)) or _LEADING.match(state.text):
        return -1
    new = [i for i, token in enumerate(change.content) if token.lemma in mark.new]
    if not comparison.shared and not any(names_role(change.content[i]) for i in new):
        return -1
    if "volunteer" in change.bag | state.bag:
        return -1
    unmatched = comparison.unmatched_a if swapped else comparison.unmatched_b
    unmatched_change = comparison.unmatched_b if swapped else comparison.unmatched_a
    return unmatched[0] if unmatched and unmatched_change and not name_different_parts(comparison) else -1


def _find_former_holder(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Find the former holder of what was handed over."""
    if not comparison.shared or not comparison.unmatched_a or not comparison.unmatched_b:
        return -1
    former = words_in(" ".join(_GIVER.findall(change.text)))
    if not mark.phrase.lower().startswith(("took", "take", "has taken")):
        former |= {token.lemma for token in change.content[: change.subject_end] if token.is_name}
    still_held = [j for j, token in enumerate(state.content) if token.is_name and token.lemma in former]
    if still_held:
        return still_held[0]
    relations = comparison.alignment.relations
    sure = [
        pair
        for pair in comparison.shared
        if pair not in relations and not comparison.a.lemmas[pair[0]].startswith("@")
    ]
    if not sure:
        return -1
    took_over = mark.phrase.lower().startswith(("took", "take", "has taken"))
    if took_over and comparison.pair.shared_subject and (change.subject_end == 0 or change.name_removed):
        return -1  # the one who took it over has it
    if any(
        token.is_name and token.lemma in words_in(_UP_TO_TO.sub("", change.text)) for token in state.content
    ):
        return -1  # "handed to Jonas", "assignee: Jonas"
    role = state.frame in ROLE_FRAMES or states_role(state)
    return comparison.shared[0][not swapped] if role or len(comparison.shared) > 1 else -1


_MOVING = re.compile(r"mov|relocat|settl|emigrat|transfer", re.I)
_GIVER = re.compile(r"\bfrom (\w+)", re.I)
_UP_TO_TO = re.compile(r"^.*\bto\b", re.I | re.S)


def _find_other_opinion(
    comparison: Comparison, mark: ChangeMark, change: Clause, state: Clause, swapped: bool
) -> int:
    """Find what somebody came to see differently."""
    if not comparison.shared or not comparison.unmatched_a or not comparison.unmatched_b or change.negated:
        return -1
    if mark.phrase.lower() == "turned out" and not _is_about_outcome(comparison, change, state, swapped):
        return -1
    if differ_in_scope(comparison) and "mind" not in mark.phrase:
        return -1
    return (
        comparison.shared[0][not swapped] if comparison.shared[0][not swapped] in core_indices(state) else -1
    )


def _is_about_outcome(comparison: Comparison, change: Clause, state: Clause, swapped: bool) -> bool:
    """Whether both are about what turned out: "the cause turned out to be …" about the cause."""
    sure = [
        pair
        for pair in comparison.shared
        if pair not in comparison.alignment.relations
        and (pair[not swapped] < state.subject_end or state.key or not state.has_verb)
    ]
    beginning = change.text.lower().partition("turned out")[0]
    return any(change.content[pair[swapped]].low in beginning for pair in sure)


_LEADING = re.compile(r"\W*(?:\w+ )?(?:leads|runs|heads up|looks after) ", re.I)
_FINDERS = {
    ChangeKind.ENDED: index_of_ended,
    ChangeKind.SWITCHED: _find_after_switch,
    ChangeKind.AMOUNT: _find_other_amount,
    ChangeKind.NOW: _find_after_now,
    ChangeKind.TIME: _find_other_time,
    ChangeKind.ROLE: _find_other_role,
    ChangeKind.HANDOVER: _find_former_holder,
    ChangeKind.OPINION: _find_other_opinion,
}
