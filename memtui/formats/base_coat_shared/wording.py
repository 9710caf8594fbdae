"""Every sentence about Base Coat's shared memory."""

from __future__ import annotations

from memtui.errors import NotSaved, Refused
from memtui.text import counted

RECOGNISED_BY = (
    "a folder of domain/subject.md files with “subject: domain:subject” in the front matter"
    " and a “## Pattern” section"
)
# What an agent does at the start of a session.
AT_START = "Agents search these files when they need one; none is loaded at session start."
# The README of a store that memtui makes.
README = """# Shared memories

{mark}

One file per memory: `domain/subject.md`, with front matter (subject, category, confidence, created,
applies_to) and the sections `## Pattern` (at most 200 characters) and `## Evidence`.
"""

# What an action does: each completes "Dismiss …".
ADDS_FILE = "adds a file to the folder of its domain"
DELETES_FILE = "deletes its file"
REMOVES_FILE = "removes its file from the folder and keeps it in memtui"
PUTS_FILE_BACK = "restores its file to its original place"
CONFIRMS = "raises its confidence and sets last_validated to today in its file"
CHANGES_PATTERN = "changes the pattern in its file (at most {longest} characters)"
CHANGES_FIELD = "changes the {field} in its file"
TAGS_KEPT_IN_MEMTUI = "kept in memtui: tags in the front matter of a shared memory are read-only"
KEPT_IN_MEMTUI = "kept in memtui: Base Coat's shared memories have no {field}"

# Findings.
NO_MEMORY = "No front matter and no pattern; not shown as a memory."
BAD_HEAD = "{problem}; showing what could be read."
BAD_TIME = "{key}: “{value}” is not a valid time."
NO_SUBJECT = "No subject in the front matter."
SUBJECT_ELSEWHERE = "Its subject “{subject}” doesn't match its path."
DOUBLED_SUBJECT = "Another file has the same subject, “{subject}”."
UNKNOWN_CATEGORY = "“{category}” is not a Base Coat category."
NO_PATTERN = "The “Pattern” section is missing or empty."
LONG_PATTERN = "The pattern has {length} characters; Base Coat allows {longest}."
CONFIDENCE_NO_NUMBER = "Confidence “{value}” is not a number."
CONFIDENCE_OUTSIDE = "Confidence {value} is outside 0–1; shown as the nearest bound."
LOW_CONFIDENCE = "Confidence {value} is below {least}."
STALE = "Not validated since {day}."

# The evidence of a new memory that has none.
NOTED_ON = "- Noted on {day}."

NOTHING_CHANGED = "Nothing was changed."


def too_deep(count: int) -> str:
    files = counted(count, "file is", "files are")
    return f"{files} nested deeper than domain/subject.md and not read."


def empty_content() -> NotSaved:
    return NotSaved("empty", "the content can't be empty.", "Dismiss the memory instead.")


def too_long(length: int, longest: int) -> NotSaved:
    return NotSaved(
        "too-long",
        f"a shared pattern can have at most {longest} characters; this one has {length}.",
        f"Shorten it by {counted(length - longest, 'character')}.",
    )


def not_one_section() -> NotSaved:
    return NotSaved(
        "shape",
        "this text would not read back as a single pattern.",
        f"{NOTHING_CHANGED} Remove lines that start with # and close any open code block.",
    )


def not_read_back() -> NotSaved:
    return NotSaved("unsure", "the file can't store this text exactly as written.")


def not_redacted(file: str) -> NotSaved:
    return NotSaved("unsure", f"{file} would not read back the same without the value.", NOTHING_CHANGED)


def no_pattern_section() -> NotSaved:
    return NotSaved("no-field", "the file has no “Pattern” section.", NOTHING_CHANGED)


def unclosed_head() -> NotSaved:
    return NotSaved("head", "the front matter is never closed, so it is unclear where the text starts.")


def no_head(key: str) -> NotSaved:
    return NotSaved("no-field", f"the file has no front matter to hold the {key}.")


def empty_head(key: str) -> NotSaved:
    return NotSaved("no-field", f"the front matter is empty, so memtui can't add the {key} to it.")


def no_field(field: str) -> NotSaved:
    return NotSaved("no-field", f"shared memories have no {field}.")


def bad_subject(subject: str) -> NotSaved:
    return NotSaved(
        "subject",
        f"“{subject}” is not in the form domain:subject.",
        "Example: testing:run-before-merge.",
    )


def long_subject(longest: int) -> NotSaved:
    return NotSaved(
        "subject",
        "the subject is too long for a file name.",
        f"Use domain:subject, at most {longest} bytes long.",
    )


def subject_taken(file: str) -> NotSaved:
    return NotSaved("exists", f"{file} already exists.", "Choose another subject.")


def already_back(file: str) -> Refused:
    return Refused("exists", f"{file} already exists.", NOTHING_CHANGED)
