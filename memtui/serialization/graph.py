"""The relation graph, as JSON (S-82)."""

from __future__ import annotations

from memtui.memory.graph.model import Edge, Neighborhood, Node, Overview
from memtui.values import JsonObject


def node_as_json(node: Node, uids: dict[int, str]) -> JsonObject:
    """Return a node; `uids` are by row of the workspace."""
    return {
        "uid": uids.get(node.id) if node.id is not None else None,
        "name": node.key.name or None,
        "label": node.label,
        "store": node.store,
        "memories": node.count,
        "status": node.status if node.id is not None else None,
    }


def edge_as_json(edge: Edge, uids: dict[int, str]) -> JsonObject:
    """Return a relation as seen from one of its ends."""
    source, target = edge.ends
    return {
        "kind": edge.kind,
        "out": edge.out,
        "origin": edge.origin.value,
        "strength": edge.strength,
        "context": edge.context,
        "body": edge.body,
        "beside": edge.overrides.split(", ") if edge.overrides else [],
        "times": edge.times,
        "source_uid": uids.get(source) if source is not None else None,
        "target_uid": uids.get(target) if target is not None else None,
        "node": node_as_json(edge.node, uids),
    }


def neighborhood_as_json(neighborhood: Neighborhood, uids: dict[int, str]) -> JsonObject:
    """Return a node with its relations, and those of its neighbors."""
    return {
        "centre": node_as_json(neighborhood.center, uids),
        "total": neighborhood.total,
        "edges": [
            {
                **edge_as_json(edge, uids),
                "beyond": [edge_as_json(each, uids) for each in neighborhood.beyond.get(edge.node.key, ())],
            }
            for edge in neighborhood.edges
        ],
    }


def overview_as_json(overview: Overview, uids: dict[int, str]) -> JsonObject:
    """Return the graph in numbers."""
    return {
        "nodes": overview.nodes,
        "relations": overview.edges,
        "alone": overview.isolated,
        "outside": overview.outside,
        "selves": overview.loops,
        "more": overview.omitted,
        "clusters": [
            {
                "nodes": each.nodes,
                "relations": each.edges,
                "hubs": [{**node_as_json(node, uids), "relations": count} for node, count in each.hubs],
            }
            for each in overview.clusters
        ],
    }
