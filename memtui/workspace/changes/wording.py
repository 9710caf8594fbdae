"""Every sentence about changes to memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import NotSaved, Refused
from memtui.text import after_colon, counted, plural

NOTHING_CHANGED = "Nothing was changed."
NOTHING_ADDED = "Nothing was added."
RESTORE_FIRST = "Restore it first."

# What forgetting does, completing "Forget …", where the format has no words for its own delete.
DELETES_ROW = "deletes it from the store"
REMOVES_NATIVE = "removes it from memtui's own store"

# What an action does in memtui's own store, completing "Pin …".
NATIVE_SUPPORT = {
    "pin": "pins it in memtui",
    "unpin": "unpins it in memtui",
    "confirm": "raises its confidence in memtui",
    "restore": "restores its status in memtui",
    "forget": REMOVES_NATIVE,
    "snooze": "snoozes it in memtui",
    "wake": "ends the snooze in memtui",
    "reason": "keeps the reason in memtui",
    "add": "adds it to memtui's own store",
}
OTHER_NATIVE_SUPPORT = "changes it in memtui"
KEPT_IN_MEMTUI = "kept in memtui"
IS_KEPT_IN_MEMTUI = f"is {KEPT_IN_MEMTUI}"

# Why an action cannot be done on a memory.
ALREADY_PINNED = "Already pinned."
NOT_PINNED = "Not pinned."
NOT_SNOOZED = "Not snoozed."
NOTHING_TO_RESTORE = "Nothing to restore: the memory isn't dismissed."
NOT_IN_STORE = "It is no longer in its store."
TAKEN_OUT = "It was removed from its store; restore it first."
NOTHING_DIFFERENT = "Nothing would change."

# What an action did, before the number of memories.
DONE_BY_ACTION = {
    "pin": "Pinned",
    "reason": "Changed the pin reason for",
    "unpin": "Unpinned",
    "snooze": "Snoozed",
    "wake": "Unsnoozed",
    "confirm": "Confirmed",
    "dismiss": "Dismissed",
    "forget": "Forgot",
    "restore": "Restored",
    "edit": "Edited",
    "add": "Added",
    "relate": "Added a relation to",
    "unrelate": "Removed a relation from",
    "retie": "Changed a relation of",
    "supersede": "Replaced",
    "replace": "Replaced text in",
}
NO_RELATION_KIND = "no kind"

# Ends of a reason.
CHANGED_SINCE_READ = "the memory has changed since it was loaded."
CHANGED_BY_OTHER_MEMTUI = "another memtui process changed it in the meantime."

# Of an item of a change that was stopped, or that ended, before it.
NOT_REACHED = "The change was stopped before it reached this memory."

# Of an item whose dependency was not settled before memtui ended.
ENDED_BEFORE = "memtui exited before writing to the other store; nothing was changed."

# A repair, completing "The doctor …".
ADDS_LINE = "adds its line to MEMORY.md (memtui undo reverts it)"

# A change that was cut off, as the next start reports it.
A_CHANGE = "a change"
NOT_WRITTEN = "memtui exited before writing it; nothing was changed."
CHANGED_AFTER_CRASH = (
    "memtui exited while writing, and the store has changed since; nothing more was written."
)
OTHER_STORE_FIRST = "waiting for another store"


# -- why an action cannot be done


def store_detached(store: str) -> str:
    return f"Its store {store} is detached; attach it again first."


def already(status: str) -> str:
    return f"Already {status}."


def restore_first(status: str) -> str:
    return f"It is {status}; restore it first."


def no_such_memory() -> Refused:
    return Refused("nothing", "No such memory.", NOTHING_CHANGED)


def none_possible(code: str, reasons: Sequence[str]) -> Refused:
    """Refuse a change of which no part can be done, with the reason for each memory."""
    count = len(reasons)
    if count == 1:
        text = reasons[0]
    elif len(set(reasons)) == 1:
        text = f"{_none_of(count)}. Reason: {after_colon(reasons[0])}"
    else:
        text = f"{_none_of(count)}. First error: {after_colon(reasons[0])}"
    return Refused(code, text, NOTHING_CHANGED)


def _none_of(count: int) -> str:
    return f"None of the {count:,} memories could be changed"


def text_purged() -> Refused:
    return Refused("erased", "Its text was purged and can't be restored.")


def locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def hidden_until(day: str, summary: str) -> str:
    """The point first: a narrow status line cuts the end."""
    return f"Hidden from Inbox and Review until {day}: {summary}"


def finding_snoozed(store: str, day: str) -> str:
    return f"Hidden from the Inbox until {day}: a finding in {store}"


def no_secret_found() -> Refused:
    return Refused("nothing", "No secrets in this memory.", NOTHING_CHANGED)


def marked_no_secret(count: int) -> str:
    return f"Marked {counted(count, 'value')} as no secret; saved in memtui only"


def until_past(day: str) -> Refused:
    return Refused("until", f"{day} is in the past: snooze until a later date.", NOTHING_CHANGED)


# -- editing and adding


def not_editable(field: str, editable: Iterable[str]) -> Refused:
    return Refused("no-field", f"{field} can't be edited.", f"Editable fields: {', '.join(editable)}.")


def not_a_share(field: str, value: object) -> NotSaved:
    return NotSaved(field, f"{field} must be between 0 and 1, not {value}.")


def not_a_time(field: str) -> NotSaved:
    return NotSaved(field, f"the date of {_name(field)} is out of range.")


def not_among(field: str, value: str, allowed: Iterable[str]) -> NotSaved:
    return NotSaved(field, f"{field} can't be “{value}”: must be one of {', '.join(allowed)}.")


def times_reversed(first: str, begin: str, last: str, end: str) -> NotSaved:
    return NotSaved(last, f"{_name(last)} ({end}) is before {_name(first)} ({begin}).")


def confidence_limited(wanted: float, stored: float, store: str) -> str:
    return f"{store} stores confidence {wanted:g} as {stored:g}"


def kind_not_addable(store: str, kind: str, kinds: Iterable[str]) -> Refused:
    return Refused(
        "kind", f"{store} stores no memories of kind {kind}, only: {', '.join(kinds)}.", NOTHING_ADDED
    )


def owner_needed(store: str, owners: Iterable[str]) -> Refused:
    return Refused("owner", f"{store} has several owners: {', '.join(owners)}.", "Specify one of them.")


def _name(field: str) -> str:
    return {"expires_at": "expiry", "created_at": "creation"}.get(field, field.replace("_", " "))


def would_be_empty() -> NotSaved:
    return NotSaved("empty", "the memory would be empty.", "Dismiss it instead.")


def nothing_to_add() -> Refused:
    return Refused("empty", "Nothing was added: a memory needs text.", "Enter some text.")


def is_masked(field: str) -> Refused:
    return NotSaved(
        "masked",
        f"{field} has a mask (•••) in place of a secret.",
        "Enter the secret itself, or take the mask out.",
    )


def add_locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_ADDED)


# -- carrying a change out


def dependency_refused(reason: str) -> Refused:
    return Refused("needs", f"Not changed: {after_colon(reason)}")


def dependency_pending(reason: str) -> Refused:
    return Refused("needs", f"Not changed: the entry for the other store is still pending ({reason}).")


def entry_pending(reason: str) -> str:
    return f"; the journal entry will be completed on the next start ({reason})"


def not_read_back(store: str) -> str:
    return f"{store} could not be read back"


def write_unknown(store: str, reason: str) -> Refused:
    return Refused(
        "unknown",
        f"Could not tell whether it was written to {store}: {after_colon(reason)}",
        "memtui will check on its next start.",
    )


def written_partly(store: str, reason: str) -> Refused:
    return Refused(
        "partly",
        f"Only partly written to {store}: {after_colon(reason)}",
        "memtui will finish it on its next start.",
    )


def memory_gone() -> NotSaved:
    return NotSaved("gone", "the memory was removed in the meantime.")


def changed_meanwhile() -> Refused:
    return Refused("changed-since", "It changed in the meantime, so it was skipped.")


def overrides_changed() -> NotSaved:
    return NotSaved("changed-since", "another memtui process changed this relation in the meantime.")


# -- after a crash


def not_settled_yet(summary: str, reason: str) -> str:
    return f"Interrupted change still pending: {summary} ({reason})"


def none_settled_yet(reason: str) -> str:
    return f"Interrupted changes are still pending: {reason}."


def finished(summary: str) -> str:
    return f"Finished an interrupted change: {summary}"


def not_done(summary: str, reason: str) -> str:
    return f"Interrupted change not applied: {summary} ({reason})"


def done_in_part(summary: str) -> str:
    return f"Interrupted change only partly applied: {summary}"


def store_unreadable(reason: str) -> str:
    return f"memtui exited before finishing it, and the store can't be read: {after_colon(reason)}"


def write_undeterminable(reason: str) -> str:
    return f"memtui can't tell whether it was written: {after_colon(reason)}"


def not_rolled_back(reason: str, why_not: str) -> str:
    return f"{reason} Changes in other stores were not rolled back: {why_not}"


def entry_damaged(code: str) -> Refused:
    return Refused(code, "its journal entry is damaged.")


# -- summaries


def stopped_first() -> Refused:
    return Refused("stopped", "The change was stopped before it began.", NOTHING_CHANGED)


def count_of(number: int, total: int, *, stopped: bool = False) -> str:
    """ "3 memories", or "2 of 3 memories", or "2 of 3 memories (stopped)"."""
    count = f"{number:,}" if number == total else f"{number:,} of {total:,}"
    return f"{count} {plural(total, 'memory')}{' (stopped)' if stopped else ''}"


def in_store(store: str, files: str = "") -> str:
    return f"in {store} ({files})" if files else f"in {store}"


def done_summary(action: str, count: str, kinds: Sequence[str], places: str, *, in_store_first: bool) -> str:
    """ "Edited 2 of 3 memories in founder-os:acme (memory.db)"."""
    which = f" ({', '.join(kinds)})" if kinds else ""
    comma = "" if in_store_first else ","
    return f"{DONE_BY_ACTION[action]} {count}{which}{comma} {places}"


def changed_kind(before: str, after: str) -> str:
    return f"{before} → {after}"


def overrides_kept(names: str) -> str:
    return f"kept in memtui: {names}"


def fields_kept(names: Iterable[str]) -> str:
    return f"kept only in memtui: {', '.join(names)}"


def removed_by_others(store: str, count: int) -> str:
    return f"{store}: {count} removed"


# -- repairs of a store


def changes_link(old: str, new: str) -> str:
    return f"changes “{old}” to “{new}” (memtui undo reverts it)"


def with_suggestion(finding: str, name: str) -> str:
    return f"{finding} Did you mean “{name}”?"


def no_claude_code(reason: str) -> Refused:
    return Refused("read-only", reason or "This is no longer a Claude Code store.")


def no_file_store(reason: str) -> Refused:
    return Refused("read-only", reason or "This store is no longer a folder of files.", NOTHING_CHANGED)


def not_read_yet() -> Refused:
    return Refused("gone", "memtui hasn't loaded this memory yet; load the store's changes first.")


def listed(files: Sequence[str]) -> str:
    return f"Listed {files[0] if len(files) == 1 else counted(len(files), 'file')} in MEMORY.md"


def links_changed(names: Sequence[tuple[str, str]]) -> str:
    """The wrong and the right name of each link."""
    if len(names) > 1:
        return f"Corrected the names in {len(names):,} links"
    ((old, new),) = names
    return f"Changed a link from {old} to {new}"


def repaired(change: str, pending: str, entry_id: int) -> str:
    return f"{change}{pending}. To undo: memtui undo {entry_id}"


def not_repaired(finding: str, reason: str) -> str:
    return f"Not repaired: {finding} {reason}"
