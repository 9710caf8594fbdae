"""Every sentence of the dialogs that edit, purge, relate or transfer memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.errors import NotSaved
from memtui.text import after_colon
from memtui.tui.text.glyphs import counted, grouped

# What could not be done; an error's own text follows.
NOT_SAVED = "Not saved"
STORED_NOT_READ = "Could not load the stored text"
MEMORIES_NOT_READ = "Could not load the memories"
CHOICES_NOT_READ = "Could not load the choices"
STORES_NOT_READ = "Could not load the stores"
PREVIEW_FAILED = "Could not compute the preview"
NOT_ALL_TRANSFERRED = "The transfer did not finish"

NOTHING_CHANGED = "No changes to save."
READING = "Loading …"

# The editor.
EDIT_TITLE = "Edit memory"
ADD_TITLE = "New memory"
KEPT_BY_MEMTUI = "saved in memtui's own store"

# Where a new memory goes.
ADD_TO_STORE = "Add a memory to"
ADD_TO_KEYS = "⏎ choose · esc cancel"
ANOTHER_OWNER = "or another owner"

MEMORY_GONE = "Not saved: the memory is no longer in its store. Press esc, then a, to add it as a new one."
NOTHING_TO_CLEAN = "No unsupported characters here."
CLEANED = "Removed unsupported characters. Press ctrl+s to save."
DISCARD_AGAIN = "Press esc again to discard your changes."
NOTHING_WRITTEN = "Nothing to save: the memory is empty. Press esc to cancel."
STORED_TEXT_KEPT = "Kept the stored text; your changes were discarded."
STORE_BUSY = "The store is being changed right now. Your text is still here; try again."

SAVING = "Saving …"

# The split.
NOT_SPLIT = "Not split"
SPLIT_TITLE = "Split memory"
HOW_TO_SPLIT = "A ---8<--- line separates two parts. Move the cursor and press ctrl+t to cut there."
CLEAN_BEFORE_SPLIT = "Can't split yet: press ctrl+l to remove unsupported characters."
CLEANED_TO_SPLIT = "Removed unsupported characters. Press ctrl+s to split."
NO_RELATIONS = "No relations to keep or copy."
SPLITTING = "Splitting …"
REWORDED = "reworded"

# The dialog of a conflict.
CONFLICT_TITLE = "Conflict: changed in the store"
STORED_TITLE = "In the store now"
EMPTY = "(empty)"


@dataclass(frozen=True, slots=True)
class ErasingTexts:
    """What a dialog says that erases something for good."""

    confirm: str
    not_shown_yet: str
    nothing: str
    wrong_word: str
    running: str
    still_running: str
    failed: str


# The purge, and redacting.
PURGE = ErasingTexts(
    confirm="Type purge and press ⏎ to confirm. This can't be undone.",
    not_shown_yet="Still loading what would be purged.",
    nothing="Nothing to purge: these memories are already gone.",
    wrong_word="Nothing was purged. Type purge to confirm, or press esc to cancel.",
    running="Purging …",
    still_running="Still purging; this can't be canceled.",
    failed="The purge did not finish",
)
REDACT = ErasingTexts(
    confirm="Type redact and press ⏎ to confirm. This can't be undone.",
    not_shown_yet="Still loading what would be redacted.",
    nothing="Nothing to redact: these memories have no secret any more.",
    wrong_word="Nothing was redacted. Type redact to confirm, or press esc to cancel.",
    running="Redacting …",
    still_running="Still redacting; this can't be canceled.",
    failed="Redacting did not finish",
)
CANCEL_PURGE = "esc cancel"
CANCEL_PURGE_WITH_BACKUPS = f"ctrl+b include backups · {CANCEL_PURGE}"
COULD_NOT_BE_READ = "Could not load the memories."
REDACTED_FROM = "\nWill be redacted in "
REDACTED_EVERYWHERE = (
    ", and in memtui's own list, search index and journal. Undo never brings a value back.\n"
)
NO_BACKUP_TO_DELETE = "No backup contains these memories."
STILL_READING = "Still loading."
PURGED_FROM = "\nWill be purged from "
ERASED_EVERYWHERE = ", and from memtui's own list, search index and journal.\n"
NO_BACKUP_HOLDS = "No backup contains the text."
DELETE_BACKUPS = "delete backups too: "
BACKUPS_HOLD_MORE = "Deleting a backup also deletes every other memory in it."

# A new relation: the titles of its steps, and their keys.
CHOOSE_MEMORY = ("Relate to which memory?", "⏎ choose · esc cancel")
CHOOSE_KIND = ("Relation kind", "⏎ choose · esc back")
GIVE_REASON = ("Reason (optional)", "⏎ relate · esc back")
REASON_PLACEHOLDER = "One line, or leave it empty"
NOTHING_TO_CHOOSE = "Nothing to choose from."
REMOVES_RELATION = "Removes this relation."

# Copying or moving.
NO_OTHER_STORE = "No other stores."
ATTACH_STORE = "Attach one in Stores (8)."
NO_STORE_TO_CHOOSE = "No stores to choose from."
TRANSFER_UNDER_WAY = "Still in progress; this can't be canceled."
READ_ONLY = "Read-only: "
HOLDS_EVERYTHING = "Nothing will be lost."
DIFFERENCES = "Changes in the target store"
KEPT_IN_MEMTUI = "kept only in memtui"
NOT_TRANSFERRED = "not transferred"


def locked_fields(names: Sequence[str]) -> str:
    return f"Can't edit {', '.join(names)} yet: press ctrl+l to remove unsupported characters."


def edit_title(name: str) -> str:
    return f"{EDIT_TITLE}: {name}" if name else EDIT_TITLE


def add_title(store: str, owner: str) -> str:
    return f"{ADD_TITLE} for {owner} in {store}" if owner else f"{ADD_TITLE} in {store}"


def added_where(store: str, *, held: bool, choices: Sequence[str]) -> str:
    one_of = f" (one of {', '.join(choices)})" if choices else ""
    return f"saved in {store}{one_of}" if held else "kept only in memtui"


def target(count: str, read_only: bool) -> str:
    return f"{count}, read-only" if read_only else count


def whose(store: str) -> str:
    return f"Owner of the memory in {store}"


def not_a_share(field: str) -> NotSaved:
    return NotSaved(field, f"{field} must be between 0 and 1, such as 0.8 or 80%.")


def not_a_date(field: str) -> NotSaved:
    return NotSaved(field, f"{field} must be a date such as 2027-01-31, or days from now such as 30d.")


def draft_kept(key: str) -> str:
    return f"Your text is kept. Press {key} to add it as a new memory."


def too_long(characters: int) -> str:
    return f"Too long to edit here: {characters:,} characters."


def split_where(where: str, *, reworded: bool) -> str:
    return f"{where}; {REWORDED}" if reworded else where


def as_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def not_split(error: str) -> str:
    return f"{NOT_SPLIT}: {after_colon(error)}"


def written_where(field: str, consequence: str) -> str:
    return f"ctrl+s  {field}: {consequence}"


def not_clean(names: Sequence[str]) -> str:
    return f"Not saved: unsupported characters in {', '.join(names)}. Press ctrl+l to remove them."


def not_saved(reason: str) -> str:
    return f"Not saved: {after_colon(reason)}"


def store_not_read(reason: str) -> str:
    return f"Could not read the store: {reason} Your text is still here."


def draft_still_here(reason: str) -> str:
    return f"{reason} Your text is still here."


# The purge.


def purge_title(count: int) -> str:
    return f"Purge {counted(count, 'memory')}"


def redact_title(count: int) -> str:
    return f"Redact the secrets of {counted(count, 'memory')}"


def becomes(field: str, placeholder: str) -> str:
    return f"    the secret in its {field.replace('_', ' ')} becomes {placeholder}"


def number_becomes_text(field: str) -> str:
    return f"    A number in its {field} becomes a text."


def not_redacted(reason: str) -> str:
    return f"    can't be redacted: {reason}"


def more_memories(count: int) -> str:
    return f"  and {grouped(count)} more"


def coming_backup_holds(stores: Sequence[str]) -> str:
    what = "backup of" if len(stores) == 1 else "backups of"
    verb = "has" if len(stores) == 1 else "have"
    return f"today's {what} {', '.join(stores)}, made first, {verb} the value\n"


def backups_hold(count: int) -> str:
    return f"{counted(count, 'backup')} still contain{'s' * (count == 1)} the text\n"


def more_backups(count: int) -> str:
    return f"    and {grouped(count)} more\n"


def erased_with_backups(summary: str, deleted: int) -> str:
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


def and_so_on(change: str) -> str:
    """The first of several changes of a field."""
    return f"{change}, and the like"


def in_memories(text: str, count: int) -> str:
    return f"{text}  ({counted(count, 'memory')})"


def more_changes(count: int) -> str:
    return f"and {count} more"


def previewed(count: int) -> str:
    return f"preview of the first {count}"


def transfer_report(changed: Sequence[str], kept: Sequence[str], lost: Sequence[str]) -> str:
    """What became of the fields of transferred memories, in a line."""
    texts = []
    for label, names in (("changed", changed), ("kept in memtui", kept), ("not transferred", lost)):
        if names:
            more = f" and {len(names) - 4} more" if len(names) > 4 else ""
            texts.append(f"{label}: {', '.join(names[:4])}{more}")
    return "; ".join(texts)
