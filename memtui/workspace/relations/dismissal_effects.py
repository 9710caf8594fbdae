"""What dismissing memories does to their relations (SPEC 7)."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from memtui.errors import Refused
from memtui.formats.contract.adapter import RelationFate
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations import wording

MOST = 200  # memories whose relations are counted
# Relations by the fate at each end that is dismissed; between two dismissed memories, counted at the source.
_FATE = "SELECT fate FROM leaving WHERE store = r.store_id AND name = r.target"
_COUNTED = (
    "WITH leaving (store, name, fate) AS MATERIALIZED "
    "(SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)) "
    "SELECT source_fate, target_fate, count(*) FROM ("
    "SELECT g.fate AS source_fate, "
    f"CASE WHEN (r.store_id, r.target) IN (SELECT store, name FROM leaving) THEN ({_FATE}) END "
    "AS target_fate "
    "FROM leaving g CROSS JOIN relations r ON r.store_id = g.store AND r.source = g.name "
    "UNION ALL "
    "SELECT NULL, g.fate FROM leaving g "
    "CROSS JOIN relations r ON r.store_id = g.store AND r.target = g.name "
    "WHERE (r.store_id, r.source) NOT IN (SELECT store, name FROM leaving)) GROUP BY source_fate, target_fate"
)
_LOCAL = (
    "SELECT count(*) FROM local_relations l WHERE l.source_id IN (SELECT value FROM json_each(?1)) "
    "OR l.target IN (SELECT uid FROM memories WHERE id IN (SELECT value FROM json_each(?1)))"
)


def describe(
    ctx: Context,
    leaving: Sequence[MirrorRow],
    stores: dict[int, StoreRow],
    entities: Collection[tuple[int, str]] = (),
) -> str:
    """Describe what dismissing these memories does to their relations; "" if they have none, or if there are
    too many memories to count for. The relations of `entities` that go with their memories go as well."""
    if not leaving or len(leaving) > MOST:
        return ""
    counts = dict.fromkeys(RelationFate, 0)
    fates: dict[tuple[int, str], RelationFate] = {}
    for row in leaving:
        if row.anchor and (row.store_id, row.anchor) not in fates:
            goes = (row.store_id, row.anchor) in entities
            fate = RelationFate.GO if goes else _fate(ctx, row, stores[row.store_id])
            fates[row.store_id, row.anchor] = fate
    ends = json.dumps([(*name, fate) for name, fate in fates.items()])
    for source, target, count in ctx.db.rows(_COUNTED, (ends,)):
        counts[_combined(source, target)] += count
    counts[RelationFate.STAY] += ctx.db.one(_LOCAL, (json.dumps([row.id for row in leaving]),))
    go, dangle, stay = (counts[fate] for fate in (RelationFate.GO, RelationFate.DANGLE, RelationFate.STAY))
    return wording.fates(go, dangle, stay, several=len(leaving) > 1)


def _combined(source: str | None, target: str | None) -> RelationFate:
    """Return a relation's fate from that at its ends; None is an end that is not dismissed."""
    # A relation stored with its source goes with it.
    if source in (RelationFate.GO, RelationFate.DANGLE) or target == RelationFate.GO:
        return RelationFate.GO
    return RelationFate.DANGLE if target == RelationFate.DANGLE else RelationFate.STAY


def _fate(ctx: Context, row: MirrorRow, store: StoreRow) -> RelationFate:
    try:
        adapter = ctx.adapter(store)
    except Refused:
        return RelationFate.STAY
    return RelationFate.STAY if adapter is None else adapter.relation_fate(row.memory.content)
