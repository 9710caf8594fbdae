"""Two clauses tell a value of which a thing has one: a number, a tool, a place, a day."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.alignment import TokenConflict, token_relation
from memtui.memory.contradictions.comparison.value_conflict import differ
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import (
    LIGHT_VERBS,
    SCENE_CLASSES,
    EXCLUSIVE_CLASSES,
    TIME_CLASSES,
    SINGLE_VALUED,
)
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.apart import elsewhere, other_days
from memtui.memory.contradictions.states.exclusion import many_of, other_relation
from memtui.memory.contradictions.states.heads import of_one_head, of_other_heads
from memtui.memory.contradictions.states.limits import of_other_amounts, of_other_deeds, of_some
from memtui.memory.contradictions.states.marks import ChangeKind, change_marks
from memtui.memory.contradictions.states.numbers import (
    count_the_same,
    of_like_kinds,
    of_one_kind,
    of_other_units,
    surely_differ,
)
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.states.two import (
    KIND,
    MEASURE_WORDS,
    REASON,
    Comparison,
    core_of,
    is_ordinal,
    is_time,
    other_heads,
    sides,
)

_IN_TURN = re.compile(r"\b(?:first|last|then|next|after that|finally)\b", re.I)
_UNITS = frozenset("day week month year hour quarter".split())
_ONCE = re.compile(
    r"\b(?:found(?:ed|ing|ation)|incorporat\w+|establish\w+|born|birth\w*|built|construct\w+)\b", re.I
)


def once(two: Comparison) -> ClauseConflict | None:
    """Two dates of what happens once: "founded in 1962", "founded in 1971"."""
    a, b = two.a, two.b
    words = [_ONCE.search(clause.text) for clause in (a, b)]
    if not all(words) or a.negated or b.negated or other_heads(two, loosely=True) or not two.pair.shared_subject:
        return None
    if len({word[0].lower()[:4] for word in words if word is not None}) > 1:
        return None
    for each in two.pair.alignment.conflicts:
        one, other = a.content[each.index_a], b.content[each.index_b]
        if one.quantity and other.quantity and one.quantity.kind == other.quantity.kind in ("year", "date"):
            return ClauseConflict("number", 0.75, (one.text[:60], other.text[:60]), REASON)
    return None


def values(two: Comparison) -> ClauseConflict | None:
    a, b = two.a, two.b
    if (found := _one_number(two)) is not None:
        return found
    if a.negated != b.negated or not is_state(a) or not is_state(b) or elsewhere(two) or other_days(two):
        return None
    if other_heads(two, loosely=two.pair.shared_attribute):
        return None
    if a.negated or of_other_heads(two.pair.alignment, two.pair.names, strictly=True):
        return None
    parts = other_heads(two)
    topic = a.frame.lstrip("@") if a.frame == b.frame else a.key if a.key == b.key else ""
    if two.pair.is_multi_valued(topic):
        return None
    marked = any(mark.kind is not ChangeKind.OPINION for text in (a.text, b.text) for mark in change_marks(text))
    if not parts and (found := _amounts(two, topic)) is not None:
        return found
    if sum(each.relation is WordRelation.OPPOSITE for each in two.pair.alignment.conflicts) > 1:
        return None  # "hates long meetings", "likes short meetings"
    for each in two.pair.alignment.conflicts:
        if parts and not _is_kind(each, *EXCLUSIVE_CLASSES, *TIME_CLASSES):
            continue
        if not (_countable(two, each) if each.kind == "number" else _excluding(two, each)):
            continue
        if any(may(two, each) for may in (many, _of_two_groups, _of_units, _milestones)):
            continue
        if of_some(two.pair, each) or not _of_the_same(two, each):
            continue
        one, other = a.content[each.index_a], b.content[each.index_b]
        kind = "number" if each.kind == "number" else "opposite" if each.relation is WordRelation.OPPOSITE else "class"
        return ClauseConflict(KIND if marked else kind, 0.7, (one.text[:60], other.text[:60]), REASON, topic)
    return None


def _countable(two: Comparison, each: TokenConflict) -> bool:
    """Whether two numbers count the same, and surely differ."""
    one, other = two.a.content[each.index_a], two.b.content[each.index_b]
    if not of_one_kind(two, each) or _for_some(two) or is_ordinal(one) or is_ordinal(other):
        return False
    return count_the_same(two, each.index_a, each.index_b) and surely_differ(one, other)


def _excluding(two: Comparison, each: TokenConflict) -> bool:
    """Whether two words tell the same side of one thing: both where it is, both which tool it uses."""
    a, b = two.a, two.b
    one, other = a.content[each.index_a], b.content[each.index_b]
    if any(map(_IN_TURN.search, (a.text, b.text))) or is_ordinal(one) or is_ordinal(other):
        return False  # "five nights in Kyoto", "the last nights in Osaka"
    if (one.is_scope or other.is_scope) and not _is_kind(each, *TIME_CLASSES):
        return False  # "answer the customer when it is closed"
    if is_time(one) and not two.shared and of_one_head(two.pair.alignment, two.pair.names):
        return False  # "started in October", "honeymoon in November"
    if other_relation(a, b):
        return False  # "was born in Malmö", "works in Rotterdam"
    if not (one.marker and other.marker) or one.marker == other.marker or (a.frame and a.frame == b.frame):
        return True
    return is_time(one) or _is_kind(each, *EXCLUSIVE_CLASSES)  # not "through the window", "in the hallway"


def _of_two_groups(two: Comparison, each: TokenConflict) -> bool:
    """ "Men train on Mondays", "women train on Thursdays"."""
    a, b = two.a, two.b
    beings = lexicon().is_animate(a.lemmas[each.index_a]) and lexicon().is_animate(b.lemmas[each.index_b])
    return (each.index_a < a.subject and each.index_b < b.subject) or (beings and not each.index_a and not each.index_b)


def _of_units(two: Comparison, each: TokenConflict) -> bool:
    """ "Day: 9 October", "shifted by a week"."""
    return bool({two.a.lemmas[each.index_a], two.b.lemmas[each.index_b]} & _UNITS)


def _milestones(two: Comparison, each: TokenConflict) -> bool:
    """ "Started on 6 October", "planned end: 30 September": opposites that are told of two moments, or of two
    things."""
    if each.relation is not WordRelation.OPPOSITE:
        return False
    times = all(any(map(is_time, clause.content)) for clause in (two.a, two.b))
    if times and {two.a.lemmas[each.index_a], two.b.lemmas[each.index_b]} & _ENDS:
        return True
    alike = any(two.a.content[i].quantity is None for i, _ in two.shared)
    return not (alike or two.pair.shared_attribute or max(len(two.a.content), len(two.b.content)) < 4)


_ENDS = frozenset("start begin end finish open close stop launch".split())


def _for_some(two: Comparison) -> bool:
    """Whether one amount holds for some people or cases, which the other does not name: "the limit for
    admins"."""
    some = [
        any(
            clause.content[k].marker in ("for", "per")
            and clause.content[k].quantity is None
            and not clause.content[k].is_name
            for k in left
        )
        for clause, left in sides(two)
    ]
    return some[0] != some[1]


