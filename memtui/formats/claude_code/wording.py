"""Every sentence about a Claude Code memory folder."""

from __future__ import annotations

import math

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
DISMISS_INSTEAD = "Dismiss the memory instead."
RECOGNISED_BY = (
    "a MEMORY.md with links to .md files, or .md files with name, description and type in the front matter"
)

# Findings.
READ_ONLY = "{name} {harm}; memtui won't change it."
OTHER_INDEX = "A separate memory index: attach its folder as a store."
INDEX_TOO_LONG = "Longer than 200 lines or 25,000 characters; agents don't read past that."
LINE_TO_NOTHING = "An index line points to a missing file, {name}."
LINK_TO_NOTHING = "Broken link: there is no memory “{name}”."
NO_LINE = "Not listed in MEMORY.md, so agents don't see it at session start."
NO_TYPE = "No type in the front matter."
UNKNOWN_TYPE = "“{type}” is not a Claude Code memory type."
DUPLICATE_NAME = "Another file has the same name, “{name}”."
MALFORMED_HEAD = "{problem}; showing what could be read."

# What an action does.
ADDS_FILE = "adds a file and its line in MEMORY.md"
REMOVES_FILE = "removes its file and its line in MEMORY.md, and keeps both in memtui"
RESTORES_FILE = "restores its file and its line in MEMORY.md to their original places"
CHANGES_TITLE = "changes the name in its file and the title of its line in MEMORY.md"
CHANGES_CONTENT = "changes the text in its file"
CHANGES_TYPE = "changes the type in its file"
NO_RELATIONS = "kept in memtui: Claude Code memories have no relations"
NO_SUCH_FIELD = "kept in memtui: Claude Code memories have no {field}"
SUCH_FIELD = "such field"

# Why a store cannot be written.
NOT_WRITABLE = "No write permission for {name}."
FOLDER_GONE = "{name} no longer exists."


def no_such_field(field: str) -> NotSaved:
    return NotSaved("no-field", f"memory files have no {field}.")


def no_such_field_in_text(field: str) -> NotSaved:
    return NotSaved("no-field", f"free text in MEMORY.md has no {field}.")


def no_head_for(key: str) -> NotSaved:
    return NotSaved("no-field", f"the file has no front matter to hold the {key}.")


def no_place_for(key: str) -> NotSaved:
    return NotSaved("no-field", f"the front matter is empty, so memtui can't add the {key} to it.")


def field_empty(field: str) -> NotSaved:
    return NotSaved("empty", f"the {field} can't be empty.", DISMISS_INSTEAD)


def memory_empty() -> NotSaved:
    return NotSaved("empty", "a memory needs text.")


def title_needs_line() -> NotSaved:
    reason = "links refer to it by name, and it has no line in MEMORY.md that could hold a title."
    return NotSaved("no-line", reason)


def no_name() -> NotSaved:
    return NotSaved("no-line", "it has neither a name nor a line in MEMORY.md.")


def file_read_back_differs() -> NotSaved:
    return NotSaved("unsure", "the edited file would not read back as intended.")


def text_read_back_differs() -> NotSaved:
    return NotSaved("unsure", "the file can't store this text exactly as written.")


def text_moved() -> NotSaved:
    return NotSaved("gone", "the text is no longer at the same place in MEMORY.md.")


def shape_changed() -> NotSaved:
    return NotSaved(
        "shape",
        "this would not read back as a single memory from MEMORY.md.",
        "Remove blank lines, headings and lines that start with a bullet.",
    )


def head_without_end() -> NotSaved:
    return NotSaved("head", "the front matter is never closed, so it is unclear where the text starts.")


def exists_again(name: str) -> Refused:
    return Refused("exists", f"{name} already exists.", NOTHING_CHANGED)


def locked(reason: str) -> Refused:
    return Refused("read-only", reason, NOTHING_CHANGED)


def file_gone(ref: str) -> Refused:
    return Refused("gone", f"{ref} no longer exists.", NOTHING_CHANGED)


def listed_already(file: str) -> Refused:
    return Refused("listed", f"{file} is already listed in MEMORY.md.", NOTHING_CHANGED)


# What Claude Code itself puts below an index that it did not load as a whole, word for word.


def index_warning(
    lines: int, units: int, exceeds: tuple[bool, bool], max_lines: int, max_units: int, lost: str
) -> str:
    """`exceeds` says whether the lines and whether the code units are too many; `lost` what was cut off."""
    if all(exceeds):
        size = f"{lines} lines and {_size(units)}"
    elif exceeds[0]:
        size = f"{lines} lines (limit: {max_lines})"
    else:
        size = f"{_size(units)} (limit: {_size(max_units)}) — index entries are too long"
    return (
        f"> WARNING: MEMORY.md is {size}. Only part of it was loaded: {lost} "
        "Keep index entries to one line under ~200 chars; move detail into topic files."
    )


def lines_lost(count: int, total: int, first: int, excerpt: str) -> str:
    beginning = f' ("{excerpt}")' if excerpt else ""
    return f"{count} of {total} lines were cut off, starting at line {first}{beginning}."


def rest_of_line(units: int) -> str:
    return f"everything after the first {units} characters of line 1 was cut off."


def _size(units: int) -> str:
    amount, unit = (units / 1024, "KB") if units < 1 << 20 else (units / (1 << 20), "MB")
    return f"{math.floor(amount * 10 + 0.5) / 10:g}{unit}"
