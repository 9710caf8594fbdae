"""Sentences about an open workspace as a whole."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."


def moved(path: Path) -> NotSaved:
    return NotSaved(
        "moved",
        f"{path} was deleted or replaced while it was open.",
        "Close memtui, put the file back, and open it again.",
    )


def bad_time() -> Refused:
    return Refused("now", "Invalid date.", NOTHING_CHANGED)


def store_unreachable(store: str, reason: str) -> Refused:
    return Refused(
        "unreadable",
        f"Could not reach the store {store}: {reason}.",
        NOTHING_CHANGED,
        subject=store,
    )


def store_missing(store: str, root: Path) -> Refused:
    return Refused(
        "missing",
        f"The store {store} is no longer at {root}.",
        f"{NOTHING_CHANGED} Move it back, or detach it with memtui stores detach.",
        subject=store,
    )


def read_only(reason: str) -> NotSaved:
    return NotSaved("read-only", reason, NOTHING_CHANGED)
