"""Every sentence about attached stores and their backups."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.errors import NotSaved, Refused

# Journal summaries.
DETACHED = "Detached {store}"
RENAMED = "Renamed {store} to {new}"
LOCKED = "Made {store} read-only"
UNLOCKED = "Allowed changes to {store} again"

NOTHING_CHANGED = "Nothing was changed."
NAME_KEPT = "Its name stays as it is."


def cannot_detach_own() -> Refused:
    return Refused("native", "memtui's own store cannot be detached.", NOTHING_CHANGED)


def cannot_rename_own() -> Refused:
    return Refused("native", "memtui's own store keeps its name.", NOTHING_CHANGED)


def bad_name_length(longest: int) -> Refused:
    return Refused("name", f"A store's name has 1 to {longest} characters.", NAME_KEPT)


def name_taken(name: str) -> Refused:
    return Refused("name", f"There is a store named {name} already.", NAME_KEPT)


def locked(store: str) -> str:
    return f"{store} is read-only by your word; space on Stores (8) allows changes again."


def not_attached(name: str, attached: Iterable[str]) -> Refused:
    return Refused("no-store", f"No store named {name} is attached.", f"Attached are: {', '.join(attached)}.")


def unknown_store(name: str, known: Iterable[str]) -> Refused:
    return Refused("no-store", f"There is no store named {name}.", f"There are: {', '.join(known)}.")


def no_backup(id: str) -> Refused:
    return Refused("no-backup", f"There is no backup {id}.", "memtui backup list shows them.")


def backup_failed(store: str, reason: str, folder: Path) -> NotSaved:
    return NotSaved(
        "backup",
        f"the day's backup of {store} could not be made: {reason}",
        f"{NOTHING_CHANGED} Backups go to {folder}.",
    )
