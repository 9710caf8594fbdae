"""Who holds a role or looks after a thing, of whom there is one: "Lead: Anna", "Bram took over as lead"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily, is_negated
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.vocabulary import STOP_WORDS
from memtui.memory.contradictions.states.comparison import Comparison
from memtui.memory.contradictions.states.scopes import differ_in_scope
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
_ROLE_PHRASES = (
    rf"^(?P<role>(?i:{_ROLES}))(?: is)?: {_NAME}",
    rf"\b{_NAME} (?:(?:is|are) (?:now )?(?:the |our |its |her |his |their )?(?:new |current |primary )?"
    rf"|acts as (?:the )?|took over as (?:the )?|has taken over as (?:the )?|became (?:the )?"
    rf"|stepped in as (?:the )?)(?P<role>{_ROLES})\b{_OF}",
    rf"(?:(?P<which>[\w'-]+) )?\b(?P<role>{_ROLES})(?: on-call)?{_OF} is (?:now )?{_NAME}",
    rf"^(?P<role>(?i:reports to))(?: now)? {_NAME}",
    rf"\b{_NAME} (?:carries|has|holds) (?:the )?(?P<role>pager|on-call phone)\b",
    rf"\b{_NAME} (?:is|goes) on (?P<role>call)\b",
)
# Roles by the nouns that name them.
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
# Words before a role that do not change which role it is.
_NEUTRAL_DETERMINERS = frozenset(
    "the our its his her their my your a an new current now primary project team".split()
)
_ACTIVITIES = {
    "run": "runs|is run by|run by|is running", "lead": "leads|is led by|led by|heads|is headed by|headed by",
    "maintain": "maintains|is maintained by|looks after|is looked after by|takes care of",
    "approve": "approves|is approved by|signs off|signs off on|is signed off by",
    "teach": "teaches|is taught by|taught by", "manage": "manages|is managed by|managed by",
    "own": "owns|is owned by|owned by", "cover": "covers|is covered by", "chair": "chairs|is chaired by",
    "book": "does the books for|keeps the books for", "coach": "coaches|is coached by|coached by",
}  # fmt: skip


def _verb_forms(activity: str, passive: bool) -> str:
    """Return the pattern of the active or passive forms of an activity."""
    return "|".join(form for form in _ACTIVITIES[activity].split("|") if form.endswith(" by") == passive)


_THING = r"(?P<thing>[^,.;:]{2,40})"
_ACTIVE = {
    activity: re.compile(rf"^{_NAME} (?:now )?(?:{_verb_forms(activity, passive=False)}) {_THING}")
    for activity in _ACTIVITIES
}
_PASSIVE = {
    activity: re.compile(rf"^(?P<thing>[^,.;:]{{2,40}}?) (?:{_verb_forms(activity, passive=True)}) {_NAME}")
    for activity in _ACTIVITIES
    if _verb_forms(activity, passive=True)
}
_ASSIGNED = re.compile(
    rf"^(?:(?i:assignee|assigned to): {_NAME}|{_NAME} (?:is|was|has been) (?:now )?assigned to\b"
    rf"|.*\bassigned to {_NAME})"
)
_FORMER = re.compile(r"\b(?:first|originally|initially|previously|formerly|used to)\b", re.I)
_PATTERNS = tuple(re.compile(pattern) for pattern in _ROLE_PHRASES)
_NOT_NAMES = frozenset(
    "the it he she they we this that his her their our its each every nobody who i there user".split()
)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    if _FORMER.search(text):
        return
    for pattern in _PATTERNS:
        if (match := pattern.search(text)) and (fact := _fact(match["role"].lower(), match, text)):
            yield fact
            return
    if (match := _ASSIGNED.search(text)) and (fact := _fact("assignee", match, text)):
        yield fact
        return
    for patterns in (_ACTIVE, _PASSIVE):
        for activity, pattern in patterns.items():
            if (match := pattern.search(text)) and (fact := _fact(activity, match, text)):
                yield fact
                return


def _fact(topic: str, match: re.Match[str], text: str) -> Fact | None:
    role = match.groupdict().get("role")
    name = next(group for group in match.groups() if group and group[0].isupper() and group != role)
    words = words_in(name)
    if not words or words & _NOT_NAMES or is_negated(text, match.start()):
        return None
    groups = match.groupdict()
    if (groups.get("which") or "the").lower() not in _NEUTRAL_DETERMINERS:
        return None  # "the Porto lead is Beatriz"
    thing = words_in(groups.get("thing") or "") - STOP_WORDS
    return Fact(_POST.get(topic, topic), (words, frozenset(thing)), name)


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    assert isinstance(one.value, tuple)
    assert isinstance(other.value, tuple)
    (names_a, things_a), (names_b, things_b) = one.value, other.value
    if (
        names_a & names_b
        or differ_in_scope(comparison)
        or names_a & comparison.pair.names
        or names_b & comparison.pair.names
    ):
        return False
    if _numbers(comparison.a) and _numbers(comparison.b) and _numbers(comparison.a) != _numbers(comparison.b):
        return False  # "leads in week 14", "leads in week 15"
    things_a, things_b = things_a - comparison.pair.names, things_b - comparison.pair.names
    return bool(things_a & things_b) if things_a and things_b else True


def _numbers(clause: Clause) -> frozenset[str]:
    return frozenset(
        token.low for token in clause.content if token.quantity is not None and token.marker != "since"
    )


FAMILY = FactFamily("value", read, excludes)
