"""Every sentence about decay runs."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import counted

NOTHING_CHANGED = "Nothing was changed."
KEPT_AS_EXPIRED = "is kept in memtui as expired"

# What happened to memories in a run, after their number.
LOWERED, MOVED, LEFT = "lowered", "moved between tiers", "left"


def unknown_lifecycle(name: str, known: Iterable[str]) -> Refused:
    return Refused("lifecycle", f"There is no lifecycle {name}.", f"Known are {', '.join(known)}.")


def bad_horizon(longest: int) -> Refused:
    return Refused("days", f"The horizon must be from 0 to {longest} days.", NOTHING_CHANGED)


def blocked(reason: str) -> str:
    return f"not now: {reason}"


def requested(count: int, stores: Iterable[str]) -> str:
    return f"Decay of {counted(count, 'memory')} in {', '.join(stores)}"


def done(counts: Iterable[tuple[int, str]], stores: Iterable[str], total: int, due: int) -> str:
    """ "Decay: 3 lowered, 2 left in founder-os:acme, minions (5 of 6)"."""
    parts = [f"{number:,} {what}" for number, what in counts if number]
    rest = f" ({total:,} of {due:,})" if total < due else ""
    return f"Decay: {', '.join(parts)} in {', '.join(stores)}{rest}"