def _one_number(two: Comparison) -> ClauseConflict | None:
    """Two clauses that are the same but for one number: "49 USD a month, basic plan"."""
    if len(two.unmatched_a) != 1 or len(two.unmatched_b) != 1 or not two.pair.shared_subject or len(two.shared) < 2:
        return None
    one, other = two.a.content[two.unmatched_a[0]], two.b.content[two.unmatched_b[0]]
    if (
        two.a.negated != two.b.negated
        or not (one.quantity and other.quantity)
        or one.quantity.kind != other.quantity.kind
    ):
        return None
    if one.quantity.kind in ("ordinal", "year", "version") or not surely_differ(one, other):
        return None
    if not (is_state(two.a) and is_state(two.b)) or "number" in two.a.bag:
        return None
    return ClauseConflict("number", 0.75, (one.text[:60], other.text[:60]), REASON)


def _amounts(two: Comparison, topic: str) -> ClauseConflict | None:
    """Two amounts of the same, told in other words: "charges 95 an hour", "the hourly rate is 120"."""
    if not two.pair.shared_subject:
        return None
    found = [
        (i, j) for i in two.unmatched_a for j in two.unmatched_b if of_like_kinds(two.a.content[i], two.b.content[j])
    ]
    if len(found) != 1:
        return None
    i, j = found[0]
    one, other = two.a.content[i], two.b.content[j]
    if _for_some(two) or of_other_amounts(two.pair, i, j):
        return None
    if (
        of_other_units(two, i, j)
        or not surely_differ(one, other)
        or not (two.pair.shared_attribute or count_the_same(two, i, j))
    ):
        return None
    assert one.quantity is not None
    left = _beside(two.a, two.unmatched_a, i), _beside(two.b, two.unmatched_b, j)
    sized = one.quantity.kind in ("length", "weight", "size", "volume", "temperature")
    if not two.shared and not two.pair.shared_attribute and max(map(len, left)) > 2:
        return None  # "rent: 1,150 euros", "calligraphy course on Thursdays, 25 euros"
    measured = (
        (sized and not left[0] and not left[1])
        or one.quantity.kind.startswith(("money", "share"))
        or bool(two.shared)
        or two.pair.shared_attribute
    )
    if not measured or (
        left[0] and left[1] and not (_only_verbs(two.a, left[0]) or _only_verbs(two.b, left[1]))
    ):
        return None
    return ClauseConflict("number", 0.7, (one.text[:60], other.text[:60]), REASON, topic)


def _beside(clause: Clause, left: list[int], number: int) -> list[int]:
    """What is left over beside a number, without other numbers and the words that name what it measures."""
    return [
        k
        for k in left
        if k != number and clause.content[k].quantity is None and clause.lemmas[k] not in MEASURE_WORDS
    ]


