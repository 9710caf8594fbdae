"""One thing in two states: what it was, and what it is by now (S-40). Only where both memories are about the
same thing, and one tells how it is while the other tells of a change, or of another value of the same."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.memory.clashes.aligning import Clashing, tie_of
from memtui.memory.clashes.clauses import Clause
from memtui.memory.clashes.differing import differ
from memtui.memory.clashes.excluding import many_of
from memtui.memory.clashes.lexicon import Tie, lexicon
from memtui.memory.clashes.marks import Change, Mark, is_planned, marks_of
from memtui.memory.clashes.meeting import Meeting
from memtui.memory.clashes.polarity import set_apart
from memtui.memory.clashes.tenses import is_state
from memtui.memory.clashes.tokens import Token
from memtui.memory.clashes.vocabulary import (
    LIGHT,
    LIGHT_VERBS,
    MANY_KEYS,
    OF_ANY_SCENE,
    ONE_AT_A_TIME,
    ONE_OF_TIME,
    ONE_VALUED,
)
from memtui.memory.pairs import Clash

KIND = "change"
_LIGHT = (LIGHT_VERBS | LIGHT) - {"run", "perform", "people", "region"}
_PLACED = frozenset(
    "staging production prod dev development local locally weekday weekdays weekend weekends backup canary sandbox preview "
    "mobile desktop".split()
)
_ROLES = frozenset(("@works as", "@works at", "@owned by", "@owns", "@reports to"))
_ROLE_NOUNS = frozenset(
    "chair chairman chairwoman president secretary treasurer captain head lead leader manager director editor "
    "intern apprentice trainee assistant deputy partner owner founder member coach host coordinator cto ceo cfo "
    "maintainer reviewer student freelancer contractor volunteer consultant officer".split()
)
_ALIKE = (Tie.SAME, Tie.BROADER, Tie.NARROWER)
_TYING = frozenset("as at by from in into on through to under via with".split())
_AT = frozenset("in on at before after with by from through under via over".split())
_TIMES = frozenset(("date", "clock", "year", "quarter"))
_MEASURES = frozenset(
    "rate price cost budget fee amount count size limit total term wage salary @costs".split()
)
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(slots=True)
class Two:
    """Two clauses about one thing, with what they share (`topic`) and what each says alone."""

    meeting: Meeting
    topic: list[tuple[int, int]]
    left_a: list[int]
    left_b: list[int]

    @property
    def a(self) -> Clause:
        return self.meeting.a

    @property
    def b(self) -> Clause:
        return self.meeting.b


def find(meeting: Meeting) -> Clash | None:
    """What was so of a thing, and what is so since."""
    a, b = meeting.a, meeting.b
    if a.aside or b.aside or is_planned(a.text) or is_planned(b.text):
        return None
    if a.key and a.key == b.key and MANY_KEYS & {a.key.split()[-1]}:
        return None
    two = _read(meeting)
    found = _values(two) or _framed(two) or _denied(two) or _posts(two)
    if found is not None:
        return found
    for mark in marks_of(a.text):
        if (found := _changed(two, mark, a, b, False)) is not None:
            return found
    for mark in marks_of(b.text):
        if (found := _changed(two, mark, b, a, True)) is not None:
            return found
    return None


def _read(meeting: Meeting) -> Two:
    lay = meeting.lay
    topic = [
        (i, j)
        for i, j in lay.same
        if not _empty(lay.a, i)
        and not _empty(lay.b, j)
        and lay.a.lemmas[i] not in meeting.names
        and not _is_ordinal(lay.a.content[i])
    ]
    left_a = [i for i in lay.left_a if not _empty(lay.a, i) and lay.a.lemmas[i] not in meeting.names]
    left_b = [j for j in lay.left_b if not _empty(lay.b, j) and lay.b.lemmas[j] not in meeting.names]
    return Two(meeting, topic, left_a, left_b)


def _empty(clause: Clause, place: int) -> bool:
    return clause.lemmas[place] in _LIGHT


# -- one says that it is over, or became something else


def _changed(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> Clash | None:
    """Whether what `told` says has changed is still told by `says`."""
    if says.denied or not is_state(says) or any(each.change is Change.ENDED for each in marks_of(says.text)):
        return None
    if not two.meeting.about and len(two.topic) < 2:
        return None
    bag = two.meeting.bags[not turned]
    if mark.new and mark.new <= bag:
        return None  # both know what it is by now
    by_change = _CHANGES.get(mark.change)
    place = by_change(two, mark, told, says, turned) if by_change is not None else -1
    if place < 0:
        return None
    words = mark.word[:60], says.content[min(place, len(says.content) - 1)].text[:60]
    return Clash(KIND, 0.75, words[::-1] if turned else words, _REASON)


def _of_ended(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` still tells what ended: as its verb, its object or what it is about."""
    if _set_elsewhere(two):
        return -1
    if not mark.thing - two.meeting.names:
        return _of_all_ended(two, told, says, turned)
    core = _core(says)
    met = [(pair[turned], pair[not turned]) for pair in two.topic if told.lemmas[pair[turned]] in mark.thing]
    if any(
        told.content[i].quantity is not None and told.lemmas[i] in mark.thing
        for i in (two.left_b if turned else two.left_a)
    ):
        return -1  # "version 1", "version 2"
    if mark.weak:
        ties = two.meeting.lay.ties
        met = [(i, j) for i, j in met if ((j, i) if turned else (i, j)) not in ties]
        tools = [(i, j) for i, j in met if _is_tool(told.content[i])]
        named = [(i, j) for i, j in met if told.content[i].name and mark.word.lower() == "left"]
        if says.frame not in _ROLES and (len(met) < len(mark.thing) or not _goes_on(says)):
            met = tools or named
    for i, j in met:
        if j in core or told.content[i].name or _is_tool(told.content[i]) or len(met) > 1:
            return j
    return -1


