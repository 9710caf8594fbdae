"""Changes that a clause describes: what ended, what was replaced by what, what somebody became."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memtui.memory.contradictions.language.tokens import tokens_of
from memtui.memory.contradictions.language.vocabulary import LIGHT_WORDS, STOP_WORDS
from memtui.memory.contradictions.states import change_words


class ChangeKind(StrEnum):
    """Kinds of changes that a clause can describe."""

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
    """A change that a clause describes: `things` are the lemmas for what changed, `old` for what it was,
    `new` for what it is, as far as the clause names them; `phrase` is the wording."""

    kind: ChangeKind
    phrase: str
    things: frozenset[str] = frozenset()
    old: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()

    @property
    def ambiguous(self) -> bool:
        """Whether the phrase often describes something that goes on: "sold eleven photographs"."""
        return self.phrase.lower() in change_words.AMBIGUOUS


_ENDED = re.compile(
    rf"\b(?:{change_words.ENDING})\b|(?<=^is )done with\b|(?<=^)done with\b|(?<= is )done with(?= \w+ing\b)",
    re.I,
)
_OVER = re.compile(
    rf"\b{change_words.BE} (?:now |finally |since |being )?(?:{change_words.ENDED_STATES})\b"
    rf"|\b(?:{change_words.ENDED_PREDICATES})\b",
    re.I,
)
_HAD = re.compile(rf"(?<=\bhad ).{{1,30}}? (?:{change_words.HAD_REMOVED})\b", re.I)
_SWITCHED = re.compile(rf"\b(?:{change_words.SWITCHING})\b", re.I)
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
    rf"^(?P<new>.{{1,60}}?)\s+(?:{change_words.REPLACING})\s+(?!by |with )(?P<old>.{{1,80}})", re.I
)
_INSTEAD = re.compile(
    r"(?P<new>.{1,80}?),?\s+(?:instead of|in place of|rather than|in lieu of)\s+(?P<old>.{1,60})", re.I
)
_PRESENT_MOVES = re.compile(r"\b(?:moves|shifts|switches|migrates|changes|goes)\b", re.I)
_PLANNED = re.compile(rf"\b(?:{change_words.PLANNING})\b", re.I)
_OTHER_PATTERNS = {
    kind: re.compile(rf"\b(?:{phrases})\b", re.I)
    for kind, phrases in {
        ChangeKind.AMOUNT: change_words.AMOUNTS,
        ChangeKind.TIME: change_words.TIMES,
        ChangeKind.ROLE: change_words.ROLES,
        ChangeKind.HANDOVER: change_words.HANDOVER,
        ChangeKind.OPINION: change_words.OPINIONS,
        ChangeKind.NOW: change_words.NOW,
    }.items()
}
# Behind these nothing has changed: "may be closed", "did not move".
_NO_CHANGE_YET = re.compile(
    r"(?:\b(?:can|may|must|should|will|would|could|to|not|never)|n't)(?: \w+| be)? ?$", re.I
)
# A participle before the phrase makes it an adjective: "fixed swapped columns".
_ADJECTIVE = re.compile(r"\b(?!(?:need|agree|decid|start)ed\b)[a-z]{2,}ed $", re.I)
_DETERMINER = re.compile(r"\b(?:an?|the|his|her|their|my|our|its|this|that|of|with|about|all) $", re.I)
_CLAUSE_END = re.compile(
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
_RESULT = re.compile(r"\b(?:to|into|as|until)\s+(.{1,60})", re.I)


@lru_cache(maxsize=4_096)
def change_marks(text: str) -> tuple[ChangeMark, ...]:
    """Return the changes that a clause describes."""
    text = " ".join(text.split())  # a long run of blanks would make the patterns backtrack
    found: list[ChangeMark] = []
    if _RECURRING.search(text):
        return ()
    condition = _CONDITION.search(text)
    text = text[: condition.start()] if condition else text  # "crashes when the input is empty"
    for pattern in (_PASSIVE, _REPLACED, _REPLACES, _INSTEAD):
        if (match := pattern.search(text)) and not _tells_no_change(text, match.start()):
            found.append(
                ChangeMark(
                    ChangeKind.SWITCHED,
                    match[0][:40],
                    frozenset(),
                    _lemmas(match["old"]),
                    _lemmas(match["new"]),
                )
            )
            break
    if ended := _OVER.search(text) or _HAD.search(text):
        thing = text[: ended.start()] if ended.re is _OVER else ended[0]
        found.append(ChangeMark(ChangeKind.ENDED, ended[0], _lemmas(thing, before=ended.re is _OVER)))
    elif (
        (ending := _ENDED.search(text))
        and not _tells_no_change(text, ending.start())
        and not _DETERMINER.search(text[: ending.start()])
    ):
        found.append(_ended(text, ending))
    if (switch := _SWITCHED.search(text)) and not _tells_no_change(text, switch.start()):
        found.append(_switched(text, switch))
    for kind, pattern in _OTHER_PATTERNS.items():
        if (match := pattern.search(text)) and not _tells_no_change(text, match.start()):
            found.append(_other(kind, text, match))
    return tuple(found)


# What recurs is no change: "shoes are replaced after 700 km".
_RECURRING = re.compile(
    r"\b(?:is|are|gets?|be) (?:\w+ly )?\w+(?:ed|ut|n|pt|ld) (?:\w+ )?"
    r"(?:after|every|each|once (?:an?|per|every)|whenever|per"
    r"|automatically|by default)\b(?! (?:the|an?|his|her|its|their|our|that|this|which) )",
    re.I,
)


def _ended(text: str, ending: re.Match[str]) -> ChangeMark:
    following = _CLAUSE_END.split(text[ending.end() :] + " ", maxsplit=1)[0]
    parts = _OBJECT.split(following, maxsplit=1)
    recipient = re.search(r"\bto\s+(.{1,60})", following)  # "sold to the Corbins": the new owner
    if not _lemmas(parts[0]) and not recipient and ending[0].lower() in change_words.INTRANSITIVE:
        return ChangeMark(ChangeKind.ENDED, ending[0], _lemmas(text[: ending.start()], before=True))
    return ChangeMark(
        ChangeKind.ENDED,
        ending[0],
        _lemmas(parts[0]),
        new=_lemmas(recipient[1]) if recipient else frozenset(),
    )


def _other(kind: ChangeKind, text: str, match: re.Match[str]) -> ChangeMark:
    following = _CLAUSE_END.split(f"{text[match.end() :]} ", maxsplit=1)[0]
    if kind is ChangeKind.AMOUNT and (parts := _FROM_TO.search(text)) and "," not in parts["old"]:
        return ChangeMark(
            ChangeKind.SWITCHED, match[0], frozenset(), _lemmas(parts["old"]), _lemmas(parts["new"])
        )
    if match[0].lower().endswith(("up to", "down to", "became", "becomes", "become", " to", " at")):
        return ChangeMark(kind, match[0], new=_lemmas(following))
    result = _RESULT.search(following)
    return ChangeMark(kind, match[0], new=_lemmas(result[1]) if result else frozenset())


def _switched(text: str, switch: re.Match[str]) -> ChangeMark:
    following = text[switch.end() :]
    before = _lemmas(text[: switch.start()], before=True)
    for pattern in (_FROM_TO, _TO_FROM, _TO):
        if parts := pattern.search(following):
            groups = parts.groupdict()
            thing = _lemmas(groups["thing"]) or before
            purpose = re.search(r"\bfor\s+(.{1,40})", groups["new"])
            if purpose:
                thing |= _lemmas(purpose[1])
            return ChangeMark(
                ChangeKind.SWITCHED,
                switch[0],
                thing,
                _lemmas(groups.get("old") or ""),
                _lemmas(_WHEN.split(groups["new"].split(" for ")[0], maxsplit=1)[0]),
            )
    return ChangeMark(ChangeKind.SWITCHED, switch[0], before or _lemmas(following))


def _tells_no_change(text: str, position: int) -> bool:
    return (
        _NO_CHANGE_YET.search(text[:position]) is not None or _ADJECTIVE.search(text[:position]) is not None
    )


@lru_cache(maxsize=4_096)
def is_planned(text: str) -> bool:
    """Whether a clause says what somebody thinks or says about something, not what is."""
    match = _PLANNED.search(text)
    return match is not None and _SWITCHED.search(text[: match.start()]) is None


@lru_cache(maxsize=4_096)
def is_scheduled(text: str) -> bool:
    """Whether a clause says on which day or in which season something moves: "moves in the autumn"."""
    switch = _PRESENT_MOVES.search(text)
    return switch is not None and _WHEN.search(text[switch.end() :]) is not None


def _lemmas(span: str, before: bool = False) -> frozenset[str]:
    parts = _CLAUSE_END.split(f"{span} ")
    span = (parts[-1].strip() or parts[0]) if before else parts[0]
    return frozenset(
        t.lemma for t in tokens_of(span) if t.low not in STOP_WORDS and t.lemma not in LIGHT_WORDS
    )
