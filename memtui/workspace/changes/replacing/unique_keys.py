"""Keys by which agents look memories up: a change may not give one to two memories of an owner (S-54)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.errors import Refused
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.changes.replacing import wording_replace
from memtui.workspace.context import Context

# One query over all memories that have one of these keys in one of these stores.
_WITH_KEYS = (
    "SELECT id, store_id, owner, key FROM memories WHERE removed_at IS NULL AND moved IS NULL "
    "AND key IN (SELECT value FROM json_each(?)) AND store_id IN (SELECT value FROM json_each(?))"
)
_Owned = tuple[int, str | None, str]  # store, owner, key


def duplicates(ctx: Context, items: Sequence[ChangeItem]) -> dict[int, Refused]:
    """Return why items cannot be changed, by their memory's row: it would get the key of another one, where
    the format wants keys to be unique.

    Memories that had one key before may have one afterwards. What is left out keeps its own key, which is
    then taken for the others.
    """
    renamed = {item.row.id: item for item in items if item.row is not None and _gets_unique_key(item)}
    refused: dict[int, Refused] = {}
    while colliding := _colliding(ctx, renamed):
        for id in colliding:
            item = renamed.pop(id)
            assert item.row is not None
            refused[id] = wording_replace.key_taken(item.row.memory.uid, str(item.after["key"]))
    return refused


def _gets_unique_key(item: ChangeItem) -> bool:
    adapter_class = adapter_class_of(item.store)
    return bool(adapter_class is not None and adapter_class.unique_keys and item.after.get("key"))


def _colliding(ctx: Context, renamed: dict[int, ChangeItem]) -> list[int]:
    """Return those of the renamed memories whose new key another one has, or gets too."""
    former: dict[_Owned, set[str | None]] = {}
    for item in renamed.values():
        assert item.row is not None
        former.setdefault(_owned(item), set()).add(item.row.memory.key)
    if not former:
        return []
    keys, stores = ({each[at] for each in former} for at in (2, 0))
    rows = ctx.db.rows(_WITH_KEYS, (json.dumps(list(keys)), json.dumps(list(stores))))
    taken = {(store_id, owner, key) for id, store_id, owner, key in rows if id not in renamed}
    taken |= {owned for owned, before in former.items() if len(before) > 1}
    return [id for id, item in renamed.items() if _owned(item) in taken]


def _owned(item: ChangeItem) -> _Owned:
    assert item.row is not None
    return item.store.id, item.row.memory.owner, str(item.after["key"])
