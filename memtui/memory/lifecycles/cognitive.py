"""Cognitive Memory's score: what a memory is worth as time goes by (S-24)."""

from __future__ import annotations

from math import exp, log2

RATE = 0.03  # a day; half of it is left after about 23 days
UNUSED = 0.5  # the usage factor of a memory that was never accessed
PINNED = 999.0  # the vault
WEIGHTS = {
    "procedure": 1.4,
    "decision": 1.3,
    "insight": 1.25,
    "solution": 1.2,
    "code_pattern": 1.1,
    "configuration": 1.1,
    "fix": 1.0,
    "workflow": 1.0,
    "problem": 0.9,
    "error": 0.8,
    "general": 0.8,
}
LABELS = ((0.5, "active"), (0.2, "fading"), (0.05, "dormant"), (float("-inf"), "archived"))


def score(importance: float, accesses: int, days: float, category: str, *, pinned: bool = False) -> float:
    """What a memory is worth so many days after it was last accessed, or made if it never was.

    importance × e^(−0.03 × days) × log2(accesses + 1) × type weight

    | part | value |
    |---|---|
    | accesses = 0 | usage factor 0.5 |
    | weight | procedure 1.4, decision 1.3, insight 1.25, solution 1.2, code_pattern and configuration 1.1, fix and workflow 1.0, problem 0.9, error and general 0.8 |
    | an unknown type | as general |
    | in the vault | 999, always |
    | labels | ≥ 0.5 active, ≥ 0.2 fading, ≥ 0.05 dormant, below archived |
    """  # noqa: E501
    if pinned:
        return PINNED
    usage = log2(accesses + 1) if accesses > 0 else UNUSED
    weight = WEIGHTS.get(category, WEIGHTS["general"])
    return importance * exp(-RATE * max(0.0, days)) * usage * weight


def label(value: float) -> str:
    """The word for a score."""
    return next(word for least, word in LABELS if value >= least)
