"""Every sentence of the doctor about the workspace and the attached stores."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from memtui.text import counted, plural

_SALVAGE = "memtui doctor --salvage NEW recovers what can be read into a new workspace."
_ONLY_WORDS = "Semantic search is unavailable; text search and everything else work."
NOTHING_SHOWS_THEM = "They are not shown anywhere."
REMOVES_IT = "removes it"
REMOVES_THEM = "removes them"

# -- the checks of the workspace, as a failed one is named

CHECK_SQLITE = "SQLite library"
CHECK_VECTOR_SEARCH = "semantic search library"
CHECK_MODEL = "semantic search model"
CHECK_PAGES = "file integrity and write access"
CHECK_MOVED = "file location"
CHECK_ORPHANS = "orphaned rows"
CHECK_DANGLING = "relations kept by memtui"
CHECK_WORDS = "text search index"
CHECK_VECTORS = "semantic search index"
CHECK_TEXTS = "text checksums"
CHECK_UNSETTLED = "interrupted changes"
CHECK_LEASES = "other processes and leftover lock files"
CHECK_BACKUPS = "interrupted backups"
CHECK_PERMISSIONS = "file permissions"
CHECK_ENVIRONMENT = "disk space and Git"


def not_checked(check: str, error: BaseException) -> str:
    return f"Not checked: {check} ({error})."


def stores_not_listed(error: BaseException) -> str:
    return f"Could not list the stores: {error}."


# -- the workspace: libraries

OLD_SQLITE_MEANING = (
    "If two programs write at once, a saved change can be lost. Reinstall memtui "
    "with a newer version of apsw."
)
NO_VECTOR_SEARCH_MEANING = f"{_ONLY_WORDS} Reinstall memtui."


def old_sqlite(version: str) -> str:
    return f"SQLite {version} is in use; 3.51.3 is the first safe version."


def no_vector_search(reason: str) -> str:
    return f"Could not load sqlite-vec: {reason}."


def no_model_meaning(hint: str) -> str:
    return f"{_ONLY_WORDS} {hint}".strip()


# -- the workspace: its file

DAMAGED_MEANING = f"Some memories or journal entries can't be read; the stores are not affected. {_SALVAGE}"
READ_ONLY_MEANING = "memtui shows everything but can't change anything."
MOVED_MEANING = (
    "Changes made now go into a file that will be lost. Close memtui, put the file back, then open it again."
)
PERMISSIONS_MEANING = "It contains the text of all your memories."
GIT_TRACKED = "The workspace is tracked by Git."
GIT_TRACKED_MEANING = (
    "Anyone with repository access can read all your memories. To untrack it: git rm --cached."
)
GIT_UNTRACKED = "The workspace is in a Git repository that doesn't ignore it."
GIT_UNTRACKED_MEANING = (
    "git add --all would add all your memories to the repository; add the file to .gitignore."
)
LOW_DISK_SPACE_MEANING = "Changes may fail for lack of space; existing data is safe."


def damaged(damage: str) -> str:
    return f"The workspace file is damaged: {damage}."


def moved(path: Path) -> str:
    return f"{path} was deleted or replaced while it was open."


def permissions(mode: int) -> str:
    return f"Other users can access it (mode {mode:o})."


def makes_private(mode: int) -> str:
    return f"makes it private (mode {mode:o})"


def low_disk_space(megabytes: int) -> str:
    return f"Only {megabytes:,} MB free on its disk."


# -- the workspace: rows and index

HISTORY_GAPS = "The history of some memories has gaps; nothing else is affected."
DELETES_THEM = "deletes them"
STALE_WORDS = "The text search index is stale."
STALE_WORDS_MEANING = (
    "Searches may miss memories or match words they no longer contain; the memories are not affected."
)
REBUILDS_WORDS = "rebuilds it from the memories"
CORRUPTED_TEXT = "Its text differs from what was written: it was corrupted on disk."
MORE_CORRUPTED_TEXTS = "Other rows are corrupted in the same way."
CORRUPTED_TEXT_MEANING = "The text shown may be wrong."
NO_OTHER_COPY_MEANING = (
    "The text shown may be wrong, and there is no other copy: check it, correct it and save it."
)
TEXT_FROM_STORE = "reloads its text the next time its store is read"
TEXT_FROM_JOURNAL = "restores its text from the journal"


def orphans(count: int, table: str, parent: str) -> str:
    refer = plural(count, "refers", "refer")
    return f"{counted(count, 'row')} in {table} {refer} to rows missing from {parent}."


# -- the workspace: processes and what they left

UNSETTLED_MEANING = "memtui loads nothing from this store until it knows whether the change was written."
SETTLES = "checks the store, then finishes the change or reports it as not applied"
STALE_LEASES_MEANING = "memtui was interrupted; unfinished changes are completed or reverted on every start."
UNFINISHED_BACKUP_MEANING = "It is not a usable backup; finished backups are intact."


def unsettled(summary: str) -> str:
    return f"An interrupted change is still pending: {summary}."


def stale_leases(count: int) -> str:
    return f"{counted(count, 'lock file')} left over from processes that have exited."


def unfinished_backup(name: str) -> str:
    return f"{name} was not finished when memtui exited."


# -- a store that cannot be read

KEPT = "memtui keeps showing what it last loaded."
DAMAGED_STORE_MEANING = f"{KEPT} Its agent can't read it either; to look for a backup: memtui backup list."
UNAVAILABLE_MEANINGS = {
    "missing": f"{KEPT} Put it back, or detach it: memtui stores detach.",
    "damaged": DAMAGED_STORE_MEANING,
    "unknown-schema": f"{KEPT} Something else is in its place.",
    "busy": f"Nothing is lost: another program is writing to it. {KEPT} Try again in a moment.",
    "unreadable": f"{KEPT} You don't have permission to read the store.",
}


def unreadable(reason: str) -> str:
    return f"It could not be read: {reason}."


def other_format(title: str, reason: str) -> str:
    return f"It can no longer be read as {title}: {reason}"


def not_all_checked(error: BaseException) -> str:
    return f"Not all of it could be checked: {error}."


def damaged_database(damage: str) -> str:
    return f"The database is damaged: {damage}."


# -- a store: where it is, and who may use it

SYMLINK_MEANING = "The store was moved after it was attached; memtui reads the link's target."
WORLD_WRITABLE = "Any user on this machine can change it."
STORE_TRACKED = "This store is tracked by Git."
HARD_LINK_MEANING = "Writing could break the hard link or damage a database, so memtui keeps it read-only."
LOCKED_MEANING = "memtui shows its memories but can't change them."


def symlink(target: Path) -> str:
    return f"Its path is now a link to {target}."


def world_writable_meaning(root: Path) -> str:
    return f"Anyone could plant false memories. To fix it: {_private_command(root)}"


def world_readable(names: Sequence[str]) -> str:
    what = names[0] if len(names) == 1 else f"{len(names):,} files"
    return f"Any user on this machine can read {what}."


def world_readable_meaning(personal: int, root: Path) -> str:
    return f"{_personal(personal)} To make it private: {_private_command(root)}".strip()


def store_tracked_meaning(personal: int) -> str:
    readers = "Anyone with repository access can read it, and a checkout may bring back old versions."
    return f"{_personal(personal)} {readers}".strip()


def _personal(count: int) -> str:
    return f"It contains {counted(count, 'personal memory', 'personal memories')}." if count else ""


def _private_command(root: Path) -> str:
    return f"chmod -R o= {shlex.quote(str(root))}"


def hard_link(name: str) -> str:
    return f"{name} has more than one hard link."


# -- a store: files of interrupted writes

STRAY_NEW_MEANING = "Agents don't read it."
STRAY_OLD_MEANING = "It may contain what an agent wrote at that moment: compare it with the original file."


def stray_file(name: str) -> str:
    return f"{name} is left over from an interrupted write."
