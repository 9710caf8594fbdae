"""Phrases that many memories about different things share, as notes made from one template do: they say
nothing of what two of them have in common (S-40)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from memtui.memory.contradictions.comparison.alignment import Alignment
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.subjects import normalize_name

MANY = 4  # things of which the same phrase is told, beyond which it is a template's
Phrases = frozenset[tuple[str, str]]


def shared(side: ParsedMemory, others: Iterable[ParsedMemory]) -> Phrases:
    """The phrases, two words each, that this memory shares with memories about many other things."""
    about: dict[tuple[str, str], set[str]] = {}
    mine, thing = phrases(side), _thing(side)
    for other in others:
        its = _thing(other)
        if its != thing:
            for phrase in mine & phrases(other):
                told.setdefault(phrase, set()).add(its)
    return frozenset(phrase for phrase, things in told.items() if len(things) >= MANY)


def phrases(side: ParsedMemory) -> Phrases:
    """Every two words that follow one another, the ends of a clause included."""
    found: set[tuple[str, str]] = set()
    for clause in side.clauses:
        words = ["", *clause.lemmas, ""]
        found.update(pairwise(words))
    return frozenset(found)


def empty(clause: Clause, common: Phrases) -> set[int]:
    """The places of the words that stand in such a phrase."""
    words = ["", *clause.lemmas, ""]
    found: set[int] = set()
    for at, phrase in enumerate(pairwise(words)):
        if phrase in common:
            found |= {at - 1, at}
    return found


def says_nothing(alignment: Alignment, common: Phrases) -> bool:
    """Whether two clauses have nothing but the template in common."""
    if not common:
        return False
    in_a, in_b = empty(alignment.a, common), empty(alignment.b, common)
    # Words that only mean about the same tell of no common thing: billing, taxes.
    return all((i in in_a and j in in_b) or (i, j) in alignment.relations for i, j in alignment.matches)


def _thing(side: ParsedMemory) -> str:
    return side.subject or side.about or normalize_name(side.title)
