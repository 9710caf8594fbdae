"""Connected components of a graph of numbered nodes, in nearly linear time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from heapq import nlargest
from typing import NamedTuple, TypeVar

HUBS = 3  # nodes that represent a component
_REPORT_EVERY = 5_000  # edges or nodes

T = TypeVar("T")
Report = Callable[[int], None]


class Component(NamedTuple):
    """A connected component: its number of nodes and of edges, and its hubs as (node, edges), those with the
    most edges first."""

    nodes: int
    edges: int
    hubs: tuple[tuple[int, int], ...]


def connected_components(
    count: int, edges: Iterable[tuple[int, int]], report: Report = lambda done: None
) -> tuple[list[Component], int]:
    """Return the connected components of `count` nodes, largest first, and the number of isolated nodes.

    An edge from a node to itself is ignored. `report` is called now and then with the number of edges that
    are done, and afterwards with that of nodes.

    >>> connected_components(4, [(0, 1), (1, 0), (3, 3)])
    ([Component(nodes=2, edges=2, hubs=((0, 2), (1, 2)))], 2)
    """
    parent = array("q", range(count))
    degree = array("q", bytes(8 * count))
    sources: array[int] = array("q")
    for a, b in _reporting(edges, report):
        if a == b:
            continue
        degree[a] += 1
        degree[b] += 1
        sources.append(a)
        while parent[a] != a:  # path halving
            parent[a] = a = parent[parent[a]]
        while parent[b] != b:
            parent[b] = b = parent[parent[b]]
        if a != b:
            parent[max(a, b)] = min(a, b)
    return _collect(parent, degree, sources, report)


def _reporting(items: Iterable[T], report: Report) -> Iterator[T]:
    for done, item in enumerate(items):
        if done % _REPORT_EVERY == 0:
            report(done)
        yield item


def _collect(
    parent: array[int], degree: array[int], sources: array[int], report: Report
) -> tuple[list[Component], int]:
    members: dict[int, list[int]] = {}
    isolated = 0
    for node, edges_of_node in enumerate(_reporting(degree, report)):
        if edges_of_node:
            members.setdefault(_root(parent, node), []).append(node)
        else:
            isolated += 1
    edges = dict.fromkeys(members, 0)
    for node in _reporting(sources, report):
        edges[_root(parent, node)] += 1
    found = [
        Component(len(nodes), edges[root], tuple((n, degree[n]) for n in _hubs(nodes, degree)))
        for root, nodes in members.items()
    ]
    found.sort(key=lambda each: (-each.nodes, -each.edges, each.hubs[0][0]))
    return found, isolated


def _root(parent: array[int], node: int) -> int:
    while parent[node] != node:
        parent[node] = node = parent[parent[node]]
    return node


def _hubs(nodes: list[int], degree: array[int]) -> list[int]:
    return nlargest(HUBS, nodes, key=lambda node: (degree[node], -node))
