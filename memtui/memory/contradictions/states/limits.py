"""Two values of which each holds for something of its own, by what is said beside them."""

from __future__ import annotations

import re

from memtui.memory.contradictions.comparison.alignment import TokenConflict
from memtui.memory.contradictions.comparison.clause_pair import ClausePair
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import WordRelation

_TASTES = frozenset("like love enjoy prefer hate dislike loathe".split())
_PRICES = re.compile(
    r"\b(?:rent|salary|wage|fee|deposit|tuition|insurance|subscription|ticket|budget|licen[cs]e)\b", re.I
)
# Some of a number: "twelve of the seats", "the other three".
_OF_THEM = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|some|most|half) of "
    r"(?:the|them|those|these|his|her|our|its|my|their)\b|\bthe other \w+",
    re.I,
)


def of_some(meeting: ClausePair, each: TokenConflict) -> bool:
    """Whether two words that exclude each other are told of two things, or the one of some cases only."""
    if each.relation is WordRelation.OPPOSITE:
        return _of_some_taste(meeting, each)
    return each.kind == "number" and of_other_amounts(meeting, each.index_a, each.index_b)


def of_other_amounts(meeting: ClausePair, i: int, j: int) -> bool:
    """Whether the numbers at two places count or measure two things."""
    return (
        _of_some_of_them(meeting, i, j)
        or _of_two_jobs(meeting, i, j)
        or _of_two_prices(meeting)
        or _wanted_and_so(meeting)
        or _on_two_dates(meeting)
    )


def _of_some_taste(meeting: ClausePair, each: TokenConflict) -> bool:
    """ "Likes olives", "dislikes olives on pizza"; "likes short meetings", "hates long ones"."""
    alignment = meeting.alignment
    if not {alignment.a.lemmas[each.index_a], alignment.b.lemmas[each.index_b]} & _TASTES:
        return False
    left = _left(alignment.a, alignment.unmatched_a, each.index_a), _left(alignment.b, alignment.unmatched_b, each.index_b)
    return bool(left[0]) != bool(left[1])


def _of_some_of_them(meeting: ClausePair, i: int, j: int) -> bool:
    """ "Six assignments in total", "three assignments are in Go"; "two loaves", "one loaf goes to Rosa"."""
    a, b = meeting.a, meeting.b
    one = a.content[i].quantity
    if one is None or one.kind != "number":
        return False
    if bool(_OF_THEM.search(a.text)) != bool(_OF_THEM.search(b.text)):
        return True
    if any(map(_ENOUGH.search, (a.text, b.text))):
        return False  # "one approval is enough"
    first = [i < a.subject, j < b.subject]
    return first[0] != first[1] and not (a.frame or b.frame)


_ENOUGH = re.compile(r"\b(?:enough|suffices?|needed|required|must|have to)\b", re.I)


def _of_two_jobs(meeting: ClausePair, i: int, j: int) -> bool:
    """ "Backups run nightly", "backups are verified weekly"."""
    alignment = meeting.alignment
    rates = [c.content[k].quantity for c, k in ((alignment.a, i), (alignment.b, j))]
    if not all(rate is not None and rate.kind.endswith(" a year") for rate in rates):
        return False
    left = [
        {c.lemmas[k] for k in places if c.content[k].low.endswith("ed")}
        for c, places in ((alignment.a, alignment.unmatched_a), (alignment.b, alignment.unmatched_b))
    ]
    return bool(left[0] or left[1])


def _of_two_prices(meeting: ClausePair) -> bool:
    """ "The rent is 1,200 euros", "the salary is 72,000 euros"."""
    said = [{word.lower() for word in _PRICES.findall(c.text)} for c in (meeting.a, meeting.b)]
    return bool(said[0] and said[1]) and not said[0] & said[1]


def _wanted_and_so(meeting: ClausePair) -> bool:
    """ "Target: below 7.0", "7.4 in September"."""
    said = [_TARGET.search(clause.text) is not None for clause in (meeting.a, meeting.b)]
    return said[0] != said[1]


_TARGET = re.compile(
    r"^\W*(?:the )?(?:target|goal|aim|forecast|estimate|quote)\b|\btarget (?:for|value|range)\b"
    r"|\b(?:estimated|quoted|planned|expected|at most|at least)\b",
    re.I,
)


def _on_two_dates(meeting: ClausePair) -> bool:
    """ "6.9 in March 2024", "7.4 in September 2023": each as it was measured."""
    dates = [
        {
            t.lemma
            for t in clause.content
            if t.marker in ("in", "on", "at") and t.quantity is not None and t.quantity.kind == "date"
        }
        for clause in (meeting.a, meeting.b)
    ]
    return (
        bool(dates[0] and dates[1]) and not dates[0] & dates[1] and not (meeting.a.frame or meeting.b.frame)
    )


def of_other_deeds(one: str, other: str) -> bool:
    """Whether one relation is told of two deeds or two sums: "maintained by Ana", "owned by the platform
    team"; "the rent is 1,200", "the salary is 4,000"."""
    said = [{word.lower() for word in _DEEDS.findall(text)} for text in (one, other)]
    return bool(said[0] and said[1]) and not said[0] & said[1]


_DEEDS = re.compile(
    r"\b(own|maintain|rent|salary|wage|fee|deposit|tuition|insurance|subscription|ticket|budget)", re.I
)


def _left(clause: Clause, places: list[int], spent: int) -> list[int]:
    return [k for k in places if k != spent]
