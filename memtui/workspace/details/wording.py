"""Every sentence about what is wrong with one memory."""

from __future__ import annotations

from collections.abc import Iterable

_NO_SUCH_MEMORY = "and there is no such memory"


def removed(day: str) -> str:
    return f"It is no longer in its store, since {day}."


def contradicts(label: str, certainty: str, reason: str) -> str:
    return _conflict(f"It contradicts {label} ({certainty})", reason)


def repeats(label: str, certainty: str, reason: str) -> str:
    return _conflict(f"It repeats {label} ({certainty})", reason)


def _conflict(text: str, reason: str) -> str:
    return f"{text}: {reason}".rstrip(": ")


def more_conflicts(count: int) -> str:
    return f"{count:,} more memories contradict or repeat it."


def secret(kinds: Iterable[str]) -> str:
    return f"It seems to hold a secret: {', '.join(kinds)}."


def past_expiry(day: str) -> str:
    return f"It still stands there, though its time was over on {day}."


UNKNOWN_DAY = "an unknown day"


def no_successor(uid: str) -> str:
    return f"It gave way to {uid}, {_NO_SUCH_MEMORY} any more."


def no_target(kind: str, target: str) -> str:
    return f"“{kind}” leads to {target}, {_NO_SUCH_MEMORY}."


def no_source(kind: str, source: str) -> str:
    return f"“{kind}” comes from {source}, {_NO_SUCH_MEMORY}."
