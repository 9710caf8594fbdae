"""Base Coat: heat by use, five tiers, and a slow fading that use slows further (S-23)."""

from __future__ import annotations

from memtui.memory.lifecycles import wording
from memtui.memory.lifecycles.base import (
    DAY,
    DORMANT,
    FADING,
    NEVER,
    DecayInputs,
    Lifecycle,
    Numbers,
    Projection,
    Transition,
)
from memtui.memory.lifecycles.exponential_decay import ExponentialDecay

HALF, LN2 = 30 * DAY, 0.6931471805599453
L1_UNUSED, L2_UNUSED = 90 * DAY, 60 * DAY
WARM, HOT = 3, 10
HEATS = ("cold", "warm", "hot")
USES, SESSIONS, SHARE = 3, 5, 0.5


class BaseCoat(Lifecycle):
    """Confidence 0–1, as of the last use.

    | what | rule |
    |---|---|
    | start | 1.00 |
    | reinforce | +0.1, at most 1 |
    | decay | half of it in 30 days × (1 + log2(1 + uses)) since the last use: the rate is memtui's |
    | heat | 0–2 uses cold, 3–9 warm, from 10 hot |
    | promote | l4 and l3 → l2 at 3 uses in 2 sessions or more; l2 → l1 used in 5 sessions; l1 → l0 in over half of all; not if it was unused for so long that it would be demoted again |
    | demote | l1 unused for 90 days → l2; l2 unused for 60 days, or that long in l2 again → l3 |
    | leave | past its expiry, pinned or not |
    | frozen | dismissed (confidence 0); pinned: neither decay nor demotion |
    """  # noqa: E501

    name, title = "base-coat", "Base Coat"
    notes = (wording.BASE_COAT_RATE, wording.BASE_COAT_TIERS)

    def scores(self, inputs: DecayInputs, now: float) -> Projection:
        half = HALF * (1 + inputs.xp.log2(1 + inputs.used))
        rate = inputs.xp.where(inputs.frozen, 0.0, LN2 / half)
        return ExponentialDecay(inputs, now, (), inputs.confidence, rate, inputs.last_use)

    def transitions(self, projection: Projection) -> tuple[Transition, ...]:
        assert isinstance(projection, ExponentialDecay)
        inputs = projection.inputs
        expires = inputs.xp.where(inputs.live, inputs.expires, NEVER)
        return (
            Transition(expires, "deleted", wording.PAST_EXPIRY, removes=True),
            *_tier_transitions(inputs, projection.now),
            Transition(projection.upcoming(0.3), FADING, wording.half_by_use(0.3)),
            Transition(projection.upcoming(0.1), DORMANT, wording.half_by_use(0.1)),
        )

    def tier(self, inputs: DecayInputs, now: float, at: float) -> Numbers:
        """Return the tier at an instant: what is due is done by the next run, at `now` at the earliest."""
        xp, tier = inputs.xp, inputs.tier
        for condition, to, _ in _promotions(inputs, now):
            tier = xp.where(condition, int(to[1]), tier)
        unpinned = xp.logical_not(inputs.frozen)
        leaves_l1 = xp.maximum(inputs.last_use + L1_UNUSED, now)
        left_l1 = unpinned & (tier == 1) & (leaves_l1 <= at)
        tier = xp.where(left_l1, 2, tier)
        leaves_l2 = xp.maximum(_in_l2_since(inputs) + L2_UNUSED, now)
        leaves_l2 = xp.where(left_l1, leaves_l1 + L2_UNUSED, leaves_l2)
        return xp.where(unpinned & (tier == 2) & (leaves_l2 <= at), 3, tier)

    def heat(self, inputs: DecayInputs) -> str:
        return heat_of(int(inputs.used))

    def reinforced(self, confidence: float) -> float:
        return min(1.0, confidence + 0.1)


def _in_l2_since(inputs: DecayInputs) -> Numbers:
    """Return when the days in l2 begin: a memory that memtui demoted has its 60 days from then."""
    xp = inputs.xp
    return xp.where(xp.isnan(inputs.demoted), inputs.last_use, xp.maximum(inputs.demoted, inputs.last_use))


def _promotions(inputs: DecayInputs, now: float) -> tuple[tuple[Numbers, str, str], ...]:
    """Return which memories earn a higher tier, unless they are unused for so long that they would be
    demoted again."""
    xp, tier, unused = inputs.xp, inputs.tier, now - inputs.last_use
    known = inputs.live & xp.logical_not(xp.isnan(inputs.sessions))
    sessions, share = xp.where(known, inputs.sessions, 0), xp.where(known, inputs.share, 0)
    stays_in_l2, stays_in_l1 = known & (unused < L2_UNUSED), known & (unused < L1_UNUSED)
    return (
        (
            stays_in_l2 & (tier >= 3) & (inputs.used >= USES) & (sessions >= 2),
            "l2",
            wording.USED_ACROSS_SESSIONS,
        ),
        (stays_in_l1 & (tier == 2) & (sessions >= SESSIONS), "l1", wording.USED_IN_SESSIONS),
        (stays_in_l1 & (tier == 1) & (share > SHARE), "l0", wording.USED_IN_MOST_SESSIONS),
    )


def _tier_transitions(inputs: DecayInputs, now: float) -> tuple[Transition, ...]:
    xp, tier, promotions = inputs.xp, inputs.tier, _promotions(inputs, now)
    demoted = xp.logical_not(inputs.frozen | promotions[0][0] | promotions[1][0] | promotions[2][0])
    leaves_l1 = xp.where(demoted & (tier == 1), inputs.last_use + L1_UNUSED, NEVER)
    leaves_l2 = xp.where(demoted & (tier == 2), _in_l2_since(inputs) + L2_UNUSED, NEVER)
    return (
        *(Transition(xp.where(condition, now, NEVER), to, rule) for condition, to, rule in promotions),
        Transition(leaves_l1, "l2", wording.L1_UNUSED),
        Transition(leaves_l2, "l3", wording.L2_UNUSED),
    )


def heat_of(uses: int) -> str:
    """Return the heat of a memory with so many uses."""
    return HEATS[(uses >= WARM) + (uses >= HOT)]
