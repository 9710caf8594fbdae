"""Every sentence of the doctor about the workspace and the attached stores."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from memtui.text import counted, plural

_SALVAGE = "memtui doctor --salvage NEW saves what can be read into a new workspace."
_ONLY_WORDS = "Nothing is found by its meaning; words and everything else work."
NOTHING_SHOWS_THEM = "Nothing shows them."
REMOVES_IT = "removes it"
REMOVES_THEM = "removes them"

# -- the checks of the workspace, as a failed one is named

CHECK_SQLITE = "The SQLite library"
CHECK_VECTOR_SEARCH = "What searching by meaning needs"
CHECK_MODEL = "The model that knows what texts mean"
CHECK_PAGES = "The pages of the file, and whether it may be written"
CHECK_MOVED = "Whether the file still stands at its path"
CHECK_ORPHANS = "Rows without what they belong to"
CHECK_DANGLING = "Relations that memtui keeps"
CHECK_WORDS = "The words index"
CHECK_VECTORS = "The vectors, and what waits for one"
CHECK_TEXTS = "The mark of each row's texts"
CHECK_UNSETTLED = "Changes that were cut off"
CHECK_LEASES = "Which other processes write here, and what dead ones left"
CHECK_BACKUPS = "Backups that were cut off"
CHECK_PERMISSIONS = "Who may read the file and its folder"
CHECK_ENVIRONMENT = "The disk and the repository in which the file lies"


def not_checked(check: str, error: BaseException) -> str:
    return f"Not checked: {check} ({error})."


def stores_not_listed(error: BaseException) -> str:
    return f"The stores cannot be listed: {error}."


# -- the workspace: libraries

OLD_SQLITE_MEANING = (
    "With two programs at work, a change that was acknowledged can be lost. Install memtui again "
    "with a newer apsw."
)
NO_VECTOR_SEARCH_MEANING = f"{_ONLY_WORDS} Install memtui again."


def old_sqlite(version: str) -> str:
    return f"SQLite {version} is linked; 3.51.3 is the first that is safe."


def no_vector_search(reason: str) -> str:
    return f"sqlite-vec cannot be loaded: {reason}."


def no_model_meaning(hint: str) -> str:
    return f"{_ONLY_WORDS} {hint}".strip()


# -- the workspace: its file

DAMAGED_MEANING = (
    f"Some memories or journal lines cannot be read; the stores are not touched by it. {_SALVAGE}"
)
READ_ONLY_MEANING = "memtui shows everything and changes nothing."
MOVED_MEANING = (
    "What is changed now goes into a file that nobody will find again. Close memtui, put the file "
    "back, then open it anew."
)
PERMISSIONS_MEANING = "It holds the text of all your memories."
GIT_TRACKED = "Git tracks the workspace."
GIT_TRACKED_MEANING = (
    "Whoever gets the repository gets the text of all your memories. Take it out: git rm --cached."
)
GIT_UNTRACKED = "The workspace lies in a Git repository that does not ignore it."
GIT_UNTRACKED_MEANING = (
    "A git add of everything would put all your memories into the repository; add it to .gitignore."
)
LOW_DISK_SPACE_MEANING = "A change may be refused for want of space; what is there is safe."


def damaged(damage: str) -> str:
    return f"The workspace's file is damaged: {damage}."


def moved(path: Path) -> str:
    return f"{path} was deleted or replaced while it is open."


def permissions(mode: int) -> str:
    return f"Others may use it (mode {mode:o})."


def makes_private(mode: int) -> str:
    return f"makes it private (mode {mode:o})"


def low_disk_space(megabytes: int) -> str:
    return f"Only {megabytes:,} MB are free on its disk."


# -- the workspace: rows and index

HISTORY_GAPS = "The history of some memories has gaps; nothing else is harmed."
DELETES_THEM = "deletes them"
STALE_WORDS = "The words index is out of step with the memories."
STALE_WORDS_MEANING = (
    "A search may miss memories, or find some by words that they no longer hold; no memory is harmed."
)
REBUILDS_WORDS = "makes it anew from the memories"
CORRUPTED_TEXT = "Its text is not what was written: a byte was changed on the disk."
MORE_CORRUPTED_TEXTS = "There are more such rows."
CORRUPTED_TEXT_MEANING = "What you read may be wrong."
NO_OTHER_COPY_MEANING = (
    "What you read may be wrong, and no other copy is known: read it, correct it and save it."
)
TEXT_FROM_STORE = "lets the next pull take its text anew from its store"
TEXT_FROM_JOURNAL = "gives it back the text that the journal holds"


def orphans(count: int, table: str, parent: str) -> str:
    belong = plural(count, "belongs", "belong")
    return f"{counted(count, 'row')} of {table} {belong} to no row of {parent}."


# -- the workspace: processes and what they left

UNSETTLED_MEANING = "memtui takes nothing in from this store until it knows whether the change was written."
SETTLES = "asks the store, then finishes the change or reports it as not done"
STALE_LEASES_MEANING = "A memtui was ended in the middle; what it was doing is settled at each start."
UNFINISHED_BACKUP_MEANING = "It is no backup; the finished ones are whole."


def unsettled(summary: str) -> str:
    return f"A change was cut off and is not settled: {summary}."


def in_use(process: str) -> str:
    return f"Process {process} changes this workspace, too."


def stale_leases(count: int) -> str:
    return f"{counted(count, 'lock file')} of ended processes {plural(count, 'lies', 'lie')} about."


def unfinished_backup(name: str) -> str:
    return f"{name} was being made when memtui was ended."


# -- a store that cannot be read

KEPT = "What memtui last read of it is kept and shown."
DAMAGED_STORE_MEANING = f"{KEPT} Its agent can no longer read it either; a backup may hold it: memtui backup."
UNAVAILABLE_MEANINGS = {
    "missing": f"{KEPT} Put it back, or detach it: memtui stores detach.",
    "damaged": DAMAGED_STORE_MEANING,
    "unknown-schema": f"{KEPT} Something else stands in its place.",
    "busy": f"Nothing is lost: another program is writing to it. {KEPT} Ask again in a moment.",
    "unreadable": f"{KEPT} This user may not read the store.",
}


def unreadable(reason: str) -> str:
    return f"It cannot be read: {reason}."


def other_format(title: str, reason: str) -> str:
    return f"It can no longer be read as {title}: {reason}"


def not_all_checked(error: BaseException) -> str:
    return f"Not all of it could be looked at: {error}."


def damaged_database(damage: str) -> str:
    return f"The database is damaged: {damage}."


# -- a store: where it is, and who may use it

SYMLINK_MEANING = "Somebody moved the store since it was attached; memtui reads what the link leads to."
WORLD_WRITABLE = "Any user on this machine can change it."
STORE_TRACKED = "Git tracks this store."
HARD_LINK_MEANING = "Writing could tear the two names apart or damage a database, so memtui only reads it."
LOCKED_MEANING = "memtui shows its memories and changes nothing in it."


def symlink(target: Path) -> str:
    return f"Its place has become a link, to {target}."


def world_writable_meaning(root: Path) -> str:
    return f"Anyone could plant false memories. To fix: {_private_command(root)}"


def world_readable(names: Sequence[str]) -> str:
    what = names[0] if len(names) == 1 else f"{len(names):,} files"
    return f"Every user of this machine may read {what}."


def world_readable_meaning(personal: int, root: Path) -> str:
    return f"{_personal(personal)} To make it private: {_private_command(root)}".strip()


def store_tracked_meaning(personal: int) -> str:
    return (
        f"{_personal(personal)} Whoever gets the repository reads it, a checkout may bring an old one back."
    ).strip()


def _personal(count: int) -> str:
    return f"Memories about a person in it: {count:,}." if count else ""


def _private_command(root: Path) -> str:
    return f"chmod -R o= {shlex.quote(str(root))}"


def hard_link(name: str) -> str:
    return f"{name} has a second name (a hard link)."


# -- a store: files of interrupted writes

STRAY_NEW_MEANING = "No agent reads it."
STRAY_OLD_MEANING = "It may hold what an agent wrote in that moment: compare it with the file beside it."


def stray_file(name: str) -> str:
    return f"{name} was left by a change that was cut off."
