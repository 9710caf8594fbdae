"""The graph around one node: relations of stores and of memtui, lineage, findings, similarity (SPEC 9).

All rows come from indexes in a few queries, so that a step costs what its own relations cost, however large
the graph is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from memtui.memory.graph.model import (
    BASED_ON,
    CONTRADICTS,
    GONE,
    NEAR,
    REPEATS,
    SUPERSEDES,
    Edge,
    Neighborhood,
    Node,
    NodeKey,
    Origin,
    merge_equal,
    ordered,
)
from memtui.memory.memory import label_of
from memtui.values import SqlRow
from memtui.workspace.db.pair_status import states
from memtui.workspace.relations.lookup import BASIS, overrides_of
from memtui.workspace.vectors import vector_store
from memtui.workspace.vectors.neighbors import vectors_of

if TYPE_CHECKING:
    from memtui.workspace.context import Context

MOST = 2_000  # relations read of one node
FAR = 60  # neighbors whose own neighbors are read for a second hop,
FEW = 4  # and how many of those each
CLOSE = 0.55  # the least cosine of similar memories,
NEAREST = 6  # and how many of them
_OF_ONE = 200  # memories of one name whose local relations are read
_PAIRS = 200  # open pairs
# A unary plus hides two things from SQLite's planner. Values: a statement whose plan may depend on them is
# prepared again each time, which takes longer than running it. And that a ref is set: without statistics it
# would assume that few are, and scan the store.
_PRESENT = "+m.ref IS NOT NULL AND m.removed_at IS NULL"
_SHOWN = (
    "m.id, m.uid, m.store_id, m.anchor, m.title, m.subject, substr(m.content, 1, 300), "
    "coalesce(m.category, m.kind), m.status, m.pinned, m.removed_at IS NOT NULL, m.ref IS NOT NULL, m.shown"
)
_BY_ID = f"SELECT {_SHOWN}, 1 FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value"
_BY_NAME = (
    f"SELECT {_SHOWN.replace('m.id', 'min(m.id)', 1)}, count(*) FROM json_each(?2) e "
    f"CROSS JOIN memories m ON m.store_id = +?1 AND m.anchor = e.value WHERE {_PRESENT} GROUP BY m.anchor"
)
_STORED_OF = "SELECT source, kind, target, strength, context, body FROM relations WHERE store_id = +?1 "
_STORED = f"{_STORED_OF} AND source = +?2 UNION ALL {_STORED_OF} AND target = +?2 AND source <> ?2 LIMIT +?3"
_STORED_COUNT = (
    "SELECT (SELECT count(*) FROM relations WHERE store_id = +?1 AND source = +?2) + "
    "(SELECT count(*) FROM relations WHERE store_id = +?1 AND target = +?2 AND source <> ?2)"
)
# Counted up to a bound: a hub has thousands.
_DEGREES = (
    "SELECT e.value, "
    "(SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = +?1 AND source = e.value LIMIT 1000)) + "
    "(SELECT count(*) FROM (SELECT 1 FROM relations WHERE store_id = +?1 AND target = e.value LIMIT 1000)) "
    "FROM json_each(?2) e"
)
_LOCAL = (
    "SELECT l.kind, l.strength, l.context, l.body, l.source_id, b.id, l.target FROM json_each(?1) e "
    "CROSS JOIN local_relations l ON l.source_id = e.value LEFT JOIN memories b ON b.uid = l.target "
    "UNION ALL "
    "SELECT l.kind, l.strength, l.context, l.body, l.source_id, b.id, l.target FROM json_each(?1) e "
    "CROSS JOIN memories b ON b.id = e.value CROSS JOIN local_relations l ON l.target = b.uid "
    "WHERE l.source_id NOT IN (SELECT value FROM json_each(?1))"
)
# Relations to a memory that no longer exists.
_DANGLING = "SELECT kind, strength, context, body, source_id FROM local_relations WHERE target = ?1"
_SUPERSEDED = (
    "SELECT w.id, l.id FROM json_each(?1) e CROSS JOIN memories l NOT INDEXED ON l.id = e.value "
    "CROSS JOIN memories w ON w.uid = l.superseded_by WHERE l.superseded_by IS NOT NULL "
    "UNION ALL "
    "SELECT w.id, l.id FROM json_each(?1) e CROSS JOIN memories w ON w.id = e.value "
    "CROSS JOIN memories l ON l.superseded_by = w.uid AND l.superseded_by IS NOT NULL "
    "WHERE l.id NOT IN (SELECT value FROM json_each(?1))"
)
# A name that several memories have is looked up once, with the first of them.
_SOURCES = (
    "SELECT m.id, b.id FROM json_each(?1) e CROSS JOIN memories m NOT INDEXED ON m.id = e.value "
    f"CROSS JOIN memories b ON b.id = ({BASIS}) WHERE m.source_ref <> '' "
    "UNION ALL "
    "SELECT m.id, w.id FROM json_each(?1) e CROSS JOIN memories w ON w.id = e.value "
    "CROSS JOIN memories m ON m.store_id = w.store_id "
    "AND m.source_ref IN (w.ref, w.uid, iif(e.key = 0, w.anchor, NULL)) AND m.source_ref IS NOT NULL "
    f"WHERE w.id = ({BASIS}) AND m.id NOT IN (SELECT value FROM json_each(?1))"
)
_BOUND = " LIMIT +?2"
_COUNT = "SELECT count(*) FROM ({})"
# Pairs of kind mark restate a relation of a store, which is read from there.
_PAIRED = (
    "SELECT p.id FROM json_each(?1) e CROSS JOIN pairs p ON p.a = e.value "
    "WHERE p.is_current AND p.kind <> 'mark' "
    "UNION ALL SELECT p.id FROM json_each(?1) e CROSS JOIN pairs p ON p.b = e.value "
    "WHERE p.is_current AND p.kind <> 'mark' AND p.a NOT IN (SELECT value FROM json_each(?1))"
)
# Of a source that has more rows than were read: how many were, and what counts all.
_Unread: TypeAlias = tuple[int, Callable[[], int]]


def node_key(ctx: Context, id: int) -> NodeKey | None:
    """Return the node of a memory; None if there is no such row."""
    rows = ctx.db.rows(f"SELECT store_id, anchor, {_PRESENT} FROM memories m WHERE m.id = ?", (id,))
    return _key(rows[0][0], rows[0][1], id, bool(rows[0][2])) if rows else None


def around(ctx: Context, key: NodeKey, *, hops: int = 1, near: bool = False) -> Neighborhood | None:
    """Return everything that a node is connected to, in reading order; None if neither the node nor a
    relation to it exists. With `hops` 2 also a few neighbors of each neighbor; `near` adds similar
    memories."""
    if key.store == GONE:
        back = ctx.db.one("SELECT id FROM memories WHERE uid = ?", (key.name,))
        key = (node_key(ctx, back) if back is not None else None) or key
    names = store_names(ctx)
    members = _members(ctx, key)
    center = _center(ctx, key, members, names)
    unread: list[_Unread] = []
    found = _edges(ctx, key, members, names, MOST, unread, near=near)
    if center is None and not found:
        return None
    edges = ordered(merge_equal(found))
    total = len(edges) + sum(max(0, count() - read) for read, count in unread)
    beyond: dict[NodeKey, tuple[Edge, ...]] = {}
    for other in dict.fromkeys(edge.node.key for edge in edges[:FAR]) if hops > 1 else ():
        if other != key:
            theirs = _edges(ctx, other, _members(ctx, other), names, 4 * FEW, [], near=False)
            beyond[other] = ordered(merge_equal(e for e in theirs if e.node.key not in (key, other)))[:FEW]
    center = center or Node(key, key.name, names.get(key.store, ""), None, 0)
    return Neighborhood(center, edges, total, beyond)


def texts_of(ctx: Context, key: NodeKey, most: int) -> list[str]:
    """Return the texts of a node's first memories."""
    ids = json.dumps([row[0] for row in _members(ctx, key)[:most]])
    rows = ctx.db.rows(
        "SELECT m.content FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value ORDER BY m.id", (ids,)
    )
    return [text for (text,) in rows]


