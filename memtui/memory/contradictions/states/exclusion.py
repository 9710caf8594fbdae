"""Whether two words in one place exclude each other, or both sentences may be true for all that."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memtui.memory.contradictions.comparison.alignment import Alignment, Clashing
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, in_subject, scoped
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import Tie, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import (
    ENVIRONMENTS,
    LIGHT_VERBS,
    MEANS,
    OF_ANY_SCENE,
    ONE_AT_A_TIME,
    ONE_OF_TIME,
    ONE_VALUED,
    SCOPES,
    STATES,
)
from memtui.memory.contradictions.states.heads import of_other_heads
from memtui.memory.contradictions.states.limits import of_some

OPPOSITE, CLASS, NUMBER = "opposite", "class", "number"
_OF_SCENES = {OPPOSITE: 2, CLASS: 4, NUMBER: 4}  # words in common that make it one scene
# Relations that are told by a plain "is", too.
_BEING = frozenset(
    [
        *("@works as", "@due", "@starts at", "@ends at", "@costs", "@version", "@default", "@timezone"),
        *("@named", "@lives in", "@limited to"),
    ]
)
_AWAY = re.compile(r"\b(?:been to|from)\b")
_PLACED = {"@lives in", "@runs on", "@stored in"}  # tell of places alike
_LOOSE = 3  # words left over on a side, where it is known of what they speak


@dataclass(slots=True)
class Swap:
    """Two words that clash, with what stands around them. `shared` counts the words in common."""

    meeting: ClausePair
    each: Clashing
    kind: str  # opposite, class or number
    rest_a: list[Token]
    rest_b: list[Token]
    shared: int

    @property
    def one(self) -> Token:
        return self.meeting.a.content[self.each.i]

    @property
    def two(self) -> Token:
        return self.meeting.b.content[self.each.j]

    @property
    def personal(self) -> bool:
        """Whether one of the clauses is of somebody by name, of the user, of us."""
        return self.meeting.a.personal or self.meeting.b.personal

    @property
    def beings(self) -> bool:
        """Whether both words name people or animals."""
        return lexicon().is_being(self.one.lemma) and lexicon().is_being(self.two.lemma)


def excludes(meeting: ClausePair, each: Clashing, kind: str) -> float:
    """How sure it is that only one of the two can be right; 0 where both may."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    shared = sum(1 + a.lemmas[i].count(" ") for i, _ in lay.same) + (len(a.small) + len(b.small)) // 4
    swap = Swap(meeting, each, kind, *meeting.rest({each.i}, {each.j}), shared)
    if any(allows(swap) for allows in _BOTH):
        return 0.0
    return _in_one_scene(swap) or _of_one_thing(swap)


def _in_one_scene(swap: Swap) -> float:
    """All else is said alike, and it is so much that both must speak of the same."""
    lay, a, b = swap.meeting.lay, swap.meeting.a, swap.meeting.b
    needed = _OF_SCENES[swap.kind] - (swap.kind == OPPOSITE and max(len(a.content), len(b.content)) == 2)
    if lay.moved or not swap.each.near or swap.shared < needed or not _of_the_word(lay, swap.each):
        return 0.0
    if not _once(swap):
        return 0.9
    if not swap.personal or (swap.shared > _OF_SCENES[swap.kind] and swap.kind != CLASS):
        return 0.7
    return 0.0


def _of_one_thing(swap: Swap) -> float:
    """Both speak of one certain thing, and little else is left over."""
    meeting, each = swap.meeting, swap.each
    a, b = meeting.a, meeting.b
    if swap.one.marker in SCOPES and swap.kind != NUMBER and not _timely(meeting):
        return 0.0
    if swap.kind == OPPOSITE and swap.beings:
        return 0.0  # a son and a daughter
    if (each.kind in OF_ANY_SCENE and each.kind != "professions") or of_other_things(meeting, each):
        return 0.0
    if _once(swap) or not meeting.known or not meeting.same_subject() or in_subject(meeting, each):
        return 0.0
    more = len(swap.rest_a), len(swap.rest_b)
    if max(more) > _LOOSE or (min(more) and sum(more) > 3):
        return 0.0
    short = not sum(more) and len(a.content) <= 4 and len(b.content) <= 4
    if swap.shared < 1 or (not each.near and swap.shared < 2 and not short):
        return 0.0
    return round(0.85 - 0.06 * sum(more) - 0.1 * (not each.near), 3)


def _once(swap: Swap) -> bool:
    """Whether it happened once, or may be so of several."""
    meeting = swap.meeting
    return meeting.a.event or meeting.b.event or many_of(meeting, swap.each, swap.kind)


# -- why both may be true


def _two_differences(swap: Swap) -> bool:
    """Something else differs, too: it is not the same that they tell."""
    rest = [*swap.rest_a, *swap.rest_b]
    if swap.kind == OPPOSITE:
        rest = [token for token in rest if token.marker != "for"]  # "waits for review"
    beside = {swap.one.place - 1, swap.two.place - 1}
    rest = [token for token in rest if token.lead or token.place not in beside]  # "office manager"
    others = any(each is not swap.each for each in swap.meeting.lay.clashing)
    spent = {swap.each.i}, {swap.each.j}
    return others or scoped(rest) or swap.meeting.differs_elsewhere(*spent, swap.kind == OPPOSITE)


