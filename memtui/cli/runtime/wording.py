"""Every sentence about opening the workspace, and what every command prints."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import Refused

# Output.
USAGE_HINT = "memtui --help lists the commands."
PARTLY_CHANGED = "In part"
LEFT_AS_IT_WAS = "Left as it was"
CONFLICT_SIDES = {"yours": "to be written", "theirs": "in the store now"}

# Opening the workspace.
ANOTHER_MEMTUI_WRITES = "it is being changed by another memtui just now."
EVERY_STORE = "Every store"
WORKSPACE_BUSY = "another program holds the workspace."

# Unexpected errors.
_SETTLED = "A change that was under way is settled when the workspace is opened next."
BUSY = ("busy", "Another program holds the workspace.", "Try again in a moment.")
FULL = ("full", "The disk is full.", f"Make room, then try again. {_SETTLED}")
DAMAGED = (
    "damaged",
    "The workspace's file is damaged.",
    "It was left as it is. memtui doctor --salvage NEW saves what can be read.",
)


def changed(summary: str, entry_id: int | None) -> str:
    return f"{summary}.  Take it back: memtui undo {entry_id}"


def skipped(outcome: str, uid: str, label: str, reason: str) -> str:
    return f"{outcome}: {uid}  {label}: {reason}"


def conflict_value(side: str, field: str, value: object) -> str:
    return f"  {side}, {field}: {value}"


def refused(message: str) -> str:
    return f"memtui: {message}"


def new_workspace(path: Path) -> str:
    return f"Made a new workspace: {path}"


def not_pulled(store: str, reason: str) -> str:
    return f"{store} is shown as last read: {reason}"


def empty_path() -> Refused:
    return Refused("path", "An empty path names nothing.", "memtui . attaches the stores in this folder.")


def path_not_utf8(text: str) -> Refused:
    return Refused(
        "path", f"memtui cannot hold the path “{text}”: its name must be UTF-8.", "Rename it first."
    )


def no_terminal() -> Refused:
    return Refused(
        "no-terminal",
        "The screen needs a terminal, and this is none.",
        "memtui list prints memories; memtui --help tells the rest.",
    )


def no_such_command(word: str, nearest: str | None) -> str:
    suggestion = f" Did you mean memtui {nearest}?" if nearest else ""
    return f"{word} is no command either.{suggestion} memtui --help lists them."


def not_a_uid(text: str) -> Refused:
    return Refused(
        "no-memory", f"“{text}” is no uid: uids are letters and digits.", "memtui list shows them."
    )


def output_error(reason: str | None) -> str:
    return f"memtui: the output cannot be written: {reason}\n"


def io_error(file: str | None, reason: object) -> Refused:
    place = f"{file}: " if file else ""
    return Refused("io", f"{place}{reason}.", _SETTLED)


def internal_error(kind: str, error: object) -> Refused:
    return Refused(
        "internal",
        f"Something failed that memtui did not foresee: {kind}: {error}",
        f"{_SETTLED} With MEMTUI_DEBUG=1 it shows where.",
    )
