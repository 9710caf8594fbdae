"""Every sentence about copying and moving memories between stores."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.text import after_colon, counted


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
    return f"{verb.capitalize()} {_memories(count)} to {store}"


def transfer_summary(verb: str, count: int, total: int | None, store: str, files: str, pending: str) -> str:
    """ "Moved 2 of 3 memories to minions (agents.json)"; `total` is given if some were left."""
    where = f"to {store} ({files})" if files else f"to {store}"
    return f"{verb.capitalize()} {_memories(count, total)} {where}{pending}"


def _memories(count: int, total: int | None = None) -> str:
    of = "" if total is None else f" of {total:,}"
    return f"{count:,}{of} {'memory' if count == 1 and total is None else 'memories'}"


def relations_left(count: int) -> str:
    return counted(count, "relation", "relations")


def records_left(count: int) -> str:
    return counted(count, "related record")


def local_relations_left(count: int) -> str:
    return f"{counted(count, 'relation')} kept in memtui"


def extra_field(name: str) -> str:
    return f"extra field {name}"
