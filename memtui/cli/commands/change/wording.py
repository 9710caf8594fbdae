"""Every sentence of the commands that change memories."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import after_colon, counted, plural

NOTHING_CHANGED = "Nothing was changed."

# What a verb is doing.
IN_PROGRESS = {
    "pin": "pinning",
    "unpin": "unpinning",
    "confirm": "confirming",
    "dismiss": "dismissing",
    "forget": "forgetting",
    "restore": "restoring",
    "snooze": "snoozing",
    "wake": "unsnoozing",
    "edit": "editing",
    "copy": "copying",
    "move": "moving",
    "purge": "purging",
    "redact": "redacting",
    "import": "importing",
    "compare": "comparing",
}

# Contradictions and duplicates.
NOTHING_TO_COMPARE = "No new or changed memories to compare."
MERGED_WITHOUT_TEXT = "No --text was given, so A got both texts combined. To undo: memtui undo"
NO_EXACT_DUPLICATES = "No exact duplicates."

# Decay.
WHAT_IS_DUE = "Nothing was changed. To run due decay (once a day): memtui decay run --yes"
NOTHING_DUE_TODAY = "Nothing is due, or decay already ran today. Nothing was changed."
STILL_DUE = "Skipped memories are still due. Run decay again later."
NOTHING_DUE = "Nothing is due. Decay runs once a day for each store."

# The journal.
NO_ENTRIES = "No changes yet."
NO_SUCH_ENTRIES = "No such changes: memtui journal shows all."
NO_AGENT_CHANGES = "No changes by agents since your last check."
MORE_AGENT_CHANGES = "To see more changes, mark these as seen: memtui since --seen"

# Purge.
PURGE_SCOPE = "To be purged from the stores and from memtui:"
BACKUPS_DELETED = "Backups that contain the text and will be deleted:"
BACKUPS_KEPT = "Backups that contain the text and will be kept:"
BACKUPS_STILL_HOLD = "These backups still contain the purged text:"


def would_do(action: str, store: str, count: int, effect: str) -> str:
    """What --dry-run prints for a store: "Would dismiss 1 memory in graph: removes it from graph.jsonl"."""
    verb = {"wake": "unsnooze", "reason": "change the pin reason for"}.get(action, action)
    each = "" if count == 1 else ". For each"
    return f"Would {verb} {counted(count, 'memory')} in {store}{each}: {effect}"


def would_not(store: str, count: int, reason: str) -> str:
    return f"Would skip {counted(count, 'memory')} in {store}: {after_colon(reason)}"


# Splitting.
REWORDED = "The parts don't match the memory's text word for word."


def part(number: int, uid: str, text: str) -> str:
    return f"{number:,}  {uid}  {text}" if uid else f"{number:,}  {text}"


def scan_read_only() -> Refused:
    return Refused("read-only", "Nothing was compared: the workspace is open read-only.")


def comparing(pairs: int) -> str:
    return f"compared {counted(pairs, 'pair')}"


def scan_stopped(compared: str, remaining: int) -> str:
    left = counted(remaining, "memory")
    return f"Stopped. {compared} {left} left; to continue: memtui contradictions scan"


def compared(memories: int, pairs: int, found: int, gone: int) -> str:
    outdated = f", {counted(gone, 'no longer applies', 'no longer apply')}" if gone else ""
    extent = f"{counted(memories, 'memory')} ({counted(pairs, 'pair')})"
    return f"Compared {extent}: {found:,} new to review{outdated}."


def limited(how: str) -> str:
    return f"Note: {how}."


def open_pairs(open: int, escalated: int) -> str:
    late = f", {escalated:,} for more than 7 days" if escalated else ""
    return f"Open pairs: {open:,}{late}.  To list them: memtui contradictions list, memtui duplicates list"


def not_a_duplicate(id: int) -> Refused:
    hint = f"To merge anyway: memtui contradictions resolve {id} merge --text TEXT"
    return Refused("contradiction", "Not merged: the memories contradict each other.", hint)


def to_merge(count: int) -> str:
    return f"{counted(count, 'pair')} to merge. Nothing was changed; add --yes to merge (each can be undone)."


def merged(count: int) -> str:
    return f"Merged {counted(count, 'exact duplicate')}.  To undo one at a time: memtui undo"


def to_forget(count: int) -> str:
    return f"{counted(count, 'memory')} to forget. Nothing was changed; add --yes to forget (can be undone)."


def pair_left(id: int, reason: str) -> str:
    return f"Not merged: {id}: {after_colon(reason)}"


def new_pairs(count: int, noun: str, other: str, id: int) -> str:
    more = " …" if count > 1 else ""
    return f"{counted(count, noun)} with “{other}”{more}: memtui contradictions show {id}"


def entry(summary: str, label: str, call: str) -> str:
    """`call` is an agent's: by memory_store, session 3f2a…"""
    return by_call(f"{summary}: {label}" if label else summary, call)


def by_call(what: str, call: str) -> str:
    return f"{what} ({call})" if call else what


def more_rows(count: int, total: int) -> str:
    return f"And {count:,} more; --limit {total} shows all."


def decay_summary(days: float, leaving: int, changing: int, categories: Iterable[tuple[str, int]]) -> str:
    named = ", ".join(f"{name} {count:,}" for name, count in categories)
    return (
        f"Within {days:g} {plural(days, 'day')}: "
        f"{counted(leaving, 'memory leaves its store', 'memories leave their stores')}, "
        f"{counted(changing, 'changes', 'change')} in total." + (f" By category: {named}." if named else "")
    )


def memory_left(uid: str, label: str, reason: str) -> str:
    return f"Not changed: {uid}  {label}: {after_colon(reason)}"


def due(count: int) -> str:
    return f"{counted(count, 'change')} due. Nothing was changed; add --yes to apply (can be undone)."


def uid(uid: str) -> str:
    return f"uid {uid}"


def kept_fields(names: Iterable[str]) -> str:
    return f"  kept only in memtui: {', '.join(names)}"


def lost_fields(names: Iterable[str]) -> str:
    return f"  not transferred: {', '.join(names)}"


def cannot_ask() -> Refused:
    return Refused(
        "not-asked",
        "Nothing was purged: a purge can't be undone, and confirming it needs a terminal.",
        "--yes skips the confirmation.",
    )


def not_confirmed() -> Refused:
    return Refused("not-asked", "Nothing was purged.")


def memory_at(uid: str, label: str, place: str) -> str:
    return f"  {uid}  {label}  ({place})"


def purged_of(count: int, store: str) -> str:
    return f"  {counted(count, 'memory')} in {store} altogether"


def place_in_file(place: str, path: str) -> str:
    return f"{place} in {path}"


def confirm(word: str) -> str:
    return f"This can't be undone. Type {word} to continue."


def erased(summary: str) -> str:
    return f"{summary}. This can't be undone."


def backups_deleted(count: int) -> str:
    return f"Deleted {counted(count, 'backup')} that contained the purged text."


def delete_backups_by(command: str) -> str:
    return f"To delete them: {command}"


# Rules that are applied.

APPLYING = "applying rules"


def rules_stopped(left: int) -> str:
    return f"Stopped with {counted(left, 'memory')} to go. To apply the rest: memtui rules"


def rules_not_applied(reason: str) -> str:
    return f"The rest is not applied yet: {after_colon(reason)} To apply it: memtui rules"
