"""Two values of which each holds for something of its own, as the words around them show."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation

_TASTE_VERBS = frozenset("like love enjoy prefer hate dislike loathe".split())
_PRICE_NOUNS = re.compile(
    r"\b(?:rent|salary|wage|fee|deposit|tuition|insurance|subscription|ticket|budget|licen[cs]e)\b", re.I
)
# A subset: "twelve of the seats", "the other three".
_SUBSET = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|some|most|half) of "
    r"(?:the|them|those|these|his|her|our|its|my|their)\b|\bthe other \w+",
    re.I,
)


def concerns_subset(pair: ClausePair, conflict: TokenConflict) -> bool:
    """Whether two conflicting words are about two things, or one of them about some cases only."""
    if conflict.relation is WordRelation.OPPOSITE:
        return _limits_taste(pair, conflict)
    return conflict.kind == "number" and measure_different_things(pair, conflict.index_a, conflict.index_b)


def measure_different_things(pair: ClausePair, i: int, j: int) -> bool:
    """Whether the numbers at two indices count or measure different things."""
    return (
        _counts_subset(pair, i, j)
        or _concern_different_jobs(pair, i, j)
        or _concern_different_prices(pair)
        or _compare_target(pair)
        or _measured_on_different_dates(pair)
    )


def _limits_taste(pair: ClausePair, conflict: TokenConflict) -> bool:
    """ "Likes olives", "dislikes olives on pizza"; "likes short meetings", "hates long ones"."""
    alignment = pair.alignment
    if not {alignment.a.lemmas[conflict.index_a], alignment.b.lemmas[conflict.index_b]} & _TASTE_VERBS:
        return False
    rest = (
        _without(alignment.a, alignment.unmatched_a, conflict.index_a),
        _without(alignment.b, alignment.unmatched_b, conflict.index_b),
    )
    return bool(rest[0]) != bool(rest[1])


def _counts_subset(pair: ClausePair, i: int, j: int) -> bool:
    """ "Six assignments in total", "three assignments are in Go"; "two loaves", "one loaf goes to Rosa"."""
    a, b = pair.a, pair.b
    quantity = a.content[i].quantity
    if quantity is None or quantity.kind != "number":
        return False
    if bool(_SUBSET.search(a.text)) != bool(_SUBSET.search(b.text)):
        return True
    if any(map(_SUFFICIENT.search, (a.text, b.text))):
        return False  # "one approval is enough"
    in_subject = [i < a.subject_end, j < b.subject_end]
    return in_subject[0] != in_subject[1] and not (a.frame or b.frame)


_SUFFICIENT = re.compile(r"\b(?:enough|suffices?|needed|required|must|have to)\b", re.I)


def _concern_different_jobs(pair: ClausePair, i: int, j: int) -> bool:
    """ "Backups run nightly", "backups are verified weekly"."""
    alignment = pair.alignment
    rates = [c.content[k].quantity for c, k in ((alignment.a, i), (alignment.b, j))]
    if not all(rate is not None and rate.kind.endswith(" a year") for rate in rates):
        return False
    participles = [
        {c.lemmas[k] for k in indices if c.content[k].low.endswith("ed")}
        for c, indices in ((alignment.a, alignment.unmatched_a), (alignment.b, alignment.unmatched_b))
    ]
    return bool(participles[0] or participles[1])


def _concern_different_prices(pair: ClausePair) -> bool:
    """ "The rent is 1,200 euros", "the salary is 72,000 euros"."""
    prices = [{word.lower() for word in _PRICE_NOUNS.findall(c.text)} for c in (pair.a, pair.b)]
    return bool(prices[0] and prices[1]) and not prices[0] & prices[1]


def _compare_target(pair: ClausePair) -> bool:
    """ "Target: below 7.0", "7.4 in September"."""
    are_targets = [_TARGET.search(clause.text) is not None for clause in (pair.a, pair.b)]
    return are_targets[0] != are_targets[1]


_TARGET = re.compile(
    r"^\W*(?:the )?(?:target|goal|aim|forecast|estimate|quote)\b|\btarget (?:for|value|range)\b"
    r"|\b(?:estimated|quoted|planned|expected|at most|at least)\b",
    re.I,
)


def _measured_on_different_dates(pair: ClausePair) -> bool:
    """ "6.9 in March 2024", "7.4 in September 2023"."""
    dates = [
        {
            t.lemma
            for t in clause.content
            if t.marker in ("in", "on", "at") and t.quantity is not None and t.quantity.kind == "date"
        }
        for clause in (pair.a, pair.b)
    ]
    return bool(dates[0] and dates[1]) and not dates[0] & dates[1] and not (pair.a.frame or pair.b.frame)


def concern_different_matters(one: str, other: str) -> bool:
    """Whether one relation is about different matters: "maintained by Ana", "owned by the platform team";
    "the rent is 1,200", "the salary is 4,000"."""
    matters = [{word.lower() for word in _MATTERS.findall(text)} for text in (one, other)]
    return bool(matters[0] and matters[1]) and not matters[0] & matters[1]


_MATTERS = re.compile(
    r"\b(own|maintain|rent|salary|wage|fee|deposit|tuition|insurance|subscription|ticket|budget)", re.I
)


def _without(clause: Clause, indices: list[int], used: int) -> list[int]:
    return [k for k in indices if k != used]
