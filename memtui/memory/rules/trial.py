"""What a rule would do: every memory that it would touch, what nearly matches, and other rules (S-60)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.values import FieldValue


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """How many memories a rule holds now, how many it changed today, and how many writes of agents it refused
    today."""

    held: int = 0
    today: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class SettledPair:
    """A contradiction that a rule would settle, as one of its memories sees it: the other one, its label raw
    text, and whether the first one stays."""

    uid: str
    label: str
    stays: bool


@dataclass(frozen=True, slots=True)
class Touched:
    """A memory that a rule would touch: its row and label (raw text), and by field what it is and would be;
    for redact, how many secrets it has. `other` is the rule before that does the same kind of thing there
    already; `pairs` are the contradictions that would be settled, and `cannot` the kinds of actions that can
    do nothing there."""

    id: int
    uid: str
    store: str
    label: str
    changes: Sequence[tuple[str, FieldValue, FieldValue]]
    other: str = ""
    pairs: Sequence[SettledPair] = ()
    cannot: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A memory that all but one part of the query match; `part` is that part as it is typed."""

    id: int
    uid: str
    store: str
    label: str
    part: str


@dataclass(frozen=True, slots=True)
class Overlap:
    """Another rule that matches some of the same memories and does the same kind of thing: `differs` if it
    sets another value, `first` if it comes before and wins."""

    rule: str
    action: str
    count: int
    differs: bool
    first: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of trying a rule; `total` memories match, of which `touched` has the first ones. `secret` of
    them have a secret that it would redact, and `settles` contradictions would be settled: those memories
    alone count for a rule that does nothing else. One that `only_refuses` changes none of them."""

    total: int
    by_store: Sequence[tuple[str, int]]
    touched: Sequence[Touched]
    near: Sequence[NearMiss]
    overlaps: Sequence[Overlap]
    secret: int = 0
    only_refuses: bool = False
    settles: int = 0
