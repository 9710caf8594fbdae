"""Every sentence about a Claude Code memory folder."""

from __future__ import annotations

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
DISMISS_INSTEAD = "Dismiss the memory instead."
RECOGNISED_BY = (
    "a MEMORY.md with lines to .md files, or .md files with name, description and type at their head"
)

# Findings.
READ_ONLY = "{name} {harm}; it is left as it is."
OTHER_INDEX = "An index of its own: attach its folder as a store."
INDEX_TOO_LONG = "Longer than 200 lines or 25,000 characters: agents read no further than that."
LINE_TO_NOTHING = "There is no file {name}."
LINK_TO_NOTHING = "A link names “{name}”, and there is no such memory."
NO_LINE = "MEMORY.md has no line for it, so agents do not see it at start."
NO_TYPE = "Its head names no type."
UNKNOWN_TYPE = "“{type}” is no type that Claude Code knows."
DUPLICATE_NAME = "Another file is named “{name}” too."
MALFORMED_HEAD = "Read as well as can be, its head is never written: {problem}."

# What an action does.
ADDS_FILE = "adds a file and its line in MEMORY.md"
REMOVES_FILE = "removes its file and its line in MEMORY.md, and keeps both in memtui"
RESTORES_FILE = "puts its file and its line in MEMORY.md back at their old place"
CHANGES_TITLE = "changes the name in its file and the title of its line in MEMORY.md"
CHANGES_CONTENT = "changes the text in its file"
CHANGES_TYPE = "changes the type in its file"
NO_RELATIONS = "kept in memtui: Claude Code's memory has no relations of its own"
NO_SUCH_FIELD = "kept in memtui: Claude Code's memory has no {field}"
SUCH_FIELD = "such field"

# Why a store cannot be written.
NOT_WRITABLE = "{name} may not be written by this user."
FOLDER_GONE = "{name} is no longer there."


def no_such_field(field: str) -> NotSaved:
    return NotSaved("no-field", f"a memory file has no {field}.")


def no_such_field_in_text(field: str) -> NotSaved:
    return NotSaved("no-field", f"free text in MEMORY.md has no {field}.")


def no_head_for(key: str) -> NotSaved:
    return NotSaved("no-field", f"the file has no head that could hold its {key}.")


def no_place_for(key: str) -> NotSaved:
    return NotSaved("no-field", f"the file's head is empty and has no place for its {key}.")


def field_empty(field: str) -> NotSaved:
    return NotSaved("empty", f"the {field} cannot be empty.", DISMISS_INSTEAD)


def memory_empty() -> NotSaved:
    return NotSaved("empty", "a memory without a text is none.")


def title_needs_line() -> NotSaved:
    reason = "its name is what links go by, and it has no line in MEMORY.md that could hold a title."
    return NotSaved("no-line", reason)


def no_name() -> NotSaved:
    return NotSaved("no-line", "the file has no name.")


def file_read_back_differs() -> NotSaved:
    return NotSaved("unsure", "the file could not be read back as it was to be.")


def text_read_back_differs() -> NotSaved:
    return NotSaved("unsure", "the text could not be read back as it was to be.")


def text_moved() -> NotSaved:
    return NotSaved("gone", "the text is no longer where it was in MEMORY.md.")


def shape_changed() -> NotSaved:
    return NotSaved(
        "shape",
        "in MEMORY.md this would be read as more than one memory, or as something else.",
        "Leave out empty lines, headings and lines that begin with a bullet.",
    )


def head_without_end() -> NotSaved:
    return NotSaved("head", "the file's head has no end, so its text has no beginning.")


def exists_again(name: str) -> Refused:
    return Refused("exists", f"{name} is there again already.", NOTHING_CHANGED)


def locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def file_gone(ref: str) -> Refused:
    return Refused("gone", f"{ref} is no longer there.", NOTHING_CHANGED)


def listed_already(file: str) -> Refused:
    return Refused("listed", f"{file} has its line in MEMORY.md by now.", NOTHING_CHANGED)
