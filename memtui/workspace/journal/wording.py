"""Sentences about journal entries."""

from __future__ import annotations

from memtui.errors import Refused

PURGED = "Its text was purged."
REDACTED = "A secret in it was redacted, and it can't be undone without that."
NOT_ADDED = "(not added)"
DAMAGED = "Its journal entry is damaged."
UNREADABLE_CHANGES = "Could not read what it changed."


def partly_done(summary: str, done: int, total: int) -> str:
    return f"{summary} ({done:,} of {total:,} done)"


def damaged() -> Refused:
    return Refused("damaged", DAMAGED, "Nothing was changed.")
