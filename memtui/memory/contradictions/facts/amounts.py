"""Headcounts, prices per unit, fees and payment terms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.units import NUMBER_WORDS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts
from memtui.memory.contradictions.states.numbers import is_price_of_other_thing
from memtui.memory.contradictions.states.scopes import differ_in_scope

_NUMBER = rf"(\d[\d,]*(?:\.\d+)?|(?:{'|'.join(NUMBER_WORDS)})(?:[- ](?:{'|'.join(NUMBER_WORDS)}))?)"
_NO_INCREASE = (
    r"(?! (?:more|other|another|new|extra|additional|of|hours|days|weeks|months|years|shifts|percent|per|%))"
)
_PEOPLE = r"(?:people|employees|staff|engineers|developers|workers|colleagues|persons|heads|full-timers)"
_HEADCOUNT = re.compile(
    r"\b(?:(?:team|staff|crew|group) (?:has |is )?(?:grown|shrunk|risen|fallen|gone|cut|up"
    r"|down) (?:up |down )?to"
    rf"|employs|employing|(?:has )?(?:a )?staff of|team of|crew of|workforce of|we are|now|there are"
    rf"|we're) (?:about |around |now |some |just |only |roughly )?{_NUMBER}{_NO_INCREASE}\b"
    r"(?: \w+)?(?:$|[.,;]| )"
)
_PEOPLE_COUNT = re.compile(
    rf"\b{_NUMBER} (?:(?!more|other|new|extra|additional)\w+ )?{_PEOPLE}\b(?! (?:joined|left|hired|were"
    rf"|resigned))"
)
_HEADCOUNT_WORD = re.compile(
    rf"\b(?:headcount|head count|team size|workforce|staff)\b[^.;\d]{{0,40}}?\b{_NUMBER}\b"
)
_STAFF = re.compile(rf"\bemploy|headcount|head count|\bstaff\b|workforce|team size|\b{_PEOPLE}\b")
_MEMBERS = re.compile(
    rf"\b(?:has|have|counts|counting|with) (?:about |around |now )?{_NUMBER} (?:\w+ )?members\b"
    rf"|\bmembership\b[^.;\d]{{0,40}}?\b(?:at|is|to|of) {_NUMBER}\b|\bmembers: {_NUMBER}\b"
)
_MONEY = re.compile(
    r"(?:(?P<sign>[$€£]|\b(?:eur|usd|gbp|chf)) ?(?P<before>\d[\d,]*(?:\.\d+)?k?)"
    r"|\b(?P<figure>\d[\d,]*(?:\.\d+)?k?) ?(?P<unit>€|£|\$|eur|euros?|usd|dollars?|pounds?|gbp|francs?|chf"
    r"|crowns?))"
)
_PER_UNIT = re.compile(
    r"(?:per|an?|each|every|/) ?(seat|user|hour|month|head|person|unit|night|day|kilo|kg|litre|liter|member"
    r"|year|week|lesson|session|ticket|page|word|square metre|pallet|trip|class)\b"
)
_UNITS = {
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
_FEE_NOUN = re.compile(
    r"\b(rent|salary|wage|membership fee|entry fee|ticket price|hourly rate|day rate|deposit)\b"
)
_PLAIN_NUMBER = re.compile(
    r"(?<![\d.:/-])\b(\d{1,3}(?:,\d{3})+|\d{2,6})(?:\.\d+)?\b(?![-:/%\d]|st|nd|rd|th|\.\d"
    r"| (?:days|months|years))"
)
_TERMS = re.compile(
    rf"\bnet[ -]?(\d+)\b|\b(?:within|in|after) {_NUMBER} days\b|\b{_NUMBER} days\b|\b{_NUMBER}-day\b"
)
_PAYMENT = re.compile(r"\b(?:pay(?:s|ment|ments|able)?|paid|net[ -]?\d+|invoices?|terms)\b")


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    if _STAFF.search(text):
        for pattern in (_HEADCOUNT, _HEADCOUNT_WORD, _PEOPLE_COUNT):
            if match := pattern.search(text):
                yield Fact("headcount", _value(match), match[0])
                break
    if match := _MEMBERS.search(text):
        yield Fact("members", _value(match), match[0])
    amounts = list(_MONEY.finditer(text))
    if len(amounts) == 1:
        figure = _figure(amounts[0]["before"] or amounts[0]["figure"])
        following = text[amounts[0].end() : amounts[0].end() + 24]
        unit = _PER_UNIT.search(following) or _RATE_WORD.search(text)
        if unit:
            yield Fact(f"price per {_UNITS.get(unit[1], unit[1])}", figure, amounts[0][0])
    if fee := _FEE_NOUN.search(text):
        numbers = list(_PLAIN_NUMBER.finditer(text))
        if len(numbers) == 1:
            yield Fact(f"the {fee[1]}", _figure(numbers[0][0]), numbers[0][0])
    if _PAYMENT.search(text) and (match := _TERMS.search(text)):
        yield Fact("payment terms", _value(match), match[0])


def _value(match: re.Match[str]) -> float:
    return _figure(next(group for group in match.groups() if group))


def _figure(text: str) -> float:
    text = text.replace(",", "")
    in_thousands = text.endswith("k")
    text = text.removesuffix("k")
    try:
        return float(text) * (1_000 if in_thousands else 1)
    except ValueError:
        parts = text.replace("-", " ").split()
        return float(sum(NUMBER_WORDS.get(part, 0) for part in parts))


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    assert isinstance(one.value, float)
    assert isinstance(other.value, float)
    low, high = sorted((one.value, other.value))
    if high <= low * 1.03 or differ_in_scope(comparison) or comparison.a.negated or comparison.b.negated:
        return False
    if name_different_parts(comparison, require_both=True):
        return False
    if one.topic in ("headcount", "members") and (
        any(map(_is_about_part, (comparison.a, comparison.b), (comparison, comparison)))
        or _count_different_groups(comparison)
    ):
        return False
    if one.topic.startswith("price per"):
        return not (_name_different_beings(comparison) or is_price_of_other_thing(comparison))
    return True


def _is_about_part(clause: Clause, comparison: Comparison) -> bool:
    """Whether a clause is about some of the people only: "the design team is 7 people"."""
    subject = {word for word in clause.lemmas[: clause.subject_end] if word not in comparison.pair.names}
    matched = {
        c.lemmas[k]
        for pair in comparison.alignment.matches
        for c, k in zip((comparison.a, comparison.b), pair, strict=True)
    }
    return bool(subject & _GROUPS - matched)


def _count_different_groups(comparison: Comparison) -> bool:
    """Whether the clauses count different groups: "a team of 7", "the company has 240 employees"."""
    groups = [c.bag & (_GROUPS | _WHOLE_GROUPS) for c in (comparison.a, comparison.b)]
    leading = [any(_LEADING.search(c.text) for c in (each,)) for each in (comparison.a, comparison.b)]
    return leading[0] != leading[1] or (bool(groups[0] and groups[1]) and not groups[0] & groups[1])


_LEADING = re.compile(r"\b(?:manages?|leads?|mentors?|supervises?|hired)\b", re.I)
_WHOLE_GROUPS = frozenset("company business firm studio agency workforce".split())
_GROUPS = frozenset("team department group office shift crew squad branch site unit board".split())


def _name_different_beings(comparison: Comparison) -> bool:
    """Whether each gives the price for people of its own: "adults pay 9", "children pay 5"."""
    beings = [
        {
            c.lemmas[k]
            for k in unmatched
            if c.content[k].quantity is None and lexicon().is_animate(c.lemmas[k])
        }
        for c, unmatched in ((comparison.a, comparison.unmatched_a), (comparison.b, comparison.unmatched_b))
    ]
    return bool(beings[0] and beings[1])


FAMILY = FactFamily("number", read, excludes)
