"""By what somebody is best reached: the telephone, e-mail, a messenger."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.states.apart import elsewhere
from memtui.memory.contradictions.states.two import Comparison

_WAYS = {
    "phone": r"(?:tele)?phone|ph?one calls?|calls?(?! for)|ring(?:s|ing)?|mobile|landline",
    "e-mail": r"e-?mails?|mails?(?!ing)|inbox",
    "letter": r"letters?|post|paper|fax",
    "in person": r"in person|face to face",
    **{
        name: name
        for name in (
            "whatsapp",
            "signal",
            "telegram",
            "slack",
            "teams",
            "sms",
            "discord",
            "matrix",
            "threema",
        )
    },
    "text": r"text messages?|texts?|texting",
    "online": r"online(?: form)?|web form|portal|the app",
}
_WAY = re.compile("|".join(rf"(?P<w{n}>\b(?:{ways})\b)" for n, ways in enumerate(_WAYS.values())))
_NAMES = tuple(_WAYS)
_REACHED = re.compile(
    r"\b(?:reach(?:ed|able)?|contact(?:ed)?|write to|prefers?|wants|communicates?|answers?|replies"
    r"|respond(?:s)?|book(?:ed|ings?)?|orders? (?:are )?(?:taken|come|placed)|takes? (?:bookings|orders)|send"
    r"|sent|notif\w+|announce\w*|message|only|best)\b"
)
_NOT = re.compile(
    r"(?:\b(?:not|never|no|hardly|rarely|stopped|instead of|rather than|deleted|dropped|gave up|ignores)\b"
    r"|n't)[^,;]{0,30}$"
)


def read(text: str) -> Iterator[Fact]:
    text = text.lower()
    if not _REACHED.search(text):
        return
    said = {
        _NAMES[int(str(match.lastgroup)[1:])]: match[0]
        for match in _WAY.finditer(text)
        if not _NOT.search(text[: match.start()])
    }
    if len(said) == 1:
        yield Fact("channel", *next(iter(said.items())))


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    if not two.pair.shared_subject or elsewhere(two):
        return False
    if any(_OF_SOME.search(clause.text) for clause in (two.a, two.b)):
        return False
    best = [_BEST.search(clause.text) is not None for clause in (two.a, two.b)]
    return all(best) or (any(best) and bool(two.shared))


# A way for some people, matters or hours only.
_OF_SOME = re.compile(
    r"\b(?:for|with) (?!him|her|them|it|everything|all|any)\w+|\b(?:before|after) (?:\d|noon|work|lunch)"
    r"|\bin an? emergency\b",
    re.I,
)
_BEST = re.compile(
    r"\b(?:best|prefers?|only|wants|always|reach(?:ed)?|write to|contact|now|instead"
    r"|takes? (?:bookings|orders))\b",
    re.I,
)
FAMILY = FactFamily("value", read, exclude)
