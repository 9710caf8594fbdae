"""Keys by which agents look memories up: a change may not give one to two memories of an owner (S-54)."""

from __future__ import annotations

import json
from collections.abc import Sequence

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


def refuse_duplicates(ctx: Context, items: Sequence[ChangeItem]) -> None:
    """Raise Refused if a memory would get the key of another one, where its format wants keys to be unique.

    Memories that had one key before may have one afterwards.
    """
    former: dict[_Owned, str | None] = {}
    renamed: set[int] = set()
    for item in items:
        adapter_class = adapter_class_of(item.store)
        key = item.after.get("key")
        if item.row is None or adapter_class is None or not adapter_class.unique_keys or not key:
            continue
        memory = item.row.memory
        if former.setdefault((item.store.id, memory.owner, str(key)), memory.key) != memory.key:
            raise wording_replace.key_taken(memory.uid, str(key))
        renamed.add(item.row.id)
    if not former:
        return
    keys, stores = ({each[at] for each in former} for at in (2, 0))
    rows = ctx.db.rows(_WITH_KEYS, (json.dumps(list(keys)), json.dumps(list(stores))))
    taken = {(store_id, owner, key) for id, store_id, owner, key in rows if id not in renamed}
    for item in items:
        if item.row is None:
            continue
        key, memory = item.after.get("key"), item.row.memory
        if (item.store.id, memory.owner, key) in taken:
            raise wording_replace.key_taken(memory.uid, str(key))
