"""Every sentence about importing memories."""

from __future__ import annotations

NO_TEXT = "It has no text."
SAME_IN_FILE = "An earlier line says the same."


def same_in(store: str, status: str) -> str:
    return f"Already in {store}{f' ({status})' if status else ''}."


def unstorable(field: str) -> str:
    return f"{field} has a NUL or half a surrogate pair, which no store can hold."


def too_long(field: str, most: int) -> str:
    return f"{field} has more than {most:,} characters."


def has_secret(kind: str) -> str:
    return f"It contains a secret ({kind})."


def requested(store: str) -> str:
    """What the journal says, which counts the memories: an import in parts may be stopped."""
    return f"Imported memories to {store}"


def imported(count: int, total: int, store: str, files: str) -> str:
    """ "Imported 3 of 5 memories to minions (agents.json)"."""
    of = f" of {total:,}" if total > count else ""
    noun = "memory" if count == total == 1 else "memories"
    return f"Imported {count:,}{of} {noun} to {store}{f' ({files})' if files else ''}"
