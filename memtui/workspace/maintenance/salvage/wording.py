"""Every sentence of salvage."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from memtui.errors import Refused
from memtui.text import counted, plural

# Written into the new workspace, where what happened was lost.
LOST_ENTRY = "An entry that could not be read"
LOST_STATE = "Its outcome could not be read."

_NOTHING_MADE = "Nothing was created."
NOTHING_LOST = "Nothing was lost."
GAPS_FILLED_LATER = "The gaps will be filled when the attached stores are next read."
SOUND = "The new workspace passed all checks."
_NOUNS = {
    "memories": ("memory", "memories"),
    "journal": ("journal entry", "journal entries"),
    "journal_items": ("change record", "change records"),
    "bodies": ("journal text", "journal texts"),
    "item_states": ("outcome", "outcomes"),
    "outbox": ("store write", "store writes"),
    "relations": ("relation", "relations"),
    "stores": ("store", "stores"),
}


def missing(path: Path) -> Refused:
    return Refused("missing", f"No workspace at {path}.", _NOTHING_MADE)


def nothing_readable(path: Path, error: BaseException) -> Refused:
    return Refused(
        "lost",
        f"{path} can't be read at all: its schema is lost ({error}).",
        "It was not changed, and nothing was created. The attached stores still have their memories: "
        "attach them to a new workspace.",
    )


def disk_full() -> Refused:
    return Refused(
        "disk-full", "Nothing was recovered: the disk is full.", "Free up some space and try again."
    )


def target_exists(target: Path) -> Refused:
    return Refused("exists", f"{target} already exists and was not overwritten.", "Choose a new file.")


def cannot_create(target: Path, reason: str | None) -> Refused:
    return Refused("io", f"Could not create {target}: {reason}.", "Choose another path.")


def not_a_workspace(path: Path) -> Refused:
    return Refused("not-a-workspace", f"{path} is not a memtui workspace.", _NOTHING_MADE)


def saved(target: Path, counts: Mapping[str, int]) -> str:
    return f"Recovered into {target}: {_count('memories', counts)}, {_count('journal', counts)}."


def lost(counts: Mapping[str, int]) -> str:
    gone = named_losses(counts)
    return f"Lost: {', '.join(gone)}." if gone else NOTHING_LOST


def named_losses(counts: Mapping[str, int]) -> list[str]:
    """Return what was lost, as far as a person would miss it."""
    return [_count(name, counts) for name in _NOUNS if counts.get(name)]


def _count(table: str, counts: Mapping[str, int]) -> str:
    one, many = _NOUNS[table]
    return counted(counts[table], one, many)


def empty_until_pull(count: int) -> str:
    are = plural(count, "is", "are")
    return f"{count:,} of the recovered memories {are} empty until their store is next read."


def restored_from_journal(count: int) -> str:
    return f"{count:,} of the recovered memories {plural(count, 'was', 'were')} restored from the journal."


def faulty(faults: str) -> str:
    return f"The new workspace has problems: {faults}."


def row_without_parent(table: str, parent: str) -> str:
    return f"{table} row without its {parent} row"


def words_fault(error: BaseException) -> str:
    return f"text search index: {error}"


def open_with(path: Path, target: Path) -> str:
    command = f"memtui --workspace {shlex.quote(str(target))}"
    return f"{path} was not changed. To open the new one: {command}"