def _two_scenes(swap: Swap) -> bool:
    """Two people or two places of which nobody says that they are the same."""
    meeting, each = swap.meeting, swap.each
    if meeting.known and swap.personal:
        return False
    kinds = lexicon().kinds(swap.one.lemma) & lexicon().kinds(swap.two.lemma)
    if each.kind in OF_ANY_SCENE or (in_subject(meeting, each) and kinds & OF_ANY_SCENE):
        return True
    elsewhere = meeting.a.small != meeting.b.small  # "along the beach", "through a field"
    return swap.kind == CLASS and (elsewhere or (swap.beings and "nationalities" not in kinds))


def _two_times(swap: Swap) -> bool:
    """Before and after; of what changed between was and is, opposites do contradict."""
    meeting = swap.meeting
    if swap.kind == OPPOSITE and meeting.a.past != meeting.b.past:
        return _dated(meeting.a if meeting.a.past else meeting.b)  # "was broken in May", "has been repaired"
    return meeting.other_times()


def _dated(clause: Clause) -> bool:
    """Whether a clause says when it was so."""
    return any(
        token.marker in ("in", "on", "last")
        and (
            (token.quantity is not None and token.quantity.kind in ("date", "year"))
            or "months" in lexicon().kinds(token.lemma)
        )
        for token in clause.content
    )


def _two_environments(swap: Swap) -> bool:
    """ "Is on in staging", "is off in production"."""
    return swap.kind != NUMBER and swap.one.low in ENVIRONMENTS and swap.two.low in ENVIRONMENTS


def _both_accepted(swap: Swap) -> bool:
    """ "Version: 12", "version 11 is still accepted"."""
    return swap.kind == NUMBER and any(map(_STILL.search, (swap.meeting.a.text, swap.meeting.b.text)))


_STILL = re.compile(r"\bstill (?:accepted|supported|available|allowed|served|valid|works|readable)\b", re.I)


def _of_a_part(swap: Swap) -> bool:
    """One tells of a part of what the other tells of: "Lantern", "the tests of Lantern"."""
    if swap.kind == OPPOSITE:
        return False
    a, b = swap.meeting.a, swap.meeting.b
    return _part(a, b) or _part(b, a)


def _part(clause: Clause, other: Clause) -> bool:
    whole = set(other.lemmas[: other.subject])
    for k in range(1, min(clause.subject, len(clause.content))):
        head = clause.lemmas[k - 1]
        if clause.content[k].marker == "of" and clause.lemmas[k] in whole and head not in other.bag:
            return head not in _SIDES
    return False


# Of which a thing has one, so that it tells the same as a verb: "the language of", "is written in".
_SIDES = frozenset(
    "language name price cost colour color owner lead head author date day time place home size limit port "
    "host version status state capital licence license".split()
)


def _two_names(swap: Swap) -> bool:
    """Numbers that are names: "issue 77", "issue 78"."""
    if swap.kind != NUMBER or not swap.meeting.known:
        return False
    return _is_name(swap.meeting.a, swap.each.i) or _is_name(swap.meeting.b, swap.each.j)


def _two_steps(swap: Swap) -> bool:
    """Both happened, one after the other: "began", "finished"."""
    past = all(
        token.low != token.lemma and not token.low.endswith(("s", "ing")) for token in (swap.one, swap.two)
    )
    return swap.kind == OPPOSITE and past and {swap.one.lemma, swap.two.lemma} <= _STEPS


def _two_turns(swap: Swap) -> bool:
    """The first and the second of several: "hired his first employee", "hired a second"."""
    return swap.kind == OPPOSITE and {swap.one.lemma, swap.two.lemma} <= _TURNS and not swap.meeting.about


_TURNS = frozenset("first second third next last".split())
_STEPS = frozenset(
    "begin start open join enter arrive finish complete end stop close leave quit exit depart".split()
)


def _not_yet_so(swap: Swap) -> bool:
    """ "Is unemployed", "wants to become a manager"."""
    return bool((swap.meeting.a.bag ^ swap.meeting.b.bag) & MEANS)


def _of_another_width(swap: Swap) -> bool:
    """ "Likes tea", "hates sweet drinks"."""
    lay = swap.meeting.lay
    return swap.kind == OPPOSITE and bool(lay.wider or lay.narrower) and swap.personal


def _told_of_some(swap: Swap) -> bool:
    return of_some(swap.meeting, swap.each)


def _other_heads(swap: Swap) -> bool:
    """ "Hydration: 74 percent", "pizza dough hydration is 65 percent"."""
    return swap.meeting.about and of_other_heads(swap.meeting.lay, swap.meeting.names)


