"""Whom to walk to or to relate to: nodes found by words (SPEC 9)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui.memory.graph.model import Node, Spot
from memtui.workspace.relations.neighborhood import names_of, nodes_by_id, spot_of
from memtui.workspace.search import lexical

if TYPE_CHECKING:
    from memtui.workspace.context import Context

READ = 5_000  # memories found of which it is asked where they stand
_NAMED = (
    "SELECT min(m.id) FROM stores s CROSS JOIN memories m ON m.store_id = s.id AND m.anchor = ? "
    "WHERE m.live AND m.shown GROUP BY s.id"
)
# One that was taken out of its store has no name there any more.
_WHERE = (
    "SELECT m.id, m.store_id, iif(m.ref IS NOT NULL AND m.removed_at IS NULL, m.anchor, '') "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value ORDER BY e.key"
)


def nodes(ctx: Context, text: str, most: int, but: int | None = None) -> list[Node]:
    """The nodes of the memories that a query finds, each once, an entity with all its observations; those
    first that are called as was typed, then those whose name begins so. `but` is a memory whose own node
    is left out. Raises QueryError."""
    hits = lexical.search(ctx.db, text, live=True, now=ctx.clock())
    named = [id for (id,) in ctx.db.rows(_NAMED, (text,))] if text else []
    apart = spot_of(ctx, but) if but is not None else None
    spots: dict[Spot, int] = {}
    for id, store, anchor in ctx.db.rows(_WHERE, (json.dumps([*named, *hits.ids[:READ]]),)):
        spot = Spot(store, anchor) if anchor else Spot(store, "", id)
        if spot != apart:
            spots.setdefault(spot, id)
        if len(spots) >= most:
            break
    by_id = nodes_by_id(ctx, spots.values(), names_of(ctx))
    typed = text.casefold()
    found = [by_id[id] for id in spots.values() if id in by_id]
    return sorted(found, key=lambda node: _apart(node.spot.name.casefold(), typed))


def _apart(name: str, typed: str) -> int:
    """How far a name is from what was typed; all the same while nothing is."""
    if not typed or not name.startswith(typed):
        return 2
    return int(name != typed)
