"""Which memories were said to contradict each other: by relations, by what stores record, by earlier scans
(S-40). Memories are given as a JSON array of row ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.values import SqlRow

if TYPE_CHECKING:
    from memtui.workspace.context import Context

MAX_KNOWN_PAIRS = 200  # known pairs of one memory that are judged again
_BY_IDS = "json_each(?) e CROSS JOIN memories m ON m.id = e.value"
# A name may be shared by many memories (an entity's observations): the first represents them.
_FIRST = (
    "NOT EXISTS (SELECT 1 FROM memories x WHERE x.store_id = {0}.store_id AND x.anchor = {0}.anchor "
    "AND x.id < {0}.id AND x.ref IS NOT NULL AND x.removed_at IS NULL)"
)
_ONE_EACH = f"{_FIRST.format('m')} AND {_FIRST.format('o')}"
# Contradictions stated by relations, of stores or of memtui, from either end.
_MARKED = (
    f"SELECT m.id, o.id FROM {_BY_IDS} JOIN relations r ON r.store_id = m.store_id AND r.source = m.anchor "
    "JOIN memories o ON o.store_id = m.store_id AND o.anchor = r.target "
    f"WHERE m.anchor <> '' AND r.kind LIKE '%contradict%' AND {_ONE_EACH} UNION "
    f"SELECT m.id, o.id FROM {_BY_IDS} JOIN relations r ON r.store_id = m.store_id AND r.target = m.anchor "
    "JOIN memories o ON o.store_id = m.store_id AND o.anchor = r.source "
    f"WHERE m.anchor <> '' AND r.kind LIKE '%contradict%' AND {_ONE_EACH} UNION "
    f"SELECT m.id, o.id FROM {_BY_IDS} JOIN local_relations l ON l.source_id = m.id "
    "JOIN memories o ON o.uid = l.target WHERE l.kind LIKE '%contradict%' UNION "
    f"SELECT m.id, l.source_id FROM {_BY_IDS} JOIN local_relations l ON l.target = m.uid "
    "WHERE l.kind LIKE '%contradict%'"
)
# Contradictions recorded by stores: whether settled, and since when.
_RECORDED = (
    f"SELECT m.id, o.id, a.settled, a.at FROM {_BY_IDS} JOIN side_records a ON a.store_id = m.store_id "
    "AND a.about = m.anchor AND a.via = '' JOIN memories o ON o.store_id = m.store_id AND o.anchor = a.other "
    "WHERE m.anchor <> '' AND a.kind = 'contradiction' AND a.other <> ''"
)
_KNOWN = "SELECT value, {other} FROM json_each(?) CROSS JOIN pairs ON {one} = value ORDER BY pairs.id DESC"


@dataclass(frozen=True, slots=True)
class RecordedContradiction:
    """A contradiction that a store records: whether it is settled, and since when (Unix seconds)."""

    settled: bool
    since: float | None


def marked(ctx: Context, ids: str) -> dict[int, set[int]]:
    """Return the memories that each is related to as contradicting."""
    return _grouped(ctx.db.rows(_MARKED, (ids,) * 4))


def recorded(ctx: Context, ids: str) -> dict[tuple[int, int], RecordedContradiction]:
    """Return the contradictions that stores record, by the two row ids, the smaller first."""
    found: dict[tuple[int, int], RecordedContradiction] = {}
    for id, other, settled, at in ctx.db.rows(_RECORDED, (ids,)):
        pair = (min(id, other), max(id, other))
        before = found.get(pair, RecordedContradiction(True, None))
        times = [each for each in (before.since, at) if each is not None]
        found[pair] = RecordedContradiction(before.settled and bool(settled), min(times, default=None))
    return found


def known_pairs(ctx: Context, ids: str) -> dict[int, list[int]]:
    """Return what each was found to be paired with before, to be judged again."""
    rows: list[tuple[int, int]] = []
    for one, other in (("a", "b"), ("b", "a")):
        rows += ctx.db.rows(_KNOWN.format(one=one, other=other), (ids,))
    return {id: sorted(others, reverse=True)[:MAX_KNOWN_PAIRS] for id, others in _grouped(rows).items()}


def _grouped(rows: Iterable[SqlRow]) -> dict[int, set[int]]:
    groups: dict[int, set[int]] = {}
    for id, other in rows:
        groups.setdefault(int(id), set()).add(int(other))
    return groups
