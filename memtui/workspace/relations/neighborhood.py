"""The graph around one memory: who leads there and where it leads, by everybody's word (SPEC 9).

All rows come by index, a few questions a step; a step costs what its own relations cost, however large
the graph is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memtui.memory.graph.model import (
    CONTRADICTS,
    GONE,
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
from memtui.memory.memory import label_of
from memtui.workspace.db.pair_status import states
from memtui.workspace.relations.lookup import BASIS, kept_beside
from memtui.workspace.vectors import vector_store
from memtui.workspace.vectors.neighbors import vectors_of

if TYPE_CHECKING:
    from memtui.workspace.context import Context

MOST = 2_000  # relations of one memory that are read
FAR, FEW = 60, 4  # neighbours whose own neighbours are read for a second hop, and how many of those each
CLOSE, NEAREST = 0.55, 6  # the cosine from which on memories are called near, and how many of them
_OF_ONE = 200  # memories of one name whose own ties are read
_PAIRS = 200  # open pairs
# Two things are hidden from SQLite's planner by a plus. Values: a statement whose plan may hang on them is
# planned anew each time, which takes longer than to carry it out. And that a memory has a ref: with no
# statistics it would take all that have one for few, and walk through the store.
_HERE = "+m.ref IS NOT NULL AND m.removed_at IS NULL"
_SHOWN = (
    "m.id, m.uid, m.store_id, m.anchor, m.title, m.subject, substr(m.content, 1, 300), "
    "coalesce(m.category, m.kind), m.status, m.pinned, m.removed_at IS NOT NULL, m.ref IS NOT NULL, m.shown"
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
    "(SELECT count(*) FROM relations WHERE store_id = +?1 AND target = +?2 AND source <> ?2)"
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
    "CROSS JOIN local_relations t ON t.source_id = e.value LEFT JOIN memories b ON b.uid = t.target "
    "UNION ALL "
    "SELECT t.kind, t.strength, t.context, t.body, t.source_id, b.id, t.target FROM json_each(?1) e "
    "CROSS JOIN memories b ON b.id = e.value CROSS JOIN local_relations t ON t.target = b.uid "
    "WHERE t.source_id NOT IN (SELECT value FROM json_each(?1))"
)
# What leads to a memory that is not there any more.
_LOOSE = "SELECT kind, strength, context, body, source_id FROM local_relations WHERE target = ?1"
_GAVE_WAY = (
    "SELECT w.id, l.id FROM json_each(?1) e CROSS JOIN memories l NOT INDEXED ON l.id = e.value "
    "CROSS JOIN memories w ON w.uid = l.superseded_by WHERE l.superseded_by IS NOT NULL "
    "UNION ALL "
    "SELECT w.id, l.id FROM json_each(?1) e CROSS JOIN memories w ON w.id = e.value "
    "CROSS JOIN memories l ON l.superseded_by = w.uid AND l.superseded_by IS NOT NULL "
    "WHERE l.id NOT IN (SELECT value FROM json_each(?1))"
)
# The name that several bear is asked for once, with the first of them.
_CAME_FROM = (
    "SELECT m.id, b.id FROM json_each(?1) e CROSS JOIN memories m NOT INDEXED ON m.id = e.value "
    f"CROSS JOIN memories b ON b.id = ({BASIS}) WHERE m.source_ref <> '' "
    "UNION ALL "
    "SELECT m.id, w.id FROM json_each(?1) e CROSS JOIN memories w ON w.id = e.value "
    "CROSS JOIN memories m ON m.store_id = w.store_id "
    "AND m.source_ref IN (w.ref, w.uid, iif(e.key = 0, w.anchor, NULL)) AND m.source_ref IS NOT NULL "
    f"WHERE w.id = ({BASIS}) AND m.id NOT IN (SELECT value FROM json_each(?1))"
)
_BOUND = " LIMIT +?2"
_ALL = "SELECT count(*) FROM ({})"
# What was found because a store says so is told by the store.
_PAIRED = (
    "SELECT p.id FROM json_each(?1) e CROSS JOIN pairs p ON p.a = e.value "
    "WHERE p.is_current AND p.kind <> 'mark' "
    "UNION ALL SELECT p.id FROM json_each(?1) e CROSS JOIN pairs p ON p.b = e.value "
    "WHERE p.is_current AND p.kind <> 'mark' AND p.a NOT IN (SELECT value FROM json_each(?1))"
)
_Unread = tuple[int, Callable[[], int]]
"""How many rows of a source were read, and what counts all of them, where it has more."""


def spot_of(ctx: Context, id: int) -> Spot | None:
    """Where a memory stands in the graph; None if there is no such row."""
    rows = ctx.db.rows(f"SELECT store_id, anchor, {_HERE} FROM memories m WHERE m.id = ?", (id,))
    return _spot(rows[0][0], rows[0][1], id, bool(rows[0][2])) if rows else None


def around(ctx: Context, spot: Spot, *, hops: int = 1, near: bool = False) -> Around | None:
    """All that one spot is tied to, in reading order; None where nothing stands or leads there. With
    `hops` 2 also a few of what each neighbour is tied to; `near` adds what lies near in meaning."""
    if spot.store == GONE:
        back = ctx.db.one("SELECT id FROM memories WHERE uid = ?", (spot.name,))
        spot = (spot_of(ctx, back) if back is not None else None) or spot
    names = names_of(ctx)
    members = _members(ctx, spot)
    centre = _centre(ctx, spot, members, names)
    unread: list[_Unread] = []
    found = _edges(ctx, spot, members, names, MOST, unread, near=near)
    if centre is None and not found:
        return None
    edges = ordered(together(found))
    total = len(edges) + sum(max(0, count() - read) for read, count in unread)
    beyond: dict[Spot, tuple[Edge, ...]] = {}
    for other in dict.fromkeys(edge.node.spot for edge in edges[:FAR]) if hops > 1 else ():
        if other != spot:
            # One more, since the way back is among them.
            theirs = _edges(ctx, other, _members(ctx, other), names, 4 * FEW, [], near=False)
            beyond[other] = ordered(together(e for e in theirs if e.node.spot not in (spot, other)))[:FEW]
    centre = centre or Node(spot, spot.name, names.get(spot.store, ""), None, 0)
    return Around(centre, edges, total, beyond)


def said_at(ctx: Context, spot: Spot, most: int) -> list[str]:
    """What the first memories at a spot say."""
    ids = json.dumps([row[0] for row in _members(ctx, spot)[:most]])
    rows = ctx.db.rows(
        "SELECT m.content FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value ORDER BY m.id", (ids,)
    )
    return [text for (text,) in rows]


# -- one spot


def _spot(store: int, anchor: str, id: int, here: bool) -> Spot:
    """One that was taken out of its store has no name there any more."""
    return Spot(store, anchor) if anchor and here else Spot(store, "", id)


def names_of(ctx: Context) -> dict[int, str]:
    """What each store is called, by its row."""
    return dict(ctx.db.rows("SELECT id, name FROM stores"))


def _members(ctx: Context, spot: Spot) -> list[tuple[int, str]]:
    """The memories at a spot: row and uid."""
    if not spot.name:
        return ctx.db.rows("SELECT id, uid FROM memories WHERE id = ?", (spot.id,))
    named = f"m.store_id = +? AND m.anchor = +? AND {_HERE}"
    sql = f"SELECT m.id, m.uid FROM memories m WHERE {named} ORDER BY m.id"
    return ctx.db.rows(sql, (spot.store, spot.name))


def _centre(ctx: Context, spot: Spot, members: Sequence[Any], names: dict[int, str]) -> Node | None:
    if not members:
        return None
    (row,) = ctx.db.rows(_BY_ID, (json.dumps([members[0][0]]),))
    return _node((*row[:-1], len(members)), names)


def _node(row: Sequence[Any], names: dict[int, str], relations: int = 0) -> Node:
    """A row of _SHOWN with a count, as a node."""
    id, _, store, anchor, title, subject, content, category, status, pinned, removed, here, shown, count = row
    # An entity is called by its name, whatever its first observation says.
    named = count > 1 or (anchor and anchor == subject)
    label = anchor if named and anchor else label_of(title, subject, content)
    spot = _spot(store, anchor, id, bool(here) and not removed)
    store_name = names.get(store, "")
    gone = bool(removed) or not shown  # of a detached store, too
    return Node(spot, label, store_name, id, count, category or "", status, bool(pinned), gone, relations)


# -- its edges


def _edges(
    ctx: Context,
    spot: Spot,
    members: Sequence[Any],
    names: dict[int, str],
    most: int,
    unread: list[_Unread],
    *,
    near: bool,
) -> list[Edge]:
    """The edges of one spot, as they come; of which sources some were left unread is added there."""
    if spot.store == GONE:
        return _loose(ctx, spot, names, most, unread)
    edges = _told(ctx, spot, members, names, most, unread) if spot.name else []
    here = frozenset(row[0] for row in members)
    asked = json.dumps([row[0] for row in members[:_OF_ONE]])
    whole = json.dumps([row[0] for row in members]) if len(members) > _OF_ONE else asked

    def rows(sql: str) -> list[tuple[Any, ...]]:
        found = ctx.db.rows(sql + _BOUND, (asked, most))
        if len(found) >= most or whole is not asked:
            unread.append((len(found), lambda: int(ctx.db.one(_ALL.format(sql), (whole,)))))
        return found

    between = [
        *((*row, Origin.KEPT) for row in rows(_TIES)),
        *(_plain(SUPERSEDES, *row) for row in rows(_GAVE_WAY)),
        *(_plain(RESTS_ON, *row) for row in rows(_CAME_FROM)),
        *_clashing(ctx, asked, whole, unread),
        *(_nearest(ctx, [row[0] for row in members]) if near else ()),
    ]
    if not between:
        return edges
    told = {(e.family, e.out, e.node.spot) for e in edges}
    others = nodes_by_id(ctx, {id for row in between for id in row[4:6] if id is not None}, names)
    for kind, strength, context, body, source, target, name, origin in between:
        for out, other in ((True, target), (False, source)):
            if (source if out else target) not in here or (not out and target is None):
                continue
            node = others.get(other) if other is not None else Node(Spot(GONE, name), name, count=0)
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


def _told(
    ctx: Context, spot: Spot, members: Sequence[Any], names: dict[int, str], most: int, unread: list[_Unread]
) -> list[Edge]:
    """What its store tells."""
    at = (spot.store, spot.name)
    rows = ctx.db.rows(_TOLD, (*at, most))
    if len(rows) >= most:
        unread.append((len(rows), lambda: int(ctx.db.one(_HOW_MANY, at))))
    ends = json.dumps(list({row[2] if row[0] == spot.name else row[0] for row in rows}))
    degrees: dict[str, int] = dict(ctx.db.rows(_DEGREES, (spot.store, ends)))
    nodes = {
        row[3]: _node(row, names, degrees.get(row[3], 0)) for row in ctx.db.rows(_BY_NAME, (spot.store, ends))
    }
    me = members[0][0] if members else None
    beside = kept_beside(ctx, spot.store, rows)
    edges = []
    for source, kind, target, strength, context, body in rows:
        out = source == spot.name
        name = target if out else source
        node = nodes.get(name)
        if node is None:
            node = Node(Spot(spot.store, name), name, names.get(spot.store, ""), count=0)
        ends_of = (me, node.id) if out else (node.id, me)
        edge = Edge(kind, out, node, Origin.STORE, strength, context, body, ends_of)
        kept = beside.get((source, kind, target))
        edges.append(replace(edge, beside=kept) if kept else edge)
    return edges


def _loose(ctx: Context, spot: Spot, names: dict[int, str], most: int, unread: list[_Unread]) -> list[Edge]:
    """What memtui keeps that leads to a memory which is not there any more."""
    rows = ctx.db.rows(_LOOSE + _BOUND, (spot.name, most))
    if len(rows) >= most:
        unread.append((len(rows), lambda: int(ctx.db.one(_ALL.format(_LOOSE), (spot.name,)))))
    nodes = nodes_by_id(ctx, {row[4] for row in rows}, names)
    return [
        Edge(kind, False, nodes[source], Origin.KEPT, strength, context or "", body or "", (source, None))
        for kind, strength, context, body, source in rows
        if source in nodes
    ]


def _plain(kind: str, source: int, target: int) -> tuple[Any, ...]:
    return (kind, None, "", "", source, target, "", Origin.FIELD)


def _clashing(ctx: Context, ids: str, whole: str, unread: list[_Unread]) -> list[tuple[Any, ...]]:
    """Open pairs of the sweep: what seems to contradict these, or to repeat them."""
    rows, more = _open(ctx, ids, _PAIRS)
    if more or whole is not ids:
        unread.append((len(rows), lambda: len(_open(ctx, whole, -1)[0])))
    return rows


def _open(ctx: Context, ids: str, most: int) -> tuple[list[tuple[Any, ...]], bool]:
    """Such pairs among so many that were found, and whether there may be more."""
    found = ctx.db.rows(_PAIRED + _BOUND, (ids, most))
    if not found:
        return [], False
    asked = states("p.id IN (SELECT value FROM json_each(?))")
    sql = f"SELECT family, score, reason, a, b, state FROM ({asked})"
    rows = ctx.db.rows(sql, (ctx.clock(), json.dumps([row[0] for row in found])))
    open_ = [
        (CONTRADICTS if family == "contradiction" else REPEATS, score, reason, "", a, b, "", Origin.FOUND)
        for family, score, reason, a, b, state in rows
        if state in ("open", "later")
    ]
    return open_, len(found) == most


def _nearest(ctx: Context, ids: Sequence[int]) -> Iterable[tuple[Any, ...]]:
    """What lies near these in meaning and stands elsewhere; nothing where there is no vector yet."""
    own = set(ids)
    best: dict[int, tuple[float, int]] = {}
    for id, vector in vectors_of(ctx, json.dumps(list(ids)[:8])).items():
        count = NEAREST + min(len(own), 50)
        for other, cosine in vector_store.nearest(ctx.db, ctx.meaning.bits, vector, count, "m.live = 1", ()):
            if other not in own and cosine >= CLOSE and cosine > best.get(other, (0.0, 0))[0]:
                best[other] = cosine, id
    nearest = sorted(best.items(), key=lambda each: -each[1][0])[:NEAREST]
    return [(NEAR, min(1.0, cosine), "", "", id, other, "", Origin.NEAR) for other, (cosine, id) in nearest]


def nodes_by_id(ctx: Context, ids: Collection[int], names: dict[int, str]) -> dict[int, Node]:
    """Nodes by the rows that they were asked for; one of an entity is that entity."""
    rows = ctx.db.rows(_BY_ID, (json.dumps(list(ids)),))
    nodes = {row[0]: _node(row, names) for row in rows}
    by_store: dict[int, set[str]] = {}
    for node in nodes.values():
        if node.spot.name:
            by_store.setdefault(node.spot.store, set()).add(node.spot.name)
    whole: dict[Spot, Node] = {}
    for store, asked in by_store.items():
        said = json.dumps(list(asked))
        degrees: dict[str, int] = dict(ctx.db.rows(_DEGREES, (store, said)))
        for row in ctx.db.rows(_BY_NAME, (store, said)):
            node = _node(row, names, degrees.get(row[3], 0))
            whole[node.spot] = node
    return {id: whole.get(node.spot, node) for id, node in nodes.items()}