def _two_relations(swap: Swap) -> bool:
    """ "Was born in Oslo", "works in Rome"."""
    return swap.kind != OPPOSITE and other_relation(swap.meeting.a, swap.meeting.b)


_BOTH: tuple[Callable[[Swap], bool], ...] = (
    _two_differences,
    _two_scenes,
    _two_times,
    _of_a_part,
    _two_environments,
    _both_accepted,
    _two_names,
    _two_steps,
    _two_turns,
    _not_yet_so,
    _of_another_width,
    _told_of_some,
    _other_heads,
    _two_relations,
)


def of_other_things(meeting: ClausePair, each: Clashing) -> bool:
    """Whether two numbers count different things: "three siblings", "37"."""
    if each.kind != "number":
        return False
    met_a, met_b = {i for i, _ in meeting.lay.same}, {j for _, j in meeting.lay.same}
    one = _counted(meeting.a, each.i, met_a)
    two = _counted(meeting.b, each.j, met_b)
    if _of_some(meeting.a, each.i) or _of_some(meeting.b, each.j):
        return True
    if one and two:
        people = lexicon().is_being(one) and lexicon().is_being(two)  # "seven members", "eleven people"
        return not people and lexicon().tie(one, two)[0] in (Tie.NONE, Tie.EXCLUSIVE)
    return bool(one) != bool(two)


def _of_some(clause: Clause, place: int) -> bool:
    """Whether a number counts some of more: "two of the freezers"."""
    return (
        re.search(
            rf"\b{re.escape(clause.content[place].text)} of (?:the|its|his|her|our|their)\b",
            clause.text,
            re.I,
        )
        is not None
    )


def _is_name(clause: Clause, place: int) -> bool:
    """Whether a number is a name: "issue 77", "room 4"."""
    quantity, before = clause.content[place].quantity, clause.content[place - 1]
    plain = quantity is not None and quantity.kind == "number" and quantity.text[:1].isdigit()
    return plain and place > 0 and before.lemma in _NUMBERED and not clause.content[place].lead


_NUMBERED = frozenset(
    """
    issue pr ticket project task sprint room step phase chapter note item row line page part floor gate bus
    route team group table unit node server worker case order invoice experiment run build job day week lesson
    section figure question problem bug incident migration track level round episode season volume number
    """.split()
)


def _counted(clause: Clause, place: int, met: set[int]) -> str:
    """What the number at a place counts, where the other clause does not name it."""
    quantity = clause.content[place].quantity
    behind = place + 1
    if quantity is None or quantity.kind != "number" or behind >= len(clause.content) or behind in met:
        return ""
    between = clause.content[behind].place - clause.content[place].place
    return clause.lemmas[behind] if between == 1 else ""


def other_relation(a: Clause, b: Clause) -> bool:
    """Whether the two tell of different relations: "was born in Oslo", "works in Rome"."""
    frames = {a.frame, b.frame}
    if a.frame == b.frame or not frames & ONE_VALUED or frames <= _PLACED:
        return False
    this, other = (a, b) if a.frame in ONE_VALUED else (b, a)
    if _AWAY.search(other.text):
        return True
    if lexicon().base(this.content[this.frame_at].low.split()[0]) in other.bag:
        return False  # "targets Java 17", "the target is Java 21"
    verb = other.content[other.subject].lemma if 0 < other.subject < len(other.content) else ""
    if not verb and this.frame not in _BEING:
        return True  # "the supervisor is a professor"
    return bool(other.frame) or verb in STATES - LIGHT_VERBS


def _of_the_word(lay: Alignment, each: Clashing) -> bool:
    """Whether nothing is left over but what belongs to the words that clash: "olive green" and "red"."""
    left = [i for i in lay.left_a if i != each.i], [j for j in lay.left_b if j != each.j]
    if (left[0] and left[1]) or len(left[0]) + len(left[1]) > 1:
        return False
    if any(lay.a.content[i].quantity for i in left[0]) or any(lay.b.content[j].quantity for j in left[1]):
        return False
    subject = [i for i in left[0] if i < lay.a.subject <= each.i] + [
        j for j in left[1] if j < lay.b.subject <= each.j
    ]
    if subject:
        return False  # "the boss likes", "likes"
    return all(abs(i - each.i) == 1 for i in left[0]) and all(abs(j - each.j) == 1 for j in left[1])


def _timely(meeting: ClausePair) -> bool:
    """Whether time itself is what they tell ("is on Mondays")."""
    return meeting.a.frame in ("@due", "@starts at", "@ends at", "@born", "@timezone")


def many_of(meeting: ClausePair, each: Clashing, kind: str = CLASS) -> bool:
    """Whether there may be several of what clashes."""
    if kind != CLASS or any(part in each.kind.lower() for part in ONE_OF_TIME):
        return False
    if meeting.a.frame in ONE_VALUED and meeting.a.frame == meeting.b.frame:
        return False
    if each.kind.lower().startswith(ONE_AT_A_TIME):
        return bool({"know", "like", "learn", "love", "enjoy", "try"} & meeting.a.bag)
    return meeting.many_valued(each)