# -- one node


def _key(store: int, anchor: str, id: int, is_present: bool) -> NodeKey:
    """Return a memory's node key; one that is not in its store has no name there."""
    return NodeKey(store, anchor) if anchor and is_present else NodeKey(store, "", id)


def store_names(ctx: Context) -> dict[int, str]:
    """Return the names of all stores by id."""
    # By hand, since peewee takes longer to compile the query than the rest of a step takes.
    return dict(ctx.db.rows("SELECT id, name FROM stores"))


def _members(ctx: Context, key: NodeKey) -> list[tuple[int, str]]:
    """Return the memories of a node as (row id, uid)."""
    if not key.name:
        return ctx.db.rows("SELECT id, uid FROM memories WHERE id = ?", (key.id,))
    named = f"m.store_id = +? AND m.anchor = +? AND {_PRESENT}"
    sql = f"SELECT m.id, m.uid FROM memories m WHERE {named} ORDER BY m.id"
    return ctx.db.rows(sql, (key.store, key.name))


def _center(ctx: Context, key: NodeKey, members: Sequence[SqlRow], names: dict[int, str]) -> Node | None:
    if not members:
        return None
    (row,) = ctx.db.rows(_BY_ID, (json.dumps([members[0][0]]),))
    return _node((*row[:-1], len(members)), names)


