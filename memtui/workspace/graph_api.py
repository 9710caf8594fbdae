"""The workspace's verbs for the graph: walking it, and changing its relations (SPEC 7, 9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.graph.model import Around, Node, Overview, Spot
from memtui.memory.relations import RelationOption
from memtui.memory.results import Change
from memtui.workspace.changes import relate

if TYPE_CHECKING:
    from memtui.memory.relations import RelationSpec
    from memtui.workspace.context import Context
    from memtui.workspace.relations.clusters import Tell


class GraphApi:
    """Who is tied to whom, and saying so."""

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def spot(self, id: int) -> Spot | None:
        """Where a memory stands in the graph; None if there is no such row."""
        from memtui.workspace.relations import neighborhood

        return neighborhood.spot_of(self._ctx, id)

    def around(self, spot: Spot, *, hops: int = 1, near: bool = False) -> Around | None:
        """All that one spot is tied to, in reading order; with two `hops` a little of what each neighbour
        is tied to, with `near` what lies near in meaning. None where nothing stands or leads there."""
        from memtui.workspace.relations import neighborhood

        return neighborhood.around(self._ctx, spot, hops=hops, near=near)

    def said_at(self, spot: Spot, most: int = 50) -> list[str]:
        """What the first memories at a spot say: several where they are observations of one entity."""
        from memtui.workspace.relations import neighborhood

        return neighborhood.said_at(self._ctx, spot, most)

    def nodes(self, text: str, most: int = 200, *, but: int | None = None) -> list[Node]:
        """Whom a query finds, each node once, those with the very name first; not the node of memory `but`.

        Raises QueryError."""
        from memtui.workspace.relations import node_search

        return node_search.nodes(self._ctx, text, most, but)

    def overview(
        self,
        ids: Sequence[int] | None = None,
        tell: Tell = lambda part: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Overview | None:
        """What hangs together among these memories (None: all live ones); `tell` hears how far it is,
        None is the answer once `stop` says so. Takes long over a large graph."""
        from memtui.workspace.relations import clusters

        try:
            return clusters.overview(self._ctx, ids, tell, lambda: stop() or self._ctx.closing.is_set())
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
        """Say that a memory has a relation to another; of the kind "supersedes", the other gives way."""
        with self._changing():
            return relate.relate(self._ctx, id, kind, other, strength=strength, context=context, body=body)

    def tyings(self, id: int, other: int, typed: str = "") -> list[RelationOption]:
        """The kinds of relation that one memory may have to another, and what each would do where."""
        return relate.choices(self._ctx, id, other, typed)

    def unrelate(
        self, id: int, kind: str, other: int | str, *, out: bool = True, was: RelationSpec | None = None
    ) -> Change:
        """Take a relation away; `other` may be a name behind which no memory stands, and the relation
        leads from there where it is not `out`. `was` tells which, where there are several of a kind."""
        with self._changing():
            return relate.unrelate(self._ctx, id, kind, other, out=out, was=was)

    def retie(
        self,
        id: int,
        kind: str,
        other: int,
        to: RelationSpec,
        *,
        reverse: bool = False,
        was: RelationSpec | None = None,
    ) -> Change:
        """Have a relation that stands say something else, or lead the other way."""
        from memtui.workspace.changes import update_relation

        with self._changing():
            return update_relation.retie(self._ctx, id, kind, other, to, reverse=reverse, was=was)

    def relation(self, id: int, kind: str, other: int) -> RelationSpec:
        """What a relation that stands says. Raises Refused where there is none."""
        from memtui.workspace.changes import update_relation

        return update_relation.relation(self._ctx, id, kind, other)

    def retie_words(self, id: int, kind: str, other: int, was: RelationSpec | None = None) -> str:
        """Where changing a relation that stands is written."""
        from memtui.workspace.changes import update_relation

        return update_relation.in_words(self._ctx, id, kind, other, was)

    def supersede(self, ids: Sequence[int], winner: int) -> Change:
        """Let memories give way to another one."""
        with self._changing():
            return relate.supersede(self._ctx, ids, winner)
