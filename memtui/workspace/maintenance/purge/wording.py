"""Every sentence of a purge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import NotPurged, Refused
from memtui.text import after_colon, counted
from memtui.values import Fields

NOTHING_PURGED = "Nothing was purged."
PURGE_AGAIN = "Purge it again to finish."
OTHER_PROCESS_WRITES = "another memtui process is writing to it"

# -- refusals


def no_such_memory() -> Refused:
    return Refused("nothing", "No such memory.", NOTHING_PURGED)


def busy() -> Refused:
    return Refused("busy", "Another memtui process is changing it right now.", f"{NOTHING_PURGED} Try again.")


def read_only(reason: str) -> Refused:
    return Refused("read-only", f"Not purged: {after_colon(reason)}", NOTHING_PURGED)


def not_planned(reason: str | None) -> Refused:
    return Refused("io", f"Not purged: {reason}.", NOTHING_PURGED)


def changed_meanwhile(store: str, intended: Fields, stored: Fields) -> Refused:
    return NotPurged(f"it has changed in {store} since it was loaded.", intended, stored)


def unreadable(store: str, reason: str | None) -> Refused:
    return Refused("io", f"{store} could not be read: {reason}.")


def detached_unreadable(store: str, reason: str | None) -> Refused:
    return Refused("io", f"{store} could not be read: {reason}.", NOTHING_PURGED)


def detached(store: str, path: str) -> Refused:
    return Refused(
        "detached",
        f"{store} is detached, and its memories are still in {path}.",
        f"{NOTHING_PURGED} Attach it again first.",
    )


def incomplete(stores: Sequence[str], reason: str) -> Refused:
    """The refusal of a purge that did not reach the workspace; `stores` are those it did reach."""
    if stores:
        done = f"Purged from {', '.join(stores)}, but not from memtui: {reason}."
        return Refused("half", done, PURGE_AGAIN)
    return Refused("io", f"Not purged from memtui: {reason}.", f"{NOTHING_PURGED} Try again.")


# -- what was done


def summary(count: str, stores: Iterable[str]) -> str:
    """The journal's summary; `count` says how many memories."""
    return f"Purged {count} from {', '.join(dict.fromkeys(stores))}"


def left(uids: Sequence[str], reason: str) -> str:
    """Which memories were not purged, all for one reason."""
    which = f"{uids[0]} was" if len(uids) == 1 else f"{counted(len(uids), 'memory')} were"
    return f"{which} not purged: {after_colon(reason)}"


def others_not_undoable(count: int) -> str:
    noun = "change to another memory" if count == 1 else "changes to other memories"
    return f"{count:,} {noun} contained the same text and can no longer be undone."


# -- what a purge does not reach


def unused_parts(file: str, reason: str, what_then: str) -> str:
    return f"The text may remain in unused space in {file}: {after_colon(reason)}. {what_then}"


def workspace_open_elsewhere(file: str) -> str:
    return (
        f"Another memtui process has the workspace open: the text may remain in {file} and {file}-wal until "
        "every memtui process exits."
    )


def side_records_stay(count: int, store: str, kinds: Sequence[str]) -> str:
    what = f"{counted(count, 'related record')} in {store} ({', '.join(kinds)})"
    return f"{what} may remain and contain its text."


def same_text_elsewhere(count: int) -> str:
    others = counted(count, "other memory has", "other memories have")
    return f"{others} the same text, which was left as is."


def store_missing(path: str) -> str:
    return f"{path} is missing; if it comes back, it may still contain the text."


def store_detached(path: str) -> str:
    return f"{path} is detached; a copy under another name may still contain the text."


def unused_parts_of_store(file: str) -> str:
    return f"{file} belongs to another program: its unused space may contain the text until it is compacted."
