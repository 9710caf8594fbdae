"""The channel on which somebody is best reached: telephone, e-mail, a messenger."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.states.comparison import Comparison
from memtui.memory.contradictions.states.scopes import differ_in_scope

_CHANNELS = {
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
_CHANNEL = re.compile(
    "|".join(rf"(?P<w{n}>\b(?:{patterns})\b)" for n, patterns in enumerate(_CHANNELS.values()))
)
_NAMES = tuple(_CHANNELS)
_REACHED = re.compile(
    r"\b(?:reach(?:ed|able)?|contact(?:ed)?|write to|prefers?|wants|communicates?|answers?|replies"
    r"|respond(?:s)?|book(?:ed|ings?)?|orders? (?:are )?(?:taken|come|placed)|takes? (?:bookings|orders)|send"
    r"|sent|notif\w+|announce\w*|message|only|best)\b"
)
_NEGATION = re.compile(
    r"(?:\b(?:not|never|no|hardly|rarely|stopped|instead of|rather than|deleted|dropped|gave up|ignores)\b"
    r"|n't)[^,;]{0,30}$"
)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    if not _REACHED.search(text):
        return
    channels = {
        _NAMES[int(str(match.lastgroup)[1:])]: match[0]
        for match in _CHANNEL.finditer(text)
        if not _NEGATION.search(text[: match.start()])
    }
    if len(channels) == 1:
        yield Fact("channel", *next(iter(channels.items())))


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    if not comparison.pair.shared_subject or differ_in_scope(comparison):
        return False
    if any(_LIMITED.search(clause.text) for clause in (comparison.a, comparison.b)):
        return False
    best = [_BEST.search(clause.text) is not None for clause in (comparison.a, comparison.b)]
    return all(best) or (any(best) and bool(comparison.shared))


# A channel for some people, matters or hours only.
_LIMITED = re.compile(
    r"\b(?:for|with) (?!him|her|them|it|everything|all|any)\w+|\b(?:before|after) (?:\d|noon|work|lunch)"
    r"|\bin an? emergency\b",
    re.I,
)
_BEST = re.compile(
    r"\b(?:best|prefers?|only|wants|always|reach(?:ed)?|write to|contact|now|instead"
    r"|takes? (?:bookings|orders))\b",
    re.I,
)
FAMILY = FactFamily("value", read, excludes)
