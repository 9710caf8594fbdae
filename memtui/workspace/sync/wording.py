"""Every sentence about attaching, reading, restoring and rebuilding stores."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from memtui.errors import NotRestored, Refused
from memtui.text import counted

NOTHING_CHANGED = "Nothing was changed."
NOTHING_MADE = "Nothing was made."
NAME_KEPT = "Its name stays as it is."
DOUBLED_REF = "The store names two memories alike; this one is only shown."
OWN_STORE_RESTORED = "all that memtui keeps"
NO_NEWS = "no news"

# -- attaching


def leads_nowhere(path: Path) -> Refused:
    return Refused("missing", f"{path} leads nowhere.", NOTHING_CHANGED)


def one_name_for_several(path: Path, count: int) -> Refused:
    return Refused("name", f"{path} holds {count} stores; a name fits one only.", "Attach them one by one.")


def attached_as(name: str) -> Refused:
    return Refused("name", f"It is attached already, as {name}.", NAME_KEPT)


def store_exists(format: str, path: Path) -> Refused:
    reason = f"There is a store of {format} at {path} already."
    return Refused("exists", reason, f"{NOTHING_MADE} memtui stores attach opens it.")


def path_exists(path: Path | str) -> Refused:
    return Refused("exists", f"There is something at {path} already.", NOTHING_MADE)


def not_created(path: Path, reason: str) -> Refused:
    return Refused("io", f"No store could be made at {path}: {reason}.", NOTHING_MADE)


def created_not_attached(root: Path, reason: str) -> Refused:
    text = f"An empty store was made at {root}, but not attached: {reason}"
    return Refused("half", text, "memtui stores attach attaches it.")


def attached(store: str, count: int) -> str:
    return f"Attached {store}: {counted(count, 'memory')}"


def attached_again(store: str) -> str:
    return f"Attached {store} again"


# -- pulling


def unreadable(error: BaseException) -> str:
    return f"It cannot be read: {error!r}"


def store_unreadable(store: str, reason: str | None) -> Refused:
    return Refused("io", f"{store} cannot be read: {reason}.", subject=store)


def overtaken(store: str) -> Refused:
    return Refused("overtaken", f"{store} is being changed just now; it is read again in a moment.")


def unsettled(store: str) -> Refused:
    return Refused("unsettled", f"A change to {store} was cut off and is not settled yet.", subject=store)


def closing() -> Refused:
    return Refused("closing", "memtui is ending; the rest is read next time.")


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
        f"The store of the backup {id} is not attached.",
        f"{NOTHING_CHANGED} Attach it again, or look at the copy itself: {copy}",
    )


def folder_missing(folder: Path, copy: Path) -> NotRestored:
    return NotRestored(
        "missing",
        f"the folder {folder} is no longer there.",
        f"{NOTHING_CHANGED} Make it again first; the copy is {copy}",
    )


def backup_damaged(reason: str) -> NotRestored:
    return NotRestored(
        "damaged",
        f"the backup is damaged ({reason})",
        f"{NOTHING_CHANGED} memtui backup list shows the others.",
    )


def not_backed_up_first(store: str, reason: str) -> NotRestored:
    return NotRestored(
        "backup", f"{store} as it is now could not be backed up first: {reason}", NOTHING_CHANGED
    )


def other_version(command: str) -> NotRestored:
    return NotRestored(
        "older",
        "this backup was made by another version of memtui.",
        f"{NOTHING_CHANGED} Open the copy as a workspace of its own: {command}",
    )


def restored(store: str, made_at: datetime) -> str:
    return f"Restored {store} to the backup of {made_at:%Y-%m-%d %H:%M}"


def restored_counts(added: int, changed: int, removed: int) -> list[str]:
    pairs = zip((added, changed, removed), ("added", "changed", "removed"), strict=True)
    return [f"{count:,} {word}" for count, word in pairs if count]


def restored_but_unreadable(reason: str) -> str:
    return f"but it cannot be read: {reason}"


def restored_but_not_journaled(reason: str) -> str:
    return f"but {reason}: no journal entry"


# -- rebuilding derived files


def not_derived(name: str, known: Iterable[str]) -> Refused:
    return Refused("what", f"Nothing is called {name}: it is {', '.join(known)}.", NOTHING_CHANGED)


def no_cognitive_tree(store: str) -> Refused:
    return Refused("format", f"{store} is no Cognitive Memory tree.", NOTHING_CHANGED)


def rebuilt(name: str, store: str) -> str:
    return f"Rebuilt {name} of {store}"


def rebuilt_not_read(done: str, reason: str) -> Refused:
    return Refused(
        "half",
        f"{done}, but memtui could not take that in: {reason}.",
        "The file is written. memtui reads it when it next starts.",
    )
