"""Every sentence about changes to stores that are made of files."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
NOTHING_WRITTEN = "Nothing was written."
TRY_AGAIN = "Try again in a moment."
LEFT_ALONE = "It was left as it is."
OPEN_THE_MEMORY = "Nothing was written. Open the memory to see what stands there now."

# Why a store, or one of its files, is read-only.
STORE_GONE = "{store} is no longer there."
STORE_NOT_WRITABLE = "{store} may not be written by this user."
TOO_LARGE = "is larger than 1 MiB"
NOT_UTF8 = "is not UTF-8"

# Findings.
FOLDER_UNREADABLE = "The folder may not be read by this user; what it held is shown as last read."
FILE_UNREADABLE = "The file may not be read by this user."
FOLDER_NAMED_LIKE_FILE = "A folder that is named like a file."
NOT_A_FILE = "Neither a file nor a folder."
LINK_TO_FILE = "A link: what it leads to is read-only."
LINK_ELSEWHERE = "A link: what it leads to is left out."
NAME_NOT_UTF8 = "The file's name is not UTF-8."
DUPLICATE_ID = "Another file has the same id; each is shown as a memory of its own."
READ_ONLY_FILE = "{name} {reason}; it is left as it is."

# Why a record did not come out of a plan as it should.
NOT_THE_MEMORY = "it would not read back as the memory that it is"
OLD_PLACE_UNKNOWN = "its old place cannot be told"
NOT_AS_ASKED = "it would not read back as what was asked"
OTHERS_CHANGED = "it would also have changed {places}"

# Why the store's values differ from those that a write was based on (a Conflict).
NO_LONGER_AS_READ = "the memory is no longer in the store as it was read."
CHANGED_SINCE_READ = "the memory changed in the store since it was read."


def read_only(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def file_exists(name: str) -> Refused:
    return Refused("exists", f"{name} is there already.", NOTHING_CHANGED)


def name_taken_again(name: str) -> Refused:
    return Refused("exists", f"{name} is there again already.", NOTHING_CHANGED)


def removed_in_batch() -> Refused:
    return Refused("gone", "Another change in this batch took it away.")


def not_reproducible(code: str, reason: str) -> NotSaved:
    return NotSaved(code, f"{reason}.", NOTHING_CHANGED)


# -- undoing


def changed_at_place(name: str) -> Refused:
    return Refused("changed-since", f"{name} changed since, at this very place.", OPEN_THE_MEMORY)


def moved_since(name: str) -> Refused:
    message = f"{name} changed since: it is no longer where the change left it."
    return Refused("changed-since", message, OPEN_THE_MEMORY)


def memory_moved_since() -> Refused:
    message = "The memory is no longer where the change left it."
    return Refused("changed-since", message, NOTHING_WRITTEN)


def written_by_another(name: str) -> Refused:
    return Refused("changed-since", f"{name} was written by another hand since.")


def cannot_complete(name: str) -> Refused:
    return Refused("changed", f"{name} changed since.", LEFT_ALONE)


# -- writing


def changed_meanwhile(name: str) -> NotSaved:
    message = f"{name} changed while the change was being made."
    return NotSaved("changed", message, f"{NOTHING_WRITTEN} Try again.")


def not_put_back(message: str, names: Sequence[str]) -> Refused:
    return Refused("partly", f"{message} {', '.join(names)} could not be put back.")


def outside_store(name: str) -> Refused:
    return Refused("outside", f"{name} leads out of the store.", NOTHING_CHANGED)


def link_on_path(name: str) -> Refused:
    return Refused("link", f"{name} is a link; links inside a store are read-only.")


def link_not_saved(name: str) -> NotSaved:
    return NotSaved("link", f"{name} is a link; links inside a store are read-only.")


def damaged_file(name: str, reason: str) -> NotSaved:
    return NotSaved("read-only", f"{name} {reason}, so it is left as it is.")


def file_not_writable(name: str) -> NotSaved:
    return NotSaved("read-only", f"{name} may not be written by this user.")


def hard_link(name: str) -> NotSaved:
    return NotSaved("hard-link", f"{name} has a second name (a hard link).")


def busy() -> NotSaved:
    return NotSaved("busy", "another memtui is writing there.", TRY_AGAIN)


def disk_full() -> NotSaved:
    return NotSaved("disk-full", "the disk is full.", "Free some space, try again.")


def store_not_writable() -> NotSaved:
    return NotSaved("read-only", "the store may not be written by this user.")


def system_error(reason: str | None) -> NotSaved:
    return NotSaved("io", f"{reason}.", NOTHING_CHANGED)


def no_atomic_rename(name: str) -> NotSaved:
    return NotSaved(
        "file-system",
        f"the file system of {name} can neither exchange nor link files,"
        " so an agent's own change could be lost.",
        NOTHING_WRITTEN,
    )
