"""Every sentence about the workspace's own file and its backups."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import NotSaved, Refused

# Why the workspace is read-only.
READ_ONLY_OPTION = "Opened with --read-only."
NOT_WRITABLE = "The workspace's file may not be written by this user."
HARD_LINK = "The workspace's file has a second name (a hard link); writing could damage it."
NEWER_SCHEMA = "A newer memtui made this workspace; this one only reads it."

# Why the workspace accepts no write just now: the end of a sentence.
UNWRITABLE = "the workspace cannot be written"
UNWRITABLE_BY_CODE = {"disk-full": "the disk is full", "busy": "another program holds the workspace"}

DISK_FULL = "the disk is full."
VEC_MISSING = "the package sqlite-vec is missing"
OPEN_WRITABLE_ONCE = "Open it once where it may be written."


def damaged(damage: str) -> str:
    return (
        "The workspace's file is damaged, so it is only read; "
        f"memtui doctor --salvage NEW saves what can be read ({damage})."
    )


def missing(path: Path) -> Refused:
    return Refused("missing", f"There is no workspace at {path}.", "Open it once without --read-only.")


def is_folder(path: Path) -> Refused:
    return Refused("not-a-workspace", f"{path} is a folder.", "Name the workspace's file.")


def empty_file(path: Path) -> Refused:
    return Refused("missing", f"There is no workspace at {path}: the file is empty.", OPEN_WRITABLE_ONCE)


def no_copy_to_migrate(path: Path, error: BaseException) -> Refused:
    return Refused(
        "older",
        f"An older memtui made the workspace {path}. To only read it, this one needs a copy that is "
        f"brought up to date, and cannot make one: {error}.",
        OPEN_WRITABLE_ONCE,
    )


def other_database(path: Path) -> Refused:
    return Refused(
        "not-a-workspace",
        f"{path} is an SQLite database, but no memtui workspace.",
        "Nothing was changed. To open it as a store: memtui stores attach PATH.",
    )


def unreadable(path: Path, error: BaseException) -> Refused:
    return Refused(
        "damaged",
        f"The workspace {path} cannot be read: {error}.",
        "It was left as it is. memtui doctor --salvage NEW saves what can be read; "
        "--workspace PATH opens another one.",
    )


def busy(path: Path) -> Refused:
    return Refused("busy", f"The workspace {path} is locked by another program.", "Try again in a moment.")


def disk_full() -> NotSaved:
    return NotSaved("disk-full", DISK_FULL, "Free some space, try again.")


def io_error(path: Path, error: BaseException) -> Refused:
    return Refused("io", f"The workspace {path} cannot be opened or written: {error}.")


def cannot_create(path: Path, reason: str | None) -> Refused:
    return Refused(
        "io", f"No workspace can be made at {path}: {reason}.", "Name another place with --workspace PATH."
    )


def no_backup_before_migration(path: Path, reason: str, folder: Path) -> Refused:
    return Refused(
        "backup",
        f"The workspace {path} is of an older memtui and is not brought up to date, since no backup "
        f"of it could be made: {reason}",
        f"Nothing was changed. Backups go to {folder}.",
    )
