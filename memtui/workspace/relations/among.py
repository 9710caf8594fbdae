"""The relations among some memories, for exports: those of stores, and those that memtui keeps (S-70)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence

from memtui.memory.relations import RelationAmong
from memtui.workspace.context import Context

_MEMORIES = "SELECT m.uid, m.store_id, m.anchor FROM json_each(?) e JOIN memories m ON m.id = e.value"
_STORED = "SELECT source, kind, target, strength, context, body FROM relations WHERE store_id = ? ORDER BY id"
_LOCAL = (
    "SELECT a.uid, l.kind, l.target, l.strength, l.context, l.body FROM json_each(?) e "
    "JOIN local_relations l ON l.source_id = e.value JOIN memories a ON a.id = l.source_id ORDER BY l.rowid"
)


def among(ctx: Context, ids: Sequence[int]) -> list[RelationAmong]:
    """Return the relations of which both ends are memories of these rows."""
    rows = json.dumps(list(ids))
    named: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    uids: set[str] = set()
    for uid, store_id, anchor in ctx.db.rows(_MEMORIES, (rows,)):
        uids.add(uid)
        if anchor:
            named[store_id][anchor].append(uid)
    local = [
        RelationAmong((uid,), kind, (target,), *values)
        for uid, kind, target, *values in ctx.db.rows(_LOCAL, (rows,))
        if target in uids
    ]
    return [*_stored(ctx, named), *local]


def _stored(ctx: Context, named: dict[int, dict[str, list[str]]]) -> Iterator[RelationAmong]:
    for store_id, anchors in named.items():
        for source, kind, target, *values in ctx.db.rows(_STORED, (store_id,)):
            if source in anchors and target in anchors:
                yield RelationAmong(tuple(anchors[source]), kind, tuple(anchors[target]), *values)
