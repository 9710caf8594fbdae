"""What a memory is tied to: relations by its store's word and by ours, what it gave way to or replaced,
and what it came from. Everything is asked by index, up to a bound."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from memtui.memory.memory import LIVE, label_of
from memtui.memory.relations import Lineage, Relation
from memtui.workspace.context import Context
from memtui.workspace.mirror import relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow

MOST = 500  # relations of one memory
_FEW = 20  # memories that gave way to one, or rest on it
_BEGINNING = "m.title, m.subject, substr(m.content, 1, 300)"
# Two lists of rows, so that each end's index is used.
_TOLD = (
    "SELECT source, kind, target, strength, context, body FROM relations WHERE id IN ("
    "SELECT id FROM relations WHERE store_id = ?1 AND source = ?2 "
    "UNION SELECT id FROM relations WHERE store_id = ?1 AND target = ?2) ORDER BY id LIMIT ?3"
)
# The first memory that stands at one end of a relation. The signs keep SQLite at the index on anchors: by
# the one on refs it would look at all memories of the store for each name.
_ENDS = (
    f"SELECT m.anchor, min(+m.id), m.uid, m.ref, {_BEGINNING} FROM json_each(?2) e "
    "CROSS JOIN memories m ON m.store_id = ?1 AND m.anchor = e.value "
    "WHERE +m.ref IS NOT NULL AND m.removed_at IS NULL GROUP BY m.anchor"
)
_TIES = """
SELECT t.kind, t.strength, t.context, t.body, a.id, a.uid, a.title, a.subject, substr(a.content, 1, 300),
       b.id, t.target, b.title, b.subject, substr(b.content, 1, 300)
FROM (SELECT rowid AS row FROM local_relations WHERE source_id = ?1 UNION SELECT rowid FROM local_relations WHERE target = ?2) each
JOIN local_relations t ON t.rowid = each.row JOIN memories a ON a.id = t.source_id
LEFT JOIN memories b ON b.uid = t.target
ORDER BY t.rowid LIMIT ?3
"""
_OF = "SELECT o.id FROM memories o WHERE o.id <> m.id AND "
_CALLED = f"{_OF}o.store_id = m.store_id AND o.anchor = m.source_ref"
# The row of the memory that a memory m rests on, the one rule for it: its store, or memtui, calls it what
# the field says; of several that bear a name, the first that stands there. A number alone may as well be a
# turn or a page, unless it is said to be a memory's. The sign keeps SQLite at the index on anchors.
BASIS = (
    "CASE WHEN m.source_ref <> '' AND (m.source_ref GLOB '*[^0-9]*' OR m.source_type LIKE '%memory%') "
    f"THEN coalesce(({_OF}o.store_id = m.store_id AND o.ref = m.source_ref), "
    f"({_OF}+o.store_id = m.store_id AND o.uid = m.source_ref), "
    f"({_CALLED} AND +o.ref IS NOT NULL AND o.removed_at IS NULL ORDER BY o.id LIMIT 1), "
    f"({_CALLED} ORDER BY o.id LIMIT 1)) END"
)
_OTHER = f"SELECT m.uid, {_BEGINNING}, m.id, m.status, m.removed_at IS NOT NULL FROM memories m WHERE "
_BASIS = f"{_OTHER}m.id = (SELECT {BASIS} FROM memories m WHERE m.id = ?)"
# What rests on it: by its ref, its uid (these by the rule alone), or a name that others may bear, too.
_CARRIED = " UNION ".join(
    f"SELECT * FROM ({_OTHER}m.store_id = ?1 AND m.source_ref = {name} AND m.source_ref IS NOT NULL "
    f"AND {same} AND m.id <> ?2 ORDER BY m.id LIMIT {_FEW})"
    for name, same in (
        ("?3", f"({BASIS}) = ?2"),
        ("?4", f"({BASIS}) = ?2"),
        ("?5", f"(SELECT b.id = ?2 OR ?6 AND b.anchor = ?5 FROM memories b WHERE b.id = ({BASIS}))"),
    )
)
_GAVE_WAY = f"{_OTHER}m.superseded_by = ? AND m.superseded_by IS NOT NULL ORDER BY +m.id LIMIT {_FEW}"


class _End(NamedTuple):
    id: int | None = None
    uid: str = ""
    label: str = ""


_NOBODY = _End()


def kept_beside(
    ctx: Context, store_id: int, rows: Iterable[Sequence[Any]]
) -> dict[relation_overrides.Key, str]:
    """What of these relations of a store (source, kind, target, strength, context, body) memtui keeps, by
    name. Most say nothing, and then nothing is asked."""
    keys = [(row[0], row[1], row[2]) for row in rows if row[3] is not None or row[4] or row[5]]
    if not keys:
        return {}
    notes = relation_overrides.at(ctx.db, store_id, *keys)
    return {relation_overrides.key_of(note): relation_overrides.words([note]) for note in notes}


def relations_of(ctx: Context, held: MirrorRow) -> tuple[Relation, ...]:
    """What a memory is related to, by its store's word and by ours."""
    return (*_told(ctx, held), *_kept(ctx, held))


