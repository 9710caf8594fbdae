"""What is like an item of the Inbox: on one subject, on one topic, of one store, of one kind (S-52)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.memory.contradictions.pairs import EXACT
from memtui.memory.inbox.items import DUPLICATE, InboxItem

ABOUT, TOPIC, STORE, KIND, COPIES = "about", "topic", "store", "kind", "copies"
_SEPARATOR = ": "  # between the parts of a label: "Bug 7: State: open"


@dataclass(frozen=True, slots=True)
class Alike:
    """Items of one kind that have something in common: `code` says what, `name` is its name, as raw text.

    Of exact copies, all but one of each are to leave: those are found when the group is chosen.
    """

    code: str
    name: str
    items: Sequence[InboxItem]


def groups(items: Sequence[InboxItem], item: InboxItem) -> list[Alike]:
    """Return the groups that an item is in, the narrowest first; those of the same items once."""
    kind = [
        each for each in items if each.kind == item.kind and (each.id is None) == (item.id is None)
    ]  # the line of a store's candidates is none of them
    subject, topic = _parts(item)
    named = str(item.data.get("topic") or "")
    found = [
        Alike(ABOUT, subject, [each for each in kind if _parts(each)[0] == subject] if subject else []),
        Alike(TOPIC, topic, [each for each in kind if _parts(each)[1] == topic] if topic else []),
        Alike(TOPIC, named, [each for each in kind if each.data.get("topic") == named] if named else []),
        Alike(STORE, item.store, [each for each in kind if each.store == item.store]),
        Alike(KIND, "", kind),
    ]
    if item.kind == DUPLICATE and item.code == EXACT:
        found.insert(0, Alike(COPIES, "", [each for each in kind if each.code == EXACT]))
    told: list[Alike] = []
    for group in found:
        same = any(group.items == each.items and each.code != COPIES for each in told)
        if group.items and not same and (len(group.items) > 1 or group.code in (STORE, COPIES)):
            told.append(group)
    return told


def is_markable(item: InboxItem) -> bool:
    """Return whether what is like an item can be marked: memories and pairs, not what is about a store."""
    return item.id is not None or item.pair is not None


def _parts(item: InboxItem) -> tuple[str, str]:
    """Return what a label is about, and the attribute that it gives a value to: ("Bug 7", "State"); ""
    where it has none."""
    parts = item.label.split(_SEPARATOR)
    return parts[0] if len(parts) > 1 else "", parts[1] if len(parts) > 2 else ""
