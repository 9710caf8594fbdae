"""Every sentence of the Journal screen."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
SUBJECT = "The journal"
JOURNAL_UNREADABLE = "The journal could not be read"
OLDER_UNREADABLE = "Older changes could not be read"
CHANGE_UNREADABLE = "The change could not be read"
NOT_RESTORED = "Nothing was restored"
NOT_SEEN = "Not marked as seen"

# The empty list.
NO_CHANGES = "No changes yet."
CHANGES_APPEAR = "What you, your agents and the rules change will stand here, newest first."
BROWSE = "1  browse the memories"
NONE_BY_YOU = "You changed nothing yet."
CHANGES_BY_AGENTS = "f  changes by agents"
NONE_BY_AGENTS = "Agents changed nothing yet."
ALL_CHANGES_F = "f  all changes"
NOTHING_NEW = "Nothing new since you last looked."
ACTIVITY_APPEARS = "What agents add, change or remove will stand here, store by store."
ALL_CHANGES_S = "s  all changes"

# Titles.
JOURNAL = "Journal"
BY_YOU = "Journal: by you"
BY_AGENTS = "Journal: by agents"
SINCE_YOU_LOOKED = "Since you last looked"
MORE_ONCE_SEEN = "more once these are seen"

# Keys.
NOTHING_TO_UNDO = "Nothing to undo: the list is empty."
UNDONE_ALREADY = "This change is undone already."
CANNOT_BE_UNDONE = "This change cannot be undone."
NOTHING_TO_RESTORE = "Nothing to restore: the list is empty."
NONE_REMOVED = "Nothing to restore: no memory was removed here. z takes a change back."
NOTHING_TO_SHOW = "Nothing to show: the journal is empty."
ALL_BY_AGENTS = "All of these are by agents. s shows all changes."

# The text of a change.
NOT_FINISHED = "not finished"
UNREADABLE_CHANGE = "What agents did to it cannot be read."
OVERWRITTEN = "The agent's program overwrote your change; z makes it again."
REMOVED = "It is gone from its store; memtui still has it: R puts it back."
ADDED = "It is new in its store; z dismisses it."
IN_STORE = "it stands in its store"
LEFT_STORE = "it left its store"
ERASED = "The texts of this change were erased."


def position(number: int, total: int, *, complete: bool) -> str:
    return f"{grouped(number)} of {grouped(total)}{'' if complete else '+'}" if total else ""


def redo(key: str) -> str:
    return f"{key} redo"


def not_removed(what: str) -> str:
    return f"Nothing to restore: it was {what}. z takes the agent's change back."


def how_to_mark_seen(since: str, seen: str) -> str:
    return f"{since} shows what agents did since you last looked; {seen} marks that as seen."


def marked_seen(*, more: bool) -> str:
    rest = "the rest stands here now" if more else "what agents do from now on will stand here"
    return f"Seen: {rest}."


def cannot_revert_unreadable() -> Refused:
    return Refused("unreadable", UNREADABLE_CHANGE, "Nothing was changed.")


def not_editable(fields: Iterable[str]) -> Refused:
    return Refused("no-field", f"What changed ({', '.join(fields)}) cannot be edited.", "")


def by_agent(what: str, when: str, store: str) -> str:
    return f"{what} by an agent · {when} · {store}"


def more_memories(count: int) -> str:
    return f"and {counted(count, 'memory')} more"
