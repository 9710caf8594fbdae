"""Every sentence about attaching, reading, restoring and rebuilding stores."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from memtui.errors import NotRestored, Refused
from memtui.text import counted

NOTHING_CHANGED = "Nothing was changed."
NOTHING_MADE = "Nothing was created."
NAME_KEPT = "Its name was not changed."
DOUBLED_REF = "Another memory in the store has the same ID; this one is read-only."
OWN_STORE_RESTORED = "everything memtui keeps"
NO_NEWS = "no changes"

# -- attaching


def leads_nowhere(path: Path) -> Refused:
    return Refused("missing", f"{path} can't be resolved.", NOTHING_CHANGED)


def one_name_for_several(path: Path, count: int) -> Refused:
    return Refused(
        "name", f"{path} contains {count} stores, so one name isn't enough.", "Attach them one by one."
    )


def attached_as(name: str) -> Refused:
    return Refused("name", f"Already attached as {name}.", NAME_KEPT)


def store_exists(format: str, path: Path) -> Refused:
    reason = f"There is already a {format} store at {path}."
    return Refused("exists", reason, f"{NOTHING_MADE} To attach it: memtui stores attach PATH")


def path_exists(path: Path | str) -> Refused:
    return Refused("exists", f"{path} already exists.", NOTHING_MADE)


def not_created(path: Path, reason: str) -> Refused:
    return Refused("io", f"Could not create a store at {path}: {reason}.", NOTHING_MADE)


def created_not_attached(root: Path, reason: str) -> Refused:
    text = f"Created an empty store at {root}, but could not attach it: {reason}"
    return Refused("half", text, "To attach it: memtui stores attach PATH")


def attached(store: str, count: int) -> str:
    return f"Attached {store}: {counted(count, 'memory')}"


def attached_again(store: str) -> str:
    return f"Attached {store} again"


# -- pulling


def unreadable(error: BaseException) -> str:
    return f"Could not be read: {error!r}"


def store_unreadable(store: str, reason: str | None) -> Refused:
    return Refused("io", f"{store} could not be read: {reason}.", subject=store)


def overtaken(store: str) -> Refused:
    return Refused(
        "overtaken", f"{store} is being changed right now; its changes will be loaded in a moment."
    )


def unsettled(store: str) -> Refused:
    return Refused("unsettled", f"An interrupted change to {store} is still pending.", subject=store)


def closing() -> Refused:
    return Refused("closing", "memtui is closing; the rest will be loaded next time.")


def counts(added: int, changed: int, removed: int) -> list[str]:
    pairs = zip((added, changed, removed), ("added", "changed", "removed"), strict=True)
    return [f"{count} {word}" for count, word in pairs if count]


def news(store: str, parts: Iterable[str]) -> str:
    return f"{store}: {', '.join(parts)}"


def overwritten(store: str, count: int) -> str:
    changes = counted(count, "change was", "changes were")
    return f"{store}: {changes} overwritten by the agent's program"


# -- restoring a backup


def backup_of_detached(id: str, copy: Path) -> Refused:
    return Refused(
        "no-store",
        f"The store of backup {id} is not attached.",
        f"{NOTHING_CHANGED} Attach it again, or open the copy directly: {copy}",
    )


def folder_missing(folder: Path, copy: Path) -> NotRestored:
    return NotRestored(
        "missing",
        f"the folder {folder} no longer exists.",
        f"{NOTHING_CHANGED} Create it first; the backup is at {copy}",
    )


def backup_damaged(reason: str) -> NotRestored:
    return NotRestored(
        "damaged",
        f"the backup is damaged: {reason}",
        f"{NOTHING_CHANGED} memtui backup list shows the others.",
    )


def not_backed_up_first(store: str, reason: str) -> NotRestored:
    return NotRestored(
        "backup", f"the current state of {store} could not be backed up first: {reason}", NOTHING_CHANGED
    )


def other_version(command: str) -> NotRestored:
    return NotRestored(
        "older",
        "this backup was made by a different version of memtui.",
        f"{NOTHING_CHANGED} Open the copy as a separate workspace: {command}",
    )


def restored(store: str, made_at: datetime) -> str:
    return f"Restored {store} from the backup made on {made_at:%Y-%m-%d %H:%M}"


def restored_counts(added: int, changed: int, removed: int) -> list[str]:
    pairs = zip((added, changed, removed), ("added", "changed", "removed"), strict=True)
    return [f"{count:,} {word}" for count, word in pairs if count]


def restored_but_unreadable(reason: str) -> str:
    return f"loading it failed: {reason}"


def restored_but_not_journaled(reason: str) -> str:
    return f"not recorded in the journal ({reason})"


# -- rebuilding derived files


def not_derived(name: str, known: Iterable[str]) -> Refused:
    return Refused("what", f"Unknown file {name}: must be one of {', '.join(known)}.", NOTHING_CHANGED)


def not_cognitive(store: str) -> Refused:
    return Refused("format", f"{store} is not a Cognitive Memory store.", NOTHING_CHANGED)


def rebuilt(name: str, store: str) -> str:
    return f"Rebuilt {name} in {store}"


def rebuilt_not_read(done: str, reason: str) -> Refused:
    return Refused(
        "half",
        f"{done}, but memtui could not load the result: {reason}.",
        "The file was written. memtui will load it on its next start.",
    )
