"""Every sentence about changes to memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import NotSaved, Refused
from memtui.text import plural

NOTHING_CHANGED = "Nothing was changed."
NOTHING_ADDED = "Nothing was added."
RESTORE_FIRST = "Restore it first."

# What an action does in memtui's own store, completing "Pin …".
NATIVE_SUPPORT = {
    "pin": "marks it in memtui",
    "unpin": "takes the mark off in memtui",
    "confirm": "raises its confidence in memtui",
    "restore": "gives it back its status",
    "add": "adds it to memtui's own store",
}
OTHER_NATIVE_SUPPORT = "changes it in memtui"
KEPT_IN_MEMTUI = "kept in memtui"
IS_KEPT_IN_MEMTUI = f"is {KEPT_IN_MEMTUI}"

# Why an action cannot be done on a memory.
ALREADY_PINNED = "It is pinned already."
NOT_PINNED = "It is not pinned."
NOTHING_TO_RESTORE = "Nothing to restore: it is not dismissed."
NOT_IN_STORE = "It is no longer in its store."
TAKEN_OUT = "It was taken out of its store; restore it first."
NOTHING_DIFFERENT = "Nothing in it would change."

# What an action did, before the number of memories.
DONE_BY_ACTION = {
    "pin": "Pinned",
    "unpin": "Unpinned",
    "confirm": "Confirmed",
    "dismiss": "Dismissed",
    "restore": "Restored",
    "edit": "Edited",
    "add": "Added",
    "relate": "Related",
    "unrelate": "Unrelated",
    "retie": "Changed a relation of",
    "supersede": "Superseded",
}
NO_RELATION_KIND = "without a kind"

# Ends of a reason.
CHANGED_SINCE_READ = "the memory changed since it was read."
CHANGED_BY_OTHER_MEMTUI = "it was changed by another memtui meanwhile."

# Of an item whose dependency was not settled before memtui ended.
ENDED_BEFORE = "memtui ended before it stood in the other store; it was left as it is."

# A repair, completing "The doctor …".
ADDS_LINE = "adds its line to MEMORY.md; memtui undo takes it back"

# A change that was cut off, as the next start reports it.
A_CHANGE = "a change"
NOT_WRITTEN = "memtui ended before it was written; nothing was changed."
CHANGED_AFTER_CRASH = "memtui ended while writing and the store was changed since; it was left as it is."
OTHER_STORE_FIRST = "another store comes first"


# -- why an action cannot be done


def store_detached(store: str) -> str:
    return f"Its store {store} is detached; attach it again first."


def already(status: str) -> str:
    return f"It is {status} already."


def restore_first(status: str) -> str:
    return f"It is {status}; restore it first."


def no_such_memory() -> Refused:
    return Refused("nothing", "There is no such memory.", NOTHING_CHANGED)


def none_possible(code: str, reason: str, others: int) -> Refused:
    """Refuse a change of which no part can be done: the first reason, and how many more there are."""
    more = f" (and {others} more)" if others else ""
    return Refused(code, f"{reason}{more}", NOTHING_CHANGED)


def text_erased() -> Refused:
    return Refused("erased", "Its text was erased; it cannot be put back.")


def locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


# -- editing and adding


def not_editable(field: str, editable: Iterable[str]) -> Refused:
    return Refused("no-field", f"{field} cannot be edited.", f"Fields are {', '.join(editable)}.")


def would_be_empty() -> NotSaved:
    return NotSaved("empty", "the memory would be empty.", "Dismiss it instead.")


def nothing_to_add() -> Refused:
    return Refused("empty", "Nothing was added: the memory has no text.", "Give it some.")


def add_locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_ADDED)


# -- carrying a change out


def dependency_refused(reason: str) -> Refused:
    return Refused("needs", f"Left as it is: {reason}")


def dependency_pending(reason: str) -> Refused:
    return Refused(
        "needs", f"Left as it is: the journal entry of the other half is still open, since {reason}."
    )


def entry_pending(reason: str) -> str:
    return f"; the journal entry is finished at the next start, since {reason}"


def not_read_back(store: str) -> str:
    return f"{store} could not be read back"


def write_unknown(store: str, reason: str) -> Refused:
    return Refused(
        "unknown",
        f"It is not known whether {store} was written: {reason}",
        "memtui finds out when it next starts.",
    )


def written_partly(store: str, reason: str) -> Refused:
    return Refused(
        "partly",
        f"Written to {store} only in part: {reason}",
        "memtui finishes it when it next starts.",
    )


def memory_gone() -> NotSaved:
    return NotSaved("gone", "the memory was taken away meanwhile.")


def changed_meanwhile() -> Refused:
    return Refused("changed-since", "It was changed meanwhile, so it is left as it is.")


def overrides_changed() -> NotSaved:
    return NotSaved(
        "changed-since", "what memtui keeps of the relation was changed by another memtui meanwhile."
    )


# -- after a crash


def not_settled_yet(summary: str, reason: str) -> str:
    return f"Not settled yet: {summary} ({reason})"


def none_settled_yet(reason: str) -> str:
    return f"Changes that were cut off are not settled yet: {reason}."


def finished(summary: str) -> str:
    return f"Finished after an interruption: {summary}"


def not_done(summary: str, reason: str) -> str:
    return f"Not done: {summary} ({reason})"


def store_unreadable(reason: str) -> str:
    return f"memtui ended before it was settled, and the store cannot be read: {reason}"


def write_undeterminable(reason: str) -> str:
    return f"memtui cannot tell whether it was written: {reason}"


def not_rolled_back(reason: str, why_not: str) -> str:
    return f"{reason} What was done elsewhere still stands: {why_not}"


def entry_damaged(code: str) -> Refused:
    return Refused(code, "its journal entry is damaged.")


# -- summaries


def count_of(number: int, total: int) -> str:
    """ "3 memories", or "2 of 3 memories"."""
    count = f"{number:,}" if number == total else f"{number:,} of {total:,}"
    return f"{count} {plural(total, 'memory')}"


def in_store(store: str, files: str = "") -> str:
    return f"in {store} ({files})" if files else f"in {store}"


def done_summary(action: str, count: str, kinds: Sequence[str], places: str, *, in_store_first: bool) -> str:
    """ "Edited 2 of 3 memories in founder-os:acme (memory.db)"."""
    which = f" ({', '.join(kinds)})" if kinds else ""
    comma = "" if in_store_first else ","
    return f"{DONE_BY_ACTION[action]} {count}{which}{comma} {places}"


def overrides_kept(names: str) -> str:
    return f"kept in memtui: {names}"


def fields_kept(names: Iterable[str]) -> str:
    return f"kept in memtui alone: {', '.join(names)}"


def removed_by_others(store: str, count: int) -> str:
    return f"{store}: {count} removed"


# -- repairs of a store


def changes_link(old: str, new: str) -> str:
    return f"changes “{old}” to “{new}”; memtui undo reverts it"


def with_suggestion(finding: str, name: str) -> str:
    return f"{finding} Did you mean “{name}”?"


def no_claude_code(reason: str) -> Refused:
    return Refused("read-only", reason or "It is no Claude Code memory any more.")


def no_file_store(reason: str) -> Refused:
    return Refused("read-only", reason or "It is no store of files any more.", NOTHING_CHANGED)


def not_read_yet() -> Refused:
    return Refused("gone", "The memory is not known to memtui yet; read the store first.")


def listed(file: str) -> str:
    return f"Listed {file} in MEMORY.md"


def line_added(file: str, pending: str, entry_id: int) -> str:
    return f"Added a line for {file} to MEMORY.md{pending}. Take it back: memtui undo {entry_id}"


def link_changed(old: str, new: str) -> str:
    return f"Changed a link from {old} to {new}"


def link_corrected(change: str, pending: str, entry_id: int) -> str:
    return f"{change}{pending}. Take it back: memtui undo {entry_id}"
