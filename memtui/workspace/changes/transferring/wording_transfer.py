"""Every sentence about copying and moving memories between stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memtui.errors import Refused
from memtui.text import after_colon, counted

# Kinds of what belongs to a memory in its store and is not transferred.
RELATIONS, RECORDS, LOCAL_RELATIONS = "relations", "records", "local-relations"
_LEFT: dict[str, Callable[[int], str]] = {
    RELATIONS: lambda count: counted(count, "relation"),
    RECORDS: lambda count: counted(count, "related record"),
    LOCAL_RELATIONS: lambda count: f"{counted(count, 'relation')} kept in memtui",
}

STAYS = "stays as it is"  # of a memory that is copied


def already_in(store: str) -> str:
    return f"Already in {store}."


def lost_entirely(reason: str) -> str:
    return f"everything: {after_colon(reason)}"


def not_moved(reason: str) -> Refused:
    return Refused("needs", f"Not moved: {after_colon(reason)}", "Copy it instead.")


def only_copied(store: str, reason: str) -> str:
    return f"Copied, but not removed from {store}: {after_colon(reason)}"


def transferred(verb: str, count: int, store: str) -> str:
    """ "Copied 3 memories to minions"."""
    return f"{verb.capitalize()} {counted(count, 'memory')} to {store}"


def transfer_summary(verb: str, count: str, store: str, files: str, pending: str) -> str:
    """ "Moved 2 of 3 memories to minions (agents.json)"; `count` says how many memories."""
    where = f"to {store} ({files})" if files else f"to {store}"
    return f"{verb.capitalize()} {count} {where}{pending}"


def left_behind(left: Mapping[str, int]) -> list[str]:
    """What belongs to memories and is not transferred: numbers by kind."""
    return [_LEFT[kind](count) for kind, count in left.items()]


def extra_field(name: str) -> str:
    return f"extra field {name}"