def _of_the_same(two: Comparison, each: TokenConflict) -> bool:
    """Whether two values that exclude each other are told of the same side of the thing."""
    a, b = two.a, two.b
    if any(other is not each and not _of_time_itself(two, other) for other in two.pair.alignment.conflicts):
        return False
    framed = bool(a.frame) and a.frame == b.frame
    short = len(a.content) <= 3 and len(b.content) <= 3 and two.pair.shared_subject
    if each.kind == "number" and not two.pair.shared_attribute:  # "seats 60", "can sleep 22"
        short = short and not (set(a.lemmas) - {a.lemmas[each.index_a]} and set(b.lemmas) - {b.lemmas[each.index_b]})
    cores = core_of(a), core_of(b)
    met = [(i, j) for i, j in two.shared if i in cores[0] and j in cores[1]]
    unmatched_a = [i for i in two.unmatched_a if i != each.index_a and not is_time(a.content[i])]
    unmatched_b = [j for j in two.unmatched_b if j != each.index_b and not is_time(b.content[j])]
    tool = _is_kind(each, *EXCLUSIVE_CLASSES) and not any(_ONLY_KNOWN & {*c.lemmas, *c.bag} for c in (a, b))
    if not two.pair.shared_subject:
        few = max(len(unmatched_a), len(unmatched_b)) < 3
        return len(met) > 1 and (not (unmatched_a and unmatched_b) or (tool and few))
    if two.pair.shared_attribute and (tool or (_is_kind(each, *TIME_CLASSES) and max(len(unmatched_a), len(unmatched_b)) < 4)):
        return True
    if unmatched_a and unmatched_b and not _only_verbs(a, unmatched_a) and not _only_verbs(b, unmatched_b):
        return False  # "measures soil moisture", "measures air temperature"
    if _is_verb(a, unmatched_a) and _is_verb(b, unmatched_b) and not framed and each.kind == "number":
        return False  # "listens on port 7410", "exposes metrics on port 9410"
    if each.relation is WordRelation.OPPOSITE:
        return bool(met) or short
    return bool(met) or framed or short or tool


# Whoever does this with a tool may do it with others, too.
_ONLY_KNOWN = frozenset(
    "like dislike love hate tolerate know learn try maintain read teach review understand enjoy".split()
)


def _is_kind(each: TokenConflict, *kinds: str) -> bool:
    return each.kind.lower().startswith(kinds)


def _only_verbs(clause: Clause, left: list[int]) -> bool:
    return all(i == clause.subject and lexicon().can_be(clause.lemmas[i], "v") for i in left)


def _is_verb(clause: Clause, left: list[int]) -> bool:
    return clause.verb and clause.subject in left and len(left) > 1


def _of_time_itself(two: Comparison, each: TokenConflict) -> bool:
    return is_time(two.a.content[each.index_a]) or is_time(two.b.content[each.index_b]) or each.relation is WordRelation.OPPOSITE


def many(two: Comparison, each: TokenConflict) -> bool:
    """Whether there may well be both of what clashes."""
    if each.relation is WordRelation.OPPOSITE or each.kind == "number":
        return False
    return each.kind in SCENE_CLASSES or many_of(two.pair, each)


def framed(two: Comparison) -> ClauseConflict | None:
    """The same relation of which a thing has one, with another value right behind it."""
    a, b = two.a, two.b
    if a.negated or b.negated or not a.frame or a.frame != b.frame or a.frame not in SINGLE_VALUED:
        return None
    topic = a.frame.lstrip("@")
    if two.pair.is_multi_valued(topic) or other_heads(two) or two.pair.other_times() or elsewhere(two):
        return None
    if not two.pair.shared_subject and not two.shared:
        return None
    if (a.frame_at - 1, b.frame_at - 1) not in two.pair.alignment.matches and (a.frame_at or b.frame_at):
        return None  # "his employee, called Tomos", "a loaf that he named after Nkechi"
    if any(a.content[each.index_a].is_scope and b.content[each.index_b].is_scope for each in two.pair.alignment.conflicts):
        return None  # "on Linux", "on Windows"
    if of_other_deeds(a.text, b.text):
        return None
    i, j = _behind(a), _behind(b)
    if i >= len(a.content) or j >= len(b.content) or (i, j) in two.pair.alignment.matches:
        return None
    met = {one for one, _ in two.pair.alignment.matches}, {other for _, other in two.pair.alignment.matches}
    if i in met[0] or j in met[1]:  # "Coimbra, Portugal" and "Portugal", not "Fridays, Mondays are free"
        tie, kind = token_relation(a.content[i], b.content[j])
        if tie is not WordRelation.EXCLUSIVE or not kind.startswith(TIME_CLASSES) or (i in met[0] and j in met[1]):
            return None
    return differ([a.content[i]], [b.content[j]], topic, 0.75)


def _behind(clause: Clause) -> int:
    """The place of the value behind a relation: "goes by the name of Biscuit"."""
    at = clause.frame_at + 1
    return at + (at + 1 < len(clause.content) and clause.lemmas[at] in LIGHT_VERBS)
