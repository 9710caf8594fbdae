"""How the formats of the attached stores give memories to agents in their own way (S-34)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.formats import registry
from memtui.formats.contract.recalling import Recalling
from memtui.workspace.context import NATIVE

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_PLAIN = Recalling()


def by_store(ctx: Context) -> dict[int, Recalling]:
    """Return how each attached store whose format has its own way gives memories."""
    sql = "SELECT id, format FROM stores WHERE detached_at IS NULL AND format <> ?"
    found = {id: registry.by_name(format).recalling for id, format in ctx.db.rows(sql, (NATIVE,))}
    return {id: each for id, each in found.items() if each != _PLAIN}


def statuses(ctx: Context) -> dict[int, tuple[str, ...]]:
    """Return the statuses that agents are given besides those of all stores, by store."""
    return {id: each.also for id, each in by_store(ctx).items() if each.also}


def within_depth(ctx: Context, ids: Sequence[int]) -> list[int]:
    """Return candidates, best first, without those of a store beyond the number that its format takes."""
    depths = {id: each.depth for id, each in by_store(ctx).items() if each.depth}
    if not depths:
        return list(ids)
    stores = stores_of(ctx, ids)
    kept = []
    for id in ids:
        room = depths.get(stores[id])
        if room is None:
            kept.append(id)
        elif room:
            depths[stores[id]] = room - 1
            kept.append(id)
    return kept


def stores_of(ctx: Context, ids: Sequence[int]) -> Mapping[int, int]:
    """Return the store of each memory."""
    sql = "SELECT id, store_id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    return dict(ctx.db.rows(sql, (json.dumps(list(ids)),)))
