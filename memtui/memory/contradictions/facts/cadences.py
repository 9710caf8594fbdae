"""How often something happens: daily, every other week, once a quarter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.units import NUMBER_WORDS
from memtui.memory.contradictions.states.comparison import Comparison, name_different_parts, sides
from memtui.memory.contradictions.states.scopes import differ_in_scope
from memtui.memory.contradictions.states.tenses import is_state
from memtui.memory.contradictions.subjects import words_in

_TIMES_A_YEAR = {
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
_ADVERBS = {
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
_UNIT = "|".join(_TIMES_A_YEAR)
_COUNT = "|".join(NUMBER_WORDS)
_EVERY = re.compile(
    rf"\b(?:every|each)\s+(?:(other|second|third|{_COUNT}|\d+)\s+)?(?:single\s+)?({_UNIT}|{_DAYS})s?\b(?!-)"
)
_TIMES_A = re.compile(rf"\b(once|twice|(?:{_COUNT}|\d+) times)\s+(?:an?|per|each|every)\s+({_UNIT})\b")
_ONE_A = re.compile(rf"\b(?:one|an?) (?:[a-z]+ ){{0,3}}?(?:per|an?|each|every) ({_UNIT})\b")
_ADVERB = re.compile(
    rf"\b({'|'.join(_ADVERBS)})\b(?!\s+(?:rent|fee|budget|price|rate|cost|plan|wage|salary|retainer|limit))"
)
_NOT_A_FREQUENCY = re.compile(
    r"[$€£]|\b(?:eur|euros?|usd|dollars?|pounds?|hours?|days|seats?|degrees|requests?)\b"
)


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    rates: list[tuple[float, str]] = []
    for match in _EVERY.finditer(text):
        interval = {"other": 2.0, "second": 2.0, "third": 3.0}.get(match[1] or "") or _number(match[1])
        rates.append((_TIMES_A_YEAR.get(match[2], 52.0) / interval, match[0]))
    for match in _TIMES_A.finditer(text):
        count = {"once": 1.0, "twice": 2.0}.get(match[1]) or _number(match[1].split()[0])
        rates.append((_TIMES_A_YEAR[match[2]] * count, match[0]))
    for match in _ADVERB.finditer(text):
        rates.append((_ADVERBS[match[1]], match[0]))
    if not rates and not _NOT_A_FREQUENCY.search(text):
        rates += [(_TIMES_A_YEAR[match[1]], match[0]) for match in _ONE_A.finditer(text)]
    if len({rate for rate, _ in rates}) == 1:
        yield Fact("how often", rates[0][0], rates[0][1])


_ADJECTIVE_USE = re.compile(
    rf"\b(?:{'|'.join(_ADVERBS)}) (?!(?:at|on|in|by|for|and|or|with|to|from)\b)([a-z]{{3,}})"
)


def _number(word: str | None) -> float:
    if not word:
        return 1.0
    return float(word) if word.isdigit() else float(NUMBER_WORDS.get(word, 1))


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    assert isinstance(one.value, float)
    assert isinstance(other.value, float)
    if all(
        any(
            t.quantity is not None and t.quantity.kind.endswith(" a year") for t in c.content[: c.subject_end]
        )
        for c in (comparison.a, comparison.b)
    ):
        return False  # "hourly snapshots", "daily snapshots"
    if all(any(clause.content[k].is_name for k in unmatched) for clause, unmatched in sides(comparison)):
        return False  # "with Kenji every other week", "with Amina weekly"
    if any(c.content[k].low.endswith("ed") for c, unmatched in sides(comparison) for k in unmatched):
        return False  # "backups run nightly", "backups are verified weekly"
    nouns = _ADJECTIVE_USE.search(comparison.a.text.lower()), _ADJECTIVE_USE.search(comparison.b.text.lower())
    if all(nouns) and len({match[1] for match in nouns if match}) > 1:
        return False  # "the weekly summary", "the quarterly metrics"
    low, high = sorted((one.value, other.value))
    if high < low * 1.3 or differ_in_scope(comparison) or comparison.a.negated or comparison.b.negated:
        return False
    if name_different_parts(comparison, require_both=True) or (
        not comparison.shared
        and any(_starts_with_own_subject(c, comparison) for c in (comparison.a, comparison.b))
    ):
        return False
    # Habits without a common word are independent: "reads a novel every week", "swims daily".
    bare = any(len(clause.content) <= 1 for clause in (comparison.a, comparison.b))
    same_activity = bool(comparison.shared) or comparison.pair.shared_attribute or bare
    same_activity = same_activity or all(
        comparison.pair.names & words_in(clause.text) for clause in (comparison.a, comparison.b)
    )
    return same_activity and all(is_state(c) for c in (comparison.a, comparison.b))


def _starts_with_own_subject(clause: Clause, comparison: Comparison) -> bool:
    """Whether a clause starts with a subject that is not the common one: "the board meets"."""
    start = _SUBJECT.match(clause.text.lower())
    return start is not None and lexicon().lemma_of(start[1]) not in comparison.pair.names


_SUBJECT = re.compile(r"(?:the|our|its|his|her|their) (\w+) ")
FAMILY = FactFamily("number", read, excludes)