def _node(row: SqlRow, names: dict[int, str], relations: int = 0) -> Node:
    """Return a row of _SHOWN with a count as a node."""
    (
        id,
        _,
        store,
        anchor,
        title,
        subject,
        content,
        category,
        status,
        pinned,
        removed,
        present,
        shown,
        count,
    ) = row
    # An entity is labeled with its name, whatever its first observation is.
    named = count > 1 or (anchor and anchor == subject)
    label = anchor if named and anchor else label_of(title, subject, content)
    key = _key(store, anchor, id, bool(present) and not removed)
    store_name = names.get(store, "")
    gone = bool(removed) or not shown  # of a detached store, too
    return Node(key, label, store_name, id, count, category or "", status, bool(pinned), gone, relations)


# -- its edges


def _edges(
    ctx: Context,
    key: NodeKey,
    members: Sequence[SqlRow],
    names: dict[int, str],
    most: int,
    unread: list[_Unread],
    *,
    near: bool,
) -> list[Edge]:
    """Return the edges of one node, unordered; sources with more rows than were read are added to
    `unread`."""
    if key.store == GONE:
        return _dangling(ctx, key, names, most, unread)
    edges = _stored(ctx, key, members, names, most, unread) if key.name else []
    own = frozenset(row[0] for row in members)
    asked = json.dumps([row[0] for row in members[:_OF_ONE]])
    whole = json.dumps([row[0] for row in members]) if len(members) > _OF_ONE else asked

    def rows(sql: str) -> list[SqlRow]:
        found = ctx.db.rows(sql + _BOUND, (asked, most))
        if len(found) >= most or whole is not asked:
            unread.append((len(found), lambda: int(ctx.db.one(_COUNT.format(sql), (whole,)))))
        return found

    between = [
        *((*row, Origin.LOCAL) for row in rows(_LOCAL)),
        *(_plain(SUPERSEDES, *row) for row in rows(_SUPERSEDED)),
        *(_plain(BASED_ON, *row) for row in rows(_SOURCES)),
        *_pairs(ctx, asked, whole, unread),
        *(_nearest(ctx, [row[0] for row in members]) if near else ()),
    ]
    if not between:
        return edges
    stored = {(e.family, e.out, e.node.key) for e in edges}
    others = nodes_by_id(ctx, {id for row in between for id in row[4:6] if id is not None}, names)
    for kind, strength, context, body, source, target, name, origin in between:
        for out, other in ((True, target), (False, source)):
            if (source if out else target) not in own or (not out and target is None):
                continue
            node = others.get(other) if other is not None else Node(NodeKey(GONE, name), name, count=0)
            if node is None or (not out and other in own):  # a loop is listed once
                continue
            ends = (source, target)
            edge = Edge(kind, out, node, origin, strength, context or "", body or "", ends)
            if origin is Origin.SCAN:  # undirected: listed as outgoing
                edge = replace(edge, out=True)
            directions = (True, False) if origin is Origin.SCAN else (out,)
            known = any((edge.family, direction, node.key) in stored for direction in directions)
            if not (known and origin in (Origin.FIELD, Origin.SCAN)):  # else its store has it, too
                edges.append(edge)
    return edges


def _stored(
    ctx: Context,
    key: NodeKey,
    members: Sequence[SqlRow],
    names: dict[int, str],
    most: int,
    unread: list[_Unread],
) -> list[Edge]:
    """Return the relations of its store."""
    at = (key.store, key.name)
    rows = ctx.db.rows(_STORED, (*at, most))
    if len(rows) >= most:
        unread.append((len(rows), lambda: int(ctx.db.one(_STORED_COUNT, at))))
    ends = json.dumps(list({row[2] if row[0] == key.name else row[0] for row in rows}))
    degrees: dict[str, int] = dict(ctx.db.rows(_DEGREES, (key.store, ends)))
    nodes = {
        row[3]: _node(row, names, degrees.get(row[3], 0)) for row in ctx.db.rows(_BY_NAME, (key.store, ends))
    }
    own = members[0][0] if members else None
    overrides = overrides_of(ctx, key.store, rows)
    edges = []
    for source, kind, target, strength, context, body in rows:
        out = source == key.name
        name = target if out else source
        node = nodes.get(name)
        if node is None:
            node = Node(NodeKey(key.store, name), name, names.get(key.store, ""), count=0)
        pair = (own, node.id) if out else (node.id, own)
        edge = Edge(kind, out, node, Origin.STORE, strength, context, body, pair)
        override = overrides.get((source, kind, target))
        edges.append(replace(edge, overrides=override) if override else edge)
    return edges


