"""The relations of a memory, in its store and in memtui, and its lineage: what replaced it, what it replaced,
what it is based on and what is based on it.

Each query is answered from an index, up to a bound: an entity may have thousands of relations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from memtui.memory.memory import LIVE, label_of
from memtui.memory.relations import Lineage, Relation
from memtui.values import SqlRow
from memtui.workspace.context import Context
from memtui.workspace.mirror import relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow

MOST = 500  # relations of one memory
_FEW = 20  # memories that one replaced, or that are based on it
_BEGINNING = "m.title, m.subject, substr(m.content, 1, 300)"
# Two lists of ids, so that the index of each end is used.
_STORED = (
    "SELECT source, kind, target, strength, context, body FROM relations WHERE id IN ("
    "SELECT id FROM relations WHERE store_id = ?1 AND source = ?2 "
    "UNION SELECT id FROM relations WHERE store_id = ?1 AND target = ?2) ORDER BY id LIMIT ?3"
)
# The first memory with a name. The unary plus keeps SQLite on the index of anchors: with the one of refs it
# would scan all memories of the store for each name.
_ENDS = (
    f"SELECT m.anchor, min(+m.id), m.uid, m.ref, {_BEGINNING} FROM json_each(?2) e "
    "CROSS JOIN memories m ON m.store_id = ?1 AND m.anchor = e.value "
    "WHERE +m.ref IS NOT NULL AND m.removed_at IS NULL GROUP BY m.anchor"
)
_LOCAL = """
SELECT l.kind, l.strength, l.context, l.body, a.id, a.uid, a.title, a.subject, substr(a.content, 1, 300),
       b.id, l.target, b.title, b.subject, substr(b.content, 1, 300)
FROM (SELECT rowid AS row FROM local_relations WHERE source_id = ?1
      UNION SELECT rowid FROM local_relations WHERE target = ?2) each
