"""What a test of the detectors is: a text, and where its secret stands, if it has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from memtui.memory.secrets import find

OPEN, CLOSE = "⟦", "⟧"  # around the secret part of a text that is being made
Maker: TypeAlias = Callable[[Random], str]


@dataclass(frozen=True, slots=True)
class Case:
    """A text of a kind; `secret` is where its secret starts and ends, None in a look-alike."""

    kind: str
    text: str
    secret: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Score:
    """How many secrets of a kind are found, and how many places that are none."""

    cases: Counter[str]
    missed: dict[str, list[str]]
    false: dict[str, list[str]]

    @property
    def recall(self) -> float:
        """Share of the secrets that are found, to the character."""
        wanted = sum(self.cases.values())
        return (wanted - sum(map(len, self.missed.values()))) / wanted

    @property
    def precision(self) -> float:
        """Share of what is found that is a secret."""
        right = sum(self.cases.values()) - sum(map(len, self.missed.values()))
        return right / (right + sum(map(len, self.false.values())))


def marked(kind: str, text: str) -> Case:
    """Return the case of a text whose secret stands in brackets."""
    start, end = text.find(OPEN), text.find(CLOSE) - 1
    plain = text.replace(OPEN, "").replace(CLOSE, "")
    return Case(kind, plain, (start, end) if start >= 0 else None)


def score(cases: Iterable[Case]) -> Score:
    """Search all cases."""
    counted: Counter[str] = Counter()
    missed: dict[str, list[str]] = {}
    false: dict[str, list[str]] = {}
    for case in cases:
        found = [(each.start, each.end) for each in find(case.text)]
        if case.secret is not None:
            counted[case.kind] += 1
            if case.secret not in found:
                missed.setdefault(case.kind, []).append(case.text)
        others = [span for span in found if span != case.secret]
        if others:
            false.setdefault(case.kind, []).append(case.text)
    return Score(counted, missed, false)