def _dangling(
    ctx: Context, key: NodeKey, names: dict[int, str], most: int, unread: list[_Unread]
) -> list[Edge]:
    """Return relations kept by memtui to a memory that no longer exists."""
    rows = ctx.db.rows(_DANGLING + _BOUND, (key.name, most))
    if len(rows) >= most:
        unread.append((len(rows), lambda: int(ctx.db.one(_COUNT.format(_DANGLING), (key.name,)))))
    nodes = nodes_by_id(ctx, {row[4] for row in rows}, names)
    return [
        Edge(kind, False, nodes[source], Origin.LOCAL, strength, context or "", body or "", (source, None))
        for kind, strength, context, body, source in rows
        if source in nodes
    ]


def _plain(kind: str, source: int, target: int) -> SqlRow:
    return (kind, None, "", "", source, target, "", Origin.FIELD)


def _pairs(ctx: Context, ids: str, whole: str, unread: list[_Unread]) -> list[SqlRow]:
    """Return open pairs of the scan: what may contradict or repeat these."""
    rows, more = _open_pairs(ctx, ids, _PAIRS)
    if more or whole is not ids:
        unread.append((len(rows), lambda: len(_open_pairs(ctx, whole, -1)[0])))
    return rows


def _open_pairs(ctx: Context, ids: str, most: int) -> tuple[list[SqlRow], bool]:
    """Return the open ones among `most` pairs, and whether there may be more."""
    found = ctx.db.rows(_PAIRED + _BOUND, (ids, most))
    if not found:
        return [], False
    asked = states("p.id IN (SELECT value FROM json_each(?))")
    sql = f"SELECT family, score, reason, a, b, state FROM ({asked})"
    rows = ctx.db.rows(sql, (ctx.clock(), json.dumps([row[0] for row in found])))
    open_ = [
        (CONTRADICTS if family == "contradiction" else REPEATS, score, reason, "", a, b, "", Origin.SCAN)
        for family, score, reason, a, b, state in rows
        if state in ("open", "later")
    ]
    return open_, len(found) == most


def _nearest(ctx: Context, ids: Sequence[int]) -> Iterable[SqlRow]:
    """Return similar memories of other nodes; nothing without a vector."""
    own = set(ids)
    best: dict[int, tuple[float, int]] = {}
    for id, vector in vectors_of(ctx, json.dumps(list(ids)[:8])).items():
        count = NEAREST + min(len(own), 50)
        for other, cosine in vector_store.nearest(ctx.db, ctx.model.bits, vector, count, "m.live = 1", ()):
            if other not in own and cosine >= CLOSE and cosine > best.get(other, (0.0, 0))[0]:
                best[other] = cosine, id
    nearest = sorted(best.items(), key=lambda each: -each[1][0])[:NEAREST]
    return [
        (NEAR, min(1.0, cosine), "", "", id, other, "", Origin.SIMILAR) for other, (cosine, id) in nearest
    ]


def nodes_by_id(ctx: Context, ids: Collection[int], names: dict[int, str]) -> dict[int, Node]:
    """Return the nodes of these memories by row id; for an observation, its entity."""
    rows = ctx.db.rows(_BY_ID, (json.dumps(list(ids)),))
    nodes = {row[0]: _node(row, names) for row in rows}
    by_store: dict[int, set[str]] = {}
    for node in nodes.values():
        if node.key.name:
            by_store.setdefault(node.key.store, set()).add(node.key.name)
    whole: dict[NodeKey, Node] = {}
    for store, anchors in by_store.items():
        listed = json.dumps(list(anchors))
        degrees: dict[str, int] = dict(ctx.db.rows(_DEGREES, (store, listed)))
        for row in ctx.db.rows(_BY_NAME, (store, listed)):
            node = _node(row, names, degrees.get(row[3], 0))
            whole[node.key] = node
    return {id: whole.get(node.key, node) for id, node in nodes.items()}
