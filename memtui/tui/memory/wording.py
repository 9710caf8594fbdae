"""Every sentence of the keys that act on memories, and of their list."""

from __future__ import annotations

from memtui.errors import NotSaved
from memtui.text import after_colon
from memtui.tui.text.glyphs import counted, grouped

# What could not be done; an error's own text follows.
ROWS_NOT_READ = "Could not load the list"
MEMORY_NOT_READ = "Could not load the memory"
PAIRS_NOT_READ = "Could not load the pairs"
NOT_SAVED = "Not saved"
NOT_COPIED = "Could not copy"
READ_ONLY = "The workspace is read-only."

# Why no key can act.
EMPTY_LIST = "the list is empty."
NO_WORKSPACE = "no workspace is open"
MEMORY_GONE = "This memory is no longer in the workspace."
NOT_IN_LIST = "this memory is not in the list."
NO_CATEGORY = "no category"
GONE_ROW = "   no longer in the workspace"

NONE_MARKED = "Cleared all marks."
NO_PAIRS = "No contradictions or duplicates found for this memory."
NOTHING_CHANGED = "No changes to save."
UNSAFE_FOR_EDITOR = "Can't open in your editor: the text has unsupported characters."


def nothing_to(verb: str, reason: str) -> str:
    return f"Nothing to {verb}: {reason}"


def list_of_other_search(reason: str, key: str) -> str:
    """Why no key acts on the list while a search has failed."""
    earlier = "The list is of an earlier search."
    return f"{earlier} Correct this one, or press {key} to clear it: {after_colon(reason)}"


def splits_one(count: int, key: str) -> str:
    return f"Can't split {counted(count, 'memory')} at once. Press {key} twice to clear the marks."


def all_below(action: str, count: int) -> str:
    what = f"all {counted(count, 'memory')}" if count != 1 else "the one memory"
    return f"Press the key again to {action} {what} below this heading."


def only_related(mark_key: str) -> str:
    return f"Can't mark all related results. Press {mark_key} to mark one."


def more(count: int) -> str:
    """What a preview of a group leaves out."""
    return f"{grouped(count)} more"


def marked(count: int) -> str:
    return f"Marked {counted(count, 'memory')}."


def backups_left(count: int) -> str:
    """How many backups still hold a purged text, "" for none."""
    return f"{counted(count, 'backup')} still contain{'s' if count == 1 else ''} the text." if count else ""


def purge_hint(backups: str, notes: tuple[str, ...]) -> str:
    return " ".join((backups, *notes)).strip()


def transfer_hint(undo_key: str, report: str) -> str:
    return f"{undo_key} undo · {report}" if report else f"{undo_key} undo"


def to_be_compared(count: int) -> str:
    return f"{counted(count, 'memory')} not compared yet." if count else ""


def cleaning_hint(edit_key: str) -> str:
    return f"Press {edit_key} to edit it here and remove them."


def malformed_text() -> NotSaved:
    return NotSaved("odd", "the text now has unsupported characters.", "Press ctrl+l to remove them.")


def text_is_kept(reason: str) -> str:
    return f"{reason} Your text is still here."


def copied(count: int, clipboards: str, secrets: int = 0, *, revealed: bool = False) -> str:
    if secrets and revealed:
        return f"Copied 1 memory with {counted(secrets, 'secret')} in plain text to {clipboards}."
    with_masks = f", with {counted(secrets, 'secret')} masked" if secrets else ""
    return f"Copied {counted(count, 'memory')} to {clipboards}{with_masks}."


NO_SECRETS = "No secrets in this memory."
REVEALED = "Secrets are shown."


def revealed(count: int, seconds: int) -> str:
    what = "1 secret is" if count == 1 else f"{grouped(count)} secrets are"
    return f"{what} shown for {seconds} seconds, or until the cursor moves."


def open_to_reveal(key: str) -> str:
    return f"Open the memory first ({key}) to show its secrets."
