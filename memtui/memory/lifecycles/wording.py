"""Every sentence about decay: the rules, their notes, and the forecast for a memory."""

from __future__ import annotations

# Rules.
PAST_EXPIRY = "past its expiry"
VALIDITY_ENDS = "its validity ends"
VALIDITY_BEGINS = "its validity begins"
UNUSED_AND_WEAK = "below 0.3 and not accessed for 90 days: −0.1 a day"
BELOW_FADING = "below 0.3, by its half-life"
BELOW_EXPIRING = "below 0.1, by its half-life"
USED_ACROSS_SESSIONS = "3 uses across sessions"
USED_IN_SESSIONS = "used in 5 sessions"
USED_IN_MOST_SESSIONS = "used in over half of all sessions"
L1_UNUSED = "l1 unused for 90 days"
L2_UNUSED = "l2 unused for 60 days"

# Notes on a lifecycle.
FOUNDER_OS_WEEKLY = "Founder OS by its weekly reading: −5 for each whole week unused beyond 30 days."
FOUNDER_OS_DAILY = "Founder OS by its daily reading: −5 for each whole day unused beyond 30 days."
BASE_COAT_RATE = "Base Coat names no rate of decay: half in 30 days × (1 + log2(1 + uses)) is memtui's."
BASE_COAT_TIERS = "Promotions between tiers need a session log: agents' recalls through memtui."

NO_LIFECYCLE = "no lifecycle"

# The forecast for one memory.
IN_VAULT = "in the vault"
NEVER_LEAVES = "never by itself"
STAYS = "stays"


def unused_step(unit: str) -> str:
    return f"−5 a {unit} unused beyond 30 days"


def below_ten(rule: str) -> str:
    return f"below 10, by {rule}"


def half_by_use(threshold: float) -> str:
    return f"half in 30 days × (1 + log2(1 + uses)): below {threshold}"


def exponential(threshold: float) -> str:
    return f"e^(−0.03 × days unused): below {threshold}"


def keeps_no_score(lifecycle: str) -> str:
    return f"none: its store keeps no number, so by {lifecycle} nothing fades"


def by_lifecycle(lifecycle: str) -> str:
    return f"by {lifecycle}"


def frozen(reason: str) -> str:
    return f"{reason}: nothing ages it"


def leaves(when: str) -> str:
    return f"leaves {when}"


def event_at(when: str, what: str) -> str:
    return f"{when}: {what}"
