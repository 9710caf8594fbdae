"""Every sentence about opening the workspace, and what every command prints."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import Refused
from memtui.text import after_colon, counted

# Output.
USAGE_HINT = "memtui --help lists the commands."
PARTLY_CHANGED = "Partly changed"
NOT_CHANGED = "Not changed"
CONFLICT_SIDES = {"yours": "yours", "theirs": "in the store"}

# Opening the workspace.
ANOTHER_MEMTUI_WRITES = "another memtui process is writing to it."
EVERY_STORE = "all stores"
WORKSPACE_BUSY = "another program is using the workspace."

# Unexpected errors.
_SETTLED = "An unfinished change is completed or reverted the next time the workspace is opened."
BUSY = ("busy", "The workspace is in use by another program.", "Try again in a moment.")
FULL = ("full", "The disk is full.", f"Free up some space, then try again. {_SETTLED}")
DAMAGED = (
    "damaged",
    "The workspace file is damaged.",
    "It was not changed. To recover what can be read: memtui doctor --salvage NEW",
)


def changed(summary: str, entry_id: int | None) -> str:
    return f"{summary}." if entry_id is None else f"{summary}.  To undo: memtui undo {entry_id}"


def skipped(outcome: str, uid: str, label: str, reason: str) -> str:
    return f"{outcome}: {uid}  {label}: {after_colon(reason)}"


def conflict_value(side: str, field: str, value: object) -> str:
    return f"  {field} ({side}): {value}"


def refused(message: str) -> str:
    return f"memtui: {message}"


def settings_problem(problem: str) -> str:
    return f"memtui: {problem}"


def new_workspace(path: Path) -> str:
    return f"Created a new workspace: {path}"


def not_pulled(store: str, reason: str) -> str:
    return f"Could not load changes from {store}; showing what was last read: {reason}"


def empty_path() -> Refused:
    return Refused("path", "The path is empty.", "To attach the stores in this folder: memtui .")


def path_not_utf8(text: str) -> Refused:
    return Refused("path", f"Can't use the path “{text}”: its name is not valid UTF-8.", "Rename it first.")


def no_terminal() -> Refused:
    return Refused(
        "no-terminal",
        "The interactive UI requires a terminal.",
        "To print memories: memtui list. For all commands: memtui --help.",
    )


def not_a_uid(text: str) -> Refused:
    return Refused(
        "no-memory",
        f"“{text}” is not a uid: uids contain only letters and digits.",
        "memtui list shows the uids.",
    )


def masked(count: int) -> str:
    what = counted(count, "secret is", "secrets are")
    return f"{what} masked; --reveal shows {'it' if count == 1 else 'them'}."


def confirm_reveal(word: str) -> str:
    return f"Secrets will be shown in full. To show them, type {word}:"


def not_revealed() -> Refused:
    return Refused("not-confirmed", "Nothing was shown.", "Without --reveal, secrets are masked.")


def output_error(reason: str | None) -> str:
    return f"memtui: could not write the output: {reason}. What was changed is in memtui journal.\n"


def io_error(file: str | None, reason: object) -> Refused:
    place = f"{file}: " if file else ""
    return Refused("io", f"{place}{reason}.", _SETTLED)


def internal_error(kind: str, error: object) -> Refused:
    return Refused(
        "internal",
        f"Unexpected error: {kind}: {error}",
        f"{_SETTLED} Set MEMTUI_DEBUG=1 to see the traceback.",
    )
