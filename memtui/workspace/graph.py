"""The graph around one memory: who leads there and where it leads, by everybody's word (SPEC 9).

All rows come by index, a few questions a step; a step costs what its own relations cost, however large
the graph is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memtui.memory.graph import (
    CONTRADICTS,
    NEAR,
    REPEATS,
    RESTS_ON,
    SUPERSEDES,
    Around,
    Edge,
    Node,
    Origin,
    Spot,
    ordered,
    together,
)
from memtui.memory.records import label_of
from memtui.workspace import vectors
from memtui.workspace.neighbours import vectors_of
from memtui.workspace.pair_states import states

if TYPE_CHECKING:
    from memtui.workspace.core import Core

MOST = 2_000  # relations of one memory that are read
FAR, FEW = 60, 4  # neighbours whose own neighbours are read for a second hop, and how many of those each
CLOSE, NEAREST = 0.55, 6  # the cosine from which on memories are called near, and how many of them
_OF_ONE = 200  # memories of one name whose own ties are read
# Two things are hidden from SQLite's planner by a plus. Values: a statement whose plan may hang on them is
# planned anew each time, which takes longer than to carry it out. And that a memory has a ref: with no
# statistics it would take all that have one for few, and walk through the store.
_HERE = "+m.ref IS NOT NULL AND m.removed_at IS NULL"
_SHOWN = (
    "m.id, m.uid, m.store_id, m.anchor, m.title, m.subject, substr(m.content, 1, 300), "
    "coalesce(m.category, m.kind), m.status, m.pinned, m.removed_at IS NOT NULL, m.ref IS NOT NULL"
)
_BY_ID = f"SELECT {_SHOWN}, 1 FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
_BY_NAME = (
    f"SELECT {_SHOWN.replace('m.id', 'min(m.id)', 1)}, count(*) FROM json_each(?2) e "
    f"CROSS JOIN memories m ON m.store_id = +?1 AND m.anchor = e.value WHERE {_HERE} GROUP BY m.anchor"
)
_TOLD_OF = "SELECT source, kind, target, strength, context, body FROM relations WHERE store_id = +?1 "
_TOLD = f"{_TOLD_OF} AND source = +?2 UNION ALL {_TOLD_OF} AND target = +?2 AND source <> ?2 LIMIT +?3"
_HOW_MANY = (
    "SELECT (SELECT count(*) FROM relations WHERE store_id = +?1 AND source = +?2) + "
    "(SELECT count(*) FROM relations WHERE store_id = +?1 AND target = +?2)"
)
# Counted up to a bound: a hub has thousands.
_DEGREES = (
    "SELECT e.value, "
    "(SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = +?1 AND source = e.value LIMIT 1000)) + "
    "(SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = +?1 AND target = e.value LIMIT 1000)) "
    "FROM json_each(?2) e"
)
_TIES = (
    "SELECT t.kind, t.strength, t.context, t.body, t.source_id, b.id, t.target FROM json_each(?1) e "
    "CROSS JOIN ties t ON t.source_id = e.value LEFT JOIN memories b ON b.uid = t.target "
    "UNION ALL "
    "SELECT t.kind, t.strength, t.context, t.body, t.source_id, b.id, t.target FROM json_each(?1) e "
    "CROSS JOIN memories b ON b.id = e.value CROSS JOIN ties t ON t.target = b.uid "
    "WHERE t.source_id NOT IN (SELECT value FROM json_each(?1)) LIMIT +?2"
)
_GAVE_WAY = (
    "SELECT w.id, l.id FROM json_each(?1) e CROSS JOIN memories l NOT INDEXED ON l.id = e.value "
    "CROSS JOIN memories w ON w.uid = l.superseded_by WHERE l.superseded_by IS NOT NULL "
    "UNION "
    "SELECT w.id, l.id FROM json_each(?1) e CROSS JOIN memories w ON w.id = e.value "
    "CROSS JOIN memories l ON l.superseded_by = w.uid AND l.superseded_by IS NOT NULL LIMIT +?2"
)
# What a memory came from is named by what its store calls it.
_CAME_FROM = (
    "SELECT m.id, o.id FROM json_each(?1) e CROSS JOIN memories m NOT INDEXED ON m.id = e.value "
    "CROSS JOIN memories o ON o.store_id = m.store_id AND o.ref = m.source_ref "
    "WHERE m.source_ref IS NOT NULL AND o.id <> m.id "
    "UNION "
    "SELECT o.id, m.id FROM json_each(?1) e CROSS JOIN memories m ON m.id = e.value "
    "CROSS JOIN memories o ON o.store_id = m.store_id AND o.source_ref = m.ref "
    "AND o.source_ref IS NOT NULL WHERE m.ref IS NOT NULL AND o.id <> m.id LIMIT +?2"
)
_PAIRED = "SELECT id FROM pairs WHERE {} IN (SELECT value FROM json_each(?))"


def spot_of(core: Core, id: int) -> Spot | None:
    """Where a memory stands in the graph; None if there is no such row."""
    rows = core.db.rows(f"SELECT store_id, anchor, {_HERE} FROM memories m WHERE m.id = ?", (id,))
    return _spot(rows[0][0], rows[0][1], id, bool(rows[0][2])) if rows else None


def around(core: Core, spot: Spot, *, hops: int = 1, near: bool = False) -> Around | None:
    """All that one spot is tied to, in reading order; None where nothing stands or leads there. With
    `hops` 2 also a few of what each neighbour is tied to; `near` adds what lies near in meaning."""
    names = names_of(core)
    members = _members(core, spot)
    centre = _centre(core, spot, members, names)
    found = _edges(core, spot, members, names, MOST, near=near)
    if centre is None and not found:
        return None
    edges = ordered(together(found))
    total = max(len(edges), _all_told(core, spot, found))
    beyond: dict[Spot, tuple[Edge, ...]] = {}
    for other in dict.fromkeys(edge.node.spot for edge in edges[:FAR]) if hops > 1 else ():
        if other != spot:
            # One more, since the way back is among them.
            theirs = _edges(core, other, _members(core, other), names, 4 * FEW, near=False)
            beyond[other] = ordered(together(e for e in theirs if e.node.spot not in (spot, other)))[:FEW]
    centre = centre or Node(spot, spot.name, names.get(spot.store, ""), None, 0)
    return Around(centre, edges, total, beyond)


def said_at(core: Core, spot: Spot, most: int) -> list[str]:
    """What the first memories at a spot say."""
    ids = json.dumps([row[0] for row in _members(core, spot)[:most]])
    rows = core.db.rows(
        "SELECT m.content FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value ORDER BY m.id", (ids,)
    )
    return [text for (text,) in rows]


# -- one spot


def _spot(store: int, anchor: str, id: int, here: bool) -> Spot:
    """One that was taken out of its store has no name there any more."""
    return Spot(store, anchor) if anchor and here else Spot(store, "", id)


def names_of(core: Core) -> dict[int, str]:
    """What each store is called, by its row."""
    return dict(core.db.rows("SELECT id, name FROM stores"))


def _members(core: Core, spot: Spot) -> list[tuple[int, str]]:
    """The memories at a spot: row and uid."""
    if not spot.name:
        return core.db.rows("SELECT id, uid FROM memories WHERE id = ?", (spot.id,))
    named = f"m.store_id = +? AND m.anchor = +? AND {_HERE}"
    sql = f"SELECT m.id, m.uid FROM memories m WHERE {named} ORDER BY m.id"
    return core.db.rows(sql, (spot.store, spot.name))


def _centre(core: Core, spot: Spot, members: Sequence[Any], names: dict[int, str]) -> Node | None:
    if not members:
        return None
    (row,) = core.db.rows(_BY_ID, (json.dumps([members[0][0]]),))
    return _node((*row[:-1], len(members)), names)


def _node(row: Sequence[Any], names: dict[int, str], relations: int = 0) -> Node:
    """A row of _SHOWN with a count, as a node."""
    id, _, store, anchor, title, subject, content, category, status, pinned, removed, here, count = row
    # An entity is called by its name, whatever its first observation says.
    named = count > 1 or (anchor and anchor == subject)
    label = anchor if named and anchor else label_of(title, subject, content)
    spot = _spot(store, anchor, id, bool(here) and not removed)
    store_name = names.get(store, "")
    return Node(
        spot, label, store_name, id, count, category or "", status, bool(pinned), bool(removed), relations
    )


def _all_told(core: Core, spot: Spot, found: Sequence[Edge]) -> int:
    """How many relations there are, where not all of them were read."""
    read = len(found) >= MOST and bool(spot.name)
    return int(core.db.one(_HOW_MANY, (spot.store, spot.name))) if read else 0


# -- its edges


def _edges(
    core: Core, spot: Spot, members: Sequence[Any], names: dict[int, str], most: int, *, near: bool
) -> list[Edge]:
    """The edges of one spot, as they come."""
    edges = _told(core, spot, members, names, most) if spot.name else []
    ids = json.dumps([row[0] for row in members[:_OF_ONE]])
    here = frozenset(row[0] for row in members)
    between = [
        *((*row, Origin.KEPT) for row in core.db.rows(_TIES, (ids, most))),
        *(_plain(SUPERSEDES, *row) for row in core.db.rows(_GAVE_WAY, (ids, most))),
        *(_plain(RESTS_ON, *row) for row in core.db.rows(_CAME_FROM, (ids, most))),
        *_clashing(core, ids),
        *(_nearest(core, [row[0] for row in members]) if near else ()),
    ]
    if not between:
        return edges
    told = {(e.family, e.out, e.node.spot) for e in edges}
    others = nodes_by_id(core, {id for row in between for id in row[4:6] if id is not None}, names)
    for kind, strength, context, body, source, target, name, origin in between:
        for out, other in ((True, target), (False, source)):
            if (source if out else target) not in here or (not out and target is None):
                continue
            node = others.get(other) if other is not None else Node(Spot(spot.store, name), name, count=0)
            if node is None or (not out and other in here):  # to itself it leads once
                continue
            ends = (source, target)
            edge = Edge(kind, out, node, origin, strength, context or "", body or "", ends)
            if origin is Origin.FOUND:  # has no direction: shown with what it leads to
                edge = replace(edge, out=True)
            ways = (True, False) if origin is Origin.FOUND else (out,)
            known = any((edge.family, way, node.spot) in told for way in ways)
            if not (known and origin in (Origin.FIELD, Origin.FOUND)):  # its store says so, too
                edges.append(edge)
    return edges


def _told(core: Core, spot: Spot, members: Sequence[Any], names: dict[int, str], most: int) -> list[Edge]:
    """What its store tells."""
    rows = core.db.rows(_TOLD, (spot.store, spot.name, most))
    ends = json.dumps(list({row[2] if row[0] == spot.name else row[0] for row in rows}))
    degrees = dict(core.db.rows(_DEGREES, (spot.store, ends)))
    nodes = {
        row[3]: _node(row, names, degrees.get(row[3], 0))
        for row in core.db.rows(_BY_NAME, (spot.store, ends))
    }
    me = members[0][0] if members else None
    edges = []
    for source, kind, target, strength, context, body in rows:
        out = source == spot.name
        name = target if out else source
        node = nodes.get(name)
        if node is None:
            node = Node(Spot(spot.store, name), name, names.get(spot.store, ""), count=0)
        ends_of = (me, node.id) if out else (node.id, me)
        edges.append(Edge(kind, out, node, Origin.STORE, strength, context, body, ends_of))
    return edges


def _plain(kind: str, source: int, target: int) -> tuple[Any, ...]:
    return (kind, None, "", "", source, target, "", Origin.FIELD)


def _clashing(core: Core, ids: str) -> Iterable[tuple[Any, ...]]:
    """Open pairs of the sweep: what seems to contradict these, or to repeat them."""
    found = core.db.rows(
        f"{_PAIRED.format('a')} AND stands UNION {_PAIRED.format('b')} AND stands LIMIT 200", (ids, ids)
    )
    if not found:
        return []
    asked = states("p.id IN (SELECT value FROM json_each(?))")
    sql = f"SELECT family, score, reason, a, b, state FROM ({asked})"
    rows = core.db.rows(sql, (core.clock(), json.dumps([row[0] for row in found])))
    return [
        (CONTRADICTS if family == "contradiction" else REPEATS, score, reason, "", a, b, "", Origin.FOUND)
        for family, score, reason, a, b, state in rows
        if state in ("open", "later")
    ]


def _nearest(core: Core, ids: Sequence[int]) -> Iterable[tuple[Any, ...]]:
    """What lies near these in meaning and stands elsewhere; nothing where there is no vector yet."""
    own = set(ids)
    best: dict[int, tuple[float, int]] = {}
    for id, vector in vectors_of(core, json.dumps(list(ids)[:8])).items():
        count = NEAREST + min(len(own), 50)
        for other, cosine in vectors.nearest(core.db, core.meaning.bits, vector, count, "m.live = 1", ()):
            if other not in own and cosine >= CLOSE and cosine > best.get(other, (0.0, 0))[0]:
                best[other] = cosine, id
    nearest = sorted(best.items(), key=lambda each: -each[1][0])[:NEAREST]
    return [(NEAR, min(1.0, cosine), "", "", id, other, "", Origin.NEAR) for other, (cosine, id) in nearest]


def nodes_by_id(core: Core, ids: Collection[int], names: dict[int, str]) -> dict[int, Node]:
    """Nodes by the rows that they were asked for; one of an entity is that entity."""
    rows = core.db.rows(_BY_ID, (json.dumps(list(ids)),))
    nodes = {row[0]: _node(row, names) for row in rows}
    by_store: dict[int, set[str]] = {}
    for node in nodes.values():
        if node.spot.name:
            by_store.setdefault(node.spot.store, set()).add(node.spot.name)
    whole: dict[Spot, Node] = {}
    for store, asked in by_store.items():
        said = json.dumps(list(asked))
        degrees = dict(core.db.rows(_DEGREES, (store, said)))
        for row in core.db.rows(_BY_NAME, (store, said)):
            node = _node(row, names, degrees.get(row[3], 0))
            whole[node.spot] = node
    return {id: whole.get(node.spot, node) for id, node in nodes.items()}
