"""Sentences about memories in the mirror."""

from __future__ import annotations

from memtui.errors import Refused

OVERRIDE_CHANGED = "the details that memtui keeps for the relation have changed since."

# The values of a relation, as the user reads them.
FIELD_LABELS = {"strength": "strength", "context": "reason", "body": "text"}


def ambiguous_uid(uid: str) -> Refused:
    message = f"Several memories have a uid that starts with {uid}."
    return Refused("ambiguous", message, "Enter more characters.")


def unknown_uid(uid: str) -> Refused:
    return Refused("no-memory", f"There is no memory with the uid {uid}.", "To list memories: memtui list")
