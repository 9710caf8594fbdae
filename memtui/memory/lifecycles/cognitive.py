"""Cognitive Memory: a score from importance, use, type and time (S-24)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log2

from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import (
    ACTIVE,
    ARCHIVED,
    DAY,
    DORMANT,
    FADING,
    DecayInputs,
    Lifecycle,
    Numbers,
    Projection,
    Transition,
)
from memtui.memory.lifecycles.exponential_decay import ExponentialDecay

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


class Cognitive(Lifecycle):
    """importance × e^(−0.03 × days since access) × log2(accesses + 1) × type weight

    | what | rule |
    |---|---|
    | accesses = 0 | usage factor 0.5, days since creation |
    | weight | procedure 1.4, decision 1.3, insight 1.25, solution 1.2, code_pattern and configuration 1.1, fix and workflow 1.0, problem 0.9, error and general 0.8 |
    | an unknown type | as general |
    | without an importance | confidence in its place, for stores of other formats |
    | labels | ≥ 0.5 active, ≥ 0.2 fading, ≥ 0.05 dormant, below archived |
    | leave | never: an archived memory stays in its file |
    | pinned | in the vault: 999, always |
    """  # noqa: E501

    name, title = "cognitive", "Cognitive Memory"
    labels = ((0.5, ACTIVE), (0.2, FADING), (0.05, DORMANT), (-inf, ARCHIVED))

    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        xp = inputs.xp
        base = xp.where(xp.isnan(inputs.importance), inputs.confidence, inputs.importance)
        usage = xp.where(inputs.used > 0, xp.log2(xp.maximum(inputs.used, 0) + 1), UNUSED)
        amount = base * usage * inputs.by_category(WEIGHTS, WEIGHTS["general"])
        rate = xp.where(inputs.frozen, 0.0, RATE / DAY)
        return _VaultDecay(inputs, now, (), amount, rate, inputs.last_use)

    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        assert isinstance(projection, ExponentialDecay)
        return tuple(
            Transition(projection.upcoming(least), to, wording.exponential(least))
            for least, to in ((0.5, FADING), (0.2, DORMANT), (0.05, ARCHIVED))
        )


@dataclass(frozen=True, slots=True)
class _VaultDecay(ExponentialDecay):
    """Exponential decay, but pinned memories always score PINNED."""

    def score(self, at: Numbers) -> Numbers:
        xp = self.inputs.xp
        decayed = self.amount * xp.exp(-self.rate * xp.maximum(at - self.last, 0.0))
        return xp.where(self.inputs.pinned & xp.logical_not(xp.isnan(self.amount)), PINNED, decayed)


def score(importance: float, accesses: int, days: float, category: str, *, pinned: bool = False) -> float:
    """Return the score `days` after the last access, or after creation if it was never accessed."""
    if pinned:
        return PINNED
    usage = log2(accesses + 1) if accesses > 0 else UNUSED
    weight = WEIGHTS.get(category, WEIGHTS["general"])
    return importance * exp(-RATE * max(0.0, days)) * usage * weight


def label(value: float) -> str:
    """Return the label of a score."""
    return next(label for least, label in Cognitive.labels if value >= least)
