"""What a clause tells of a thing, brought to one form, and when two such facts exclude each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from memtui.memory.contradictions.states.two import Comparison

_FIRST = 8  # characters
_DENIED = re.compile(r"(?:\b(?:not|never|nor|no longer)|n't)(?: \w+)? $")
_BREAK = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Fact:
    """`topic`: what is told ("smoking", "headcount"); `value`: in which state; `phrase`: how it was said."""

    topic: str
    value: Hashable
    phrase: str


@dataclass(frozen=True, slots=True)
class FactFamily:
    """The contract: `read` finds the facts of one kind in the text of a clause; `exclude` tells
    of two facts with one topic and different values whether only one can be true. Both are pure; `kind` is
    that of the finding."""

    kind: str
    read: Callable[[str], Iterable[Fact]]
    exclude: Callable[[Fact, Fact, Comparison], bool]


def found(pattern: re.Pattern[str], text: str) -> str:
    """What a pattern matches and the words before it do not deny, "" where there is nothing."""
    for match in pattern.finditer(text):
        if not is_denied(text, match.start()):
            return match[0].strip(" ,.;:")
    return ""


def is_denied(text: str, place: int) -> bool:
    """Whether the words before a place deny what stands there."""
    return _DENIED.search(text[:place]) is not None


def begin(one: Fact, other: Fact, two: Comparison) -> bool:
    """Whether both clauses begin with what they tell, and so tell it of the thing itself, not of a part."""
    at = [clause.text.lower().find(fact.phrase.lower()) for fact, clause in ((one, two.a), (other, two.b))]
    return max(at) < _FIRST


def phrases(lines: str) -> re.Pattern[str]:
    """One pattern of phrases that stand apart by "|", over several lines, at the borders of words."""
    joined = _BREAK.sub("", lines)
    return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])")
