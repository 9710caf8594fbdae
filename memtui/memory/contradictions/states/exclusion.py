"""Whether two words in one place exclude each other, or both sentences may be true for all that."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memtui.memory.contradictions.comparison.alignment import Alignment, TokenConflict
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, in_subject, scoped
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import (
    ENVIRONMENTS,
    LIGHT_VERBS,
    INTENTION_VERBS,
    SCENE_CLASSES,
    EXCLUSIVE_CLASSES,
    TIME_CLASSES,
    SINGLE_VALUED,
    SCOPE_MARKERS,
    STATIVE_VERBS,
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
class Substitution:
    """Two words that clash, with what stands around them. `shared` counts the words in common."""

    pair: ClausePair
    conflict: TokenConflict
    kind: str  # opposite, class or number
    others_a: list[Token]
    others_b: list[Token]
    shared: int

    @property
    def one(self) -> Token:
        return self.pair.a.content[self.conflict.index_a]

    @property
    def two(self) -> Token:
        return self.pair.b.content[self.conflict.index_b]

    @property
    def personal(self) -> bool:
        """Whether one of the clauses is of somebody by name, of the user, of us."""
        return self.pair.a.personal or self.pair.b.personal

    @property
    def are_animate(self) -> bool:
        """Whether both words name people or animals."""
        return lexicon().is_animate(self.one.lemma) and lexicon().is_animate(self.two.lemma)


def excludes(meeting: ClausePair, each: TokenConflict, kind: str) -> float:
    """How sure it is that only one of the two can be right; 0 where both may."""
    alignment, a, b = meeting.alignment, meeting.a, meeting.b
    shared = sum(1 + a.lemmas[i].count(" ") for i, _ in alignment.matches) + (len(a.function_words) + len(b.function_words)) // 4
    swap = Substitution(meeting, each, kind, *meeting.rest({each.index_a}, {each.index_b}), shared)
    if any(allows(swap) for allows in _BOTH):
        return 0.0
    return _in_one_scene(swap) or _of_one_thing(swap)


def _in_one_scene(swap: Substitution) -> float:
    """All else is said alike, and it is so much that both must speak of the same."""
    alignment, a, b = swap.pair.alignment, swap.pair.a, swap.pair.b
    needed = _OF_SCENES[swap.kind] - (swap.kind == OPPOSITE and max(len(a.content), len(b.content)) == 2)
    if alignment.reordered or not swap.conflict.aligned or swap.shared < needed or not _of_the_word(alignment, swap.conflict):
        return 0.0
    if not _once(swap):
        return 0.9
    if not swap.personal or (swap.shared > _OF_SCENES[swap.kind] and swap.kind != CLASS):
        return 0.7
    return 0.0


def _of_one_thing(swap: Substitution) -> float:
    """Both speak of one certain thing, and little else is left over."""
    meeting, each = swap.pair, swap.conflict
    a, b = meeting.a, meeting.b
    if swap.one.marker in SCOPE_MARKERS and swap.kind != NUMBER and not _timely(meeting):
        return 0.0
    if swap.kind == OPPOSITE and swap.are_animate:
        return 0.0  # a son and a daughter
    if (each.kind in SCENE_CLASSES and each.kind != "professions") or of_other_things(meeting, each):
        return 0.0
    if _once(swap) or not meeting.is_definite or not meeting.subjects_match() or in_subject(meeting, each):
        return 0.0
    more = len(swap.others_a), len(swap.others_b)
    if max(more) > _LOOSE or (min(more) and sum(more) > 3):
        return 0.0
    short = not sum(more) and len(a.content) <= 4 and len(b.content) <= 4
    if swap.shared < 1 or (not each.aligned and swap.shared < 2 and not short):
        return 0.0
    return round(0.85 - 0.06 * sum(more) - 0.1 * (not each.aligned), 3)


def _once(swap: Substitution) -> bool:
    """Whether it happened once, or may be so of several."""
    meeting = swap.pair
    return meeting.a.event or meeting.b.event or many_of(meeting, swap.conflict, swap.kind)


# -- why both may be true


def _two_differences(swap: Substitution) -> bool:
    """Something else differs, too: it is not the same that they tell."""
    rest = [*swap.others_a, *swap.others_b]
    if swap.kind == OPPOSITE:
        rest = [token for token in rest if token.marker != "for"]  # "waits for review"
    beside = {swap.one.position - 1, swap.two.position - 1}
    rest = [token for token in rest if token.direct_marker or token.position not in beside]  # "office manager"
    others = any(each is not swap.conflict for each in swap.pair.alignment.conflicts)
    spent = {swap.conflict.index_a}, {swap.conflict.index_b}
    return others or scoped(rest) or swap.pair.differs_elsewhere(*spent, swap.kind == OPPOSITE)


def _two_scenes(swap: Substitution) -> bool:
    """Two people or two places of which nobody says that they are the same."""
    meeting, each = swap.pair, swap.conflict
    if meeting.is_definite and swap.personal:
        return False
    kinds = lexicon().classes_of(swap.one.lemma) & lexicon().classes_of(swap.two.lemma)
    if each.kind in SCENE_CLASSES or (in_subject(meeting, each) and kinds & SCENE_CLASSES):
        return True
    elsewhere = meeting.a.function_words != meeting.b.function_words  # "along the beach", "through a field"
    return swap.kind == CLASS and (elsewhere or (swap.are_animate and "nationalities" not in kinds))


def _two_times(swap: Substitution) -> bool:
    """Before and after; of what changed between was and is, opposites do contradict."""
    meeting = swap.pair
    if swap.kind == OPPOSITE and meeting.a.past != meeting.b.past:
        return _dated(meeting.a if meeting.a.past else meeting.b)  # "was broken in May", "has been repaired"
    return meeting.other_times()


def _dated(clause: Clause) -> bool:
    """Whether a clause says when it was so."""
    return any(
        token.marker in ("in", "on", "last")
        and (
            (token.quantity is not None and token.quantity.kind in ("date", "year"))
            or "months" in lexicon().classes_of(token.lemma)
        )
        for token in clause.content
    )


def _two_environments(swap: Substitution) -> bool:
    """ "Is on in staging", "is off in production"."""
    return swap.kind != NUMBER and swap.one.low in ENVIRONMENTS and swap.two.low in ENVIRONMENTS


def _both_accepted(swap: Substitution) -> bool:
    """ "Version: 12", "version 11 is still accepted"."""
    return swap.kind == NUMBER and any(map(_STILL.search, (swap.pair.a.text, swap.pair.b.text)))


_STILL = re.compile(r"\bstill (?:accepted|supported|available|allowed|served|valid|works|readable)\b", re.I)


def _of_a_part(swap: Substitution) -> bool:
    """One tells of a part of what the other tells of: "Lantern", "the tests of Lantern"."""
    if swap.kind == OPPOSITE:
        return False
    a, b = swap.pair.a, swap.pair.b
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


def _two_names(swap: Substitution) -> bool:
    """Numbers that are names: "issue 77", "issue 78"."""
    if swap.kind != NUMBER or not swap.pair.is_definite:
        return False
    return _is_name(swap.pair.a, swap.conflict.index_a) or _is_name(swap.pair.b, swap.conflict.index_b)


def _two_steps(swap: Substitution) -> bool:
    """Both happened, one after the other: "began", "finished"."""
    past = all(
        token.low != token.lemma and not token.low.endswith(("s", "ing")) for token in (swap.one, swap.two)
    )
    return swap.kind == OPPOSITE and past and {swap.one.lemma, swap.two.lemma} <= _STEPS


def _two_turns(swap: Substitution) -> bool:
    """The first and the second of several: "hired his first employee", "hired a second"."""
    return swap.kind == OPPOSITE and {swap.one.lemma, swap.two.lemma} <= _TURNS and not swap.pair.shared_subject


_TURNS = frozenset("first second third next last".split())
_STEPS = frozenset(
    "begin start open join enter arrive finish complete end stop close leave quit exit depart".split()
)


def _not_yet_so(swap: Substitution) -> bool:
    """ "Is unemployed", "wants to become a manager"."""
    return bool((swap.pair.a.bag ^ swap.pair.b.bag) & INTENTION_VERBS)


def _of_another_width(swap: Substitution) -> bool:
    """ "Likes tea", "hates sweet drinks"."""
    alignment = swap.pair.alignment
    return swap.kind == OPPOSITE and bool(alignment.broader or alignment.narrower) and swap.personal


def _told_of_some(swap: Substitution) -> bool:
    return of_some(swap.pair, swap.conflict)


def _other_heads(swap: Substitution) -> bool:
    """ "Hydration: 74 percent", "pizza dough hydration is 65 percent"."""
    return swap.pair.shared_subject and of_other_heads(swap.pair.alignment, swap.pair.names)


def _two_relations(swap: Substitution) -> bool:
    """ "Was born in Oslo", "works in Rome"."""
    return swap.kind != OPPOSITE and other_relation(swap.pair.a, swap.pair.b)


_BOTH: tuple[Callable[[Substitution], bool], ...] = (
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


def of_other_things(meeting: ClausePair, each: TokenConflict) -> bool:
    """Whether two numbers count different things: "three siblings", "37"."""
    if each.kind != "number":
        return False
    met_a, met_b = {i for i, _ in meeting.alignment.matches}, {j for _, j in meeting.alignment.matches}
    one = _counted(meeting.a, each.index_a, met_a)
    two = _counted(meeting.b, each.index_b, met_b)
    if _of_some(meeting.a, each.index_a) or _of_some(meeting.b, each.index_b):
        return True
    if one and two:
        people = lexicon().is_animate(one) and lexicon().is_animate(two)  # "seven members", "eleven people"
        return not people and lexicon().relation(one, two)[0] in (WordRelation.NONE, WordRelation.EXCLUSIVE)
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
    return plain and place > 0 and before.lemma in _NUMBERED and not clause.content[place].direct_marker


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
    between = clause.content[behind].position - clause.content[place].position
    return clause.lemmas[behind] if between == 1 else ""


def other_relation(a: Clause, b: Clause) -> bool:
    """Whether the two tell of different relations: "was born in Oslo", "works in Rome"."""
    frames = {a.frame, b.frame}
    if a.frame == b.frame or not frames & SINGLE_VALUED or frames <= _PLACED:
        return False
    this, other = (a, b) if a.frame in SINGLE_VALUED else (b, a)
    if _AWAY.search(other.text):
        return True
    if lexicon().lemma_of(this.content[this.frame_at].low.split()[0]) in other.bag:
        return False  # "targets Java 17", "the target is Java 21"
    verb = other.content[other.subject].lemma if 0 < other.subject < len(other.content) else ""
    if not verb and this.frame not in _BEING:
        return True  # "the supervisor is a professor"
    return bool(other.frame) or verb in STATIVE_VERBS - LIGHT_VERBS


def _of_the_word(alignment: Alignment, each: TokenConflict) -> bool:
    """Whether nothing is left over but what belongs to the words that clash: "olive green" and "red"."""
    left = [i for i in alignment.unmatched_a if i != each.index_a], [j for j in alignment.unmatched_b if j != each.index_b]
    if (left[0] and left[1]) or len(left[0]) + len(left[1]) > 1:
        return False
    if any(alignment.a.content[i].quantity for i in left[0]) or any(alignment.b.content[j].quantity for j in left[1]):
        return False
    subject = [i for i in left[0] if i < alignment.a.subject <= each.index_a] + [
        j for j in left[1] if j < alignment.b.subject <= each.index_b
    ]
    if subject:
        return False  # "the boss likes", "likes"
    return all(abs(i - each.index_a) == 1 for i in left[0]) and all(abs(j - each.index_b) == 1 for j in left[1])


def _timely(meeting: ClausePair) -> bool:
    """Whether time itself is what they tell ("is on Mondays")."""
    return meeting.a.frame in ("@due", "@starts at", "@ends at", "@born", "@timezone")


def many_of(meeting: ClausePair, each: TokenConflict, kind: str = CLASS) -> bool:
    """Whether there may be several of what clashes."""
    if kind != CLASS or any(part in each.kind.lower() for part in TIME_CLASSES):
        return False
    if meeting.a.frame in SINGLE_VALUED and meeting.a.frame == meeting.b.frame:
        return False
    if each.kind.lower().startswith(EXCLUSIVE_CLASSES):
        return bool({"know", "like", "learn", "love", "enjoy", "try"} & meeting.a.bag)
    return meeting.allows_many(each)
