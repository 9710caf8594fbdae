"""The relation graph: memories as nodes, relations as edges (SPEC 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import NamedTuple

GONE = 0  # the store id of memories that no longer exist; they are named by their uids


class NodeKey(NamedTuple):
    """The identity of a node: all memories of a store with one `name` (an entity and its observations), or
    the single memory `id` without a name. No memory needs to have the name; in GONE it is the uid that a
    local relation still refers to."""

    store: int  # the row of its store
    name: str
    id: int = 0


class Origin(StrEnum):
    """Where a relation comes from."""

    STORE = "store"  # the store itself
    LOCAL = "memtui"  # the user; the store cannot hold it
    FIELD = "field"  # a field of one of the two: what supersedes it, what it is based on
    SCAN = "found"  # the scan for contradictions and duplicates
    SIMILAR = "near"  # their vectors


class Family(IntEnum):
    """The family of a relation's kind, in the order in which relations are listed."""

    CONTRADICTS = 0
    SUPERSEDES = 1
    SUPPORTS = 2
    BASED_ON = 3
    RELATES = 4
    NEAR = 5


COMPUTED = (Origin.SCAN, Origin.SIMILAR)  # computed by memtui, never written anywhere
NEAR = "near in meaning"
BASED_ON, SUPERSEDES, CONTRADICTS, REPEATS = "based on", "supersedes", "contradicts", "repeats"
_FAMILIES = {
    Family.CONTRADICTS: "contradicts contradicted_by conflicts_with refutes denies disputes clashes_with",
    Family.SUPERSEDES: "supersedes superseded_by replaces replaced_by overrides deprecates obsoletes",
    Family.SUPPORTS: "supports supported_by confirms reinforces refines solves fixes implements explains",
    Family.BASED_ON: "based_on rests_on derived_from builds_on requires depends_on causes caused_by follows "
    "part_of episode_of uses",
    Family.NEAR: "near_in_meaning repeats duplicates same_as alternative_to",
}
_FAMILY_OF = {kind: family for family, kinds in _FAMILIES.items() for kind in kinds.split()}


def family_of(kind: str) -> Family:
    """Return the family of a kind, however that is spelled.

    >>> family_of("BUILDS_ON").name, family_of("lives in").name
    ('BASED_ON', 'RELATES')
    """
    plain = "_".join(kind.casefold().replace("-", " ").replace("_", " ").split())
    return _FAMILY_OF.get(plain, Family.RELATES)


@dataclass(frozen=True, slots=True)
class Node:
    """A node as it is shown.

    `id` is the memory that represents it (the first of `count`), None if a relation leads to nothing.
    `label` is raw. `removed` says that it is gone from its store, or the store is detached. `relations`
    counts its relations in the store.
    """

    key: NodeKey
    label: str
    store: str = ""
    id: int | None = None
    count: int = 1
    category: str = ""
    status: str = "confirmed"
    pinned: bool = False
    removed: bool = False
    relations: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation as seen from one of its ends.

    `out` says that it leads away from there, to `node`. `ends` are the memories it relates, (from, to),
    None for one that is only a name; `times` how often the store has it; `overrides` names the values that
    memtui keeps for a relation of the store: "strength, why".
    """

    kind: str
    out: bool
    node: Node
    origin: Origin = Origin.STORE
    strength: float | None = None
    context: str = ""
    body: str = ""
    ends: tuple[int | None, int | None] = (None, None)
    times: int = 1
    overrides: str = ""

    @property
    def family(self) -> Family:
        """The family of its kind."""
        return Family.NEAR if self.origin is Origin.SIMILAR else family_of(self.kind)

    @property
    def computed(self) -> bool:
        """Whether memtui computed it; computed relations are never written."""
        return self.origin in COMPUTED

    @property
    def key(self) -> tuple[str, bool, NodeKey, str]:
        """The identity of this edge among the others of its memory."""
        return (self.kind, self.out, self.node.key, self.origin)


@dataclass(frozen=True, slots=True)
class Neighborhood:
    """The neighborhood of one node: its `edges` in list order, out of `total`; with two hops, a few edges
    `beyond` each neighbor."""

    center: Node
    edges: tuple[Edge, ...]
    total: int
    beyond: Mapping[NodeKey, tuple[Edge, ...]] = field(default_factory=dict)


def ordered(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return edges in list order: stored before computed ones, contradictions first. Adding or removing an
    edge leaves the order of the others."""
    return tuple(sorted(edges, key=_sort_key))


def _sort_key(edge: Edge) -> tuple[object, ...]:
    key = edge.node.key
    return (edge.computed, edge.family, edge.kind.casefold(), edge.node.label.casefold(), key, edge.out)


def merge_equal(edges: Iterable[Edge]) -> list[Edge]:
    """Return the edges with equal ones merged into one, which counts them in `times`."""
    merged: dict[tuple[object, ...], Edge] = {}
    for edge in edges:
        key = (edge.kind.casefold(), edge.out, edge.node.key, edge.origin, edge.context, edge.body)
        known = merged.get(key)
        merged[key] = edge if known is None else replace(known, times=known.times + 1)
    return list(merged.values())


@dataclass(frozen=True, slots=True)
class Cluster:
    """A connected part of the graph: its number of nodes and relations, and its `hubs`, the nodes with the
    most relations first, each with that number."""

    nodes: int
    edges: int
    hubs: tuple[tuple[Node, int], ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """The graph in numbers.

    `clusters` are largest first, without `omitted` small ones; `isolated` counts nodes without relations,
    `outside` relations that lead out of the selection (to memories that are gone, dismissed or not asked
    for), `loops` relations of a node to itself.
    """

    clusters: tuple[Cluster, ...]
    nodes: int
    edges: int
    isolated: int
    outside: int
    loops: int
    omitted: int = 0
