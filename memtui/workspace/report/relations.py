"""The best connected nodes of the graph, and a part of it that can be drawn, for a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from memtui.memory.graph.model import Node, NodeKey
from memtui.memory.report import Drawn, RelationPicture
from memtui.workspace.context import Context
from memtui.workspace.relations.clusters import GraphReading
from memtui.workspace.relations.neighborhood import around, nodes_by_id, store_names
from memtui.workspace.report.names import named_by_id

MOST_BEST = 15
MOST_DRAWN = 22  # nodes
MOST_ARROWS = 70  # more than these can't be told apart
_FIRST = 6  # of them are the best connected ones; the others are related to those


def picture(ctx: Context, ids: Sequence[int] | None) -> RelationPicture:
    """Return the relations of these memories, of all live ones if None; findings of the scan are none."""
    reading = GraphReading(ctx, lambda count: None)
    reading.nodes(ids)
    between = Counter(reading.edges())
    degrees: Counter[int] = Counter()
    for (start, end), count in between.items():
        degrees[start] += count
        degrees[end] += count
    ranked = sorted(degrees, key=lambda place: (-degrees[place], place))
    best, drawn = ranked[:MOST_BEST], _related(ranked, between)
    nodes = nodes_by_id(ctx, {reading.first[place] for place in (*best, *drawn)}, store_names(ctx))
    nodes = _without_secrets(ctx, nodes)
    shown = tuple(nodes[reading.first[place]] for place in drawn)
    relations = _relations(ctx, shown)
    return RelationPicture(
        tuple((nodes[reading.first[place]], degrees[place]) for place in best),
        shown,
        _thinned(relations),
        len(relations),
        len(degrees),
        sum(between.values()),
    )


def _related(ranked: Sequence[int], between: Counter[tuple[int, int]]) -> list[int]:
    """Return the best connected places, then again and again the one with the most relations to those that
    are chosen."""
    rank = {place: number for number, place in enumerate(ranked)}
    others: dict[int, Counter[int]] = {}
    for (start, end), count in between.items():
        others.setdefault(start, Counter())[end] += count
        others.setdefault(end, Counter())[start] += count
    chosen = dict.fromkeys(ranked[:_FIRST])
    strength: Counter[int] = Counter()
    for place in chosen:
        strength.update(others[place])
    while len(chosen) < min(MOST_DRAWN, len(ranked)):
        near = [place for place in strength if place not in chosen]
        following = min(near, key=lambda each: (-strength[each], rank[each]), default=None)
        if following is None:
            following = next(place for place in ranked if place not in chosen)
        chosen[following] = None
        strength.update(others[following])
    return list(chosen)


def _without_secrets(ctx: Context, nodes: dict[int, Node]) -> dict[int, Node]:
    """Return the nodes, without the label where that is from a memory that holds a secret."""
    texts = named_by_id(ctx, [node.id for node in nodes.values() if node.id is not None])
    return {
        id: replace(node, label="")
        if node.id in texts and texts[node.id].secret and node.label != node.key.name
        else node
        for id, node in nodes.items()
    }


def _relations(ctx: Context, nodes: Sequence[Node]) -> list[Drawn]:
    """Return the relations among these nodes, each once."""
    places: dict[NodeKey, int] = {node.key: place for place, node in enumerate(nodes)}
    found: dict[Drawn, None] = {}
    for place, node in enumerate(nodes):
        near = around(ctx, node.key)
        for edge in near.edges if near is not None else ():
            other = places.get(edge.node.key)
            if other is not None and other != place and not edge.computed:
                ends = (place, other) if edge.out else (other, place)
                found[Drawn(*ends, edge.kind)] = None
    return sorted(found, key=lambda each: (each.source, each.target, each.kind))


def _thinned(relations: Sequence[Drawn]) -> tuple[Drawn, ...]:
    """Return as many relations as can be drawn: the first of each node, then the second of each."""
    number: Counter[int] = Counter()
    turns: list[tuple[int, int, int]] = []
    for each in relations:
        number[each.source] += 1
        turns.append((number[each.source], each.source, len(turns)))
    kept = sorted(place for _, _, place in sorted(turns)[:MOST_ARROWS])
    return tuple(relations[place] for place in kept)
