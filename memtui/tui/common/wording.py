"""Every sentence of the parts that screens and dialogs share."""

from __future__ import annotations

from memtui.tui.text.glyphs import counted, grouped

# Empty lists.
OPENING_WORKSPACE = "Opening the workspace …"
DOCTOR_HELPS = "Run memtui doctor to see what is wrong; --salvage NEW saves what can be read."
NO_MEMORY_FOUND = "No match."

RELATION_EXISTS = "already related: press ⏎ to remove"


def quit_line(key: str) -> str:
    return f"{key}  quit"


def retry_line(key: str) -> str:
    return f"{key}  try again"


def not_read(subject: str) -> str:
    return f"{subject} could not be read."


def not_read_see_below(subject: str) -> str:
    return f"{subject} could not be read: see below."


def line_failed(error: Exception) -> str:
    return f"   ! Can't show this line: {error}"


def keys_on(screen: str) -> str:
    return f"Keys on {screen.capitalize()}"


def redo_hint(key: str) -> str:
    return f"{key} redo"


def node_place(count: int, store: str) -> str:
    return store if count == 1 else f"{counted(count, 'memory')} · {store}"


def new_memories(count: int) -> str:
    return f"● {grouped(count)} new"
