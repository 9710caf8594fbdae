"""Finding nodes of the graph by words, to go to or to relate to (SPEC 9)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui.memory.graph.model import Node, NodeKey
from memtui.workspace.relations.neighborhood import node_key, nodes_by_id, store_names
from memtui.workspace.search import lexical

if TYPE_CHECKING:
    from memtui.workspace.context import Context

READ = 5_000  # memories found whose nodes are looked up
_NAMED = (
    "SELECT min(m.id) FROM stores s CROSS JOIN memories m ON m.store_id = s.id AND m.anchor = ? "
    "WHERE m.live AND m.shown GROUP BY s.id"
)
# A memory that is not in its store has no name there.
_KEYS = (
    "SELECT m.id, m.store_id, iif(m.ref IS NOT NULL AND m.removed_at IS NULL, m.anchor, '') "
    "FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value ORDER BY e.key"
)


def nodes(ctx: Context, text: str, most: int, but: int | None = None) -> list[Node]:
    """Return the nodes of the memories that a query finds, each once, an entity with all its observations.

    Nodes named exactly as typed come first, then those whose name starts so. The node of memory `but` is left
    out. Raise QueryError for a malformed query.
    """
    hits = lexical.search(ctx.db, text, live=True, now=ctx.clock())
    named = [id for (id,) in ctx.db.rows(_NAMED, (text,))] if text else []
    excluded = node_key(ctx, but) if but is not None else None
    keys: dict[NodeKey, int] = {}
    for id, store, anchor in ctx.db.rows(_KEYS, (json.dumps([*named, *hits.ids[:READ]]),)):
        key = NodeKey(store, anchor) if anchor else NodeKey(store, "", id)
        if key != excluded:
            keys.setdefault(key, id)
        if len(keys) >= most:
            break
    by_id = nodes_by_id(ctx, keys.values(), store_names(ctx))
    typed = text.casefold()
    found = [by_id[id] for id in keys.values() if id in by_id]
    return sorted(found, key=lambda node: _distance(node.key.name.casefold(), typed))


def _distance(name: str, typed: str) -> int:
    """Return 0 for the typed name, 1 for one that starts so, else 2; 2 for all if nothing was typed."""
    if not typed or not name.startswith(typed):
        return 2
    return int(name != typed)
