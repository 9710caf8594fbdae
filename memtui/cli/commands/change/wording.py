"""Every sentence of the commands that change memories."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import counted, plural

NOTHING_CHANGED = "Nothing was changed."

# Contradictions and duplicates.
NOTHING_TO_COMPARE = "Nothing waits to be compared."
MERGED_WITHOUT_TEXT = (
    "A says what both said, put together, as no --text was given; memtui undo takes it back."
)
NO_EXACT_DUPLICATES = "There are no exact duplicates."

# Decay.
WHAT_IS_DUE = "Nothing was changed. What is due is done, once a day, by: memtui decay run --yes"
NOTHING_DUE_TODAY = "Nothing is due, or it was done today: nothing was changed."
STILL_DUE = "What was left is still due: run it again later."
NOTHING_DUE = "Nothing is due; a store is run once a day."

# The journal.
NO_ENTRIES = "Nothing was changed yet."
NO_AGENT_CHANGES = "Agents changed nothing since you last looked."
MORE_AGENT_CHANGES = "There is more, which comes once this was marked as seen: memtui since --seen"

# Purge.
PURGE_SCOPE = "Erased for good, from its store and from all that memtui keeps:"
BACKUPS_DELETED = "Backups that hold it, and are deleted:"
BACKUPS_KEPT = "Backups that hold it, and stay:"
BACKUPS_STILL_HOLD = "These backups still hold it:"


def scan_read_only() -> Refused:
    return Refused("read-only", "Nothing was compared: the workspace is only read.")


def comparing(pairs: int) -> str:
    return f"comparing, {counted(pairs, 'pair')}"


def scan_stopped(compared: str, remaining: int) -> str:
    return (
        f"Stopped. {compared} {counted(remaining, 'memory')} left; "
        "memtui contradictions scan goes on from here."
    )


def compared(memories: int, pairs: int, found: int, gone: int) -> str:
    resolved = f", {gone:,} no longer stand{'s' * (gone == 1)}" if gone else ""
    return f"{counted(memories, 'memory')} compared in {counted(pairs, 'pair')}: {found:,} new{resolved}."


def limited(how: str) -> str:
    return f"Compared: {how}."


def open_pairs(open: int, escalated: int) -> str:
    late = f", {escalated:,} for more than 7 days" if escalated else ""
    return f"Open: {open:,}{late}.  See them: memtui contradictions list, memtui duplicates list"


def not_a_duplicate(id: int) -> Refused:
    hint = f"memtui contradictions resolve {id} merge --text TEXT"
    return Refused("contradiction", "Not merged: the two contradict each other.", hint)


def to_merge(count: int) -> str:
    return f"{count:,} to merge. Nothing was changed; --yes does it, undo takes each back."


def merged(count: int) -> str:
    return f"Merged {count:,} of what says the same.  Take each back: memtui undo"


def pair_left(id: int, reason: str) -> str:
    return f"Left as it was: {id}: {reason}"


def new_pairs(count: int, noun: str, other: str, id: int) -> str:
    more = " …" if count > 1 else ""
    return f"{count:,} {noun}{'s' if count > 1 else ''} with “{other}”{more}: memtui contradictions show {id}"


def more_rows(count: int, total: int) -> str:
    return f"And {count:,} more; --limit {total} shows all."


def decay_summary(days: float, leaving: int, changing: int, categories: Iterable[tuple[str, int]]) -> str:
    named = ", ".join(f"{name} {count:,}" for name, count in categories)
    return (
        f"Within {days:g} {plural(days, 'day')}: {counted(leaving, 'leaves', 'leave')}, "
        f"{counted(changing, 'changes', 'change')} in all." + (f" By category: {named}." if named else "")
    )


def memory_left(uid: str, label: str, reason: str) -> str:
    return f"Left as it was: {uid}  {label}: {reason}"


def due(count: int) -> str:
    return f"{count:,} due. Nothing was changed; --yes does it, and memtui undo takes it back."


def time_out_of_range(text: str) -> Refused:
    return Refused("now", f"{text} lies beyond what can be reckoned.")


def uid(uid: str) -> str:
    return f"uid {uid}"


def kept_fields(names: Iterable[str]) -> str:
    return f"  kept in memtui alone: {', '.join(names)}"


def lost_fields(names: Iterable[str]) -> str:
    return f"  stays behind: {', '.join(names)}"


def cannot_ask() -> Refused:
    return Refused(
        "not-asked",
        "Nothing was erased: a purge cannot be undone, and nobody can be asked here.",
        "With --yes it is done without asking.",
    )


def not_confirmed() -> Refused:
    return Refused("not-asked", "Nothing was erased.")


def memory_at(uid: str, label: str, place: str) -> str:
    return f"  {uid}  {label}  ({place})"


def place_in_file(place: str, path: str) -> str:
    return f"{place} in {path}"


def confirm_purge(word: str) -> str:
    return f"This cannot be undone. Type {word} to go on."


def purged(summary: str) -> str:
    return f"{summary}. This cannot be undone."


def backups_deleted(count: int) -> str:
    return f"Deleted {counted(count, 'backup')} that held it."


def delete_backups_by(command: str) -> str:
    return f"They go like any file: {command}"
