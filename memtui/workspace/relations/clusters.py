"""An overview of the graph of a store, a search or everything: clusters, hubs and isolated nodes (SPEC 9)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from memtui.memory.graph.components import Component, connected_components
from memtui.memory.graph.model import Cluster, Overview
from memtui.values import SqlRow
from memtui.workspace.background import Yielding
from memtui.workspace.relations.lookup import BASIS
from memtui.workspace.relations.neighborhood import nodes_by_id, store_names

if TYPE_CHECKING:
    from memtui.workspace.context import Context

SHOWN = 500  # clusters listed one by one
_PAGE = 1_000  # rows read at a time
_STEP = 0.02  # of progress between two reports
_NODES = (
    "SELECT m.id, m.uid, m.store_id, m.anchor FROM memories m WHERE m.id > ? AND m.shown "
    "AND m.ref IS NOT NULL AND m.removed_at IS NULL AND m.live ORDER BY m.id LIMIT ?"
)
_CHOSEN = (
    "SELECT m.id, m.uid, m.store_id, m.anchor FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value "
    "WHERE m.ref IS NOT NULL AND m.removed_at IS NULL"
)
_STORED = "SELECT id, store_id, source, target FROM relations WHERE id > ? ORDER BY id LIMIT ?"
_LOCAL = "SELECT rowid, source_id, target FROM local_relations WHERE rowid > ? ORDER BY rowid LIMIT ?"
# Relations stated by fields: what replaced a memory, and what it is based on.
_FIELDS = (
    "SELECT m.id, m.superseded_by, o.id, o.store_id, o.anchor FROM memories m "
    f"LEFT JOIN memories o ON o.id = ({BASIS}) WHERE m.id > ? ORDER BY m.id LIMIT ?"
)

# Reports progress, 0 to 1.
Report: TypeAlias = Callable[[float], None]


class Cancelled(Exception):
    """The caller asked to stop."""


def overview(ctx: Context, ids: Sequence[int] | None, report: Report, stop: Callable[[], bool]) -> Overview:
    """Return the connected components among these memories (all live ones if None), by the relations of
    stores and of memtui; findings and similarity do not connect.

    Reads in small pages and raises Cancelled between them if `stop` returns True.
    """
    whole = max(
        1, ctx.db.one("SELECT 2 * (SELECT count(*) FROM memories) + (SELECT count(*) FROM relations)")
    )
    read, reported = 0, -1.0
    rest = Yielding().rest

    def advance(count: int) -> None:
        nonlocal read, reported
        read += count
        part = min(0.9, 0.9 * read / whole)
        if part >= reported + _STEP:
            reported = part
            report(part)
        if stop():
            raise Cancelled
        rest()

    reading = GraphReading(ctx, advance)
    reading.nodes(ids)
    found, alone = connected_components(len(reading.first), reading.edges(), lambda done: advance(0))
    report(0.95)
    clusters = _clusters(ctx, reading, found[:SHOWN])
    return Overview(
        clusters,
        len(reading.first),
        reading.count,
        alone,
        reading.outside,
        reading.selves,
        max(0, len(found) - SHOWN),
    )


class GraphReading:
    """Reads nodes and edges as numbers."""

    def __init__(self, ctx: Context, advance: Callable[[int], None]) -> None:
        self._ctx, self._advance = ctx, advance
        self.first: list[int] = []  # the memory that represents each node
        self._by_name: dict[tuple[int, str], int] = {}
        self._by_id: dict[int, int] = {}
        self._by_uid: dict[str, int] = {}
        self.count = self.outside = self.selves = 0

    def nodes(self, ids: Sequence[int] | None) -> None:
        """Number the nodes of these memories."""
        pages = self._pages(_NODES) if ids is None else self._chosen(ids)
        for id, uid, store, anchor in pages:
            place = self._by_name.get((store, anchor)) if anchor else None
            if place is None:
                place = len(self.first)
                self.first.append(id)
                if anchor:
                    self._by_name[store, anchor] = place
            self._by_id[id] = place
            self._by_uid[uid] = place

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield all relations between them as pairs of numbers; count them, and those that lead elsewhere."""
        for start, end in self._ends():
            if start is None and end is None:
                continue  # between other memories
            self.count += 1
            if start is None or end is None:
                self.outside += 1
            elif start == end:
                self.selves += 1
            else:
                yield start, end

    def _ends(self) -> Iterator[tuple[int | None, int | None]]:
        named = self._by_name.get
        for _, store, source, target in self._pages(_STORED):
            yield named((store, source)), named((store, target))
        for _, id, uid in self._pages(_LOCAL):
            yield self._by_id.get(id), self._by_uid.get(uid)
        for id, winner, basis, store, anchor in self._pages(_FIELDS):
            if winner is not None:
                yield self._by_id.get(id), self._by_uid.get(winner)
            if basis is not None:  # another memory with its name may be live
                place = self._by_id.get(basis)
                yield self._by_id.get(id), named((store, anchor)) if place is None and anchor else place

    def _pages(self, sql: str) -> Iterator[SqlRow]:
        last = 0
        while rows := self._ctx.db.rows(sql, (last, _PAGE)):
            yield from rows
            last = rows[-1][0]
            self._advance(len(rows))

    def _chosen(self, ids: Sequence[int]) -> Iterator[SqlRow]:
        for start in range(0, len(ids), _PAGE):
            yield from self._ctx.db.rows(_CHOSEN, (json.dumps(list(ids[start : start + _PAGE])),))
            self._advance(0)


def _clusters(ctx: Context, reading: GraphReading, found: Sequence[Component]) -> tuple[Cluster, ...]:
    hubs = {reading.first[node] for part in found for node, _ in part.hubs}
    nodes = nodes_by_id(ctx, hubs, store_names(ctx))
    return tuple(
        Cluster(
            part.nodes,
            part.edges,
            tuple((nodes[id], degree) for node, degree in part.hubs if (id := reading.first[node]) in nodes),
        )
        for part in found
    )
