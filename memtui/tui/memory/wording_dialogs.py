"""Every sentence of the dialogs that edit, purge, relate or transfer memories."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.tui.text.glyphs import counted, grouped

# What could not be done; an error's own text follows.
NOT_SAVED = "Not saved"
NOT_READ = "Not read"
MEMORIES_NOT_READ = "The memories could not be read"
CHOICES_NOT_READ = "The choices could not be read"
STORES_NOT_READ = "The stores could not be read"
PREVIEW_FAILED = "What becomes of them could not be told"
NOT_ALL_ERASED = "Not all was erased"
NOT_ALL_TRANSFERRED = "Not all was done"

NOTHING_CHANGED = "Nothing was changed."
READING = "Reading …"

# The editor.
EDIT_TITLE = "Edit memory"
ADD_TITLE = "New memory"
KEPT_BY_MEMTUI = "is kept in memtui's own store"
MEMORY_GONE = "The store no longer has this memory; ctrl+s cannot write it. esc, then a, adds it anew."
NOTHING_TO_CLEAN = "Nothing to clean here."
CLEANED = "Cleaned; ctrl+s writes it back."
DRAFT_KEPT = "Your text is kept: a opens it as a new memory."
DISCARD_AGAIN = "esc again drops the changes."
NOTHING_WRITTEN = "Write something first; esc leaves."
STORED_TEXT_KEPT = "Kept the text of the store; your changes were dropped."
STORE_BUSY = "The store is being changed just now. Your text is still here; try again."

# The dialog of a conflict.
CONFLICT_TITLE = "Changed meanwhile"
STORED_TITLE = "In the store now"
EMPTY = "(empty)"

# The purge.
CONFIRM_PURGE = "Type purge and press ⏎ to erase. It cannot be undone."
CANCEL_PURGE = "esc keep the memories"
CANCEL_PURGE_WITH_BACKUPS = f"ctrl+b backups too · {CANCEL_PURGE}"
COULD_NOT_BE_READ = "They could not be read."
NOT_SHOWN_YET = "What would be erased is not shown yet."
NOTHING_TO_ERASE = "There is nothing to erase: these memories are gone."
WRONG_WORD = "Nothing was erased: type purge to erase, esc to keep the memories."
ERASING = "Erasing …"
BEING_ERASED = "They are being erased; what is begun is finished first."
NO_BACKUP_TO_DELETE = "No backup holds these memories."
STILL_READING = "Still reading."
ERASED_FROM = "\nErased from "
ERASED_EVERYWHERE = ", and from all that memtui keeps: its list, search and journal texts.\n"
NO_BACKUP_HOLDS = "No backup holds their text."
DELETE_BACKUPS = "delete the backups too: "
BACKUPS_HOLD_MORE = "A deleted backup takes with it every other memory it holds."

# A new relation: the titles of its steps, and their keys.
CHOOSE_MEMORY = ("Relate to which memory?", "⏎ choose · esc cancel")
CHOOSE_KIND = ("How are they related?", "⏎ choose · esc another memory")
GIVE_REASON = ("Why are they related so?", "⏎ relate · esc another kind")
REASON_PLACEHOLDER = "why, in a line, if you like"
NOTHING_TO_CHOOSE = "There is nothing to choose."
REMOVES_RELATION = "Takes this relation away."

# Copying or moving.
NO_OTHER_STORE = "There is no other store."
ATTACH_STORE = "8 Stores attaches one."
NO_STORE_TO_CHOOSE = "There is no store to choose."
TRANSFER_UNDER_WAY = "It is under way; what is begun is finished first."
READ_ONLY = "It is read-only: "
HOLDS_EVERYTHING = "It can hold all of it."
DIFFERENCES = "What it says otherwise, or cannot hold"
KEPT_IN_MEMTUI = "kept in memtui alone"
STAYS_BEHIND = "stays behind"


def locked_fields(names: Sequence[str]) -> str:
    return f"{', '.join(names)} cannot be edited as it stands: ctrl+l takes the odd characters out."


def too_long(characters: int) -> str:
    return f"The text has {characters:,} characters: too long to edit here."


def written_where(field: str, consequence: str) -> str:
    return f"ctrl+s  {field}: {consequence}"


def not_clean(names: Sequence[str]) -> str:
    return f"Not saved: {', '.join(names)} holds odd characters; ctrl+l takes them out."


def not_saved(reason: str) -> str:
    return f"Not saved: {reason}"


def store_not_read(reason: str) -> str:
    return f"The store could not be read: {reason} Your text is still here."


def draft_still_here(reason: str) -> str:
    return f"{reason} Your text is still here."


# The purge.


def purge_title(count: int) -> str:
    return f"Purge {counted(count, 'memory')}"


def more_memories(count: int) -> str:
    return f"  and {grouped(count)} more"


def backups_hold(count: int) -> str:
    return f"{counted(count, 'backup')} still hold{'s' * (count == 1)} their text\n"


def more_backups(count: int) -> str:
    return f"    and {grouped(count)} more\n"


def purged_with_backups(summary: str, deleted: int) -> str:
    return f"{summary}; deleted {counted(deleted, 'backup')}"


# A new relation.


def kind_and_effect(kind: str, text: str, reason: str = "") -> str:
    return f"{kind}: {text}. {reason}".strip()


# Copying or moving.


def transfer_title(count: int, *, move: bool) -> str:
    return f"{'Move' if move else 'Copy'} {counted(count, 'memory')} to"


def transfer_keys(*, move: bool) -> str:
    return f"⏎ {'move' if move else 'copy'} · esc cancel"


def transferring(*, move: bool) -> str:
    return f"{'Moving' if move else 'Copying'} …"


def value_change(before: str, after: str) -> str:
    return f"{before} → {after}"


def in_memories(text: str, count: int) -> str:
    return f"{text}  ({counted(count, 'memory')})"


def more_changes(count: int) -> str:
    return f"and {count} more"


def previewed(count: int) -> str:
    return f"told of the first {count}"


def transfer_report(changed: Sequence[str], kept: Sequence[str], lost: Sequence[str]) -> str:
    """What became of the fields of transferred memories, in a line."""
    texts = []
    for label, names in (("said otherwise", changed), ("kept in memtui", kept), ("left behind", lost)):
        if names:
            more = f" and {len(names) - 4} more" if len(names) > 4 else ""
            texts.append(f"{label}: {', '.join(names[:4])}{more}")
    return "; ".join(texts)