JOIN local_relations l ON l.rowid = each.row JOIN memories a ON a.id = l.source_id
LEFT JOIN memories b ON b.uid = l.target
ORDER BY l.rowid LIMIT ?3
"""
_OF = "SELECT o.id FROM memories o WHERE o.id <> m.id AND "
_CALLED = f"{_OF}o.store_id = m.store_id AND o.anchor = m.source_ref"
# The row that a memory m is based on, by the one rule for it: the memory whose ref, uid or name is in
# source_ref; of several with a name, the first one present. A plain number may be a turn or a page, so it
# counts only if source_type says that it is a memory's. The unary plus keeps SQLite on the index of anchors.
BASIS = (
    "CASE WHEN m.source_ref <> '' AND (m.source_ref GLOB '*[^0-9]*' OR m.source_type LIKE '%memory%') "
    f"THEN coalesce(({_OF}o.store_id = m.store_id AND o.ref = m.source_ref), "
    f"({_OF}+o.store_id = m.store_id AND o.uid = m.source_ref), "
    f"({_CALLED} AND +o.ref IS NOT NULL AND o.removed_at IS NULL ORDER BY o.id LIMIT 1), "
    f"({_CALLED} ORDER BY o.id LIMIT 1)) END"
)
_OTHER = f"SELECT m.uid, {_BEGINNING}, m.id, m.status, m.removed_at IS NOT NULL FROM memories m WHERE "
_BASIS = f"{_OTHER}m.id = (SELECT {BASIS} FROM memories m WHERE m.id = ?)"
# What is based on it: by its ref or uid (by the rule alone), or by a name that others may have, too.
_BASED_ON = " UNION ".join(
    f"SELECT * FROM ({_OTHER}m.store_id = ?1 AND m.source_ref = {name} AND m.source_ref IS NOT NULL "
    f"AND {same} AND m.id <> ?2 ORDER BY m.id LIMIT {_FEW})"
    for name, same in (
        ("?3", f"({BASIS}) = ?2"),
        ("?4", f"({BASIS}) = ?2"),
        ("?5", f"(SELECT b.id = ?2 OR ?6 AND b.anchor = ?5 FROM memories b WHERE b.id = ({BASIS}))"),
    )
)
_REPLACED = f"{_OTHER}m.superseded_by = ? AND m.superseded_by IS NOT NULL ORDER BY +m.id LIMIT {_FEW}"


class _End(NamedTuple):
    id: int | None = None
    uid: str = ""
    label: str = ""


_UNKNOWN = _End()


def overrides_of(ctx: Context, store_id: int, rows: Iterable[SqlRow]) -> dict[relation_overrides.Key, str]:
    """Describe what memtui overrides in these relations of a store (source, kind, target, strength, context,
    body), by key; relations without values need no query."""
    keys = [(row[0], row[1], row[2]) for row in rows if row[3] is not None or row[4] or row[5]]
    if not keys:
        return {}
    found = relation_overrides.find(ctx.db, store_id, *keys)
    return {relation_overrides.key_of(each): relation_overrides.describe([each]) for each in found}


def relations_of(ctx: Context, row: MirrorRow) -> tuple[Relation, ...]:
    """Return the relations of a memory, those of its store first, then those of memtui."""
    return (*_stored(ctx, row), *_local(ctx, row))


def lineage_of(ctx: Context, row: MirrorRow) -> tuple[Lineage, ...]:
    """Return what replaced a memory and what it replaced, what it is based on and what is based on it."""
    memory = row.memory
    lineage: list[Lineage] = []
    if (winner := memory.superseded_by) is not None:
        found = _others("superseded-by", ctx.db.rows(f"{_OTHER}m.uid = ?", (winner,)))
        lineage += found or [Lineage("superseded-by", winner, winner)]
    lineage += _others("supersedes", ctx.db.rows(_REPLACED, (memory.uid,)))
    lineage += _others("based-on", ctx.db.rows(_BASIS, (row.id,)))
    names = (memory.ref or None, memory.uid, row.anchor or None)
    is_present = bool(memory.ref) and row.removed_at is None
    rows = ctx.db.rows(
        f"SELECT * FROM ({_BASED_ON}) ORDER BY id LIMIT {_FEW}", (row.store_id, row.id, *names, is_present)
    )
    return (*lineage, *_others("basis-for", rows))


def _others(kind: str, rows: Iterable[SqlRow]) -> list[Lineage]:
    return [
        Lineage(kind, uid, label_of(title, subject, content), id, _state(status, removed))
        for uid, title, subject, content, id, status, removed in rows
    ]


def _state(status: str, removed: bool) -> str:
    return "removed" if removed else "" if status in LIVE else status


def _stored(ctx: Context, row: MirrorRow) -> list[Relation]:
    if not row.anchor:
        return []
    rows = ctx.db.rows(_STORED, (row.store_id, row.anchor, MOST))
    ends = _ends(ctx, row, {end for source, _, target, *_ in rows for end in (source, target)})
    overrides = overrides_of(ctx, row.store_id, rows)
    relations = []
    for source, kind, target, strength, context, body in rows:
        start, end = ends.get(source, _UNKNOWN), ends.get(target, _UNKNOWN)
        label = (end if source == row.anchor else start).label
        relations.append(
            Relation(
                *(source, kind, target, strength, context, start.id, end.id, body),
                label=label,
                source_uid=start.uid,
                target_uid=end.uid,
                overrides=overrides.get((source, kind, target), ""),
            )
        )
    return relations


def _ends(ctx: Context, row: MirrorRow, names: set[str]) -> dict[str, _End]:
    """Return the memories with these names; the given one for its own name, even if it was removed."""
    found = {row.anchor: _End(row.id, row.memory.uid)}
    others = json.dumps(sorted(names - {row.anchor}))
    for anchor, id, uid, ref, *texts in ctx.db.rows(_ENDS, (row.store_id, others)) if names else ():
        # A memory whose name is only an identifier, or that has a title, is labeled by its text.
        found[anchor] = _End(id, uid, label_of(*texts) if ref == anchor or texts[0] else "")
    return found


def _local(ctx: Context, row: MirrorRow) -> list[Relation]:
    rows = ctx.db.rows(_LOCAL, (row.id, row.memory.uid, MOST))
    return [
        Relation(
            label_of(*each[6:9]),
            each[0],
            label_of(*each[11:14]) if each[9] is not None else each[10],
            each[1],
            each[2],
            each[4],
            each[9],
            each[3],
            local=True,
            source_uid=each[5],
            target_uid=each[10] if each[9] is not None else "",
        )
        for each in rows
    ]