def lineage_of(ctx: Context, held: MirrorRow) -> tuple[Lineage, ...]:
    """What it gave way to and what gave way to it, what it rests on and what rests on it."""
    memory = held.memory
    out: list[Lineage] = []
    if (winner := memory.superseded_by) is not None:
        found = _others("superseded-by", ctx.db.rows(f"{_OTHER}m.uid = ?", (winner,)))
        out += found or [Lineage("superseded-by", winner, winner)]
    out += _others("supersedes", ctx.db.rows(_GAVE_WAY, (memory.uid,)))
    out += _others("rests-on", ctx.db.rows(_BASIS, (held.id,)))
    names = (memory.ref or None, memory.uid, held.anchor or None)
    stands = bool(memory.ref) and held.removed_at is None
    rows = ctx.db.rows(
        f"SELECT * FROM ({_CARRIED}) ORDER BY id LIMIT {_FEW}", (held.store_id, held.id, *names, stands)
    )
    return (*out, *_others("carries", rows))


def _others(kind: str, rows: Iterable[Sequence[Any]]) -> list[Lineage]:
    return [
        Lineage(kind, uid, label_of(title, subject, content), id, _state(status, removed))
        for uid, title, subject, content, id, status, removed in rows
    ]


def _state(status: str, removed: bool) -> str:
    return "removed" if removed else "" if status in LIVE else status


def _told(ctx: Context, held: MirrorRow) -> list[Relation]:
    if not held.anchor:
        return []
    rows = ctx.db.rows(_TOLD, (held.store_id, held.anchor, MOST))
    ends = _ends(ctx, held, {end for source, _, target, *_ in rows for end in (source, target)})
    beside = kept_beside(ctx, held.store_id, rows)
    told = []
    for source, kind, target, strength, context, body in rows:
        one, other = ends.get(source, _NOBODY), ends.get(target, _NOBODY)
        label = (other if source == held.anchor else one).label
        told.append(
            Relation(
                *(source, kind, target, strength, context, one.id, other.id, body),
                label=label,
                source_uid=one.uid,
                target_uid=other.uid,
                overrides=beside.get((source, kind, target), ""),
            )
        )
    return told


def _ends(ctx: Context, held: MirrorRow, names: set[str]) -> dict[str, _End]:
    """The memories that stand for these names; the asked one for its own, though it may not stand there."""
    found = {held.anchor: _End(held.id, held.memory.uid)}
    others = json.dumps(sorted(names - {held.anchor}))
    for anchor, id, uid, ref, *said in ctx.db.rows(_ENDS, (held.store_id, others)) if names else ():
        # One whose name in its store is a mere identity, or who has a title, is called by what it says.
        found[anchor] = _End(id, uid, label_of(*said) if ref == anchor or said[0] else "")
    return found


def _kept(ctx: Context, held: MirrorRow) -> list[Relation]:
    rows = ctx.db.rows(_TIES, (held.id, held.memory.uid, MOST))
    return [
        Relation(
            label_of(*row[6:9]),
            row[0],
            label_of(*row[11:14]) if row[9] is not None else row[10],
            row[1],
            row[2],
            row[4],
            row[9],
            row[3],
            local=True,
            source_uid=row[5],
            target_uid=row[10] if row[9] is not None else "",
        )
        for row in rows
    ]
