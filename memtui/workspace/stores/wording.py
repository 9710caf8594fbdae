"""Every sentence about attached stores and their backups."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from memtui.errors import NotSaved, Refused

# Journal summaries.
DETACHED = "Detached {store}"
RENAMED = "Renamed {store} to {new}"
LOCKED = "Made {store} read-only"
UNLOCKED = "Made {store} writable again"

NOTHING_CHANGED = "Nothing was changed."
NOTHING_WRITTEN = "Nothing was written."
NAME_KEPT = "Its name was not changed."


def cannot_detach_own() -> Refused:
    return Refused("native", "memtui's own store can't be detached.", NOTHING_CHANGED)


def cannot_rename_own() -> Refused:
    return Refused("native", "memtui's own store can't be renamed.", NOTHING_CHANGED)


def bad_name_length(longest: int) -> Refused:
    return Refused("name", f"A store name must be 1 to {longest} characters long.", NAME_KEPT)


def name_taken(name: str) -> Refused:
    return Refused("name", f"A store named {name} already exists.", NAME_KEPT)


def place_of_workspace(path: Path) -> Refused:
    reason = f"{path} belongs to memtui's workspace."
    return Refused("of-workspace", reason, "Name another path.", unchanged=NOTHING_WRITTEN)


def place_of_store(path: Path, store: str) -> Refused:
    reason = f"{path} belongs to the store {store}."
    return Refused("of-store", reason, "Name a path outside it.", unchanged=NOTHING_WRITTEN)


def locked(store: str) -> str:
    command = f"memtui stores read-only {shlex.quote(store)} --off"
    return f"{store} is read-only (set by you); allow changes in Stores or with: {command}"


def not_attached(name: str, attached: Iterable[str]) -> Refused:
    return Refused(
        "no-store", f"No store named {name} is attached.", f"Attached stores: {', '.join(attached)}."
    )


def unknown_store(name: str, known: Iterable[str]) -> Refused:
    return Refused("no-store", f"There is no store named {name}.", f"Known stores: {', '.join(known)}.")


def no_backup(id: str) -> Refused:
    return Refused("no-backup", f"There is no backup {id}.", "memtui backup list shows all backups.")


def backup_failed(store: str, reason: str, folder: Path) -> NotSaved:
    return NotSaved(
        "backup",
        f"the daily backup of {store} failed: {reason}",
        f"{NOTHING_CHANGED} Backups go to {folder}.",
    )
