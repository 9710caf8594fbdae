"""What a person walks: memories as nodes, and what ties them to each other (SPEC 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import NamedTuple

GONE = 0  # the store of what no store has: memories that are not there any more, by their uids


class Spot(NamedTuple):
    """What the end of a relation means: all memories that a store calls by one `name` (an entity and its
    observations), or the one memory `id` that has none. A name may stand for nothing; at GONE it is the uid
    that a relation kept by memtui still names."""

    store: int  # the row of its store
    name: str
    id: int = 0


class Origin(StrEnum):
    """Who says that two are related."""

    STORE = "store"  # their store tells it
    KEPT = "memtui"  # a person said it; no store can hold it
    FIELD = "field"  # a field of one of them: what it gave way to, what it came from
    FOUND = "found"  # the sweep found that they clash or repeat each other
    NEAR = "near"  # they lie near each other in meaning


class Family(IntEnum):
    """What sort of relation a kind is, in the order in which a person wants to see them."""

    CONTRADICTS = 0
    SUPERSEDES = 1
    SUPPORTS = 2
    RESTS_ON = 3
    RELATES = 4
    NEAR = 5


COMPUTED = (Origin.FOUND, Origin.NEAR)  # worked out by memtui; never written anywhere
NEAR = "near in meaning"
RESTS_ON, SUPERSEDES, CONTRADICTS, REPEATS = "rests on", "supersedes", "contradicts", "repeats"
_FAMILIES = {
    Family.CONTRADICTS: "contradicts contradicted_by conflicts_with refutes denies disputes clashes_with",
    Family.SUPERSEDES: "supersedes superseded_by replaces replaced_by overrides deprecates obsoletes",
    Family.SUPPORTS: "supports supported_by confirms reinforces refines solves fixes implements explains",
    Family.RESTS_ON: "rests_on derived_from based_on builds_on requires depends_on causes caused_by follows "
    "part_of episode_of uses",
    Family.NEAR: "near_in_meaning repeats duplicates same_as alternative_to",
}
_FAMILY_OF = {kind: family for family, kinds in _FAMILIES.items() for kind in kinds.split()}


def family_of(kind: str) -> Family:
    """The sort of a relation by its kind, however that is spelled.

    >>> family_of("BUILDS_ON").name, family_of("lives in").name
    ('RESTS_ON', 'RELATES')
    """
    plain = "_".join(kind.casefold().replace("-", " ").replace("_", " ").split())
    return _FAMILY_OF.get(plain, Family.RELATES)


@dataclass(frozen=True, slots=True)
class Node:
    """One spot as it is shown: `id` is the memory that stands for it (the first of `count`), None where a
    relation leads to nothing. `label` is raw. `removed` is one that is not there: gone from its store, or
    that is detached. `relations` counts what it is tied to in its store."""

    spot: Spot
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
    """A relation as one end sees it: `out` leads away from there, to `node`. `ends` are the memories that
    it was told of, (from, to), None where one is a name alone; `times` how often it is told; `beside` names
    what of it memtui keeps beside the store: "strength, why"."""

    kind: str
    out: bool
    node: Node
    origin: Origin = Origin.STORE
    strength: float | None = None
    context: str = ""
    body: str = ""
    ends: tuple[int | None, int | None] = (None, None)
    times: int = 1
    beside: str = ""

    @property
    def family(self) -> Family:
        """What sort of relation it is."""
        return Family.NEAR if self.origin is Origin.NEAR else family_of(self.kind)

    @property
    def computed(self) -> bool:
        """Whether memtui worked it out; such a one is never written."""
        return self.origin in COMPUTED

    @property
    def key(self) -> tuple[str, bool, Spot, str]:
        """What tells it apart from the others of its memory."""
        return (self.kind, self.out, self.node.spot, self.origin)


@dataclass(frozen=True, slots=True)
class Around:
    """The neighbourhood of one node: its `edges` in reading order, of `total` that there are; for two hops
    what lies `beyond` each neighbour, a few edges each."""

    centre: Node
    edges: tuple[Edge, ...]
    total: int
    beyond: Mapping[Spot, tuple[Edge, ...]] = field(default_factory=dict)


def ordered(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Edges in reading order: told ones before worked out ones, and of each what clashes first. One edge
    more or less leaves the order of the others."""
    return tuple(sorted(edges, key=_place))


def _place(edge: Edge) -> tuple[object, ...]:
    spot = edge.node.spot
    return (edge.computed, edge.family, edge.kind.casefold(), edge.node.label.casefold(), spot, edge.out)


def together(edges: Iterable[Edge]) -> list[Edge]:
    """The edges, with one for those that say the same; how often is counted."""
    found: dict[tuple[object, ...], Edge] = {}
    for edge in edges:
        key = (edge.kind.casefold(), edge.out, edge.node.spot, edge.origin, edge.context, edge.body)
        known = found.get(key)
        found[key] = edge if known is None else replace(known, times=known.times + 1)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that hang together: how many nodes and relations, and its `hubs`, the most related first,
    each with how many relations it has."""

    nodes: int
    edges: int
    hubs: tuple[tuple[Node, int], ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A graph in numbers: its clusters, the largest first (`more` small ones are left out), nodes that are
    tied to no other, relations that lead `outside` (to what is gone, dismissed or not asked for), and
    relations of a node to itself."""

    clusters: tuple[Cluster, ...]
    nodes: int
    edges: int
    alone: int
    outside: int
    selves: int
    more: int = 0
