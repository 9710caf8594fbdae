"""Every sentence about what rules did."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.text import counted, plural

MOST_NAMED = 5  # backups


def still_there(rule: str, backups: Sequence[str], notes: Sequence[str]) -> str:
    """Where values that a rule redacted still are, for the journal; "" if that is all."""
    parts = []
    if backups:
        have = plural(len(backups), "has", "have")
        named = ", ".join(backups[:MOST_NAMED]) + (", …" if len(backups) > MOST_NAMED else "")
        parts.append(f"{counted(len(backups), 'backup')} still {have} what “{rule}” redacted: {named}.")
    return " ".join([*parts, *notes[-1:], *notes[:-1]])  # the last one says what to do about the values
