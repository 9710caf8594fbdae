"""Every sentence of salvage."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from memtui.errors import Refused
from memtui.text import counted, plural

# Written into the new workspace, where what happened was lost.
LOST_ENTRY = "A line that could not be read"
LOST_STATE = "What became of it could not be read."

_NOTHING_MADE = "Nothing was made."
NOTHING_LOST = "Nothing was lost."
GAPS_FILLED_LATER = "At the next pull every attached store is read anew and fills the gaps."
SOUND = "The new workspace was checked: sound."
_NOUNS = {
    "memories": ("memory", "memories"),
    "journal": ("journal line", "journal lines"),
    "journal_items": ("journal item", "journal items"),
    "bodies": ("text of the journal", "texts of the journal"),
    "item_states": ("outcome", "outcomes"),
    "outbox": ("foreign write", "foreign writes"),
    "relations": ("relation", "relations"),
    "stores": ("store", "stores"),
}


def missing(path: Path) -> Refused:
    return Refused("missing", f"There is no workspace at {path}.", _NOTHING_MADE)


def nothing_readable(path: Path, error: BaseException) -> Refused:
    return Refused(
        "lost",
        f"Nothing of {path} can be read: its table of contents is gone ({error}).",
        "It was left as it is, and nothing was made. The attached stores still have their memories: "
        "attach them to a new workspace.",
    )


def disk_full() -> Refused:
    return Refused("disk-full", "Nothing was saved: the disk is full.", "Free some space.")


def target_exists(target: Path) -> Refused:
    return Refused("exists", f"{target} is there already and is not written over.", "Name a new file.")


def cannot_create(target: Path, reason: str | None) -> Refused:
    return Refused("io", f"{target} cannot be made: {reason}.", "Name another place.")


def not_a_workspace(path: Path) -> Refused:
    return Refused("not-a-workspace", f"{path} is no memtui workspace.", _NOTHING_MADE)


def saved(target: Path, counts: Mapping[str, int]) -> str:
    return f"Saved into {target}: {_count('memories', counts)}, {_count('journal', counts)}."


def lost(counts: Mapping[str, int]) -> str:
    gone = [_count(name, counts) for name in _NOUNS if counts.get(name)]
    return f"Lost: {', '.join(gone)}." if gone else NOTHING_LOST


def _count(table: str, counts: Mapping[str, int]) -> str:
    one, many = _NOUNS[table]
    return counted(counts[table], one, many)


def empty_until_pull(count: int) -> str:
    stand = plural(count, "stands", "stand")
    return f"{count:,} of them {stand} empty until the store is read again, at the next pull."


def restored_from_journal(count: int) -> str:
    return f"{count:,} of them {plural(count, 'was', 'were')} made again from what the journal holds."


def faulty(faults: str) -> str:
    return f"The new workspace has a fault: {faults}."


def row_without_parent(table: str, parent: str) -> str:
    return f"{table} without its {parent}"


def words_fault(error: BaseException) -> str:
    return f"the words index: {error}"


def open_with(path: Path, target: Path) -> str:
    command = f"memtui --workspace {shlex.quote(str(target))}"
    return f"{path} was left as it is. Open the new one: {command}"
