"""Every sentence about changes to stores that are made of files."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
NOTHING_WRITTEN = "Nothing was written."
TRY_AGAIN = "Try again in a moment."
LEFT_ALONE = "It was not changed."
OPEN_THE_MEMORY = "Nothing was written. Open the memory to see its current text."

# Why a store, or one of its files, is read-only.
STORE_GONE = "{store} no longer exists."
STORE_NOT_WRITABLE = "No write permission for {store}."
TOO_LARGE = "is larger than 1 MiB"
NOT_UTF8 = "is not valid UTF-8"

# Findings.
FOLDER_UNREADABLE = "No permission to read the folder; its content is shown as last read."
FILE_UNREADABLE = "No permission to read the file."
FOLDER_NAMED_LIKE_FILE = "A folder, not a file, despite its name."
NOT_A_FILE = "Neither a file nor a folder."
LINK_TO_FILE = "A symbolic link; its target is read-only."
LINK_ELSEWHERE = "A symbolic link; its target is skipped."
NAME_NOT_UTF8 = "The file name is not valid UTF-8."
DUPLICATE_ID = "Another file has the same ID; they are shown as separate memories."
NOT_READ = "{name} is larger than 1 MiB, so its current content is not shown."
READ_ONLY_FILE = "{name} {reason}, so it is read-only."

# Why a record did not come out of a plan as it should.
NOT_THE_MEMORY = "it would not read back as the same memory"
OLD_PLACE_UNKNOWN = "its original position is unknown"
NOT_AS_ASKED = "the edited file would not read back as intended"
OTHERS_CHANGED = "it would also have changed {places}"

# Why the store's values differ from those that a write was based on (a Conflict).
NO_LONGER_AS_READ = "the memory in the store no longer matches what was read."
CHANGED_SINCE_READ = "the memory has changed in the store since it was read."


def read_only(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def file_exists(name: str) -> Refused:
    return Refused("exists", f"{name} already exists.", NOTHING_CHANGED)


def name_taken_again(name: str) -> Refused:
    return Refused("exists", f"{name} has been recreated since.", NOTHING_CHANGED)


def removed_in_batch() -> Refused:
    return Refused("gone", "Another change in this batch removed it.")


def not_reproducible(code: str, reason: str) -> NotSaved:
    return NotSaved(code, f"{reason}.", NOTHING_CHANGED)


# -- undoing


def changed_at_place(name: str) -> Refused:
    return Refused("changed-since", f"The same part of {name} has changed since.", OPEN_THE_MEMORY)


def moved_since(name: str) -> Refused:
    message = f"{name} has changed since: the memory is no longer where the change put it."
    return Refused("changed-since", message, OPEN_THE_MEMORY)


def memory_moved_since() -> Refused:
    message = "The memory is no longer where the change put it."
    return Refused("changed-since", message, NOTHING_WRITTEN)


def written_by_another(name: str) -> Refused:
    return Refused("changed-since", f"Another program has written to {name} since.")


def cannot_complete(name: str) -> Refused:
    return Refused("changed", f"{name} has changed since.", LEFT_ALONE)


# -- writing


def changed_meanwhile(name: str) -> NotSaved:
    message = f"{name} changed during the write."
    return NotSaved("changed", message, f"{NOTHING_WRITTEN} Try again.")


def not_put_back(message: str, names: Sequence[str]) -> Refused:
    return Refused("partly", f"{message} Could not restore {', '.join(names)}.")


def outside_store(name: str) -> Refused:
    return Refused("outside", f"{name} is outside the store.", NOTHING_CHANGED)


def link_on_path(name: str) -> Refused:
    return Refused("link", f"{name} is a symbolic link; links inside a store are read-only.")


def link_not_saved(name: str) -> NotSaved:
    return NotSaved("link", f"{name} is a symbolic link; links inside a store are read-only.")


def damaged_file(name: str, reason: str) -> NotSaved:
    return NotSaved("read-only", f"{name} {reason}, so it is read-only.")


def file_not_writable(name: str) -> NotSaved:
    return NotSaved("read-only", f"no write permission for {name}.")


def hard_link(name: str) -> NotSaved:
    return NotSaved("hard-link", f"{name} has more than one hard link.")


def busy() -> NotSaved:
    return NotSaved("busy", "another memtui process is writing to this store.", TRY_AGAIN)


def disk_full() -> NotSaved:
    return NotSaved("disk-full", "the disk is full.", "Free up some space and try again.")


def store_not_writable() -> NotSaved:
    return NotSaved("read-only", "no write permission for the store.")


def system_error(reason: str | None) -> NotSaved:
    return NotSaved("io", f"{reason}.", NOTHING_CHANGED)


def no_atomic_rename(name: str) -> NotSaved:
    return NotSaved(
        "file-system",
        f"the file system of {name} doesn't support atomic replacement, so an agent's change could be lost.",
        NOTHING_WRITTEN,
    )


def secret_unparsable(name: str, line: int, column: int) -> Refused:
    return Refused(
        "unparsable",
        f"{name} can't be parsed where it has the secret.",
        f"The secret is in {name}, line {line}, column {column}.",
    )
