"""Who holds a role or looks after a thing, of whom there is one: "Lead: Anna", "Bram took over as lead"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily, is_denied
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.apart import elsewhere
from memtui.memory.contradictions.states.two import Comparison
from memtui.memory.contradictions.subjects import words_in

_NAME = (
    r"((?:(?:Dr|Prof|Mr|Mrs|Ms|Professor|Doctor)\.? )?[A-Z][\w'-]+(?: (?:van |de |von "
    r"|di )?[A-Z][\w'-]+){0,2})"
)
_ROLES = (
    "lead|leader|head|owner|maintainer|chair|chairman|chairwoman|chairperson|captain|coach|manager|treasurer"
    "|secretary|president|director|coordinator|editor|on-call|primary|contact|host|organiser|organizer"
    "|supervisor|admin|approver|reviewer|landlord|trainer|conductor|doctor|gp|dentist|vet|tutor|teacher"
    "|accountant|mentor"
)
_OF = r"(?: (?:of|for|in|at|on) (?P<thing>[^,.;:]{2,40}))?"
_SAID = (
    rf"^(?P<role>(?i:{_ROLES}))(?: is)?: {_NAME}",
    rf"\b{_NAME} (?:(?:is|are) (?:now )?(?:the |our |its |her |his |their )?(?:new |current |primary )?"
    rf"|acts as (?:the )?|took over as (?:the )?|has taken over as (?:the )?|became (?:the )?"
    rf"|stepped in as (?:the )?)(?P<role>{_ROLES})\b{_OF}",
    rf"(?:(?P<which>[\w'-]+) )?\b(?P<role>{_ROLES})(?: on-call)?{_OF} is (?:now )?{_NAME}",
    rf"^(?P<role>(?i:reports to))(?: now)? {_NAME}",
    rf"\b{_NAME} (?:carries|has|holds) (?:the )?(?P<role>pager|on-call phone)\b",
    rf"\b{_NAME} (?:is|goes) on (?P<role>call)\b",
)
# One post, by its holder or by what the holder does.
_POSTS = {
    "lead": "lead leader head",
    "teach": "teacher tutor",
    "coach": "coach trainer",
    "own": "owner",
    "maintain": "maintainer",
    "chair": "chair chairman chairwoman chairperson",
    "manager": "reports to",
    "on-call": "pager call on-call phone",
}
_POST = {**{word: post for post, words in _POSTS.items() for word in words.split()}, "reports to": "manager",
         "on-call phone": "on-call"}  # fmt: skip
# Words before a role that leave it the same.
_ANY = frozenset("the our its his her their my your a an new current now primary project team".split())
_DEEDS = {
    "run": "runs|is run by|run by|is running", "lead": "leads|is led by|led by|heads|is headed by|headed by",
    "maintain": "maintains|is maintained by|looks after|is looked after by|takes care of",
    "approve": "approves|is approved by|signs off|signs off on|is signed off by",
    "teach": "teaches|is taught by|taught by", "manage": "manages|is managed by|managed by",
    "own": "owns|is owned by|owned by", "cover": "covers|is covered by", "chair": "chairs|is chaired by",
    "book": "does the books for|keeps the books for", "coach": "coaches|is coached by|coached by",
}  # fmt: skip


def _ways(deed: str, by: bool) -> str:
    """The ways to say that somebody does it, or that it is done by somebody."""
    return "|".join(way for way in _DEEDS[deed].split("|") if way.endswith(" by") == by)


_THING = r"(?P<thing>[^,.;:]{2,40})"
_ACTIVE = {deed: re.compile(rf"^{_NAME} (?:now )?(?:{_ways(deed, by=False)}) {_THING}") for deed in _DEEDS}
_PASSIVE = {
    deed: re.compile(rf"^(?P<thing>[^,.;:]{{2,40}}?) (?:{_ways(deed, by=True)}) {_NAME}")
    for deed in _DEEDS
    if _ways(deed, by=True)
}
_ASSIGNED = re.compile(
    rf"^(?:(?i:assignee|assigned to): {_NAME}|{_NAME} (?:is|was|has been) (?:now )?assigned to\b"
    rf"|.*\bassigned to {_NAME})"
)
_ONCE = re.compile(r"\b(?:first|originally|initially|previously|formerly|used to)\b", re.I)
_PATTERNS = tuple(re.compile(pattern) for pattern in _SAID)
_NO_NAMES = frozenset(
    "the it he she they we this that his her their our its each every nobody who i there user".split()
)


def read(text: str) -> Iterator[Fact]:
    if _ONCE.search(text):
        return
    for pattern in _PATTERNS:
        if (match := pattern.search(text)) and (fact := _fact(match["role"].lower(), match, text)):
            yield fact
            return
    if (match := _ASSIGNED.search(text)) and (fact := _fact("assignee", match, text)):
        yield fact
        return
    for patterns in (_ACTIVE, _PASSIVE):
        for deed, pattern in patterns.items():
            if (match := pattern.search(text)) and (fact := _fact(deed, match, text)):
                yield fact
                return


def _fact(topic: str, match: re.Match[str], text: str) -> Fact | None:
    role = match.groupdict().get("role")
    name = next(group for group in match.groups() if group and group[0].isupper() and group != role)
    words = words_in(name)
    if not words or words & _NO_NAMES or is_denied(text, match.start()):
        return None
    told = match.groupdict()
    if (told.get("which") or "the").lower() not in _ANY:
        return None  # "the Porto lead is Beatriz"
    thing = words_in(told.get("thing") or "") - STOP_WORDS
    return Fact(_POST.get(topic, topic), (words, frozenset(thing)), name)


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    assert isinstance(one.value, tuple)
    assert isinstance(other.value, tuple)
    (mine, of_mine), (theirs, of_theirs) = one.value, other.value
    if mine & theirs or elsewhere(two) or mine & two.pair.names or theirs & two.pair.names:
        return False
    if _numbers(two.a) and _numbers(two.b) and _numbers(two.a) != _numbers(two.b):
        return False  # "leads in week 14", "leads in week 15"
    of_mine, of_theirs = of_mine - two.pair.names, of_theirs - two.pair.names
    return bool(of_mine & of_theirs) if of_mine and of_theirs else True


def _numbers(clause: Clause) -> frozenset[str]:
    return frozenset(
        token.low for token in clause.content if token.quantity is not None and token.marker != "since"
    )


FAMILY = FactFamily("value", read, exclude)
