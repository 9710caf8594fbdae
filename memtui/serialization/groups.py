"""The JSON shape of a group of memories (S-82)."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.memory.encoding import iso
from memtui.memory.groups import Group
from memtui.memory.memory import Memory
from memtui.values import JsonObject


def group_as_json(group: Group, memories: Iterable[Memory]) -> JsonObject:
    """Return a group with its memories; `kind` and `store` are null if its memories differ in them."""
    return {
        "name": group.name,
        "kind": group.kind or None,
        "store": group.store or None,
        "newest": iso(group.newest),
        "contradictions": group.contradictions,
        "duplicates": group.duplicates,
        "memories": [memory.to_json() for memory in memories],
    }
