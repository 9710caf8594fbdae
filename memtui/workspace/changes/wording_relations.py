"""Every sentence about changing relations between memories."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused
from memtui.text import capitalized
from memtui.workspace.changes.wording import IS_KEPT_IN_MEMTUI, NOTHING_CHANGED, RESTORE_FIRST

# What adding a relation does, completing "supersedes: …".
SUPERSEDES_OTHER = "the other one gives way: it is superseded, or dismissed as its store does it"
KEPT_BETWEEN_STORES = f"{IS_KEPT_IN_MEMTUI}: the two stand in different stores"
REASON_KEPT_IN_MEMTUI = "The why is kept in memtui."

# What changing a relation does.
LOCAL = "It is kept in memtui."
CHANGED_IN_STORE = "changes it there"
FIXED_IN_TEXT = "its kind and its ends stand in the text, and are not changed here"

SUPERSEDES_ITSELF = "A memory cannot give way to itself."


def change_effect(effect: str, store: str, kept: Iterable[str]) -> str:
    """Say what changing a relation does in its store, and which values memtui keeps instead."""
    names = ", ".join(kept)
    rest = f" Kept in memtui: {names}." if names else ""
    return f"{capitalized(effect)}, in {store}.{rest}"


def related_already() -> Refused:
    return Refused("exists", "They are related so already.", NOTHING_CHANGED)


def unchanged() -> Refused:
    return Refused("unchanged", "It says so already.", NOTHING_CHANGED)


def no_relation(kind: str) -> Refused:
    return Refused("no-relation", f"There is no relation “{kind}” from one to the other.")


def relation_changed(kind: str) -> NotSaved:
    return NotSaved("changed", f"the relation “{kind}” is no longer as it was shown.", NOTHING_CHANGED)


def not_changeable(format: str) -> Refused:
    """Refuse to change a relation that the store holds in another form, as in a memory's text."""
    return Refused(
        "unsupported",
        f"{format or 'The store'} tells this relation in its own way; memtui cannot change it.",
        f"{NOTHING_CHANGED} Edit the memory's text instead.",
    )


def kind_not_storable(kind: str, support: str) -> NotSaved:
    return NotSaved("unsupported", f"a relation “{kind}” {support}.", NOTHING_CHANGED)


def bad_kind_length(longest: int) -> Refused:
    return Refused("kind", f"A relation's kind has 1 to {longest} characters.", NOTHING_CHANGED)


def not_into_supersedes() -> Refused:
    return Refused(
        "kind",
        "A relation does not become “supersedes”: there the other memory gives way.",
        "Relate them so anew.",
    )


def same_memory() -> Refused:
    return Refused("same", "A memory has no relation to itself.", NOTHING_CHANGED)


def winner_inactive() -> Refused:
    return Refused("gone", "What others give way to must stand itself.", RESTORE_FIRST)


def blocked(reason: str) -> Refused:
    return Refused("blocked", reason, NOTHING_CHANGED)