def _of_all_ended(two: Two, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells that it goes on as a habit, though `told` says that it is over altogether."""
    if not two.meeting.about or [t for t in told.content if not _is_time(t)][3:] or _other_heads(two):
        return -1
    habits = [j for j, token in enumerate(says.content) if _is_habit(token)]
    return habits[0] if habits else -1


def _is_habit(token: Token) -> bool:
    if token.quantity is not None:
        return token.quantity.kind == "number a year"
    return "weekdays" in lexicon().kinds(token.lemma)


def _goes_on(clause: Clause) -> bool:
    """Whether a clause says that something is going on: "is reading"."""
    at = clause.subject
    return at < len(clause.content) and clause.content[at].low.endswith("ing")


def _is_tool(token: Token) -> bool:
    """Whether a word names a program, a service or the like."""
    kinds = lexicon().kinds(token.lemma) | lexicon().kinds(token.low)
    return any(kind.lower().startswith(ONE_AT_A_TIME) for kind in kinds)


def _of_switched(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` still tells what was before, or something else of the same thing."""
    places = {lemma: j for j, lemma in enumerate(says.lemmas)}
    if mark.old and mark.old <= places.keys() and not mark.new & places.keys():
        return min(places[word] for word in mark.old)
    if mark.old and (mark.old & places.keys()) and len(two.topic) > 1 and not mark.new & places.keys():
        return min(places[word] for word in mark.old & places.keys())
    if _elsewhere(two, mark.new | {"new"}) or not mark.new or _other_heads(two):
        return -1
    for each in two.meeting.lay.clashing:
        i, j = (each.i, each.j) if not turned else (each.j, each.i)
        tool = each.tie is Tie.EXCLUSIVE and each.kind.lower().startswith(ONE_AT_A_TIME)
        if told.lemmas[i] in mark.new and tool and not _many(two, each):
            return j
    met = [pair[not turned] for pair in two.topic if told.lemmas[pair[turned]] in mark.thing]
    left = two.left_b if not turned else two.left_a
    core = _core(says)
    held = says.frame in ONE_VALUED or any(token.marker in _AT for token in says.content)
    if any(j in core for j in met) and left and held:
        return left[0]
    if (
        says.frame == "@lives in"
        and not mark.thing - two.meeting.names
        and left
        and two.meeting.about
        and told.subject <= 1
    ):
        return left[0]
    return -1


def _of_amount(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another number of the same."""
    if _elsewhere(two) or (told.subject and _other_heads(two)):
        return -1
    numbers = [
        [k for k, token in enumerate(each.content) if token.quantity is not None] for each in (two.a, two.b)
    ]
    for i in numbers[0]:
        for j in numbers[1]:
            if _differ(two.a.content[i], two.b.content[j]) and _count_the_same(two, i, j):
                return i if turned else j
    return -1


def _of_now(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another number, or does the same with something else: "now published as"."""
    if (place := _of_amount(two, mark, told, says, turned)) >= 0:
        return place
    if told.denied or _scoped_apart(two) or not two.meeting.about:
        return -1
    cores = _core(two.a), _core(two.b)
    verbs = [
        (i, j)
        for i, j in two.topic
        if i in cores[0] and j in cores[1] and lexicon().can_be(two.a.lemmas[i], "v") and i >= two.a.subject
    ]
    markers = [
        {c.content[k].marker for k in left} & _TYING for c, left in ((two.a, two.left_a), (two.b, two.left_b))
    ]
    if not verbs or len(markers[0] & markers[1]) != 1:
        return -1
    left = two.left_a if turned else two.left_b
    return next(k for k in left if says.content[k].marker in markers[0] & markers[1])


def _scoped_apart(two: Two) -> bool:
    return all(_scoped([clause.content[k] for k in left]) for clause, left in _sides(two))


def _differ(one: Token, other: Token) -> bool:
    """Whether two amounts are surely not the same, also where each is told roughly."""
    mine, theirs = one.quantity, other.quantity
    if mine is None or theirs is None or mine.kind in ("year", "date", "ordinal"):
        return False
    if mine.kind != theirs.kind:
        rates = {mine.kind, theirs.kind}
        base = mine.kind.removesuffix(" a year")
        if rates != {base, f"{base} a year"} or not base.startswith("money"):
            return False
        said = [_FIGURE.search(token.text) for token in (one, other)]
        figures = [float(found[0].replace(",", "")) for found in said if found is not None]
        return len(figures) == 2 and max(figures) > min(figures) * 1.03
    if {one.marker, other.marker} & {"by"} or (mine.kind == "time" and one.marker == other.marker == "for"):
        return False  # "shorter by ten pages", "for two years"
    if not isinstance(mine.value, float) or not isinstance(theirs.value, float):
        return mine.value != theirs.value
    low, high = sorted((abs(mine.value), abs(theirs.value)))
    rough = (mine.about or theirs.about) and not (mine.bound and mine.bound == theirs.bound)
    return high > low * (1.3 if rough else 1.03)


def _count_the_same(two: Two, i: int, j: int) -> bool:
    """Whether two numbers count the same: "nine hives", "down to four hives"; "a crew of five", "the crew is
    up to nine"."""
    one, other = _counted(two.a, i), _counted(two.b, j)
    if one and other:
        return lexicon().tie(one, other)[0] in _ALIKE
    if one or other:
        clause, place = (two.b, j) if one else (two.a, i)
        return any(
            lemma == (one or other)
            and (k < clause.subject or 0 < clause.content[place].place - token.place < 4)
            for k, (lemma, token) in enumerate(zip(clause.lemmas, clause.content, strict=True))
        )
    cores = _core(two.a), _core(two.b)
    quantity = two.a.content[i].quantity
    if quantity is not None and quantity.kind in ("number a year", "time"):
        alike = two.a.content[i].marker == two.b.content[j].marker != ""  # "within 14 days", "within 60"
        return alike or any(k in cores[0] and m in cores[1] for k, m in two.topic)
    plain = quantity is not None and quantity.kind == "number"
    return bool(two.topic) or not plain or (len(two.a.content) <= 3 and len(two.b.content) <= 3)


def _counted(clause: Clause, place: int) -> str:
    """What a number counts: the word right behind it."""
    quantity = clause.content[place].quantity
    if (
        quantity is None
        or quantity.kind not in ("number", "number a year")
        or place + 1 >= len(clause.content)
    ):
        return ""
    behind = clause.content[place + 1]
    ahead = behind.place - clause.content[place].place == 1 and not behind.lead
    return behind.lemma if ahead and behind.quantity is None else ""


def _of_time(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another time of the same."""
    if not two.topic:
        return -1
    times = [j for j, token in enumerate(says.content) if _is_time(token)]
    new = [
        i
        for i, token in enumerate(told.content)
        if _is_time(token)
        and (
            token.lemma in mark.new
            or not mark.word.lower().startswith(("mov", "shift", "chang", "advanc", "slip"))
        )
    ]
    met = {pair[not turned] for pair in two.topic}
    core = _core(says)
    open_times = [j for j in times if j not in met]
    return open_times[0] if open_times and new and met & core else -1


def _of_role(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells another role."""
    if says.frame not in _ROLES and not _is_role(says):
        return -1
    new = [i for i, token in enumerate(told.content) if token.lemma in mark.new]
    if not two.topic and not any(_names_role(told.content[i]) for i in new):
        return -1
    if "volunteer" in told.bag | says.bag:
        return -1
    left = two.left_a if turned else two.left_b
    more = two.left_b if turned else two.left_a
    return (left or [0])[0] if more and not _other_heads(two) else -1


def _of_handed(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` still has it in the same hands."""
    if not two.topic or not two.left_a or not two.left_b:
        return -1
    role = says.frame in _ROLES or _is_role(says)
    return two.topic[0][not turned] if role or len(two.topic) > 1 else -1


def _of_mind(two: Two, mark: Mark, told: Clause, says: Clause, turned: bool) -> int:
    """Where `says` tells what somebody came to see in another way."""
    if not two.topic or not two.left_a or not two.left_b or told.denied:
        return -1
    if _elsewhere(two) and "mind" not in mark.word:
        return -1
    return two.topic[0][not turned] if two.topic[0][not turned] in _core(says) else -1


_CHANGES = {
    Change.ENDED: _of_ended,
    Change.SWITCHED: _of_switched,
    Change.AMOUNT: _of_amount,
    Change.NOW: _of_now,
    Change.TIME: _of_time,
    Change.ROLE: _of_role,
    Change.HANDED: _of_handed,
    Change.MIND: _of_mind,
}


def _core(clause: Clause) -> set[int]:
    """The places of what a clause says above all: what it is about, its verb and the two words behind it."""
    if len(clause.content) <= 6:
        return set(range(len(clause.content)))
    first = max(0, clause.subject - 1)
    return set(range(first, min(len(clause.content), clause.subject + 3)))


def _is_time(token: Token) -> bool:
    if token.quantity is not None:
        return token.quantity.kind in _TIMES
    return any(kind.startswith(ONE_OF_TIME) for kind in lexicon().kinds(token.lemma))


def _is_role(clause: Clause) -> bool:
    """Whether a clause says what somebody is: "Treasurer of the rowing club"."""
    at = clause.subject if clause.verb else 0
    return any(map(_names_role, clause.content[at : at + 3]))


def _names_role(token: Token) -> bool:
    known = not _ROLE_NOUNS.isdisjoint((token.low, token.lemma.split()[-1]))
    return known or "professions" in lexicon().kinds(token.lemma)


# -- both tell a value of which there is one


def _values(two: Two) -> Clash | None:
    a, b = two.a, two.b
    if a.denied != b.denied or not is_state(a) or not is_state(b) or _elsewhere(two):
        return None
    if _other_heads(two):
        return None
    topic = a.frame.lstrip("@") if a.frame == b.frame else a.key if a.key == b.key else ""
    if two.meeting.is_taught(topic):
        return None
    marked = any(mark.change is not Change.MIND for text in (a.text, b.text) for mark in marks_of(text))
    if (found := _amounts(two, topic)) is not None:
        return found
    for each in two.meeting.lay.clashing:
        if _many(two, each) or (each.kind == "number" and not _of_one_kind(two, each)):
            continue
        if each.kind == "number" and not _count_the_same(two, each.i, each.j):
            continue
        if each.kind == "number" and not _differ(a.content[each.i], b.content[each.j]):
            continue
        if _is_ordinal(a.content[each.i]) or _is_ordinal(b.content[each.j]) or not _of_the_same(two, each):
            continue
        one, other = a.content[each.i], b.content[each.j]
        kind = "number" if each.kind == "number" else "opposite" if each.tie is Tie.OPPOSITE else "class"
        return Clash(KIND if marked else kind, 0.7, (one.text[:60], other.text[:60]), _REASON, topic)
    return None


def _amounts(two: Two, topic: str) -> Clash | None:
    """Two amounts of the same, told in other words: "charges 95 an hour", "the hourly rate is 120"."""
    if not two.meeting.about:
        return None
    found = [
        (i, j) for i in two.left_a for j in two.left_b if _of_like_kinds(two.a.content[i], two.b.content[j])
    ]
    if len(found) != 1:
        return None
    i, j = found[0]
    one, other = two.a.content[i], two.b.content[j]
    if not _differ(one, other) or not _count_the_same(two, i, j):
        return None
    assert one.quantity is not None
    left = _beside(two.a, two.left_a, i), _beside(two.b, two.left_b, j)
    measured = one.quantity.kind.startswith(("money", "share")) or bool(two.topic)
    if not measured or (
        left[0] and left[1] and not (_only_verbs(two.a, left[0]) or _only_verbs(two.b, left[1]))
    ):
        return None
    return Clash("number", 0.7, (one.text[:60], other.text[:60]), _REASON, topic)


def _of_like_kinds(one: Token, other: Token) -> bool:
    if one.quantity is None or other.quantity is None:
        return False
    return one.quantity.kind.removesuffix(" a year") == other.quantity.kind.removesuffix(" a year")


def _beside(clause: Clause, left: list[int], number: int) -> list[int]:
    """What is left over beside a number, without other numbers and the words that name what it measures."""
    return [
        k
        for k in left
        if k != number and clause.content[k].quantity is None and clause.lemmas[k] not in _MEASURES
    ]


def _is_ordinal(token: Token) -> bool:
    return token.lemma in ("last", "next") or (
        token.quantity is not None and token.quantity.kind == "ordinal"
    )


def _of_the_same(two: Two, each: Clashing) -> bool:
    """Whether two values that exclude each other are told of the same side of the thing."""
    a, b = two.a, two.b
    if any(other is not each and not _of_time_itself(two, other) for other in two.meeting.lay.clashing):
        return False
    framed = bool(a.frame) and a.frame == b.frame
    short = len(a.content) <= 3 and len(b.content) <= 3 and two.meeting.about
    cores = _core(a), _core(b)
    met = [(i, j) for i, j in two.topic if i in cores[0] and j in cores[1]]
    left_a = [i for i in two.left_a if i != each.i and not _is_time(a.content[i])]
    left_b = [j for j in two.left_b if j != each.j and not _is_time(b.content[j])]
    if not two.meeting.about:
        return len(met) > 1 and not (left_a and left_b)
    if two.meeting.narrow and each.kind.lower().startswith(ONE_AT_A_TIME):
        return True
    if left_a and left_b and not _only_verbs(a, left_a) and not _only_verbs(b, left_b):
        return False  # "measures soil moisture", "measures air temperature"
    if _is_verb(a, left_a) and _is_verb(b, left_b) and not framed and each.kind == "number":
        return False  # "listens on port 7410", "exposes metrics on port 9410"
    if each.tie is Tie.OPPOSITE:
        return bool(met) or short
    return bool(met) or framed or short or each.kind.lower().startswith(ONE_AT_A_TIME)


def _only_verbs(clause: Clause, left: list[int]) -> bool:
    return all(i == clause.subject and lexicon().can_be(clause.lemmas[i], "v") for i in left)


def _is_verb(clause: Clause, left: list[int]) -> bool:
    return clause.verb and clause.subject in left and len(left) > 1


def _of_time_itself(two: Two, each: Clashing) -> bool:
    return _is_time(two.a.content[each.i]) or _is_time(two.b.content[each.j]) or each.tie is Tie.OPPOSITE


def _many(two: Two, each: Clashing) -> bool:
    """Whether there may well be both of what clashes."""
    if each.tie is Tie.OPPOSITE or each.kind == "number":
        return False
    return each.kind in OF_ANY_SCENE or many_of(two.meeting, each)


def _of_one_kind(two: Two, each: Clashing) -> bool:
    one, other = two.a.content[each.i].quantity, two.b.content[each.j].quantity
    return one is not None and other is not None and one.kind == other.kind and one.kind != "year"


def _framed(two: Two) -> Clash | None:
    """The same relation of which a thing has one, with another value right behind it."""
    a, b = two.a, two.b
    if a.denied or b.denied or not a.frame or a.frame != b.frame or a.frame not in ONE_VALUED:
        return None
    topic = a.frame.lstrip("@")
    if two.meeting.is_taught(topic) or _other_heads(two) or two.meeting.other_times() or _elsewhere(two):
        return None
    if not two.meeting.about and not two.topic:
        return None
    if (a.frame_at - 1, b.frame_at - 1) not in two.meeting.lay.same and (a.frame_at or b.frame_at):
        return None  # "his employee, called Tomos", "a loaf that he named after Nkechi"
    i, j = _behind(a), _behind(b)
    if i >= len(a.content) or j >= len(b.content) or (i, j) in two.meeting.lay.same:
        return None
    met = {one for one, _ in two.meeting.lay.same}, {other for _, other in two.meeting.lay.same}
    if i in met[0] or j in met[1]:  # "Coimbra, Portugal" and "Portugal", not "Fridays, Mondays are free"
        tie, kind = tie_of(a.content[i], b.content[j])
        if tie is not Tie.EXCLUSIVE or not kind.startswith(ONE_OF_TIME) or (i in met[0] and j in met[1]):
            return None
    return differ([a.content[i]], [b.content[j]], topic, 0.75)


def _behind(clause: Clause) -> int:
    """The place of the value behind a relation: "goes by the name of Biscuit"."""
    at = clause.frame_at + 1
    return at + (at + 1 < len(clause.content) and clause.lemmas[at] in LIGHT_VERBS)


def _posts(two: Two) -> Clash | None:
    """Two posts of one person: "Junior accountant at Delmarsh", "Head of finance at Ruvello"."""
    a, b = two.a, two.b
    if a.denied or b.denied or not two.meeting.about or a.subject > 1 or b.subject > 1:
        return None
    at = [[k for k in left if c.content[k].marker == "at" and c.content[k].name] for c, left in _sides(two)]
    if not at[0] or not at[1] or not (_is_role(a) and _is_role(b)) or not (is_state(a) and is_state(b)):
        return None
    if "volunteer" in a.bag | b.bag or _elsewhere(two):
        return None
    return Clash(
        "value", 0.65, (a.content[at[0][0]].text[:60], b.content[at[1][0]].text[:60]), _REASON, "works at"
    )


def _sides(two: Two) -> tuple[tuple[Clause, list[int]], tuple[Clause, list[int]]]:
    return (two.a, two.left_a), (two.b, two.left_b)


# -- one says that it is not so


def _denied(two: Two) -> Clash | None:
    a, b = two.a, two.b
    if a.denied == b.denied or not two.topic:
        return None
    if not two.meeting.about and not (
        len(two.topic) > 1 and _NEVER.search(a.text + b.text) and _ALWAYS.search(a.text + b.text)
    ):
        return None
    if _elsewhere(two) or _other_heads(two) or any(e.tie is Tie.OPPOSITE for e in two.meeting.lay.clashing):
        return None
    no, yes, turned = (a, b, False) if a.denied else (b, a, True)
    if any(mark.change is Change.ENDED for mark in marks_of(yes.text)):
        return None  # "won't have a stand", "called off our booth"
    minded = any(mark.change is Change.MIND for mark in (*marks_of(no.text), *marks_of(yes.text)))
    if not minded and not (is_state(yes) and is_state(no)):
        return None
    if "before" in no.small or set_apart(no, yes):
        return None
    denied = _denied_words(no)
    met = {pair[turned] for pair in two.topic}
    missed = [i for i in denied if i not in met]
    verb = missed[0] if missed and missed[0] == denied[0] else -1
    wanted = yes.frame in ("@prefers", "@reached at") or no.lemmas[verb] in _OF_USE
    wanted = wanted or any(_is_tool(no.content[i]) for i in denied if i in met)
    if verb >= 0 and not wanted and lexicon().can_be(no.lemmas[verb], "v"):
        return None  # "don't mock the database", "run against a database"
    if not denied or len(missed) > 1 or len(missed) >= len(denied):
        return None
    if any(no.content[i].quantity is not None or no.content[i].name for i in missed):
        return None
    words = (no.denial or "not")[:60], yes.content[two.topic[0][not turned]].text[:60]
    return Clash("polarity", 0.7, words[::-1] if turned else words, _REASON)


_OF_USE = frozenset("take use have get keep carry want need do go make bring see put".split())
_NEVER, _ALWAYS = re.compile(r"\bnever\b", re.I), re.compile(r"\balways\b", re.I)


def _denied_words(no: Clause) -> list[int]:
    """The places of what is denied, to the next comma."""
    found = []
    for i, token in enumerate(no.content):
        if token.place > no.denied_at and no.denied_from <= i < no.denied_to and not _empty(no, i):
            found.append(i)
        if found and token.comma:
            break
    return found


# -- what tells them apart


def _set_elsewhere(two: Two) -> bool:
    """Whether the two speak of other environments: of production, of staging."""
    mine = [two.a.content[i] for i in two.meeting.lay.left_a]
    theirs = [two.b.content[j] for j in two.meeting.lay.left_b]
    return _placed(mine) != _placed(theirs)


def _elsewhere(two: Two, changed: frozenset[str] = frozenset()) -> bool:
    """Whether the two speak of other times, places or conditions, beside what is told to have `changed`."""
    lay = two.meeting.lay
    mine = [two.a.content[i] for i in lay.left_a]
    theirs = [two.b.content[j] for j in lay.left_b]
    mine = [token for token in mine if token.lemma not in changed]
    theirs = [token for token in theirs if token.lemma not in changed]
    if len(mine) + len(theirs) > 2 and any(map(_dated, mine)) and any(map(_dated, theirs)):
        return True  # "ran the 2022 marathon in 4:12", "opens at 7 in summer"
    clashing = {each.i for each in lay.clashing}, {each.j for each in lay.clashing}
    lone = len(lay.clashing) < 2  # what clashes may be the time itself
    for tokens, clause, spent in ((mine, two.a, clashing[0]), (theirs, two.b, clashing[1])):
        out = [clause.content[i] for i in spent if lone or clause.content[i].quantity is not None]
        tokens[:] = [token for token in tokens if not any(token is each for each in out)]
    if _scoped(mine) and _scoped(theirs):
        return True
    if _placed(mine) != _placed(theirs) or (_purposed(mine) and _purposed(theirs)):
        return True
    return (
        any(map(_on_a_day, mine))
        and any(map(_on_a_day, theirs))
        and not (is_state(two.a) and is_state(two.b))
    )


def _on_a_day(token: Token) -> bool:
    return token.quantity is not None and token.quantity.kind in ("year", "date")


def _dated(token: Token) -> bool:
    """Whether a word says in which year or season."""
    if token.marker in ("since", "after", "until"):
        return False
    if token.quantity is not None:
        return token.quantity.kind == "year"
    kinds = lexicon().kinds(token.lemma)
    return "seasons" in kinds or (token.marker == "from" and "months" in kinds)


def _scoped(tokens: list[Token]) -> bool:
    return any(token.scope and token.marker not in ("since", "after", "until") for token in tokens)


def _purposed(tokens: list[Token]) -> bool:
    return any(token.marker in ("for", "as") for token in tokens)


def _placed(tokens: list[Token]) -> bool:
    return any(token.low in _PLACED and token.marker not in ("after", "since", "until") for token in tokens)


def _other_heads(two: Two) -> bool:
    """Whether the two clauses tell of other parts of the thing: "has 48 flats", "the north wing has 20"."""
    met_a, met_b = {i for i, _ in two.meeting.lay.same}, {j for _, j in two.meeting.lay.same}
    if _own(two.a, two.left_a, met_a) and _own(two.b, two.left_b, met_b):
        return True  # "changes to billing", "changes of the docs"
    one, other = _head(two, two.a, met_a), _head(two, two.b, met_b)
    return "other" in (one, other) and "met" not in (one, other)


def _own(clause: Clause, left: list[int], met: set[int]) -> bool:
    """Whether a clause names something of its own that it is about."""
    for i in left:
        token = clause.content[i]
        beside_name = i + 1 in met and clause.content[i + 1].name  # "Grandpa Emmerich"
        if i < clause.subject and not token.scope and not _marks(clause, i) and not beside_name:
            return True
    return False


def _head(two: Two, clause: Clause, met: set[int]) -> str:
    """What a clause is about: "met" by the other one, "other", or "" where it names nothing."""
    for at in range(clause.subject - 1, -1, -1):
        if at in met:
            return "met"
        named = clause.lemmas[at] in two.meeting.names | _MEASURES or _empty(clause, at)
        if not named and clause.content[at].quantity is None and not _marks(clause, at):
            return "other"
    return ""


def _marks(clause: Clause, place: int) -> bool:
    """Whether a word only tells that something changed: "cut to 1,800"."""
    return any(clause.content[place].low in mark.word.lower() for mark in marks_of(clause.text))


_REASON = "It is told in two ways, and only one can be so now."
