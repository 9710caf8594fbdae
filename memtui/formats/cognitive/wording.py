"""Every sentence about a Cognitive Memory tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import NotSaved, Refused
from memtui.text import counted

NOTHING_CHANGED = "Nothing was changed."
NOTHING_WRITTEN = "Nothing was written."
DISMISS_INSTEAD = "Dismiss the memory instead."
RECOGNISED_BY = "a graph/ folder of .md files with id, type and title at their head"

_APPEND_ONLY = "episodes are append-only."
_COPY_INSTEAD = "Copy the episode, and change the copy."
EPISODES_APPEND_ONLY = f"Not saved: {_APPEND_ONLY} {_COPY_INSTEAD}"
OLD_TEXT_KEPT = "{file} holds the old text until it is made anew"
NEWER_VERSION = "{file} has version {version}; this memtui supports up to {supported}."

# What an action does.
CHANGES = {
    "content": "changes the text in its file",
    "title": "changes the title in its file, renames the file and mends every link to it",
    "category": "changes the type in its file and moves it to that type's folder",
}
CHANGES_FIELD = "changes the {field} in its file"
PINS = "moves its file to vault/ and mends every link to it"
UNPINS = "moves its file back to its type's folder and mends every link to it"
ADDS_FILE = "adds a file in its type's folder"
REMOVES_FILE = "removes its file and the relations to it, and keeps both in memtui"
RESTORES_FILE = "puts its file and the relations to it back at their old place"
RELATES = "writes the relation into both files"
UNRELATES = "takes the relation out of both files"
CHANGES_RELATION = "changes the relation in both files"
OTHER_KINDS = "kept in memtui: {title} knows only {kinds}"
NO_SUCH_FIELD = "kept in memtui: {title} has no {field}"
SUCH_FIELD = "such field"

# Findings about a file.
MALFORMED_HEAD = "Read as well as can be, its head is never written: {problem}."
NUL_BYTES = "It holds {count:,} NUL bytes; each is shown as \ufffd."
UNQUOTED = "Its {key} has a colon and no quotes: read as “{value}”."
NO_HEAD = "The file has no head, so it is no memory to its own client."
NO_ID = "Its head has no id."
NO_TYPE = "Its head has no type."
NO_TITLE = "Its head has no title."
NAME_WITHOUT_ID = "Its name does not end in {short_id}, as its id begins."
UNKNOWN_TYPE = "“{type}” is no type that the format knows."
WRONG_FOLDER = "A {type} belongs into {folder}/."
NOT_A_RATIO = "Its {key} is “{value}”, not a number from 0 to 1."
NOT_A_TIME = "Its {key} is “{value}”, not a time."
STRENGTH_OF = "Strength of {kind}"
ACCESS_COUNT = "An access_count"

# Findings about relations and links.
RELATION = "{kind} → {target}"
A_RELATION = "A relation"
UNKNOWN_RELATION = "{relation}: it lacks its target or is of no kind that is known."
TARGET_MISSING = "{relation}: there is no such memory."
ONE_SIDED = "{relation}: the other memory does not tell it."
EDGE_FILE_MISSING = "{relation}: there is no edge file {id}."
NO_END = "(none)"  # of an edge that names no memory there
EDGE_UNTOLD = "Neither of its two memories tells this relation."
OLD_TITLE = "{name} has another title by now."
FILE_MISSING = "There is no file {name}."
FILE_MOVED = "There is no file {name}; it is {now} now."

# Findings about derived files.
INDEX_UNREADABLE = "It is no index that can be read."
STATE_UNREADABLE = "It cannot be read, so all uses count as none."


def edge_ends_missing(ids: Iterable[str]) -> str:
    return f"There is no memory {' nor '.join(ids)}."


def index_stale(missing: int, gone: int, wrong: int) -> str:
    """Entries that the index lacks, those without a memory, and those that differ from the file."""
    parts = [
        (missing, "lacking"),
        (gone, "of what is no longer there"),
        (wrong, "not what the file says"),
    ]
    return f"Its entries are not right: {', '.join(f'{count:,} {words}' for count, words in parts if count)}."


def unknown_uses(count: int) -> str:
    return f"It counts uses of {counted(count, 'memory')} not there."


# -- Refusals: a memory's file


def append_only() -> NotSaved:
    return NotSaved("append-only", _APPEND_ONLY, _COPY_INSTEAD)


def memory_empty() -> NotSaved:
    return NotSaved("empty", "a memory without a text is none.")


def field_empty(field: str) -> NotSaved:
    """A field whose text was removed, where the memory itself may be meant."""
    return NotSaved("empty", f"the {field} cannot be empty.", DISMISS_INSTEAD)


def number_missing(field: str) -> NotSaved:
    return NotSaved("empty", f"the {field} cannot be empty.")


def no_such_field(field: str) -> NotSaved:
    return NotSaved("no-field", f"a memory's file has no {field}.")


def no_head() -> NotSaved:
    return NotSaved("no-field", "the file has no head that could hold it.")


def malformed_head(problem: str) -> NotSaved:
    return NotSaved("head", f"{problem}, so it is left as it is.")


def not_a_simple_list(key: str) -> NotSaved:
    return NotSaved("head", f"{key} is no simple list in the file's head.")


def id_exists_again() -> NotSaved:
    return NotSaved("exists", "a file with its id is there again.", NOTHING_CHANGED)


def file_exists(name: str) -> NotSaved:
    return NotSaved("exists", f"{name} is there already.", NOTHING_CHANGED)


def folder_is_link() -> NotSaved:
    return NotSaved("link", "the folder is a link; links inside a store are read-only.")


def read_back_differs() -> NotSaved:
    return NotSaved("unsure", "the text could not be read back as it was to be.")


def state_unreadable(file: str) -> Refused:
    return Refused(
        "broken-state",
        f"{file} cannot be read; rebuilt, it would have lost how often each memory was used.",
        f"{NOTHING_CHANGED} Mend it by hand, or bring it back from a backup.",
    )


# -- Refusals: relations


def relation_missing() -> NotSaved:
    return NotSaved("relation", "no relation is named.")


def unknown_kind(kinds: Sequence[str]) -> Refused:
    return Refused("kind", f"A relation must be one of {', '.join(kinds)}.", NOTHING_CHANGED)


def ends_need_ids() -> NotSaved:
    return NotSaved("no-id", "a relation leads from one memory with an id to another.")


def description_needs_ids() -> NotSaved:
    return NotSaved("no-id", "a text describes a relation between memories with ids.")


def related_to_itself() -> NotSaved:
    return NotSaved("itself", "a memory has no relation to itself.")


def related_already() -> Refused:
    return Refused("exists", "They are related so already.", NOTHING_CHANGED)


def relation_gone() -> NotSaved:
    return NotSaved("gone", "they are no longer related so in the store.")


def other_ends() -> NotSaved:
    return NotSaved("relation", "it would be a relation between other memories.")


def description_shared() -> NotSaved:
    return NotSaved("shared", "another relation has the same text, in the same edge file.")


def no_place_for_context() -> NotSaved:
    return NotSaved(
        "no-field",
        "only an edge file tells this relation, and such a file has no place for the words.",
        "Leave them out; nothing was changed.",
    )


def relation_malformed() -> NotSaved:
    return NotSaved("head", "the relation in the file's head is written in an odd way.")


def relations_on_one_line() -> NotSaved:
    return NotSaved("head", "the relations in the file's head are written in one line.")


# -- Refusals: undo


def exists_again(name: str) -> Refused:
    return Refused("exists", f"{name} is there again already.", NOTHING_CHANGED)


def changed_since(name: str) -> Refused:
    return Refused("changed-since", f"{name} changed since.", NOTHING_WRITTEN)


def changed_here_since(name: str) -> Refused:
    return Refused("changed-since", f"{name} changed since, at this very place.", NOTHING_WRITTEN)
