"""Sentences about an open workspace as a whole."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."


def moved(path: Path) -> NotSaved:
    return NotSaved(
        "moved",
        f"{path} was deleted or replaced while it is open.",
        "Close memtui, put the file back, and open it anew.",
    )


def bad_time() -> Refused:
    return Refused("now", "That moment cannot be reckoned with.", NOTHING_CHANGED)


def store_unreachable(store: str, reason: str) -> Refused:
    return Refused(
        "unreadable",
        f"The store {store} cannot be reached: {reason}.",
        NOTHING_CHANGED,
        subject=store,
    )


def store_missing(store: str, root: Path) -> Refused:
    return Refused(
        "missing",
        f"The store {store} is no longer at {root}.",
        f"{NOTHING_CHANGED} Put it back, or detach it: memtui stores detach.",
        subject=store,
    )


def read_only(reason: str) -> NotSaved:
    return NotSaved("read-only", reason, NOTHING_CHANGED)
