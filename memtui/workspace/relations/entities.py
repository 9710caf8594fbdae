"""Entities that lose their last memory: a format whose memories are parts of an entity keeps the entity, as a
memory without a text, unless it is to go with them (SPEC 7)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TypeAlias

from memtui.errors import Refused
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.relations import wording

Entity: TypeAlias = tuple[int, str]
"""An entity by the id of its store and its name there."""

# A query over all memories of these entities; an entity itself, without a memory, is a row without a text.
_ENTITIES = (
    "SELECT m.store_id, m.anchor, (SELECT max(o.content <> '') FROM memories o WHERE o.store_id = m.store_id "
    "AND o.anchor = m.anchor AND o.ref IS NOT NULL AND o.removed_at IS NULL "
    "AND o.id NOT IN (SELECT value FROM json_each(?1))) FROM memories m "
    "WHERE m.id IN (SELECT value FROM json_each(?1)) AND m.anchor <> '' "
    "GROUP BY 1, 2 HAVING max(m.content <> '') ORDER BY min(m.id)"
)


def emptied(ctx: Context, ids: Collection[int], stores: Mapping[int, StoreRow]) -> dict[Entity, bool]:
    """Return the entities that have no memory but these, which are about to leave their stores or have left
    them, and whether the entity itself is still there without one."""
    found = {
        (store_id, name): has_text == 0
        for store_id, name, has_text in ctx.db.rows(_ENTITIES, (json.dumps(list(ids)),))
        if has_text != 1
    }
    holding = {store_id for store_id, _ in found if _has_entities(ctx, stores[store_id])}
    return {entity: stays for entity, stays in found.items() if entity[0] in holding}


def describe_fate(entities: Collection[Entity], *, gone: bool) -> str:
    """Describe that emptied entities go with their memories, or that they stay; "" if there are none."""
    return wording.entities_fate([name for _, name in entities], gone=gone) if entities else ""


def _has_entities(ctx: Context, store: StoreRow) -> bool:
    try:
        adapter = ctx.adapter(store)
    except Refused:
        return False
    return adapter is not None and bool(adapter.entity_fields)
