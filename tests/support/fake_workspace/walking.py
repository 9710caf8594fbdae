"""The graph: walking it, the whole in numbers, and relations taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memtui.errors import Refused
from memtui.memory.graph.model import Around, Cluster, Edge, Node, Origin, Overview, Spot, ordered
from memtui.memory.relations import Relation, RelationOption, RelationSpec
from memtui.memory.results import Change
from memtui.workspace.changes import relate, summaries
from memtui.workspace.changes.change_item import Done
from memtui.workspace.changes.relate import KINDS, SUPERSEDES
from memtui.workspace.journal.items import RELATION
from memtui.workspace.relations.clusters import Tell
from tests.support.fake_workspace.base import label
from tests.support.fake_workspace.changing import Changing


class GraphApi(Changing):
    """The relations that a test gives, each memory a node of its own."""

    def _told(self) -> list[Relation]:
        return list(dict.fromkeys(each for told in self.relations.values() for each in told))

    def spot(self, id: int) -> Spot | None:
        return Spot(1, "", id) if id in self.memories else None

    def _node(self, id: int | None, name: str = "") -> Node:
        if id is None or id not in self.memories:
            return Node(Spot(1, name), name, "work", None, 0)
        m = self.memories[id]
        many = sum(id in (r.source_id, r.target_id) for told in self.relations.values() for r in told)
        return Node(
            Spot(1, "", id), label(m), m.store, id, 1, m.category or "", m.status, m.pinned, False, many
        )

    def around(self, spot: Spot, *, hops: int = 1, near: bool = False) -> Around | None:
        self._gate("around")
        self._may("around")
        if spot in self.webs:
            return self.webs[spot]
        id = spot.id
        if id not in self.memories:
            return None
        edges = []
        for r in self._told():
            if id in (r.source_id, r.target_id):
                out = r.source_id == id
                node = self._node(r.target_id if out else r.source_id, r.target if out else r.source)
                said = (r.strength, r.context, r.body, (r.source_id, r.target_id))
                edges.append(Edge(r.kind, out, node, Origin.STORE, *said))
        if near:
            edges += [
                Edge("near in meaning", True, self._node(other), Origin.NEAR, 0.7, ends=(id, other))
                for other in list(self.memories)[:2]
                if other != id
            ]
        beyond = {}
        if hops == 2:
            for edge in edges:
                found = self.around(edge.node.spot) if edge.node.id is not None else None
                beyond[edge.node.spot] = tuple(e for e in (found.edges if found else ()) if e.node.id != id)
        return Around(self._node(id), ordered(edges), len(edges), beyond)

    def nodes(self, text: str, most: int = 200, *, but: int | None = None) -> list[Node]:
        self._gate("nodes")
        return [self._node(id) for id in self.search(text).ids[:most] if id != but]

    def said_at(self, spot: Spot, most: int = 50) -> list[str]:
        return [self.memories[spot.id].content] if spot.id in self.memories else []

    def overview(
        self,
        ids: Sequence[int] | None = None,
        tell: Tell = lambda part: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Overview | None:
        self._gate("overview", stop)
        tell(0.5)
        tied = {id for each in self._told() for id in (each.source_id, each.target_id)}
        hubs = tuple((self._node(id), 1) for id in self.memories if id in tied)
        count = len(self.memories) if ids is None else len(ids)
        clusters = (Cluster(len(hubs), 2, hubs[:3]),) if hubs and ids is None else ()
        return Overview(clusters, count, 2 if clusters else 0, count - len(hubs), 1, 0)

    def tyings(self, id: int, other: int, typed: str = "") -> list[RelationOption]:
        begun = [kind for kind in KINDS if kind.startswith(typed.casefold())]
        there = {each.kind for each in self._told() if (each.source_id, each.target_id) == (id, other)}
        return [
            RelationOption(kind, "is kept in memtui", kind in there, takes_reason=kind != SUPERSEDES)
            for kind in (begun if not typed or typed.casefold() in begun else [*begun, typed])
        ]

    def retie_words(self, id: int, kind: str, other: int, was: RelationSpec | None = None) -> str:
        return "It is kept in memtui."

    def unrelate(
        self, id: int, kind: str, other: int | str, *, out: bool = True, was: RelationSpec | None = None
    ) -> Change:
        self._may("unrelate")
        self._writable()
        if id == other:  # by its name in its store
            raise AssertionError("the fake workspace knows no relation of a memory to itself")
        known = {id, other} if isinstance(other, int) else {id}
        if not known <= self.memories.keys():
            raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
        source = other if isinstance(other, int) and not out else id
        relate.may(self._engine, self._held(source), self._row(source))
        told = next((each for each in self._told() if _is(each, id, kind, other, out, was)), None)
        if told is None:
            raise relate._no_relation(kind, was)
        self.untied.append((id, kind, other, out))
        for of, each in self.relations.items():
            self.relations[of] = tuple(r for r in each if r != told)
        to = told.target_uid or (self.memories[told.target_id].uid if told.target_id else told.target)
        tie = relate.kept_tie(self._held(source), kind, to, was) or {"kind": kind, "to": to}
        memory = self.memories[source]
        self.memories[source] = replace(memory, ties=tuple(t for t in memory.ties if t != tie))
        piece = self._piece(source, {RELATION: tie}, {RELATION: None})
        line = self._carry_out("unrelated", summaries.summary("unrelate", [piece]), [piece])
        return summaries.change_of("unrelate", Done(line, [piece]), [])


def _is(each: Relation, id: int, kind: str, other: int | str, out: bool, was: RelationSpec | None) -> bool:
    here, there, name = (
        (each.source_id, each.target_id, each.target)
        if out
        else (each.target_id, each.source_id, each.source)
    )
    said = (each.strength, each.context, each.body)
    same = (there if isinstance(other, int) else name) == other
    return here == id and same and each.kind == kind and (was is None or was.values == said)
