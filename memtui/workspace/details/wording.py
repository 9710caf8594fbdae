"""Every sentence about what is wrong with one memory."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.text import counted


def removed(day: str) -> str:
    return f"No longer in its store (since {day})."


def contradicts(label: str, certainty: str, reason: str) -> str:
    return f"Contradicts {label} ({certainty}). {reason}".rstrip()


def repeats(label: str, certainty: str, reason: str) -> str:
    return f"Duplicates {label} ({certainty}). {reason}".rstrip()


def more_conflicts(count: int) -> str:
    verbs = "contradicts or duplicates" if count == 1 else "contradict or duplicate"
    return f"{counted(count, 'more memory', 'more memories')} {verbs} it."


def secret(kinds: Iterable[str]) -> str:
    return f"Possible secret: {', '.join(kinds)}."


def past_expiry(day: str) -> str:
    return f"It expired on {day} but is still in the store."


UNKNOWN_DAY = "an unknown date"
NO_SUCCESSOR = "Replaced by a memory that no longer exists."


def no_target(kind: str, target: str) -> str:
    return f"“{kind}” points to {target}, which does not exist."


def no_source(kind: str, source: str) -> str:
    return f"“{kind}” comes from {source}, which does not exist."
