"""Every sentence of the Journal screen."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.memory.wording import caller
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
SUBJECT = "The journal"
JOURNAL_UNREADABLE = "Could not read the journal"
OLDER_UNREADABLE = "Could not read older changes"
CHANGE_UNREADABLE = "Could not read the change"
NOT_RESTORED = "Could not restore"
NOT_SEEN = "Could not mark as seen"

# The empty list.
NO_CHANGES = "No changes yet."
CHANGES_APPEAR = "Changes by you, your agents and decay will appear here, newest first."
NONE_BY_YOU = "No changes by you yet."
NONE_BY_AGENTS = "No changes by agents yet."
NOTHING_NEW = "No unseen changes."
ACTIVITY_APPEARS = "What agents add, change or remove will appear here, grouped by store."


def memories_of(count: int, entity: str) -> str:
    return f"{counted(count, 'memory')} of {entity}" if entity else counted(count, "memory")


def copied_to(count: int, store: str) -> str:
    return f"{counted(count, 'memory')} to {store}" if store else counted(count, "memory")


def browse(key: str) -> str:
    return f"{key}  browse memories"


def changes_by_agents(key: str) -> str:
    return f"{key}  changes by agents"


def all_changes(key: str) -> str:
    return f"{key}  all changes"


def none_removed(undo: str) -> Refused:
    return Refused(
        "nothing", f"Nothing to restore: this change didn't remove any memories. Press {undo} to undo it."
    )


def all_by_agents(key: str) -> str:
    return f"Only changes by agents are listed. Press {key} for all changes."


# Titles.
JOURNAL = "Journal"
BY_YOU = "Journal: by you"
BY_AGENTS = "Journal: by agents"
SINCE_YOU_LOOKED = "Unseen changes by agents"
MORE_ONCE_SEEN = "more after you mark these as seen"


def title(who: str, session: str) -> str:
    """`who` is as the journal is asked for: "", "you", "agents" or an actor, "agent:scout"."""
    named = {"": JOURNAL, "you": BY_YOU, "agents": BY_AGENTS}
    return named.get(who, f"{JOURNAL}: {caller(who, '', session)}")


def none_by(who: str, session: str) -> str:
    return NONE_BY_AGENTS if who == "agents" else f"No changes by {caller(who, '', session)}."


# Keys.
NOTHING_TO_UNDO = "Nothing to undo: the list is empty."
UNDONE_ALREADY = "This change is already undone."
CANNOT_BE_UNDONE = "This change can't be undone."
NOTHING_TO_RESTORE = "Nothing to restore: the list is empty."
NOTHING_TO_SHOW = "Nothing to show: the journal is empty."

# Kinds of changes whose own name does not say it; the other kinds are shown as they are.
KIND_LABELS = {
    "no-secret": "no secret",
    "policy-set": "policy set",
    "policy-removed": "policy removed",
    "rule-added": "rule added",
    "rule-edited": "rule edited",
    "rule-removed": "rule removed",
    "rules-trusted": "rules trusted",
    "rules-distrusted": "rules distrusted",
    "rule-left": "left as is",
    "retied": "relation changed",
    "unrelated": "relation removed",
    "superseded": "replaced",
    "pulled": "loaded",
    "locked": "read-only",
    "unlocked": "writable",
}

# The text of a change.
NOT_FINISHED = "not finished"
UNREADABLE_CHANGE = "Can't read what agents changed."
IN_STORE = "in its store"
LEFT_STORE = "no longer in its store"
PURGED = "The text of this change was purged."


def kind_label(kind: str) -> str:
    return KIND_LABELS.get(kind, kind)


def position(number: int, total: int, *, complete: bool) -> str:
    return f"{grouped(number)} of {grouped(total)}{'' if complete else '+'}" if total else ""


def redo(key: str) -> str:
    return f"{key} redo"


def not_removed(what: str, undo: str) -> str:
    return f"Nothing to restore: the memory was {what}. Press {undo} to undo the agent's change."


def overwritten(undo: str) -> str:
    return f"The agent's program overwrote your change. Press {undo} to reapply it."


def removed(restore: str) -> str:
    return f"Removed from its store; memtui still has it. Press {restore} to restore it."


def added(undo: str) -> str:
    return f"New in its store. Press {undo} to dismiss it."


def how_to_mark_seen(since: str, seen: str) -> str:
    return f"Press {since} for unseen changes by agents, then {seen} to mark them as seen."


def marked_seen(*, more: bool) -> str:
    return "Marked as seen. Showing the next ones." if more else "Marked as seen. No unseen changes left."


def cannot_revert_unreadable() -> Refused:
    return Refused("unreadable", UNREADABLE_CHANGE, "Nothing was changed.")


def not_editable(fields: Iterable[str]) -> Refused:
    return Refused("no-field", f"Can't undo: {', '.join(fields)} can't be edited.", "")


def by_agent(what: str, agent: str, when: str, store: str) -> str:
    """`agent` is "" where a change was found in the store."""
    return f"{what} by {agent or 'an agent'} · {when} · {store}"


def more_memories(count: int) -> str:
    return f"and {counted(count, 'more memory')}"
