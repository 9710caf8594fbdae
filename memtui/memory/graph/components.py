"""Which nodes hang together: connected parts of a graph of numbers, in nearly linear time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from heapq import nlargest
from typing import NamedTuple, TypeVar

HUBS = 3  # nodes that a part is told by
_STEP = 5_000  # edges or nodes between two words about how far it is

T = TypeVar("T")
Tell = Callable[[int], None]


class Part(NamedTuple):
    """One connected part: its number of nodes and of edges, and its hubs as (node, edges), the most
    related first."""

    nodes: int
    edges: int
    hubs: tuple[tuple[int, int], ...]


def parts(
    count: int, edges: Iterable[tuple[int, int]], tell: Tell = lambda done: None
) -> tuple[list[Part], int]:
    """The connected parts of `count` nodes, the largest first, and how many nodes are tied to none.

    An edge of a node to itself ties it to nothing. `tell` hears now and then how many edges are done,
    and after them how many nodes.

    >>> parts(4, [(0, 1), (1, 0), (3, 3)])
    ([Part(nodes=2, edges=2, hubs=((0, 2), (1, 2)))], 2)
    """
    above = array("q", range(count))
    degree = array("q", bytes(8 * count))
    kept: array[int] = array("q")
    for one, other in _heard(edges, tell):
        if one == other:
            continue
        degree[one] += 1
        degree[other] += 1
        kept.append(one)
        while above[one] != one:  # each step halves the way for the next who asks
            above[one] = one = above[above[one]]
        while above[other] != other:
            above[other] = other = above[above[other]]
        if one != other:
            above[max(one, other)] = min(one, other)
    return _gathered(above, degree, kept, tell)


def _heard(items: Iterable[T], tell: Tell) -> Iterator[T]:
    for done, item in enumerate(items):
        if done % _STEP == 0:
            tell(done)
        yield item


def _gathered(above: array[int], degree: array[int], kept: array[int], tell: Tell) -> tuple[list[Part], int]:
    members: dict[int, list[int]] = {}
    alone = 0
    for node, many in enumerate(_heard(degree, tell)):
        if many:
            members.setdefault(_root(above, node), []).append(node)
        else:
            alone += 1
    edges = dict.fromkeys(members, 0)
    for node in _heard(kept, tell):
        edges[_root(above, node)] += 1
    found = [
        Part(len(nodes), edges[root], tuple((n, degree[n]) for n in _hubs(nodes, degree)))
        for root, nodes in members.items()
    ]
    found.sort(key=lambda part: (-part.nodes, -part.edges, part.hubs[0][0]))
    return found, alone


def _root(above: array[int], node: int) -> int:
    while above[node] != node:
        above[node] = node = above[above[node]]
    return node


def _hubs(nodes: list[int], degree: array[int]) -> list[int]:
    return nlargest(HUBS, nodes, key=lambda node: (degree[node], -node))
