"""Every sentence about copying and moving memories between stores."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.text import after_colon, counted

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


def relations_left(count: int) -> str:
    return counted(count, "relation", "relations")


def records_left(count: int) -> str:
    return counted(count, "related record")


def local_relations_left(count: int) -> str:
    return f"{counted(count, 'relation')} kept in memtui"


def extra_field(name: str) -> str:
    return f"extra field {name}"
