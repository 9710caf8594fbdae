"""Every sentence about a Cognitive Memory tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import NotSaved, Refused
from memtui.text import capitalized, counted, plural

NOTHING_CHANGED = "Nothing was changed."
NOTHING_WRITTEN = "Nothing was written."
DISMISS_INSTEAD = "Dismiss the memory instead."
RECOGNISED_BY = "a graph/ folder of .md files with id, type and title in their front matter"

_APPEND_ONLY = "episodes are append-only."
_COPY_INSTEAD = "Copy the episode and edit the copy."
EPISODES_APPEND_ONLY = f"Not saved: {_APPEND_ONLY} {_COPY_INSTEAD}"
OLD_TEXT_KEPT = "{file} still has the old text until it is rebuilt"
NEWER_VERSION = "{file} has version {version}; this version of memtui supports up to {supported}."

# What an action does.
CHANGES = {
    "content": "changes the text in its file",
    "title": "changes the title in its file, renames the file and updates every link to it",
    "category": "changes the type in its file and moves it to that type's folder",
}
CHANGES_FIELD = "changes the {field} in its file"
PINS = "moves its file to vault/ and updates every link to it"
UNPINS = "moves its file back to its type's folder and updates every link to it"
ADDS_FILE = "adds a file to its type's folder"
REMOVES_FILE = "removes its file and the relations to it, and keeps copies in memtui"
RESTORES_FILE = "restores its file and the relations to it"
RELATES = "writes the relation into both files"
UNRELATES = "removes the relation from both files"
CHANGES_RELATION = "changes the relation in both files"
OTHER_KINDS = "kept in memtui: {title} supports only {kinds}"
NO_SUCH_FIELD = "kept in memtui: {title} has no {field}"
SUCH_FIELD = "field for it"

# Findings about a file.
UNQUOTED = "The value of {key} has a colon but no quotes; read as “{value}”."
NO_HEAD = "No front matter, so Cognitive Memory ignores the file."
NO_ID = "No ID in the front matter."
NO_TYPE = "No type in the front matter."
NO_TITLE = "No title in the front matter."
NAME_WITHOUT_ID = "The file name does not end in {short_id}, the start of its ID."
UNKNOWN_TYPE = "Unknown type “{type}”."
WRONG_FOLDER = "Memories of type {type} belong in {folder}/."
NOT_A_RATIO = "The {key} is “{value}”, not a number from 0 to 1."
NOT_A_TIME = "The {key} is “{value}”, not a valid time."
STRENGTH_OF = "Strength of {kind}"
ACCESS_COUNT = "An access_count"

# Findings about relations and links.
RELATION = "{kind} → {target}"
A_RELATION = "relation"
UNKNOWN_RELATION = "{relation}: no target, or an unknown kind."
TARGET_MISSING = "{relation}: that memory does not exist."
ONE_SIDED = "{relation}: missing from the other memory's file."
EDGE_FILE_MISSING = "{relation}: edge file {id} does not exist."
NO_END = "(none)"  # of an edge that names no memory there
EDGE_UNTOLD = "Neither of its two memories lists this relation."
OLD_TITLE = "The title of {name} has changed."
FILE_MISSING = "{name} does not exist."
FILE_MOVED = "{name} does not exist; the file is now {now}."

# Findings about derived files.
INDEX_UNREADABLE = "The index can't be read."
STATE_UNREADABLE = "The file can't be read, so every memory counts as unused."


def malformed_head(problem: str) -> str:
    """`problem` is what is wrong with the front matter."""
    return f"{capitalized(problem)}; showing what could be read."


def nul_bytes(count: int) -> str:
    return f"Contains {counted(count, 'NUL byte')}, shown as \ufffd."


def edge_ends_missing(ids: Iterable[str]) -> str:
    missing = list(ids)
    return f"Missing {plural(len(missing), 'memory')}: {', '.join(missing)}."


def index_stale(missing: int, gone: int, wrong: int) -> str:
    """Entries that the index lacks, those without a memory, and those that differ from the file."""
    parts = [
        (missing, "missing"),
        (gone, "for memories that no longer exist"),
        (wrong, "out of date"),
    ]
    return f"The index is stale: {', '.join(f'{count:,} {words}' for count, words in parts if count)}."


def unknown_uses(count: int) -> str:
    return f"Counts uses of {counted(count, 'memory')} that {plural(count, 'does', 'do')} not exist."


# -- Refusals: a memory's file


def append_only() -> NotSaved:
    return NotSaved("append-only", _APPEND_ONLY, _COPY_INSTEAD)


def no_memory_for_episode() -> NotSaved:
    return NotSaved("gone", "the memory that the episode is about is not in the store.")


def no_plain_file(name: str) -> NotSaved:
    return NotSaved("read-only", f"{name} is not a plain file.")


def memory_empty() -> NotSaved:
    return NotSaved("empty", "a memory needs text.")


def field_empty(field: str) -> NotSaved:
    """A field whose text was removed, where the memory itself may be meant."""
    return NotSaved("empty", f"the {field} can't be empty.", DISMISS_INSTEAD)


def number_missing(field: str) -> NotSaved:
    return NotSaved("empty", f"the {field} can't be empty.")


def no_such_field(field: str) -> NotSaved:
    return NotSaved("no-field", f"a memory's file has no {field}.")


def no_head() -> NotSaved:
    return NotSaved("no-field", "the file has no front matter to store the value in.")


def head_unusable(problem: str) -> NotSaved:
    return NotSaved("head", f"{problem}, so memtui won't change it.")


def not_a_simple_list(key: str) -> NotSaved:
    return NotSaved("head", f"{key} is not a simple list in the front matter.")


def id_exists_again() -> NotSaved:
    return NotSaved("exists", "a file with the same ID has been created since.", NOTHING_CHANGED)


def file_exists(name: str) -> NotSaved:
    return NotSaved("exists", f"{name} already exists.", NOTHING_CHANGED)


def folder_is_link() -> NotSaved:
    return NotSaved("link", "the folder is a symbolic link; links inside a store are read-only.")


def read_back_differs() -> NotSaved:
    return NotSaved("unsure", "the file can't store this text exactly as written.")


def state_unreadable(file: str) -> Refused:
    return Refused(
        "broken-state",
        f"{file} can't be read, so rebuilding it would lose how often each memory was used.",
        f"{NOTHING_CHANGED} Fix the file by hand, or restore it from a backup.",
    )


# -- Refusals: relations


def relation_missing() -> NotSaved:
    return NotSaved("relation", "no relation was specified.")


def unknown_kind(kinds: Sequence[str]) -> Refused:
    return Refused("kind", f"The kind of a relation must be one of {', '.join(kinds)}.", NOTHING_CHANGED)


def ends_need_ids() -> NotSaved:
    return NotSaved("no-id", "both memories of a relation need an ID.")


def description_needs_ids() -> NotSaved:
    return NotSaved("no-id", "a relation can have a description only if both memories have an ID.")


def related_to_itself() -> NotSaved:
    return NotSaved("itself", "a memory can't be related to itself.")


def related_already() -> Refused:
    return Refused("exists", "They already have this relation.", NOTHING_CHANGED)


def relation_gone() -> NotSaved:
    return NotSaved("gone", "the relation is no longer in the store.")


def other_ends() -> NotSaved:
    return NotSaved("relation", "can't change which memories a relation connects.")


def description_shared() -> NotSaved:
    return NotSaved("shared", "another relation shares this description, in the same edge file.")


def no_place_for_context() -> NotSaved:
    return NotSaved(
        "no-field",
        "the relation is only in an edge file, which has no place for a reason.",
        "Leave the reason out. Nothing was changed.",
    )


def relation_malformed() -> NotSaved:
    return NotSaved("head", "the relation in the front matter is malformed.")


def relations_on_one_line() -> NotSaved:
    return NotSaved("head", "the front matter lists the relations on one line, which memtui can't edit.")


# -- Refusals: undo


def exists_again(name: str) -> Refused:
    return Refused("exists", f"{name} has been recreated since.", NOTHING_CHANGED)


def changed_since(name: str) -> Refused:
    return Refused("changed-since", f"{name} has changed since.", NOTHING_WRITTEN)


def changed_here_since(name: str) -> Refused:
    return Refused("changed-since", f"The same part of {name} has changed since.", NOTHING_WRITTEN)
