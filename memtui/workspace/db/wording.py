"""Every sentence about the workspace's own file and its backups."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import NotSaved, Refused

# Why the workspace is read-only.
READ_ONLY_OPTION = "Opened with --read-only."
NOT_WRITABLE = "You don't have permission to write the workspace file."
HARD_LINK = "The workspace file has more than one hard link; writing could damage it."
NEWER_SCHEMA = "This workspace was created by a newer version of memtui; this version can only read it."

# Why the workspace accepts no write just now: the end of a sentence.
UNWRITABLE = "the workspace can't be written"
UNWRITABLE_BY_CODE = {"disk-full": "the disk is full", "busy": "the workspace is locked by another program"}

DISK_FULL = "the disk is full."
VEC_MISSING = "the sqlite-vec package is missing"
OPEN_WRITABLE_ONCE = "Open it once with write access."


def damaged(damage: str) -> str:
    return (
        f"The workspace file is damaged ({damage}), so it was opened read-only; "
        "memtui doctor --salvage NEW recovers what can be read."
    )


def missing(path: Path) -> Refused:
    return Refused("missing", f"No workspace at {path}.", "Run memtui once without --read-only to create it.")


def is_folder(path: Path) -> Refused:
    return Refused("not-a-workspace", f"{path} is a folder.", "Give the path of the workspace file.")


def empty_file(path: Path) -> Refused:
    return Refused("missing", f"No workspace at {path}: the file is empty.", OPEN_WRITABLE_ONCE)


def no_copy_to_migrate(path: Path, error: BaseException) -> Refused:
    return Refused(
        "older",
        f"The workspace {path} was created by an older version of memtui. Reading it requires an "
        "upgraded copy, "
        f"which could not be made: {error}.",
        OPEN_WRITABLE_ONCE,
    )


def other_database(path: Path) -> Refused:
    return Refused(
        "not-a-workspace",
        f"{path} is an SQLite database, but not a memtui workspace.",
        "Nothing was changed. To attach it as a store: memtui stores attach PATH",
    )


def unreadable(path: Path, error: BaseException) -> Refused:
    return Refused(
        "damaged",
        f"Could not read the workspace {path}: {error}.",
        "It was not changed. memtui doctor --salvage NEW recovers what can be read; "
        "--workspace PATH opens another one.",
    )


def busy(path: Path) -> Refused:
    return Refused("busy", f"The workspace {path} is locked by another program.", "Try again in a moment.")


def disk_full() -> NotSaved:
    return NotSaved("disk-full", DISK_FULL, "Free up some space and try again.")


def io_error(path: Path, error: BaseException) -> Refused:
    return Refused("io", f"Could not open or write the workspace {path}: {error}.")


def cannot_create(path: Path, reason: str | None) -> Refused:
    return Refused(
        "io",
        f"Could not create a workspace at {path}: {reason}.",
        "Choose another path with --workspace PATH.",
    )


def no_backup_before_migration(path: Path, reason: str, folder: Path) -> Refused:
    return Refused(
        "backup",
        f"The workspace {path} was created by an older version of memtui and was not upgraded, because "
        f"it could not be backed up first: {reason}",
        f"Nothing was changed. Backups go to {folder}.",
    )
