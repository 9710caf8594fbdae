"""The same said with one word in the place of another, where both cannot be: opposites, members of one
class, other numbers."""

from __future__ import annotations

import re

from memtui.memory.clashes.aligning import Alignment, Clashing
from memtui.memory.clashes.clauses import Clause
from memtui.memory.clashes.lexicon import Tie, lexicon
from memtui.memory.clashes.meeting import Meeting, in_subject, quoted, scoped
from memtui.memory.clashes.tokens import Token
from memtui.memory.clashes.vocabulary import (
    LIGHT_VERBS,
    MEANS,
    OF_ANY_SCENE,
    ONE_AT_A_TIME,
    ONE_OF_TIME,
    ONE_VALUED,
    SCOPES,
    STATES,
)
from memtui.memory.pairs import Clash

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


def opposite(meeting: Meeting) -> Clash | None:
    """Words that exclude each other by what they mean."""
    return _first(meeting, OPPOSITE)


def of_a_class(meeting: Meeting) -> Clash | None:
    """Two colours, two countries, two editors in one place."""
    return _first(meeting, CLASS)


def number(meeting: Meeting) -> Clash | None:
    """Two values of the same measure in one place."""
    return _first(meeting, NUMBER)


def _kind(each: Clashing) -> str:
    if each.tie is Tie.OPPOSITE:
        return OPPOSITE
    return NUMBER if each.kind == "number" else CLASS


def _first(meeting: Meeting, kind: str) -> Clash | None:
    if meeting.a.denied != meeting.b.denied or (meeting.a.denied and kind != OPPOSITE):
        return None  # neither Japan nor Italy: both may be so
    for each in meeting.lay.clashing:
        if _kind(each) == kind and (score := _excludes(meeting, each, kind)):
            one, two = meeting.a.content[each.i], meeting.b.content[each.j]
            topic = _topic(meeting) if kind != OPPOSITE else ""
            if meeting.is_taught(topic):
                continue
            reason = {
                OPPOSITE: f"“{one.text[:40]}” and “{two.text[:40]}” are opposites.",
                CLASS: f"Only one can stand there: “{one.text[:40]}” or “{two.text[:40]}”.",
                NUMBER: f"Two values of the same: {one.text[:40]} and {two.text[:40]}.",
            }[kind]
            return Clash(kind, score, quoted(one, two), reason, topic)
    return None


def _topic(meeting: Meeting) -> str:
    if meeting.a.frame and meeting.a.frame == meeting.b.frame:
        return meeting.a.frame.lstrip("@")
    return ""


