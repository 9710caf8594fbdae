"""Facts in a normal form, and families of facts that can exclude each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from memtui.memory.contradictions.states.comparison import Comparison

_MAX_START = 8  # characters into a clause up to which a phrase counts as its start
_NEGATION = re.compile(r"(?:\b(?:not|never|nor|no longer)|n't)(?: \w+)? $")
_BREAK = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact in a clause: `topic` is the question ("smoking", "headcount"), `value` the answer, `phrase` the
    words that state it."""

    topic: str
    value: Hashable
    phrase: str


@dataclass(frozen=True, slots=True)
class FactFamily:
    """The contract of a family of facts; both functions are pure.

    `read` finds its facts in the text of a clause; `excludes` decides for two facts of one topic with
    different values whether only one can be true. `kind` is that of the finding.
    """

    kind: str
    read: Callable[[str], Iterable[Fact]]
    excludes: Callable[[Fact, Fact, Comparison], bool]


def first_match(pattern: re.Pattern[str], text: str) -> str:
    """Return the first match that is not negated, or ""."""
    for match in pattern.finditer(text):
        if not is_negated(text, match.start()):
            return match[0].strip(" ,.;:")
    return ""


def is_negated(text: str, position: int) -> bool:
    """Whether the words before a position negate what follows."""
    return _NEGATION.search(text[:position]) is not None


def both_start_with(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether both clauses start with the phrase of their fact, which is then about the thing itself, not a
    part of it."""
    starts = [
        clause.text.lower().find(fact.phrase.lower())
        for fact, clause in ((one, comparison.a), (other, comparison.b))
    ]
    return max(starts) < _MAX_START


def phrase_pattern(lines: str) -> re.Pattern[str]:
    """Compile a pattern from phrases separated by "|", over several lines, at word boundaries."""
    joined = _BREAK.sub("", lines)
    return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])")
