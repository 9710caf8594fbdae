"""One clause tells of a change, the other of what was before, or of something else in its place (S-40)."""

from __future__ import annotations

import re

from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import EXCLUSIVE_CLASSES, SINGLE_VALUED, is_many
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.apart import elsewhere, scoped_apart
from memtui.memory.contradictions.states.ended import still_told
from memtui.memory.contradictions.states.heads import NEUTRAL_MODIFIERS, of_other_heads
from memtui.memory.contradictions.states.marks import ChangeKind, ChangeMark, is_scheduled, change_marks
from memtui.memory.contradictions.states.numbers import count_the_same, surely_differ
from memtui.memory.contradictions.states.posts import ROLES, is_role, names_role
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.states.two import KIND, REASON, Comparison, core_of, is_time, other_heads
from memtui.memory.contradictions.states.values import many
from memtui.memory.contradictions.states.when import PartialDate, partial_date
from memtui.memory.contradictions.subjects import words_in

_TYING = frozenset("as at by from in into on through to under via with".split())
_AT = frozenset("in on at before after with by from through under via over".split())


def changed(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> ClauseConflict | None:
    """Whether what `about` says has changed is still told by `says`."""
    if says.negated or not is_state(says) or any(each.kind is ChangeKind.ENDED for each in change_marks(says.text)):
        return None
    if not two.pair.shared_subject and len(two.shared) < 2:
        return None
    bag = two.pair.bags[not turned]
    new = {word for word in mark.new if not word.startswith("#")}
    bag |= {part for word in bag for part in word.split()}  # "engineering manager"
    if mark.new and (mark.new <= bag or (new and new <= bag)) and not _other_number(mark, says):
        return None  # both know what it is by now
    if says.key and is_many(says.key):
        return None  # "member of: board, rota"
    by_change = _CHANGES.get(mark.kind)
    place = by_change(two, mark, told, says, turned) if by_change is not None else -1
    if place < 0 and mark.kind in (ChangeKind.SWITCHED, ChangeKind.NOW):
        place = _of_another_kind(two, mark, told, says)
    if place < 0:
        return None
    words = mark.phrase[:60], says.content[min(place, len(says.content) - 1)].text[:60]
    return ClauseConflict(KIND, 0.75, words[::-1] if turned else words, REASON)


def _other_number(mark: ChangeMark, says: Clause) -> bool:
    """Whether `says` tells another number than the one that it was changed to: not "15.6" of "to 15"."""
    told = {word for word in mark.new if word.startswith("#")}
    said = {token.lemma for token in says.content if token.quantity is not None}
    if not told or not said or told & said:
        return False
    figures = [{word.rpartition(":")[2].removesuffix(".0") for word in words} for words in (told, said)]
    return not any(y.startswith(f"{x}.") for x in figures[0] for y in figures[1])


def _of_another_kind(two: Comparison, mark: ChangeMark, told: Clause, says: Clause) -> int:
    """Where `says` tells another value of its key: "plan: standard", "upgraded to the enterprise plan"."""
    if not says.key or " " in says.key or told.negated or not 2 <= len(says.content) <= 4:
        return -1
    for at in range(1, len(told.content)):
        token, before = told.content[at], told.content[at - 1]
        apart = before.position + 1 != token.position or (at <= told.subject and token.lemma not in mark.new)
        if token.lemma != says.key or apart or before.quantity is not None:
            continue
        if before.lemma not in {*says.bag, *two.pair.names} and before.low not in NEUTRAL_MODIFIERS:
            return 1
    return -1


def _of_switched(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` still tells what was before, or something else of the same thing."""
    if is_scheduled(told.text):
        return -1
    figures = {word.rpartition(":")[2].removesuffix(".0") for word in mark.new if word.startswith("#")}
    if any(token.text.startswith(f"{figure}.") for token in says.content for figure in figures):
        return -1  # "upgraded to 15", "15.6"
    if other_heads(two, loosely=True):
        return -1
    places = {lemma: j for j, lemma in enumerate(says.lemmas)}
    if mark.old and mark.old <= places.keys() and not mark.new & places.keys():
        return min(places[word] for word in mark.old)
    if mark.old and (mark.old & places.keys()) and len(two.shared) > 1 and not mark.new & places.keys():
        return min(places[word] for word in mark.old & places.keys())
    if elsewhere(two, mark.new | {"new"}) or not mark.new or other_heads(two):
        return -1
    for each in two.pair.alignment.conflicts:
        i, j = (each.index_a, each.index_b) if not turned else (each.index_b, each.index_a)
        tool = each.relation is WordRelation.EXCLUSIVE and each.kind.lower().startswith(EXCLUSIVE_CLASSES)
        if told.lemmas[i] in mark.new and tool and not many(two, each):
            return j
    for each in two.pair.alignment.conflicts:
        i, j = (each.index_a, each.index_b) if not turned else (each.index_b, each.index_a)
        moved = told.lemmas[i] in mark.new and each.kind in ("world cities", "countries")
        if moved and not mark.things - two.pair.names and says.frame in ("@lives in", "@works at"):
            return j
    met = [pair[not turned] for pair in two.shared if told.lemmas[pair[turned]] in mark.things]
    left = two.unmatched_b if not turned else two.unmatched_a
    core = core_of(says)
    held = says.frame in SINGLE_VALUED or any(token.marker in _AT for token in says.content)
    if any(j in core for j in met) and left and held:
        return left[0]
    if (
        says.frame == "@lives in"
        and _MOVED.search(mark.phrase)
        and not mark.things - two.pair.names
        and left
        and two.pair.shared_subject
        and told.subject <= 1
    ):
        return left[0]
    return -1


def _of_amount(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another number of the same."""
    if elsewhere(two) or (told.subject and other_heads(two)) or _of_another_key(two, says):
        return -1
    numbers = [
        [k for k, token in enumerate(each.content) if token.quantity is not None] for each in (two.a, two.b)
    ]
    for i in numbers[0]:
        for j in numbers[1]:
            if surely_differ(two.a.content[i], two.b.content[j]) and count_the_same(two, i, j):
                return i if turned else j
    return -1


def _of_another_key(two: Comparison, says: Clause) -> bool:
    """Whether the key of `says` is nothing that the change is told of: "deposit: 3,500", "the rent is 1,245
    since May"."""
    return bool(says.key) and not two.shared


def _of_now(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another number, or does the same with something else: "now published as"."""
    if (place := _of_amount(two, mark, told, says, turned)) >= 0:
        return place
    if told.negated or scoped_apart(two) or not two.pair.shared_subject:
        return -1
    if of_other_heads(two.pair.alignment, two.pair.names, strictly=True):
        return -1
    cores = core_of(two.a), core_of(two.b)
    same = {pair for pair in two.pair.alignment.matches if pair[0] == two.a.subject and pair[1] == two.b.subject}
    verbs = [*same] + [
        (i, j)
        for i, j in two.shared
        if i in cores[0] and j in cores[1] and lexicon().can_be(two.a.lemmas[i], "v") and i >= two.a.subject
        if not _is_compound(two.a, i) and not _is_compound(two.b, j)
    ]
    markers = [
        {c.content[k].marker for k in left} & _TYING for c, left in ((two.a, two.unmatched_a), (two.b, two.unmatched_b))
    ]
    if not verbs or len(markers[0] & markers[1]) != 1:
        return -1
    left = two.unmatched_a if turned else two.unmatched_b
    return next(k for k in left if says.content[k].marker in markers[0] & markers[1])


def _is_compound(clause: Clause, place: int) -> bool:
    """Whether a word belongs to the noun behind it: "the travel folder"."""
    tokens = clause.content[place : place + 2]
    return (
        len(tokens) > 1
        and bool(tokens[0].marker)
        and not tokens[1].marker
        and tokens[1].quantity is None
        and tokens[0].position + 1 == tokens[1].position
    )


def _of_time(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another time of the same."""
    due = says.frame in ("@due", "@starts at")
    if not two.shared and not due:
        return -1
    times = [j for j, token in enumerate(says.content) if is_time(token)]
    new = [
        i
        for i, token in enumerate(told.content)
        if is_time(token)
        and token.marker != "by"
        and (
            token.lemma in mark.new
            or not mark.phrase.lower().startswith(("mov", "shift", "chang", "advanc", "slip"))
        )
    ]
    moved = {word for each in change_marks(told.text) if each.kind is ChangeKind.SWITCHED for word in each.things}
    if moved and told.subject and not due and not moved & {told.lemmas[pair[turned]] for pair in two.shared}:
        return -1  # "the steering group moved the end date"
    met = {pair[not turned] for pair in two.shared}
    core = core_of(says)
    known = [when for i in new if (when := partial_date(told.content[i])) is not None]
    kinds = {_sort_of_time(told.content[i]) for i in new}
    open_times = [
        j
        for j in times
        if j not in met and _sort_of_time(says.content[j]) in kinds and not _within(says.content[j], known)
    ]
    return open_times[0] if open_times and new and (due or met & core) else -1


def _sort_of_time(token: Token) -> str:
    """An hour, a habit, or a date: only those of one sort are another time of the same."""
    if token.quantity is not None:
        return "clock" if token.quantity.kind == "clock" else "date"
    return (
        "habit"
        if token.low.endswith("days")
        else "clock"
        if "times of day" in lexicon().classes_of(token.lemma)
        else "date"
    )


def _within(token: Token, known: list[PartialDate]) -> bool:
    """Whether a time may be one of those that are known: "in the autumn", "in September"."""
    when = partial_date(token)
    return when is not None and bool(known) and not any(when.differs(each) for each in known)


def _of_role(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another role."""
    if (says.frame not in ROLES and not is_role(says)) or _LEADS.match(says.text):
        return -1
    new = [i for i, token in enumerate(told.content) if token.lemma in mark.new]
    if not two.shared and not any(names_role(told.content[i]) for i in new):
        return -1
    if "volunteer" in told.bag | says.bag:
        return -1
    left = two.unmatched_a if turned else two.unmatched_b
    more = two.unmatched_b if turned else two.unmatched_a
    return left[0] if left and more and not other_heads(two) else -1


def _of_handed(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` still has it in the same hands."""
    if not two.shared or not two.unmatched_a or not two.unmatched_b:
        return -1
    before = words_in(" ".join(_FROM.findall(told.text)))
    if not mark.phrase.lower().startswith(("took", "take", "has taken")):
        before |= {token.lemma for token in told.content[: told.subject] if token.is_name}
    held = [j for j, token in enumerate(says.content) if token.is_name and token.lemma in before]
    if held:
        return held[0]
    ties = two.pair.alignment.relations
    shared = [pair for pair in two.shared if pair not in ties and not two.a.lemmas[pair[0]].startswith("@")]
    if not shared:
        return -1
    taken = mark.phrase.lower().startswith(("took", "take", "has taken"))
    if taken and two.pair.shared_subject and (told.subject == 0 or told.name_removed):
        return -1  # who took it over has it
    if any(token.is_name and token.lemma in words_in(_BEHIND_TO.sub("", told.text)) for token in says.content):
        return -1  # "handed to Jonas", "assignee: Jonas"
    role = says.frame in ROLES or is_role(says)
    return two.shared[0][not turned] if role or len(two.shared) > 1 else -1


_MOVED = re.compile(r"mov|relocat|settl|emigrat|transfer", re.I)
_FROM = re.compile(r"\bfrom (\w+)", re.I)
_BEHIND_TO = re.compile(r"^.*\bto\b", re.I | re.S)


def _of_mind(two: Comparison, mark: ChangeMark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells what somebody came to see in another way."""
    if not two.shared or not two.unmatched_a or not two.unmatched_b or told.negated:
        return -1
    if mark.phrase.lower() == "turned out" and not _turned_out_of(two, told, says, turned):
        return -1
    if elsewhere(two) and "mind" not in mark.phrase:
        return -1
    return two.shared[0][not turned] if two.shared[0][not turned] in core_of(says) else -1


def _turned_out_of(two: Comparison, told: Clause, says: Clause, turned: bool) -> bool:
    """Whether both tell of what turned out: "the cause turned out to be …" of the cause."""
    surely = [
        pair
        for pair in two.shared
        if pair not in two.pair.alignment.relations and (pair[not turned] < says.subject or says.key or not says.verb)
    ]
    before = told.text.lower().partition("turned out")[0]
    return any(told.content[pair[turned]].low in before for pair in surely)


_LEADS = re.compile(r"\W*(?:\w+ )?(?:leads|runs|heads up|looks after) ", re.I)
_CHANGES = {
    ChangeKind.ENDED: still_told,
    ChangeKind.SWITCHED: _of_switched,
    ChangeKind.AMOUNT: _of_amount,
    ChangeKind.NOW: _of_now,
    ChangeKind.TIME: _of_time,
    ChangeKind.ROLE: _of_role,
    ChangeKind.HANDOVER: _of_handed,
    ChangeKind.OPINION: _of_mind,
}
