"""How often something happens: daily, every other week, once a quarter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.quantities import WORDS
from memtui.memory.contradictions.states.apart import elsewhere
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.states.two import Comparison, other_heads, sides
from memtui.memory.contradictions.subjects import words_in

_YEAR = {
    "hour": 8_760.0,
    "day": 365.0,
    "night": 365.0,
    "evening": 365.0,
    "morning": 365.0,
    "week": 52.0,
    "fortnight": 26.0,
    "month": 12.0,
    "quarter": 4.0,
    "season": 4.0,
    "year": 1.0,
    "weekday": 260.0,
}
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend"
_LY = {
    "hourly": 8_760.0,
    "daily": 365.0,
    "nightly": 365.0,
    "weekly": 52.0,
    "fortnightly": 26.0,
    "biweekly": 26.0,
    "monthly": 12.0,
    "quarterly": 4.0,
    "yearly": 1.0,
    "annually": 1.0,
}
_UNIT = "|".join(_YEAR)
_COUNT = "|".join(WORDS)
_EVERY = re.compile(
    rf"\b(?:every|each)\s+(?:(other|second|third|{_COUNT}|\d+)\s+)?(?:single\s+)?({_UNIT}|{_DAYS})s?\b(?!-)"
)
_TIMES_A = re.compile(rf"\b(once|twice|(?:{_COUNT}|\d+) times)\s+(?:an?|per|each|every)\s+({_UNIT})\b")
_ONE_A = re.compile(rf"\b(?:one|an?) (?:[a-z]+ ){{0,3}}?(?:per|an?|each|every) ({_UNIT})\b")
_ADVERB = re.compile(
    rf"\b({'|'.join(_LY)})\b(?!\s+(?:rent|fee|budget|price|rate|cost|plan|wage|salary|retainer|limit))"
)
_NO_RATE = re.compile(r"[$€£]|\b(?:eur|euros?|usd|dollars?|pounds?|hours?|days|seats?|degrees|requests?)\b")


def read(text: str) -> Iterator[Fact]:
    text = text.lower()
    said: list[tuple[float, str]] = []
    for match in _EVERY.finditer(text):
        each = {"other": 2.0, "second": 2.0, "third": 3.0}.get(match[1] or "") or _number(match[1])
        said.append((_YEAR.get(match[2], 52.0) / each, match[0]))
    for match in _TIMES_A.finditer(text):
        count = {"once": 1.0, "twice": 2.0}.get(match[1]) or _number(match[1].split()[0])
        said.append((_YEAR[match[2]] * count, match[0]))
    for match in _ADVERB.finditer(text):
        said.append((_LY[match[1]], match[0]))
    if not said and not _NO_RATE.search(text):
        said += [(_YEAR[match[1]], match[0]) for match in _ONE_A.finditer(text)]
    if len({rate for rate, _ in said}) == 1:
        yield Fact("how often", said[0][0], said[0][1])


_OF_WHAT = re.compile(rf"\b(?:{'|'.join(_LY)}) (?!(?:at|on|in|by|for|and|or|with|to|from)\b)([a-z]{{3,}})")


def _number(word: str | None) -> float:
    if not word:
        return 1.0
    return float(word) if word.isdigit() else float(WORDS.get(word, 1))


def exclude(one: Fact, other: Fact, two: Comparison) -> bool:
    assert isinstance(one.value, float)
    assert isinstance(other.value, float)
    if all(
        any(t.quantity is not None and t.quantity.kind.endswith(" a year") for t in c.content[: c.subject])
        for c in (two.a, two.b)
    ):
        return False  # "hourly snapshots", "daily snapshots"
    if all(any(clause.content[k].is_name for k in left) for clause, left in sides(two)):
        return False  # "with Kenji every other week", "with Amina weekly"
    if any(c.content[k].low.endswith("ed") for c, left in sides(two) for k in left):
        return False  # "backups run nightly", "backups are verified weekly"
    named = _OF_WHAT.search(two.a.text.lower()), _OF_WHAT.search(two.b.text.lower())
    if all(named) and len({match[1] for match in named if match}) > 1:
        return False  # "the weekly summary", "the quarterly metrics"
    low, high = sorted((one.value, other.value))
    if high < low * 1.3 or elsewhere(two) or two.a.negated or two.b.negated:
        return False
    if other_heads(two, loosely=True) or (not two.shared and any(_of_its_own(c, two) for c in (two.a, two.b))):
        return False
    # Of two habits that share no word, each has its own pace: "reads a novel every week", "swims daily".
    bare = any(len(clause.content) <= 1 for clause in (two.a, two.b))
    told = bool(two.shared) or two.pair.shared_attribute or bare
    told = told or all(two.pair.names & words_in(clause.text) for clause in (two.a, two.b))
    return told and all(is_state(c) for c in (two.a, two.b))


def _of_its_own(clause: Clause, two: Comparison) -> bool:
    """Whether a clause begins with something that it alone names: "the board meets"."""
    begun = _BEGUN.match(clause.text.lower())
    return begun is not None and lexicon().lemma_of(begun[1]) not in two.pair.names


_BEGUN = re.compile(r"(?:the|our|its|his|her|their) (\w+) ")
FAMILY = FactFamily("number", read, exclude)
