"""The relation graph, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.memory.graph.model import Around, Edge, Node, Overview

if TYPE_CHECKING:
    pass


def node_as_json(node: Node, uids: dict[int, str]) -> dict[str, Any]:
    return {
        "uid": uids.get(node.id) if node.id is not None else None,
        "name": node.spot.name or None,
        "label": node.label,
        "store": node.store,
        "memories": node.count,
        "status": node.status if node.id is not None else None,
    }


def edge_as_json(edge: Edge, uids: dict[int, str]) -> dict[str, Any]:
    source, target = edge.ends
    return {
        "kind": edge.kind,
        "out": edge.out,
        "origin": edge.origin.value,
        "strength": edge.strength,
        "context": edge.context,
        "body": edge.body,
        "beside": edge.beside.split(", ") if edge.beside else [],
        "times": edge.times,
        "source_uid": uids.get(source) if source is not None else None,
        "target_uid": uids.get(target) if target is not None else None,
        "node": node_as_json(edge.node, uids),
    }


def neighborhood_as_json(found: Around, uids: dict[int, str]) -> dict[str, Any]:
    return {
        "centre": node_as_json(found.centre, uids),
        "total": found.total,
        "edges": [
            {
                **edge_as_json(edge, uids),
                "beyond": [edge_as_json(each, uids) for each in found.beyond.get(edge.node.spot, ())],
            }
            for edge in found.edges
        ],
    }


def overview_as_json(found: Overview, uids: dict[int, str]) -> dict[str, Any]:
    return {
        "nodes": found.nodes,
        "relations": found.edges,
        "alone": found.alone,
        "outside": found.outside,
        "selves": found.selves,
        "more": found.more,
        "clusters": [
            {
                "nodes": each.nodes,
                "relations": each.edges,
                "hubs": [{**node_as_json(node, uids), "relations": many} for node, many in each.hubs],
            }
            for each in found.clusters
        ],
    }
