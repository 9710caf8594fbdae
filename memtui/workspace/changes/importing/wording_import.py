"""Every sentence about importing memories."""

from __future__ import annotations

NO_TEXT = "It has no text."
HAS_MASK = "It has masks (•••) in place of secrets. To export them: memtui export --reveal"
SAME_IN_FILE = "An earlier line says the same."


def same_in(store: str, status: str) -> str:
    return f"Already in {store}{f' ({status})' if status else ''}."


def unstorable(field: str) -> str:
    return f"{field} has a NUL or half a surrogate pair, which no store can hold."


def too_long(field: str, most: int) -> str:
    return f"{field} has more than {most:,} characters."


def has_secret(kind: str) -> str:
    return f"It contains a secret ({kind})."


def imported(count: str, store: str, files: str = "") -> str:
    """ "Imported 3 of 5 memories to minions (agents.json)"; `count` says how many memories."""
    return f"Imported {count} to {store}{f' ({files})' if files else ''}"
