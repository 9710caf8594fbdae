"""The graph: neighborhoods, the overview in numbers, and removing relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memtui.memory.graph.model import Cluster, Edge, Neighborhood, Node, NodeKey, Origin, Overview, ordered
from memtui.memory.relations import Relation, RelationOption, RelationSpec
from memtui.memory.results import Change
from memtui.workspace.changes import summaries, wording
from memtui.workspace.changes.change_item import Outcome
from memtui.workspace.changes.relating import relate
from memtui.workspace.changes.relating.relation_options import KINDS
from memtui.workspace.changes.relating.supersede import SUPERSEDES
from memtui.workspace.journal.items import RELATION
from memtui.workspace.relations.clusters import Report
from tests.support.fake_workspace.base import label
from tests.support.fake_workspace.changes import Changes


class GraphApi(Changes):
    """The graph of the relations that a test sets; each memory is a node of its own."""

    def _all_relations(self) -> list[Relation]:
        return list(dict.fromkeys(each for relations in self.relations.values() for each in relations))

    def node_key(self, id: int) -> NodeKey | None:
        return NodeKey(1, "", id) if id in self.memories else None

    def _node(self, id: int | None, name: str = "") -> Node:
        if id is None or id not in self.memories:
            return Node(NodeKey(1, name), name, "work", None, 0)
        m = self.memories[id]
        count = sum(id in (r.source_id, r.target_id) for found in self.relations.values() for r in found)
        return Node(
            NodeKey(1, "", id), label(m), m.store, id, 1, m.category or "", m.status, m.pinned, False, count
        )

    def neighborhood(self, key: NodeKey, *, hops: int = 1, near: bool = False) -> Neighborhood | None:
        self._gate("neighborhood")
        self._raise_error("neighborhood")
        if key in self.neighborhoods:
            return self.neighborhoods[key]
        id = key.id
        if id not in self.memories:
            return None
        edges = []
        for r in self._all_relations():
            if id in (r.source_id, r.target_id):
                out = r.source_id == id
                node = self._node(r.target_id if out else r.source_id, r.target if out else r.source)
                values = r.strength, r.context, r.body
                ends = r.source_id, r.target_id
                edges.append(Edge(r.kind, out, node, Origin.STORE, *values, ends))
        if near:
            edges += [
                Edge("near in meaning", True, self._node(other), Origin.SIMILAR, 0.7, ends=(id, other))
                for other in list(self.memories)[:2]
                if other != id
            ]
        second_hop = {}
        if hops == 2:
            for edge in edges:
                found = self.neighborhood(edge.node.key) if edge.node.id is not None else None
                second_hop[edge.node.key] = tuple(
                    e for e in (found.edges if found else ()) if e.node.id != id
                )
        return Neighborhood(self._node(id), ordered(edges), len(edges), second_hop)

    def nodes(self, text: str, most: int = 200, *, but: int | None = None) -> list[Node]:
        self._gate("nodes")
        return [self._node(id) for id in self.search(text).ids[:most] if id != but]

    def texts_of(self, key: NodeKey, most: int = 50) -> list[str]:
        return [self.memories[key.id].content] if key.id in self.memories else []

    def overview(
        self,
        ids: Sequence[int] | None = None,
        report: Report = lambda part: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Overview | None:
        self._gate("overview", stop)
        report(0.5)
        related = {id for r in self._all_relations() for id in (r.source_id, r.target_id)}
        hubs = tuple((self._node(id), 1) for id in self.memories if id in related)
        count = len(self.memories) if ids is None else len(ids)
        clusters = (Cluster(len(hubs), 2, hubs[:3]),) if hubs and ids is None else ()
        return Overview(clusters, count, 2 if clusters else 0, count - len(hubs), 1, 0)

    def relation_options(self, id: int, other: int, typed: str = "") -> list[RelationOption]:
        existing = {r.kind for r in self._all_relations() if (r.source_id, r.target_id) == (id, other)}
        kinds = (*sorted(existing.difference(KINDS)), *KINDS)
        matching = [kind for kind in kinds if kind.startswith(typed.casefold())]
        return [
            RelationOption(kind, "is kept in memtui", kind in existing, takes_reason=kind != SUPERSEDES)
            for kind in (matching if not typed or typed.casefold() in matching else [*matching, typed])
        ]

    def update_consequence(self, id: int, kind: str, other: int, was: RelationSpec | None = None) -> str:
        return "The relation is kept in memtui."

    def unrelate(
        self, id: int, kind: str, other: int | str, *, out: bool = True, was: RelationSpec | None = None
    ) -> Change:
        self._raise_error("unrelate")
        self._require_writable()
        assert id != other, "the fake workspace removes no relation of a memory to itself"
        known = {id, other} if isinstance(other, int) else {id}
        if not known <= self.memories.keys():
            raise wording.no_such_memory()
        source = other if isinstance(other, int) and not out else id
        relate.changeable_adapter(self._context, self._row(source), self._store_row(source))
        removed = next(
            (each for each in self._all_relations() if _matches(each, id, kind, other, out, was)), None
        )
        if removed is None:
            raise relate.not_found(kind, was)
        self.unrelated.append((id, kind, other, out))
        for memory_id, relations in self.relations.items():
            self.relations[memory_id] = tuple(r for r in relations if r != removed)
        to = removed.target_uid or (
            self.memories[removed.target_id].uid if removed.target_id else removed.target
        )
        local = relate.find_local(self._row(source), kind, to, was) or {"kind": kind, "to": to}
        memory = self.memories[source]
        self.memories[source] = replace(memory, ties=tuple(each for each in memory.ties if each != local))
        item = self._item(source, {RELATION: local}, {RELATION: None})
        entry_id = self._carry_out("unrelated", summaries.summary("unrelate", [item]), [item])
        return summaries.change_of("unrelate", Outcome(entry_id, [item]), [])


def _matches(
    relation: Relation, id: int, kind: str, other: int | str, out: bool, was: RelationSpec | None
) -> bool:
    """Return whether a relation is the one that the arguments of `unrelate` mean."""
    near_id, far_id, far_name = (
        (relation.source_id, relation.target_id, relation.target)
        if out
        else (relation.target_id, relation.source_id, relation.source)
    )
    if near_id != id or (far_id if isinstance(other, int) else far_name) != other or relation.kind != kind:
        return False
    return was is None or was.values == (relation.strength, relation.context, relation.body)
