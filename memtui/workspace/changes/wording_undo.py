"""Every sentence about undo and redo."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import NotUndone, Refused
from memtui.text import after_colon, plural
from memtui.values import JsonObject
from memtui.workspace.changes.wording import NOTHING_CHANGED

UNDONE, REDONE = "Undone", "Redone"

# Hints where there is nothing to undo or redo.
SEE_JOURNAL = "The journal lists past changes."
REDO_ANY = "What was undone earlier can be redone from the journal."

# Why a memory's part cannot be undone.
TAKEN_OUT = "it has since been removed from its store; undo that first."
IN_STORE_AGAIN = "it is already back in its store."
DISMISSED_AGAIN = "it has since been dismissed again; undo that first."
MOVED_SINCE = "it has since been moved or removed."
CHANGED_AGAIN = "it has changed again since."
RELATION_CHANGED = "the relation has changed since."
RELATED_OTHERWISE = "another change added the same relation."
JUDGED_TEXT_CHANGED = "one of the two memories has changed since or is gone."
CANNOT_UNDO = "it can't be undone."

# Why an entry cannot be undone.
FROM_BACKUP = "it came from a backup"
NO_MEMORY_CHANGED = "it didn't change any memory in a store"
SEE_BACKUPS = "memtui backup list shows what can be restored."


# -- which entry


def nothing(verb: str, refused: int | None, hint: str) -> Refused:
    """Say that nothing is left to undo or redo, except what was refused: `refused` is the newest entry."""
    if refused is None:
        return Refused("nothing", f"Nothing to {verb}.", hint)
    hint = f"To retry what was skipped, undo its journal entry (newest: {refused})."
    return Refused("nothing", f"Nothing else to {verb}.", hint)


def redo_outdated() -> Refused:
    return Refused("nothing", "Nothing to redo: there are newer changes.", REDO_ANY)


def skipped_refusal(
    code: str,
    summary: str,
    done: str,
    reason: str,
    entry_id: int,
    next_summary: str | None,
    detail: JsonObject,
) -> Refused:
    """Say that an entry was not undone, how to ask for it again, and which one comes next."""
    hint = f"To retry this one, undo journal entry {entry_id}."
    if next_summary is not None:
        hint = f"Repeat to continue with the change before it: {next_summary}. {hint}"
    return Refused(code, f"“{summary}” was not {done}: {after_colon(reason)}", hint, **detail)


def newer_final(summary: str, next_summary: str) -> Refused:
    return _newer(summary, "can't be undone", next_summary)


def newer_overwritten(summary: str, next_summary: str) -> Refused:
    return _newer(summary, "was overwritten by the agent's program", next_summary)


def _newer(summary: str, why: str, next_summary: str) -> Refused:
    return Refused(
        "not-undoable", f"“{summary}” {why}.", f"Undo again to revert the change before it: {next_summary}."
    )


# -- an entry as a whole


def no_entry(entry_id: int) -> Refused:
    return Refused("no-line", f"The journal has no entry {entry_id}.", "memtui journal lists all entries.")


def not_undoable(summary: str, reason: str, hint: str) -> Refused:
    return Refused("not-undoable", f"“{summary}” can't be undone: {reason}.", hint)


def undone_already(summary: str) -> Refused:
    return Refused("undone", f"“{summary}” is already undone or never took effect.")


def name_taken(rule: str) -> str:
    return f"another rule is named “{rule}” now."


def not_undone(code: str, reason: str) -> NotUndone:
    return NotUndone(code, reason, NOTHING_CHANGED)


def store_unsettled() -> NotUndone:
    return NotUndone(
        "busy",
        "it is still pending in one of its stores.",
        f"{NOTHING_CHANGED} Try again when that store is available.",
    )


def half_done(reason: str) -> Refused:
    return Refused(
        "half", f"Done in one store but refused in another: {after_colon(reason)}", "See the journal."
    )


def only_done_part(summary: str, done: int, total: int) -> str:
    """Of an entry of which only a part had been carried out."""
    return f"{summary} ({done:,} of {total:,} done)"


def only_unchanged_part(summary: str, done: int, total: int) -> str:
    """Of an entry of which a part was changed since."""
    return f"{summary} ({done} of {total}; the rest have changed since)"


def undo_summary(verb: str, summary: str) -> str:
    return f"{verb}: {summary}"


# -- one memory's part


def fields_changed(names: Sequence[str]) -> str:
    return f"its {' and '.join(names)} {plural(len(names), 'has', 'have')} changed since; undo that first."


def field_changed(name: str) -> str:
    return f"its {name} has changed since."


def detached(store: str) -> str:
    return f"{store} is detached."


def half_stays(reason: str) -> Refused:
    return Refused("changed-since", f"The change in the other store was not undone: {reason or CANNOT_UNDO}")


# -- what an agent did


def not_writable_fields(names: Sequence[str]) -> str:
    return f"memtui can't write the fields that changed: {', '.join(names)}."


def left_by_agent(names: Sequence[str]) -> str:
    return f"the agent's changes to {', '.join(names)} were kept."
