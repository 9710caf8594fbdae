"""The graph verbs of `Workspace`: walking it, and changing its relations (SPEC 7, 9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.graph.model import Neighborhood, Node, NodeKey, Overview
from memtui.memory.relations import RelationOption
from memtui.memory.results import Change
from memtui.workspace.changes.relating import relate, relation_options, supersede

if TYPE_CHECKING:
    from memtui.memory.relations import RelationSpec
    from memtui.workspace.context import Context
    from memtui.workspace.relations.clusters import Report


class GraphApi:
    """Reading the graph and changing relations."""

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def node_key(self, id: int) -> NodeKey | None:
        """Return the node of a memory; None if there is no such row."""
        from memtui.workspace.relations import neighborhood

        return neighborhood.node_key(self._ctx, id)

    def neighborhood(self, key: NodeKey, *, hops: int = 1, near: bool = False) -> Neighborhood | None:
        """Return everything that a node is connected to, in reading order; None if there is nothing.

        With two `hops` also a few neighbors of each neighbor, with `near` similar memories.
        """
        from memtui.workspace.relations import neighborhood

        return neighborhood.around(self._ctx, key, hops=hops, near=near)

    def texts_of(self, key: NodeKey, most: int = 50) -> list[str]:
        """Return the texts of a node's first memories; an entity has one per observation."""
        from memtui.workspace.relations import neighborhood

        return neighborhood.texts_of(self._ctx, key, most)

    def nodes(self, text: str, most: int = 200, *, but: int | None = None) -> list[Node]:
        """Return the nodes that a query finds, those named exactly so first, without the node of memory
        `but`.

        Raise QueryError for a malformed query.
        """
        from memtui.workspace.relations import node_search

        return node_search.nodes(self._ctx, text, most, but)

    def overview(
        self,
        ids: Sequence[int] | None = None,
        report: Report = lambda part: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Overview | None:
        """Return the connected components among these memories (all live ones if None); takes long over a
        large graph. `report` receives the progress, 0 to 1; return None once `stop` returns True."""
        from memtui.workspace.relations import clusters

        try:
            return clusters.overview(self._ctx, ids, report, lambda: stop() or self._ctx.closing.is_set())
        except clusters.Cancelled:
            return None

    def relate(
        self,
        id: int,
        kind: str,
        other: int,
        *,
        strength: float | None = None,
        context: str = "",
        body: str = "",
    ) -> Change:
        """Relate a memory to another; with the kind "supersedes", the other one is superseded."""
        with self._changing():
            return relate.relate(self._ctx, id, kind, other, strength=strength, context=context, body=body)

    def relation_options(self, id: int, other: int, typed: str = "") -> list[RelationOption]:
        """Return the kinds of relation that a memory may have to another, with the consequence of each."""
        return relation_options.options(self._ctx, id, other, typed)

    def unrelate(
        self, id: int, kind: str, other: int | str, *, out: bool = True, was: RelationSpec | None = None
    ) -> Change:
        """Remove a relation. `other` may be a name without a memory; unless `out`, the relation leads from
        there.

        `was` selects one of several relations of a kind.
        """
        with self._changing():
            return relate.unrelate(self._ctx, id, kind, other, outgoing=out, which=was)

    def update_relation(
        self,
        id: int,
        kind: str,
        other: int,
        to: RelationSpec,
        *,
        reverse: bool = False,
        was: RelationSpec | None = None,
    ) -> Change:
        """Change the kind, values or direction of a relation."""
        from memtui.workspace.changes.relating import update_relation

        with self._changing():
            return update_relation.update(self._ctx, id, kind, other, to, reverse=reverse, which=was)

    def relation(self, id: int, kind: str, other: int) -> RelationSpec:
        """Return the values of a relation; raise Refused if there is none."""
        from memtui.workspace.changes.relating import update_relation

        return update_relation.find(self._ctx, id, kind, other)

    def update_consequence(self, id: int, kind: str, other: int, was: RelationSpec | None = None) -> str:
        """Say where changing a relation is written."""
        from memtui.workspace.changes.relating import update_relation

        return update_relation.consequence(self._ctx, id, kind, other, was)

    def supersede(self, ids: Sequence[int], winner: int) -> Change:
        """Mark memories as superseded by another one."""
        with self._changing():
            return supersede.supersede(self._ctx, ids, winner)
