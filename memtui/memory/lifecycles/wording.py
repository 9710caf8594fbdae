"""Every sentence about decay: the rules, their notes, and the forecast for a memory."""

from __future__ import annotations

# Rules.
PAST_EXPIRY = "past its expiry date"
VALIDITY_ENDS = "end of its validity"
VALIDITY_BEGINS = "start of its validity"
UNUSED_AND_WEAK = "below 0.3 and unused for 90 days: −0.1 per day"
BELOW_FADING = "half-life: below 0.3"
BELOW_EXPIRING = "half-life: below 0.1"
USED_ACROSS_SESSIONS = "used 3 times across sessions"
USED_IN_SESSIONS = "used in 5 sessions"
USED_IN_MOST_SESSIONS = "used in more than half of all sessions"
L1_UNUSED = "in l1, unused for 90 days"
L2_UNUSED = "in l2, unused for 60 days"

# Notes on a lifecycle.
FOUNDER_OS_WEEKLY = "Founder OS with weekly decay: −5 for each full week unused beyond 30 days."
FOUNDER_OS_DAILY = "Founder OS with daily decay: −5 for each full day unused beyond 30 days."
BASE_COAT_RATE = "Base Coat defines no decay rate; memtui uses a half-life of 30 days × (1 + log2(1 + uses))."
BASE_COAT_TIERS = "Tier promotions need a session log; memtui builds one from the recalls it sees."

NO_LIFECYCLE = "no lifecycle"

# The forecast for one memory.
IN_VAULT = "in the vault"
NEVER_LEAVES = "never"
STAYS = "stays"


def unused_step(unit: str) -> str:
    return f"−5 per {unit} unused beyond 30 days"


def below_ten(rule: str) -> str:
    return f"below 10 ({rule})"


def half_by_use(threshold: float) -> str:
    return f"half-life of 30 days × (1 + log2(1 + uses)): below {threshold}"


def exponential(threshold: float) -> str:
    return f"e^(−0.03 × days unused): below {threshold}"


NEVER_DECAYS = "never: its store records no strength"


def by_lifecycle(lifecycle: str) -> str:
    return f"lifecycle: {lifecycle}"


def frozen(reason: str) -> str:
    return f"{reason}: no decay"


def leaves(when: str) -> str:
    return f"leaves {when}"


def event_at(when: str, what: str) -> str:
    return f"{when}: {what}"