def _excludes(meeting: Meeting, each: Clashing, kind: str) -> float:
    """How sure it is that only one of the two can be right; 0 where both may."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    others = [c for c in lay.clashing if c is not each]
    rest_a, rest_b = meeting.rest({each.i}, {each.j})
    shared = sum(1 + a.lemmas[i].count(" ") for i, _ in lay.same) + (len(a.small) + len(b.small)) // 4
    rest = [*rest_a, *rest_b]
    if kind == OPPOSITE:
        rest = [token for token in rest if token.marker != "for"]  # "waits for review"
    if others or scoped(rest) or meeting.differs_elsewhere({each.i}, {each.j}, kind == OPPOSITE):
        return 0.0  # two things differ: it is not the same that they tell
    if not meeting.known or not (a.personal or b.personal):
        kinds = lexicon().kinds(a.lemmas[each.i]) & lexicon().kinds(b.lemmas[each.j])
        if each.kind in OF_ANY_SCENE or (in_subject(meeting, each) and kinds & OF_ANY_SCENE):
            return 0.0  # two people, two scenes
        beings = lexicon().is_being(a.lemmas[each.i]) and lexicon().is_being(b.lemmas[each.j])
        if kind == CLASS and (a.small != b.small or (beings and "nationalities" not in kinds)):
            return 0.0  # "along the beach", "through a field"
    if meeting.other_times() and (kind != OPPOSITE or a.past == b.past):
        return 0.0
    if kind == NUMBER and meeting.known and (_is_name(a, each.i) or _is_name(b, each.j)):
        return 0.0
    if kind == OPPOSITE and _one_after_other(a.content[each.i], b.content[each.j]):
        return 0.0
    if (a.bag ^ b.bag) & MEANS:
        return 0.0  # "is unemployed", "wants to become a manager"
    if kind == OPPOSITE and (lay.wider or lay.narrower) and (a.personal or b.personal):
        return 0.0  # "likes tea", "hates spicy drinks"
    if kind != OPPOSITE and _other_relation(a, b):
        return 0.0
    once = a.event or b.event or _many(meeting, each, kind)
    alike = not lay.moved and each.near and _of_the_word(lay, each)
    brief = kind == OPPOSITE and max(len(a.content), len(b.content)) == 2
    if alike and shared >= _OF_SCENES[kind] - brief:
        if not once:
            return 0.9
        if not (a.personal or b.personal) or (shared > _OF_SCENES[kind] and kind != CLASS):
            return 0.7
    if a.content[each.i].marker in SCOPES and kind != NUMBER and not _timely(meeting, each):
        return 0.0
    one, two = a.lemmas[each.i], b.lemmas[each.j]
    if kind == OPPOSITE and lexicon().is_being(one) and lexicon().is_being(two):
        return 0.0  # a son and a daughter
    if (each.kind in OF_ANY_SCENE and each.kind != "professions") or _of_other_things(meeting, each):
        return 0.0
    if once or not meeting.known or not meeting.same_subject() or in_subject(meeting, each):
        return 0.0
    if len(rest_a) > _LOOSE or len(rest_b) > _LOOSE or (rest_a and rest_b and len(rest_a) + len(rest_b) > 3):
        return 0.0
    short = not rest_a and not rest_b and len(a.content) <= 4 and len(b.content) <= 4
    if shared < 1 or (not each.near and shared < 2 and not short):
        return 0.0
    return round(0.85 - 0.06 * (len(rest_a) + len(rest_b)) - 0.1 * (not each.near), 3)


def _one_after_other(one: Token, two: Token) -> bool:
    """Whether both happened, one after the other: "began", "finished"."""
    past = all(token.low != token.lemma and not token.low.endswith(("s", "ing")) for token in (one, two))
    return past and {one.lemma, two.lemma} <= _BEGINS | _ENDS


_BEGINS = frozenset("begin start open join enter arrive".split())
_ENDS = frozenset("finish complete end stop close leave quit exit depart".split())


def _of_other_things(meeting: Meeting, each: Clashing) -> bool:
    """Whether two numbers count different things: "three siblings", "37"."""
    if each.kind != "number":
        return False
    met_a, met_b = {i for i, _ in meeting.lay.same}, {j for _, j in meeting.lay.same}
    one = _counted(meeting.a, each.i, met_a)
    two = _counted(meeting.b, each.j, met_b)
    return bool(one) != bool(two)


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


def _other_relation(a: Clause, b: Clause) -> bool:
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


def _timely(meeting: Meeting, each: Clashing) -> bool:
    """Whether time itself is what they tell ("is on Mondays")."""
    return meeting.a.frame in ("@due", "@starts at", "@ends at", "@born", "@timezone")


def _many(meeting: Meeting, each: Clashing, kind: str) -> bool:
    """Whether there may be several of what clashes."""
    if kind != CLASS or any(part in each.kind.lower() for part in ONE_OF_TIME):
        return False
    if meeting.a.frame in ONE_VALUED and meeting.a.frame == meeting.b.frame:
        return False
    if each.kind.lower().startswith(ONE_AT_A_TIME):
        return bool({"know", "like", "learn", "love", "enjoy", "try"} & meeting.a.bag)
    return meeting.many_valued(each)


def small_words(meeting: Meeting) -> Clash | None:
    """All that carries the sentence is the same, but a small word is the opposite: up/down, with/without."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    if (
        len(lay.left_a) + len(lay.left_b) > 1
        or lay.moved
        or a.denied != b.denied
        or lay.shared < 1 + (len(a.content) > 1)
    ):
        return None
    mine = [word for word in a.small if word not in b.small] + [a.content[i].low for i in lay.left_a]
    theirs = [word for word in b.small if word not in a.small] + [b.content[j].low for j in lay.left_b]
    if len(mine) > 3 or len(theirs) > 3:
        return None
    for one in mine:
        for two in theirs:
            if lexicon().tie(one, two)[0] is Tie.OPPOSITE:
                reason = f"“{one}” and “{two}” are opposites, and all else is said alike."
                return Clash(OPPOSITE, 0.85, (one, two), reason)
    return None


def order(meeting: Meeting) -> Clash | None:
    """The same two things compared the other way round: "tabs over spaces", "A before B"."""
    lay, a, b = meeting.lay, meeting.a, meeting.b
    if lay.left_a or lay.left_b or not lay.moved or a.denied != b.denied or a.small != b.small:
        return None
    if len(a.content) != len(b.content):
        return None
    if {(t.lemma, t.lead) for t in a.content} == {
        (t.lemma, t.lead) for t in b.content
    } and a.frame != "@prefers":
        return None  # "after a minute it ends", "it ends after a minute"
    words = [word for word in a.small if word in ("than", "before", "after")]
    if not words and not a.frame == b.frame == "@prefers":
        return None
    moved = [i for i, j in lay.same if i != j]
    if len(moved) < 2:
        return None
    one, two = a.content[moved[0]], b.content[moved[0]]
    reason = "The same two are put the other way round."
    return Clash("order", 0.8, (one.text[:60], two.text[:60]), reason)
