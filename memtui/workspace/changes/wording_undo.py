"""Every sentence about undo and redo."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import NotUndone, Refused
from memtui.values import JsonObject
from memtui.workspace.changes.wording import NOTHING_CHANGED

UNDONE, REDONE = "Undone", "Redone"

# Hints where there is nothing to undo or redo.
SEE_JOURNAL = "The journal shows what was changed."
UNDO_ANY = "The journal can take back any line."

# Why a memory's part cannot be undone.
TAKEN_OUT = "it was taken out of its store since; undo that first."
IN_STORE_AGAIN = "it is in its store again."
DISMISSED_AGAIN = "it was dismissed again since; undo that first."
MOVED_SINCE = "it is no longer where the change left it."
CHANGED_AGAIN = "it changed again since."
RELATION_CHANGED = "the relation was changed since."
RELATED_OTHERWISE = "they are related so by another change."
JUDGED_TEXT_CHANGED = "one of the two says something else since, or is gone."
CANNOT_UNDO = "it cannot be taken back."

# Why an entry cannot be undone.
FROM_BACKUP = "it came with a backup"
NO_MEMORY_CHANGED = "it changed no memory of a store"
SEE_BACKUPS = "memtui backup list shows what can be put back."


# -- which entry


def nothing(verb: str, refused: int | None, hint: str) -> Refused:
    """Say that nothing is left to undo or redo, except what was refused: `refused` is the newest entry."""
    if refused is None:
        return Refused("nothing", f"Nothing to {verb}.", hint)
    hint = f"What was refused is asked for again by its line in the journal: {refused} is the newest."
    return Refused("nothing", f"Nothing else to {verb}.", hint)


def redo_outdated() -> Refused:
    return Refused("nothing", "Nothing to redo: something else was changed since the undo.", UNDO_ANY)


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
    hint = f"Line {entry_id} of the journal asks for it again."
    if next_summary is not None:
        hint = f"Once more takes back the change before it: {next_summary}. {hint}"
    return Refused(code, f"“{summary}” was not {done}: {reason}", hint, **detail)


def newer_final(summary: str, next_summary: str) -> Refused:
    return _newer(summary, "cannot be undone", next_summary)


def newer_overwritten(summary: str, next_summary: str) -> Refused:
    return _newer(summary, "was overwritten by the agent's program", next_summary)


def _newer(summary: str, why: str, next_summary: str) -> Refused:
    return Refused(
        "not-undoable", f"“{summary}” {why}.", f"Once more takes back the change before it: {next_summary}."
    )


# -- an entry as a whole


def no_entry(entry_id: int) -> Refused:
    return Refused("no-line", f"The journal has no line {entry_id}.", "memtui journal lists them.")


def not_undoable(summary: str, reason: str, hint: str) -> Refused:
    return Refused("not-undoable", f"“{summary}” cannot be taken back: {reason}.", hint)


def undone_already(summary: str) -> Refused:
    return Refused("undone", f"“{summary}” is undone already, or never took effect.")


def not_undone(code: str, reason: str) -> NotUndone:
    return NotUndone(code, reason, NOTHING_CHANGED)


def store_unsettled() -> NotUndone:
    return NotUndone(
        "busy",
        "a store that has a part in it could not be settled yet.",
        f"{NOTHING_CHANGED} Try again once that store is there.",
    )


def half_done(reason: str) -> Refused:
    return Refused("half", f"It was done in one store and refused in another: {reason}", "See the journal.")


def only_done_part(summary: str, done: int, total: int) -> str:
    """Of an entry of which only a part had been carried out."""
    return f"{summary} (the {done} of {total} that were)"


def only_unchanged_part(summary: str, done: int, total: int) -> str:
    """Of an entry of which a part was changed since."""
    return f"{summary} ({done} of {total}; the rest changed since)"


def undo_summary(verb: str, summary: str) -> str:
    return f"{verb}: {summary}"


# -- one memory's part


def fields_changed(names: Sequence[str]) -> str:
    return f"its {' and '.join(names)} changed since; undo that first."


def field_changed(name: str) -> str:
    return f"its {name} changed since."


def detached(store: str) -> str:
    return f"{store} is detached."


def half_stays(reason: str) -> Refused:
    return Refused("changed-since", f"The other half of the move stays: {reason or CANNOT_UNDO}")


# -- what an agent did


def not_writable_fields(names: Sequence[str]) -> str:
    return f"What changed in it ({', '.join(names)}) is not for memtui to write."


def left_by_agent(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'stays' if len(names) == 1 else 'stay'} as the agent left it."
