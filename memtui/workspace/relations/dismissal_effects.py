"""What becomes of the relations of memories that are dismissed, in words (SPEC 7)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.errors import Refused
from memtui.formats.contract.adapter import RelationFate
from memtui.workspace.context import Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror.memory_rows import MirrorRow

MOST = 200  # memories whose relations are counted
# Relations by what becomes of those at their ends that leave; one that leads from a leaving memory to another
# leaving one is told by its source.
_HOW = "SELECT how FROM leaving WHERE store = r.store_id AND name = r.target"
_COUNTED = (
    "WITH leaving (store, name, how) AS MATERIALIZED "
    "(SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)) "
    "SELECT one, other, count(*) FROM ("
    "SELECT g.how AS one, "
    f"CASE WHEN (r.store_id, r.target) IN (SELECT store, name FROM leaving) THEN ({_HOW}) END AS other "
    "FROM leaving g CROSS JOIN relations r ON r.store_id = g.store AND r.source = g.name "
    "UNION ALL "
    "SELECT NULL, g.how FROM leaving g CROSS JOIN relations r ON r.store_id = g.store AND r.target = g.name "
    "WHERE (r.store_id, r.source) NOT IN (SELECT store, name FROM leaving)) GROUP BY one, other"
)
_KEPT = (
    "SELECT count(*) FROM local_relations t WHERE t.source_id IN (SELECT value FROM json_each(?1)) "
    "OR t.target IN (SELECT uid FROM memories WHERE id IN (SELECT value FROM json_each(?1)))"
)


def words(ctx: Context, leaving: Sequence[MirrorRow], stores: dict[int, StoreRow]) -> str:
    """ "its 3 relations go with it and come back with it"; "" where they have none, or are too many to be
    asked one by one."""
    if not leaving or len(leaving) > MOST:
        return ""
    counts = dict.fromkeys(RelationFate, 0)
    hows: dict[tuple[int, str], RelationFate] = {}
    for held in leaving:
        if held.anchor and (held.store_id, held.anchor) not in hows:
            hows[held.store_id, held.anchor] = _how(ctx, held, stores[held.store_id])
    ends = json.dumps([(*named, how) for named, how in hows.items()])
    for source, target, count in ctx.db.rows(_COUNTED, (ends,)):
        counts[_of_one(source, target)] += count
    counts[RelationFate.STAY] += ctx.db.one(_KEPT, (json.dumps([held.id for held in leaving]),))
    many = len(leaving) > 1
    whose, until = ("their", "until they are restored") if many else ("its", "until it is restored")
    back = "go along, and come back when they do" if many else "go with it, and come back with it"
    told = [
        (counts[RelationFate.GO], back),
        (counts[RelationFate.DANGLE], f"lead nowhere {until}"),
        (counts[RelationFate.STAY], "stay"),
    ]
    return "; ".join(f"{whose} {_counted(count)} {_for(count, what)}" for count, what in told if count)


def _of_one(source: str | None, target: str | None) -> RelationFate:
    """What becomes of a relation by what its ends do to theirs; None is an end that does not leave."""
    # Where its source's own text tells it, it leaves with that; those of others stay behind.
    if source in (RelationFate.GO, RelationFate.DANGLE) or target == RelationFate.GO:
        return RelationFate.GO
    return RelationFate.DANGLE if target == RelationFate.DANGLE else RelationFate.STAY


def _counted(count: int) -> str:
    return "one relation" if count == 1 else f"{count:,} relations"


def _for(count: int, what: str) -> str:
    """The same of one alone: goes, leads, stays."""
    if count != 1:
        return what
    verb, _, rest = what.partition(" ")
    verb = "goes" if verb == "go" else f"{verb}s"
    return f"{verb} {rest.replace('come back', 'comes back', 1)}".rstrip()


def _how(ctx: Context, held: MirrorRow, store: StoreRow) -> RelationFate:
    try:
        adapter = ctx.adapter(store)
    except Refused:
        return RelationFate.STAY
    return RelationFate.STAY if adapter is None else adapter.parts_with(held.memory.content)
