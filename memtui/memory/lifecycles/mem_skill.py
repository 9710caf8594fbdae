"""mem-skill: facts are valid from one day to another, and their confidence does not fade (S-22)."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import (
    ACTIVE,
    NEVER,
    DecayInputs,
    Lifecycle,
    Numbers,
    Projection,
    Transition,
)


class MemSkill(Lifecycle):
    """Confidence 0–1, which only further mentions change.

    | what | rule |
    |---|---|
    | start | first mention 0.40 |
    | reinforce | a quarter of what is missing: c + 0.25 (1 − c) |
    | decay | none |
    | begin | at `valid_from` |
    | leave | at `valid_to`: expired, with a line in its history |
    | frozen | superseded, expired, or pinned |
    | labels | active; dormant until its validity begins |
    """

    name, title = "mem-skill", "mem-skill"
    labels = ((-inf, ACTIVE),)

    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        return _Validity(inputs, now)

    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        inputs, xp = projection.inputs, projection.inputs.xp
        ends = xp.minimum(inputs.valid_to, inputs.expires)
        begins = xp.where(inputs.valid_from > projection.now, inputs.valid_from, NEVER)
        return (
            Transition(inputs.unless_frozen(ends), "expired", wording.VALIDITY_ENDS, removes=True),
            Transition(xp.where(inputs.live, begins, NEVER), "valid", wording.VALIDITY_BEGINS),
        )

    def reinforced(self, confidence: float) -> float:
        return confidence + 0.25 * (1 - confidence)


@dataclass(frozen=True, slots=True)
class _Validity(Projection):
    """A constant score, in use from `valid_from` on."""

    def is_dormant(self, at: Numbers) -> Numbers:
        return self.inputs.valid_from > at
