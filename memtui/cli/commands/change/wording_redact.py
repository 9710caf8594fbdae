"""What `memtui redact` says."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import Refused
from memtui.text import after_colon, counted
from memtui.values import Json

SCOPE = "To be redacted in the stores and in memtui:"
BACKUPS_DELETED = "Backups that have a secret of them and will be deleted:"
BACKUPS_KEPT = "Backups that have a secret of them and will be kept:"
BACKUPS_STILL_HOLD = "These backups still have a redacted value:"


def cannot_ask(memories: Sequence[Json] = ()) -> Refused:
    return Refused(
        "not-asked",
        "Nothing was redacted: it can't be undone, and confirming it needs a terminal.",
        "--yes skips the confirmation.",
        memories=list(memories),
    )


def not_confirmed() -> Refused:
    return Refused("not-asked", "Nothing was redacted.")


def memory(uid: str, label: str, store: str, secrets: Sequence[tuple[str, str]], refused: str) -> str:
    """A memory with what its secrets become, or why it cannot be redacted."""
    found = ", ".join(f"{name.replace('_', ' ')}: {new}" for name, new in secrets)
    what = f"not possible: {after_colon(refused)}" if refused else found or "only its history has a secret"
    return f"  {uid}  {label}  ({store})  {what}"


def number_becomes_text(field: str) -> str:
    return f"    A number in its {field} becomes a text."


def backup_to_come(stores: Sequence[str], *, delete: bool) -> str:
    """About the backups that the redaction itself makes, before its write."""
    what = "backup" if len(stores) == 1 else "backups"
    fate = "deleted, too" if delete else "kept: --backups deletes it, too"
    return f"Today's {what} of {', '.join(stores)}, made first, will have the secrets, and will be {fate}."


def backups_deleted(count: int) -> str:
    return f"Deleted {counted(count, 'backup')} that had a redacted value."
