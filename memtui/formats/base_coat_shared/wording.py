"""Every sentence about Base Coat's shared memory."""

from __future__ import annotations

from memtui.errors import NotSaved, Refused

RECOGNISED_BY = (
    "a folder of domain/subject.md files with “subject: domain:subject” at their head and a “## Pattern”"
)
# The README of a store that memtui makes.
README = """# Shared memories

{mark}

One file for each memory: `domain/subject.md`, with a head (subject, category, confidence, created,
applies_to) and the sections `## Pattern`, of at most 200 characters, and `## Evidence`.
"""

# What an action does: each completes "Dismiss …".
ADDS_FILE = "adds a file in the folder of its domain"
DELETES_FILE = "deletes its file"
REMOVES_FILE = "takes its file out of the folder and keeps it in memtui"
PUTS_FILE_BACK = "puts its file back at its old place"
CONFIRMS = "raises its confidence in its file and sets last_validated to today"
CHANGES_PATTERN = "changes the pattern in its file, of at most {longest} characters"
CHANGES_FIELD = "changes the {field} in its file"
TAGS_KEPT_IN_MEMTUI = "kept in memtui: tags in the head of a shared memory are only read"
KEPT_IN_MEMTUI = "kept in memtui: Base Coat's shared memory has no {field}"

# Findings.
NO_MEMORY = "It has neither a head nor a pattern; it is left out."
BAD_HEAD = "Read as well as can be, its head is never written: {problem}."
BAD_TIME = "{key} says “{value}”, which is no time."
NO_SUBJECT = "Its head names no subject."
SUBJECT_ELSEWHERE = "Its subject “{subject}” does not fit its place."
DOUBLED_SUBJECT = "Another file has the subject “{subject}”, too."
UNKNOWN_CATEGORY = "“{category}” is no category that Base Coat knows."
NO_PATTERN = "It has no section “Pattern”, or an empty one."
LONG_PATTERN = "Its pattern has {length} characters; Base Coat takes {longest}."
CONFIDENCE_NO_NUMBER = "The confidence “{value}” is no number."
CONFIDENCE_OUTSIDE = "The confidence {value} is outside 0–1; shown as the nearest bound."
LOW_CONFIDENCE = "Its confidence is {value}, less than {least}."
STALE = "Nobody has validated it since {day}."

# The evidence of a new memory that has none.
NOTED_ON = "- Noted on {day}."

NOTHING_CHANGED = "Nothing was changed."


def too_deep(count: int) -> str:
    files = "A file lies" if count == 1 else f"{count:,} files lie"
    return f"{files} deeper than domain/subject.md, where nobody looks."


def empty_content() -> NotSaved:
    return NotSaved("empty", "the content cannot be empty.", "Dismiss the memory instead.")


def too_long(length: int, longest: int) -> NotSaved:
    return NotSaved(
        "too-long",
        f"a shared pattern has at most {longest} characters, and this has {length}.",
        f"Shorten it by {length - longest}.",
    )


def not_one_section() -> NotSaved:
    return NotSaved(
        "shape",
        "in the file this would be read as more than one section, or as something else.",
        f"{NOTHING_CHANGED} Leave out lines that begin with # and marks of code that do not end.",
    )


def not_read_back() -> NotSaved:
    return NotSaved("unsure", "the text could not be read back as it was to be.")


def no_pattern_section() -> NotSaved:
    return NotSaved("no-field", "the file has no section “Pattern”.", NOTHING_CHANGED)


def unclosed_head() -> NotSaved:
    return NotSaved("head", "the file's head has no end, so its text has no beginning.")


def no_head(key: str) -> NotSaved:
    return NotSaved("no-field", f"the file has no head that could hold its {key}.")


def empty_head(key: str) -> NotSaved:
    return NotSaved("no-field", f"the file's head is empty and has no place for its {key}.")


def no_field(field: str) -> NotSaved:
    return NotSaved("no-field", f"a shared memory has no {field}.")


def bad_subject(subject: str) -> NotSaved:
    return NotSaved(
        "subject",
        f"a shared memory has a domain and a subject; “{subject}” names none.",
        "Write it as domain:subject, for instance testing:run-before-merge.",
    )


def long_subject(longest: int) -> NotSaved:
    return NotSaved(
        "subject",
        "the subject is too long for the name of a file.",
        f"Write it as domain:subject, in {longest} letters at most.",
    )


def subject_taken(file: str) -> NotSaved:
    return NotSaved("exists", f"{file} is there already.", "Give it another subject.")


def already_back(file: str) -> Refused:
    return Refused("exists", f"{file} is there again already.", NOTHING_CHANGED)
