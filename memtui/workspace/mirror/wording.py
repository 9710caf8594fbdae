"""Sentences about memories in the mirror."""

from __future__ import annotations

from memtui.errors import Refused

OVERRIDE_CHANGED = "what memtui keeps of the relation was changed since."

# The values of a relation, as the user reads them.
FIELD_LABELS = {"strength": "strength", "context": "why", "body": "text"}


def ambiguous_uid(uid: str) -> Refused:
    return Refused("ambiguous", f"More than one memory's uid begins with {uid}.", "Give more of it.")


def unknown_uid(uid: str) -> Refused:
    return Refused("no-memory", f"There is no memory with the uid {uid}.", "memtui list shows them.")
