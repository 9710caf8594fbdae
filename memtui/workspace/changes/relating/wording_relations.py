"""Every sentence about changing relations between memories."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused
from memtui.text import capitalized
from memtui.workspace.changes.wording import IS_KEPT_IN_MEMTUI, NOTHING_CHANGED, RESTORE_FIRST

# What adding a relation does, completing "supersedes: …".
SUPERSEDES_OTHER = (
    "replaces the other memory: it is marked superseded, or dismissed if its store can't do that"
)
KEPT_BETWEEN_STORES = f"{IS_KEPT_IN_MEMTUI}: the memories are in different stores"
REASON_KEPT_IN_MEMTUI = "The reason is kept in memtui."

# What changing a relation does.
LOCAL = "The relation is kept in memtui."
CHANGED_IN_STORE = "changes it"
FIXED_IN_TEXT = "its kind and both ends come from the text and can't be changed here"

SUPERSEDES_ITSELF = "A memory can't replace itself."


def change_effect(effect: str, store: str, kept: Iterable[str]) -> str:
    """Say what changing a relation does in its store, and which values memtui keeps instead."""
    names = ", ".join(kept)
    rest = f" Kept in memtui: {names}." if names else ""
    return f"{capitalized(effect)} ({store}).{rest}"


def related_already() -> Refused:
    return Refused("exists", "This relation already exists.", NOTHING_CHANGED)


def unchanged() -> Refused:
    return Refused("unchanged", "Nothing would change.", NOTHING_CHANGED)


def no_relation(kind: str) -> Refused:
    return Refused("no-relation", f"There is no “{kind}” relation in this direction.")


def relation_changed(kind: str) -> NotSaved:
    return NotSaved("changed", f"the “{kind}” relation has changed since it was shown.", NOTHING_CHANGED)


def not_changeable(format: str) -> Refused:
    """Refuse to change a relation that the store holds in another form, as in a memory's text."""
    return Refused(
        "unsupported",
        f"{format or 'The store'} keeps this relation in a form that memtui can't change.",
        f"{NOTHING_CHANGED} Edit the memory's text instead.",
    )


def kind_not_storable(kind: str, support: str) -> NotSaved:
    return NotSaved("unsupported", f"a “{kind}” relation {support}.", NOTHING_CHANGED)


def bad_kind_length(longest: int) -> Refused:
    return Refused("kind", f"A relation's kind must be 1 to {longest} characters long.", NOTHING_CHANGED)


def not_into_supersedes() -> Refused:
    return Refused(
        "kind",
        "A relation can't be changed to “supersedes”: that would replace the other memory.",
        "Add a new “supersedes” relation instead.",
    )


def same_memory() -> Refused:
    return Refused("same", "A memory can't be related to itself.", NOTHING_CHANGED)


def winner_inactive() -> Refused:
    return Refused("gone", "The replacement must be active.", RESTORE_FIRST)


def blocked(reason: str) -> Refused:
    return Refused("blocked", reason, NOTHING_CHANGED)
