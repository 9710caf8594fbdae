"""How many people there are, what it costs a piece, in how many days it is paid: told in many words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.quantities import WORDS
from memtui.memory.contradictions.states.apart import elsewhere
from memtui.memory.contradictions.states.numbers import of_the_price_of_a_thing
from memtui.memory.contradictions.states.two import Comparison, other_heads

_NUMBER = rf"(\d[\d,]*(?:\.\d+)?|(?:{'|'.join(WORDS)})(?:[- ](?:{'|'.join(WORDS)}))?)"
_MORE = (
    r"(?! (?:more|other|another|new|extra|additional|of|hours|days|weeks|months|years|shifts|percent|per|%))"
)
_PEOPLE = r"(?:people|employees|staff|engineers|developers|workers|colleagues|persons|heads|full-timers)"
_HEADCOUNT = re.compile(
    r"\b(?:(?:team|staff|crew|group) (?:has |is )?(?:grown|shrunk|risen|fallen|gone|cut|up"
    r"|down) (?:up |down )?to"
    rf"|employs|employing|(?:has )?(?:a )?staff of|team of|crew of|workforce of|we are|now|there are"
    rf"|we're) (?:about |around |now |some |just |only |roughly )?{_NUMBER}{_MORE}\b(?: \w+)?(?:$|[.,;]| )"
)
_COUNTED = re.compile(
    rf"\b{_NUMBER} (?:(?!more|other|new|extra|additional)\w+ )?{_PEOPLE}\b(?! (?:joined|left|hired|were"
    rf"|resigned))"
)
_HEADS = re.compile(rf"\b(?:headcount|head count|team size|workforce|staff)\b[^.;\d]{{0,40}}?\b{_NUMBER}\b")
_OF_STAFF = re.compile(rf"\bemploy|headcount|head count|\bstaff\b|workforce|team size|\b{_PEOPLE}\b")
_MEMBERS = re.compile(
    rf"\b(?:has|have|counts|counting|with) (?:about |around |now )?{_NUMBER} (?:\w+ )?members\b"
    rf"|\bmembership\b[^.;\d]{{0,40}}?\b(?:at|is|to|of) {_NUMBER}\b|\bmembers: {_NUMBER}\b"
)
_MONEY = re.compile(
    r"(?:(?P<sign>[$€£]|\b(?:eur|usd|gbp|chf)) ?(?P<before>\d[\d,]*(?:\.\d+)?k?)"
    r"|\b(?P<figure>\d[\d,]*(?:\.\d+)?k?) ?(?P<unit>€|£|\$|eur|euros?|usd|dollars?|pounds?|gbp|francs?|chf"
    r"|crowns?))"
)
_EACH = re.compile(
    r"(?:per|an?|each|every|/) ?(seat|user|hour|month|head|person|unit|night|day|kilo|kg|litre|liter|member"
    r"|year|week|lesson|session|ticket|page|word|square metre|pallet|trip|class)\b"
)
_PER = {
    "hourly": "hour",
    "monthly": "month",
    "weekly": "week",
    "yearly": "year",
    "annual": "year",
    "daily": "day",
    "kilo": "kg",
    "liter": "litre",
    "head": "person",
}
_RATE_WORD = re.compile(r"\b(hourly|monthly|weekly|yearly|annual|daily)\b")
_FEE = re.compile(
    r"\b(rent|salary|wage|membership fee|entry fee|ticket price|hourly rate|day rate|deposit)\b"
)
_PLAIN = re.compile(
    r"(?<![\d.:/-])\b(\d{1,3}(?:,\d{3})+|\d{2,6})(?:\.\d+)?\b(?![-:/%\d]|st|nd|rd|th|\.\d"
    r"| (?:days|months|years))"
)
_TERMS = re.compile(
    rf"\bnet[ -]?(\d+)\b|\b(?:within|in|after) {_NUMBER} days\b|\b{_NUMBER} days\b|\b{_NUMBER}-day\b"
)
_PAYING = re.compile(r"\b(?:pay(?:s|ment|ments|able)?|paid|net[ -]?\d+|invoices?|terms)\b")


def read(text: str) -> Iterator[Fact]:
    text = text.lower()
    if _OF_STAFF.search(text):
        for pattern in (_HEADCOUNT, _HEADS, _COUNTED):
            if match := pattern.search(text):
                yield Fact("headcount", _value(match), match[0])
                break
    if match := _MEMBERS.search(text):
        yield Fact("members", _value(match), match[0])
    sums = list(_MONEY.finditer(text))
    if len(sums) == 1:
        figure = _figure(sums[0]["before"] or sums[0]["figure"])
        behind = text[sums[0].end() : sums[0].end() + 24]
        each = _EACH.search(behind) or _RATE_WORD.search(text)
        if each:
            yield Fact(f"price per {_PER.get(each[1], each[1])}", figure, sums[0][0])
    if fee := _FEE.search(text):
        plain = list(_PLAIN.finditer(text))
        if len(plain) == 1:
            yield Fact(f"the {fee[1]}", _figure(plain[0][0]), plain[0][0])
    if _PAYING.search(text) and (match := _TERMS.search(text)):
        yield Fact("payment terms", _value(match), match[0])


def _value(match: re.Match[str]) -> float:
    return _figure(next(group for group in match.groups() if group))


def _figure(said: str) -> float:
    said = said.replace(",", "")
    thousand = said.endswith("k")
    said = said.removesuffix("k")
    try:
        return float(said) * (1_000 if thousand else 1)
    except ValueError:
        parts = said.replace("-", " ").split()
        return float(sum(WORDS.get(part, 0) for part in parts))


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    assert isinstance(one.value, float)
    assert isinstance(other.value, float)
    low, high = sorted((one.value, other.value))
    if high <= low * 1.03 or elsewhere(two) or two.a.negated or two.b.negated:
        return False
    if other_heads(two, loosely=True):
        return False
    if one.topic in ("headcount", "members") and (
        any(map(_of_a_part, (two.a, two.b), (two, two))) or _of_two_groups(two)
    ):
        return False
    if one.topic.startswith("price per"):
        return not (_own_kinds(two) or of_the_price_of_a_thing(two))
    return True


def _of_a_part(clause: Clause, two: Comparison) -> bool:
    """Whether a clause tells of some of the people only: "the design team is 7 people"."""
    told = {word for word in clause.lemmas[: clause.subject] if word not in two.pair.names}
    met = {c.lemmas[k] for pair in two.pair.alignment.matches for c, k in zip((two.a, two.b), pair, strict=True)}
    return bool(told & _GROUPS - met)


def _of_two_groups(two: Comparison) -> bool:
    """Whether the people counted are of two groups: "a team of 7", "the company has 240 employees"."""
    groups = [c.bag & (_GROUPS | _WHOLE_GROUPS) for c in (two.a, two.b)]
    led = [any(_LED.search(c.text) for c in (each,)) for each in (two.a, two.b)]
    return led[0] != led[1] or (bool(groups[0] and groups[1]) and not groups[0] & groups[1])


_LED = re.compile(r"\b(?:manages?|leads?|mentors?|supervises?|hired)\b", re.I)
_WHOLE_GROUPS = frozenset("company business firm studio agency workforce".split())
_GROUPS = frozenset("team department group office shift crew squad branch site unit board".split())


def _own_kinds(two: Comparison) -> bool:
    """Whether each tells of a price of its own kind: "adults pay 9", "children pay 5"."""
    kinds = [
        {c.lemmas[k] for k in left if c.content[k].quantity is None and lexicon().is_animate(c.lemmas[k])}
        for c, left in ((two.a, two.unmatched_a), (two.b, two.unmatched_b))
    ]
    return bool(kinds[0] and kinds[1])


FAMILY = FactFamily("number", read, exclude)
