"""Every sentence about decay runs."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import after_colon, counted

NOTHING_CHANGED = "Nothing was changed."
KEPT_AS_EXPIRED = "is marked as expired in memtui"

# What happened to memories in a run, after their number.
LOWERED, MOVED, LEFT = "weakened", "moved between tiers", "left the store"


def unknown_lifecycle(name: str, known: Iterable[str]) -> Refused:
    return Refused("lifecycle", f"Unknown lifecycle {name}.", f"Use one of: {', '.join(known)}.")


def bad_horizon(longest: int) -> Refused:
    return Refused("days", f"The horizon must be between 0 and {longest:,} days.", NOTHING_CHANGED)


def blocked(reason: str) -> str:
    return f"not possible now: {after_colon(reason)}"


def requested(count: int, stores: Iterable[str]) -> str:
    return f"Decayed {counted(count, 'memory')} in {', '.join(stores)}"


def done(counts: Iterable[tuple[int, str]], stores: Iterable[str], total: int, due: int) -> str:
    """ "Decay in founder-os:acme, minions: 3 weakened, 2 left the store (5 of 6)"."""
    parts = [f"{number:,} {what}" for number, what in counts if number]
    rest = f" ({total:,} of {due:,})" if total < due else ""
    return f"Decay in {', '.join(stores)}: {', '.join(parts)}{rest}"
