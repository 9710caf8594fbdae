"""Words that tell of a change: what ended, what was exchanged for what, what somebody became."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memtui.memory.contradictions.language.tokens import tokens_of
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS, STOP_WORDS
from memtui.memory.contradictions.states import change_words


class ChangeKind(StrEnum):
    """What sort of change a clause tells of."""

    ENDED = "ended"  # "gave up teaching", "the phone line was cut off"
    SWITCHED = "switched"  # "moved the builds from Gradle to Bazel"
    AMOUNT = "amount"  # "the crew is up to nine"
    TIME = "time"  # "put off to July"
    ROLE = "role"  # "became chief editor"
    HANDOVER = "handed"  # "took the project over from Cosima"
    OPINION = "mind"  # "changed her mind", "after all"
    NOW = "now"  # "these days", "from April"


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """A change that a clause tells of, in words of base form: `things` is what changed, `old` what it was,
    `new` what it is, as far as the clause names them; `phrase` as written."""

    kind: ChangeKind
    phrase: str
    things: frozenset[str] = frozenset()
    old: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()

    @property
    def ambiguous(self) -> bool:
        """Whether the word is told of much that does not end by it: "sold eleven photographs"."""
        return self.phrase.lower() in change_words.WEAK


_ENDED = re.compile(
    rf"\b(?:{change_words.ENDS})\b|(?<=^is )done with\b|(?<=^)done with\b|(?<= is )done with(?= \w+ing\b)",
    re.I,
)
_OVER = re.compile(
    rf"\b{change_words.BE} (?:now |finally |since |being )?(?:{change_words.IS_OVER})\b"
    rf"|\b(?:{change_words.FELL})\b",
    re.I,
)
_HAD = re.compile(rf"(?<=\bhad ).{{1,30}}? (?:{change_words.HAD})\b", re.I)
_SWITCHED = re.compile(rf"\b(?:{change_words.MOVES})\b", re.I)
_OLD, _NEW = r"(?P<old>.{1,60}?)", r"(?P<new>.{1,80})"
_THING, _TO_WHAT = r"^(?P<thing>.{0,50}?)\s*\b", "(?:to|into|onto)"
_FROM_TO = re.compile(rf"{_THING}from\s+{_OLD}\s+(?:over\s+|back\s+)?{_TO_WHAT}\s+{_NEW}", re.I)
_TO_FROM = re.compile(rf"{_THING}{_TO_WHAT}\s+(?P<new>.{{1,60}}?)\s+from\s+(?P<old>.{{1,80}})", re.I)
_TO = re.compile(rf"{_THING}{_TO_WHAT}\s+{_NEW}", re.I)
_REPLACED = re.compile(rf"\b(?:replaced?|swapped|exchanged|traded)\s+{_OLD}\s+(?:with|by|for)\s+{_NEW}", re.I)
_PASSIVE = re.compile(
    rf"^{_OLD}\s+{change_words.BE}\s+(?:replaced|superseded|succeeded)\s+(?:with|by)\s+{_NEW}", re.I
)
_REPLACES = re.compile(
    rf"^(?P<new>.{{1,60}}?)\s+(?:{change_words.TOOK_THE_PLACE})\s+(?!by |with )(?P<old>.{{1,80}})", re.I
)
_INSTEAD = re.compile(
    r"(?P<new>.{1,80}?),?\s+(?:instead of|in place of|rather than|in lieu of)\s+(?P<old>.{1,60})", re.I
)
_COMING = re.compile(r"\b(?:moves|shifts|switches|migrates|changes|goes)\b", re.I)
_PLANNED = re.compile(rf"\b(?:{change_words.PLANS})\b", re.I)
_OTHERS = {
    change: re.compile(rf"\b(?:{phrases})\b", re.I)
    for change, phrases in {
        ChangeKind.AMOUNT: change_words.AMOUNTS,
        ChangeKind.TIME: change_words.TIMES,
        ChangeKind.ROLE: change_words.ROLES,
        ChangeKind.HANDOVER: change_words.HANDOVER,
        ChangeKind.OPINION: change_words.MINDS,
        ChangeKind.NOW: change_words.NOW,
    }.items()
}
# Before these nothing changed: "may be closed", "did not move".
_MAY = re.compile(r"(?:\b(?:can|may|must|should|will|would|could|to|not|never)|n't)(?: \w+| be)? ?$", re.I)
# "Fixed swapped columns" swaps nothing.
_ADJECTIVE = re.compile(r"\b(?!(?:need|agree|decid|start)ed\b)[a-z]{2,}ed $", re.I)
_BEFORE_ADJECTIVES = re.compile(r"\b(?:an?|the|his|her|their|my|our|its|this|that|of|with|about|all) $", re.I)
_CUT = re.compile(
    r",(?!\d)|[;:(]|\s(?:and|but|because|since|after|before|when|which|who|as of|in order|by|until|so|while"
    r"|where)\s",
    re.I,
)
_CONDITION = re.compile(r"\b(?:when|whenever|if|unless|while)\b", re.I)
_OBJECT = re.compile(r"\s(?:in|on|at|for|over|last|this|from|to|with|as|during|through)\s", re.I)
_WHEN = re.compile(
    r"\s(?:in|on|at|from|as of|last|this|next|with effect from|effective)\s+(?:the (?:spring|summer|autumn"
    r"|fall|winter)"
    rf"|early|late|mid|spring|summer|autumn|winter|(?:{change_words.MONTHS})\b|\d|year|month|week)",
    re.I,
)
_GIVEN = re.compile(r"\b(?:to|into|as|until)\s+(.{1,60})", re.I)


@lru_cache(maxsize=4_096)
def change_marks(text: str) -> tuple[ChangeMark, ...]:
    """The changes that a clause tells of; () where it tells of none."""
    text = " ".join(text.split())  # the patterns would try a long run of blanks in every way
    found: list[ChangeMark] = []
    if _HABIT.search(text):
        return ()
    condition = _CONDITION.search(text)
    text = text[: condition.start()] if condition else text  # "crashes when the input is empty"
    for pattern in (_PASSIVE, _REPLACED, _REPLACES, _INSTEAD):
        if (parts := pattern.search(text)) and not _denied(text, parts.start()):
            found.append(
                ChangeMark(ChangeKind.SWITCHED, parts[0][:40], frozenset(), _words(parts["old"]), _words(parts["new"]))
            )
            break
    if over := _OVER.search(text) or _HAD.search(text):
        thing = text[: over.start()] if over.re is _OVER else over[0]
        found.append(ChangeMark(ChangeKind.ENDED, over[0], _words(thing, before=over.re is _OVER)))
    elif (
        (ends := _ENDED.search(text))
        and not _denied(text, ends.start())
        and not _BEFORE_ADJECTIVES.search(text[: ends.start()])
    ):
        found.append(_ended(text, ends))
    if (moves := _SWITCHED.search(text)) and not _denied(text, moves.start()):
        found.append(_switched(text, moves))
    for change, pattern in _OTHERS.items():
        if (told := pattern.search(text)) and not _denied(text, told.start()):
            found.append(_other(change, text, told))
    return tuple(found)


# What happens again and again changes nothing: "shoes are replaced after 700 km".
_HABIT = re.compile(
    r"\b(?:is|are|gets?|be) (?:\w+ly )?\w+(?:ed|ut|n|pt|ld) (?:\w+ )?"
    r"(?:after|every|each|once (?:an?|per|every)|whenever|per"
    r"|automatically|by default)\b(?! (?:the|an?|his|her|its|their|our|that|this|which) )",
    re.I,
)


def _ended(text: str, ends: re.Match[str]) -> ChangeMark:
    behind = _CUT.split(text[ends.end() :] + " ", maxsplit=1)[0]
    parts = _OBJECT.split(behind, maxsplit=1)
    given = re.search(r"\bto\s+(.{1,60})", behind)  # "sold to the Corbins": they have it
    if not _words(parts[0]) and not given and ends[0].lower() in change_words.BY_ITSELF:
        return ChangeMark(ChangeKind.ENDED, ends[0], _words(text[: ends.start()], before=True))
    return ChangeMark(ChangeKind.ENDED, ends[0], _words(parts[0]), new=_words(given[1]) if given else frozenset())


def _other(change: ChangeKind, text: str, told: re.Match[str]) -> ChangeMark:
    behind = _CUT.split(f"{text[told.end() :]} ", maxsplit=1)[0]
    if change is ChangeKind.AMOUNT and (parts := _FROM_TO.search(text)) and "," not in parts["old"]:
        return ChangeMark(ChangeKind.SWITCHED, told[0], frozenset(), _words(parts["old"]), _words(parts["new"]))
    if told[0].lower().endswith(("up to", "down to", "became", "becomes", "become", " to", " at")):
        return ChangeMark(change, told[0], new=_words(behind))
    given = _GIVEN.search(behind)
    return ChangeMark(change, told[0], new=_words(given[1]) if given else frozenset())


def _switched(text: str, moves: re.Match[str]) -> ChangeMark:
    behind = text[moves.end() :]
    before = _words(text[: moves.start()], before=True)
    for pattern in (_FROM_TO, _TO_FROM, _TO):
        if parts := pattern.search(behind):
            named = parts.groupdict()
            thing = _words(named["thing"]) or before
            purpose = re.search(r"\bfor\s+(.{1,40})", named["new"])
            if purpose:
                thing |= _words(purpose[1])
            return ChangeMark(
                ChangeKind.SWITCHED,
                moves[0],
                thing,
                _words(named.get("old") or ""),
                _words(_WHEN.split(named["new"].split(" for ")[0], maxsplit=1)[0]),
            )
    return ChangeMark(ChangeKind.SWITCHED, moves[0], before or _words(behind))


def _denied(text: str, place: int) -> bool:
    return _MAY.search(text[:place]) is not None or _ADJECTIVE.search(text[:place]) is not None


@lru_cache(maxsize=4_096)
def is_planned(text: str) -> bool:
    """Whether a clause tells of what somebody thinks or says about something, not of what is."""
    planned = _PLANNED.search(text)
    return planned is not None and _SWITCHED.search(text[: planned.start()]) is None


@lru_cache(maxsize=4_096)
def is_scheduled(text: str) -> bool:
    """Whether a clause tells on which day or in which season something moves: "moves in the autumn"."""
    moves = _COMING.search(text)
    return moves is not None and _WHEN.search(text[moves.end() :]) is not None


def _words(span: str, before: bool = False) -> frozenset[str]:
    parts = _CUT.split(f"{span} ")
    span = (parts[-1].strip() or parts[0]) if before else parts[0]
    return frozenset(t.lemma for t in tokens_of(span) if t.low not in STOP_WORDS and t.lemma not in LIGHT_WORDS)
