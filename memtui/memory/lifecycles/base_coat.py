"""Base Coat: heat by use, five tiers, and a slow fading that use slows further (S-23)."""

from __future__ import annotations

from memtui.memory.lifecycles.base import DAY, DORMANT, FADING, NEVER, Ages, Course, Event, Lifecycle, Numbers
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
    | promote | l4 and l3 → l2 at 3 uses in 2 sessions or more; l2 → l1 used in 5 sessions; l1 → l0 in over half of all; none that lay unused so long that it would sink again |
    | demote | l1 unused for 90 days → l2; l2 unused for 60 days, or that long in l2 again → l3 |
    | leave | past its expiry, pinned or not |
    | frozen | dismissed (confidence 0); pinned: neither decay nor demotion |
    """  # noqa: E501

    name, title = "base-coat", "Base Coat"
    starts = {"": 1.0}
    notes = (
        "Base Coat names no rate of decay: half in 30 days × (1 + log2(1 + uses)) is memtui's.",
        "Promotions between tiers need a session log: agents' recalls through memtui.",
    )

    def number(self, ages: Ages, now: float) -> Course:
        half = HALF * (1 + ages.xp.log2(1 + ages.used))
        rate = ages.xp.where(ages.frozen, 0.0, LN2 / half)
        return ExponentialDecay(ages, now, (), ages.confidence, rate, ages.last)

    def events(self, course: Course) -> tuple[Event, ...]:
        assert isinstance(course, ExponentialDecay)
        ages, rule = course.ages, "half in 30 days × (1 + log2(1 + uses))"
        return (
            Event(ages.xp.where(ages.live, ages.expires, NEVER), "deleted", "past its expiry", leaves=True),
            *_tiers(ages, course.now),
            Event(course.to_come(0.3), FADING, f"{rule}: below 0.3"),
            Event(course.to_come(0.1), DORMANT, f"{rule}: below 0.1"),
        )

    def tier(self, ages: Ages, now: float, at: float) -> Numbers:
        """What is due is done at the next run, at `now` at the earliest."""
        xp, tier = ages.xp, ages.tier
        for when, to, _ in _rises(ages, now):
            tier = xp.where(when, int(to[1]), tier)
        idle = xp.logical_not(ages.frozen)
        sinks = xp.maximum(ages.last + L1_UNUSED, now)
        sank = idle & (tier == 1) & (sinks <= at)
        tier = xp.where(sank, 2, tier)
        lower = xp.maximum(_in_l2_since(ages) + L2_UNUSED, now)
        lower = xp.where(sank, sinks + L2_UNUSED, lower)
        return xp.where(idle & (tier == 2) & (lower <= at), 3, tier)

    def heat(self, ages: Ages) -> str:
        return heat_of(int(ages.used))

    def reinforced(self, confidence: float) -> float:
        return min(1.0, confidence + 0.1)


def _in_l2_since(ages: Ages) -> Numbers:
    """From when on the days of l2 count: one that memtui moved down has its 60 days from then."""
    xp = ages.xp
    return xp.where(xp.isnan(ages.demoted), ages.last, xp.maximum(ages.demoted, ages.last))


def _rises(ages: Ages, now: float) -> tuple[tuple[Numbers, str, str], ...]:
    """What has earned a higher tier; what lay unused so long that it would sink again has not."""
    xp, tier, unused = ages.xp, ages.tier, now - ages.last
    known = ages.live & xp.logical_not(xp.isnan(ages.sessions))
    sessions, share = xp.where(known, ages.sessions, 0), xp.where(known, ages.share, 0)
    warm, often = known & (unused < L2_UNUSED), known & (unused < L1_UNUSED)
    return (
        (warm & (tier >= 3) & (ages.used >= USES) & (sessions >= 2), "l2", "3 uses across sessions"),
        (often & (tier == 2) & (sessions >= SESSIONS), "l1", "used in 5 sessions"),
        (often & (tier == 1) & (share > SHARE), "l0", "used in over half of all sessions"),
    )


def _tiers(ages: Ages, now: float) -> tuple[Event, ...]:
    xp, tier, rises = ages.xp, ages.tier, _rises(ages, now)
    sinks = xp.logical_not(ages.frozen | rises[0][0] | rises[1][0] | rises[2][0])
    l2 = _in_l2_since(ages)
    return (
        *(Event(xp.where(when, now, NEVER), to, rule) for when, to, rule in rises),
        Event(xp.where(sinks & (tier == 1), ages.last + L1_UNUSED, NEVER), "l2", "l1 unused for 90 days"),
        Event(xp.where(sinks & (tier == 2), l2 + L2_UNUSED, NEVER), "l3", "l2 unused for 60 days"),
    )


def heat_of(uses: int) -> str:
    """How warm a memory is that was used so often."""
    return HEATS[(uses >= WARM) + (uses >= HOT)]
