"""memtui's own lifecycle: exponential decay with a half-life for each category (S-25)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import DAY, FADING, DecayInputs, Lifecycle, Projection, Transition
from memtui.memory.lifecycles.exponential_decay import ExponentialDecay
from memtui.memory.lifecycles.promotion import confirmed, reinforced

LN2 = 0.6931471805599453
FADES, EXPIRES = 0.3, 0.1
HALF_LIVES: Mapping[str, float] = {"preference": 180.0, "decision": 90.0, "fact": 90.0, "episode": 14.0}
LONGEST_HALF = 3_650  # days that a key can set
OTHER = 60.0  # days, for a category without a half-life of its own


class Memtui(Lifecycle):
    """Confidence 0–1, as of when it was last used or confirmed.

    | what | rule |
    |---|---|
    | start | by the user 0.50 |
    | reinforce | +0.15, at most 1; confirmed by the user at least 0.60 |
    | promote | candidate → confirmed at 0.60; confirmed → applied at 0.80 and 3 confirmations |
    | decay | half of it in: preference 180 days, decision and fact 90, episode 14, else 60; settings override these, and a rule those of its memories |
    | labels | from 0.3 active, below fading |
    | leave | below 0.1, or past its expiry: `expired`, kept and restorable |
    | frozen | dismissed, or pinned |
    """  # noqa: E501

    name, title = "memtui", "memtui"
    promotes = True
    has_half_life = True

    def __init__(self, half_lives: Mapping[str, float] | None = None) -> None:
        """`half_lives` are in days by category; "other" is for categories without one."""
        self.half_lives = {**HALF_LIVES, "other": OTHER, **(half_lives or {})}

    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        xp = inputs.xp
        confirmed_at = xp.where(xp.isnan(inputs.last_confirmed), inputs.last_use, inputs.last_confirmed)
        by_category = inputs.by_category(self.half_lives, self.half_lives["other"])
        half = xp.where(xp.isnan(inputs.half_life), by_category, inputs.half_life) * DAY
        rate = xp.where(inputs.decays, LN2 / half, 0.0)
        last = xp.maximum(inputs.last_use, confirmed_at)
        return ExponentialDecay(inputs, now, (), inputs.confidence, rate, last)

    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        assert isinstance(projection, ExponentialDecay)
        inputs = projection.inputs
        expires = inputs.unless_frozen(inputs.expires)
        return (
            Transition(projection.below(EXPIRES), "expired", wording.BELOW_EXPIRING, removes=True),
            Transition(expires, "expired", wording.PAST_EXPIRY, removes=True),
            Transition(projection.upcoming(FADES), FADING, wording.BELOW_FADING),
        )

    def reinforced(self, confidence: float) -> float:
        return reinforced(confidence)

    def confirmed(self, confidence: float) -> float:
        return confirmed(confidence)
