"""Every sentence of the keys that act on memories, and of their list."""

from __future__ import annotations

from memtui.errors import NotSaved
from memtui.tui.text.glyphs import counted

# What could not be done; an error's own text follows.
LINES_NOT_READ = "The lines could not be read"
MEMORY_NOT_READ = "The memory could not be read"
PAIRS_NOT_READ = "The pairs could not be read"
NOT_SAVED = "Not saved"
NOT_COPIED = "Nothing was copied"

# Why no key can act.
EMPTY_LIST = "the list is empty."
NO_WORKSPACE = "no workspace is open"
MEMORY_GONE = "This memory is gone from the workspace."
GONE_LINE = "   gone from this workspace"

NONE_MARKED = "No memory is marked."
NO_PAIRS = "Nothing is known that contradicts or repeats this memory."
NOTHING_CHANGED = "Nothing was changed."
UNSAFE_FOR_EDITOR = "This text holds characters that an editor could act on."

_IN_PROGRESS = {"pin": "Pinning", "confirm": "Confirming", "dismiss": "Dismissing", "restore": "Restoring"}


def nothing_to(verb: str, reason: str) -> str:
    return f"Nothing to {verb}: {reason}"


def in_progress(action: str, count: int) -> str:
    return f"{_IN_PROGRESS[action]} {counted(count, 'memory')} …"


def only_related(mark_key: str) -> str:
    return f"Nothing to mark: these are only related. {mark_key} marks one of them."


def marked(count: int) -> str:
    return f"{counted(count, 'memory')} marked."


def backups_left(count: int) -> str:
    """How many backups still hold a purged text, "" for none."""
    return f"{counted(count, 'backup')} still hold{'s' if count == 1 else ''} the text." if count else ""


def purge_hint(backups: str, notes: tuple[str, ...]) -> str:
    return " ".join((backups, *notes)).strip()


def transfer_hint(undo_key: str, report: str) -> str:
    return f"{undo_key} undo · {report}" if report else f"{undo_key} undo"


def to_be_compared(count: int) -> str:
    return f"{counted(count, 'memory')} still to be compared." if count else ""


def cleaning_hint(edit_key: str) -> str:
    return f"{edit_key} cleans it."


def malformed_text() -> NotSaved:
    return NotSaved("odd", "it holds odd characters now.", "ctrl+l takes them out.")


def text_is_kept(reason: str) -> str:
    return f"{reason} Your text is here."


def copied(count: int, clipboards: str) -> str:
    return f"Copied {counted(count, 'memory')} to {clipboards}."
