"""The graph of a store, a search or everything at a glance: clusters, hubs, and who is alone (SPEC 9)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memtui.memory.graph.components import Part, parts
from memtui.memory.graph.model import Cluster, Overview
from memtui.workspace.background import Yielding
from memtui.workspace.relations.lookup import BASIS
from memtui.workspace.relations.neighborhood import names_of, nodes_by_id

if TYPE_CHECKING:
    from memtui.workspace.context import Context

SHOWN = 500  # clusters that are told one by one
_PAGE = 1_000  # rows that are read at once
_AGAIN = 0.02  # of the way, after which it is told anew how far it is
_NODES = (
    "SELECT m.id, m.uid, m.store_id, m.anchor FROM memories m WHERE m.id > ? AND m.shown "
    "AND m.ref IS NOT NULL AND m.removed_at IS NULL AND m.live ORDER BY m.id LIMIT ?"
)
_CHOSEN = (
    "SELECT m.id, m.uid, m.store_id, m.anchor FROM json_each(?) e CROSS JOIN memories m ON m.id = e.value "
    "WHERE m.ref IS NOT NULL AND m.removed_at IS NULL"
)
_TOLD = "SELECT id, store_id, source, target FROM relations WHERE id > ? ORDER BY id LIMIT ?"
_TIES = "SELECT rowid, source_id, target FROM local_relations WHERE rowid > ? ORDER BY rowid LIMIT ?"
# What fields say: what a memory gave way to, and what it rests on.
_FIELDS = (
    "SELECT m.id, m.superseded_by, o.id, o.store_id, o.anchor FROM memories m "
    f"LEFT JOIN memories o ON o.id = ({BASIS}) WHERE m.id > ? ORDER BY m.id LIMIT ?"
)

Tell = Callable[[float], None]
"""How far it is, 0 to 1."""


class Cancelled(Exception):
    """Nobody wants it any more."""


def overview(ctx: Context, ids: Sequence[int] | None, tell: Tell, stop: Callable[[], bool]) -> Overview:
    """What hangs together among these memories (None: all live ones), by what their stores tell and what
    memtui keeps; what is only found or near in meaning ties nothing. Reads in small portions, and asks
    between them whether to `stop` (then it raises Left)."""
    whole = max(
        1, ctx.db.one("SELECT 2 * (SELECT count(*) FROM memories) + (SELECT count(*) FROM relations)")
    )
    read, told = 0, -1.0
    rest = Yielding().rest

    def far(count: int) -> None:
        nonlocal read, told
        read += count
        part = min(0.9, 0.9 * read / whole)
        if part >= told + _AGAIN:
            told = part
            tell(part)
        if stop():
            raise Cancelled
        rest()

    reading = _Reading(ctx, far)
    reading.nodes(ids)
    found, alone = parts(len(reading.first), reading.edges(), lambda done: far(0))
    tell(0.95)
    clusters = _told(ctx, reading, found[:SHOWN])
    return Overview(
        clusters,
        len(reading.first),
        reading.count,
        alone,
        reading.outside,
        reading.selves,
        max(0, len(found) - SHOWN),
    )


class _Reading:
    """Nodes and edges as numbers."""

    def __init__(self, ctx: Context, far: Callable[[int], None]) -> None:
        self._ctx, self._far = ctx, far
        self.first: list[int] = []  # the memory that stands for each node
        self._by_name: dict[tuple[int, str], int] = {}
        self._by_id: dict[int, int] = {}
        self._by_uid: dict[str, int] = {}
        self.count = self.outside = self.selves = 0

    def nodes(self, ids: Sequence[int] | None) -> None:
        """Number the spots of these memories."""
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
        """All relations between them, as pairs of numbers; counts them, and those that lead elsewhere."""
        for one, other in self._ends():
            if one is None and other is None:
                continue  # of others
            self.count += 1
            if one is None or other is None:
                self.outside += 1
            elif one == other:
                self.selves += 1
            else:
                yield one, other

    def _ends(self) -> Iterator[tuple[int | None, int | None]]:
        named = self._by_name.get
        for _, store, source, target in self._pages(_TOLD):
            yield named((store, source)), named((store, target))
        for _, one, uid in self._pages(_TIES):
            yield self._by_id.get(one), self._by_uid.get(uid)
        for one, winner, basis, store, anchor in self._pages(_FIELDS):
            if winner is not None:
                yield self._by_id.get(one), self._by_uid.get(winner)
            if basis is not None:  # of those that bear its name another one may be live
                place = self._by_id.get(basis)
                yield self._by_id.get(one), named((store, anchor)) if place is None and anchor else place

    def _pages(self, sql: str) -> Iterator[Sequence[Any]]:
        last = 0
        while rows := self._ctx.db.rows(sql, (last, _PAGE)):
            yield from rows
            last = rows[-1][0]
            self._far(len(rows))

    def _chosen(self, ids: Sequence[int]) -> Iterator[Sequence[Any]]:
        for start in range(0, len(ids), _PAGE):
            yield from self._ctx.db.rows(_CHOSEN, (json.dumps(list(ids[start : start + _PAGE])),))
            self._far(0)


def _told(ctx: Context, reading: _Reading, found: Sequence[Part]) -> tuple[Cluster, ...]:
    asked = {reading.first[node] for part in found for node, _ in part.hubs}
    nodes = nodes_by_id(ctx, asked, names_of(ctx))
    return tuple(
        Cluster(
            part.nodes,
            part.edges,
            tuple((nodes[id], many) for node, many in part.hubs if (id := reading.first[node]) in nodes),
        )
        for part in found
    )
