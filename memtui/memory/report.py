"""What a report shows of a workspace: counts, and the memories it names (S-75). All texts are raw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.graph.model import Node
from memtui.memory.memory import Memory, label_of
from memtui.memory.secrets import contains_secret

BUCKETS = 10  # equal parts of a strength from 0 to 1


@dataclass(frozen=True, slots=True)
class Named:
    """A memory as a report names it. One that holds a secret has no texts here: `label` and `content` are
    empty, and `secret` is set."""

    uid: str
    store: str
    label: str
    content: str
    category: str
    status: str
    secret: bool


@dataclass(frozen=True, slots=True)
class StoreCount:
    """One attached store: how many of the memories it holds, and how many of those are live and pinned."""

    name: str
    format: str
    memories: int
    live: int
    pinned: int


@dataclass(frozen=True, slots=True)
class StrengthCounts:
    """How strong the live memories with one lifecycle are.

    `buckets` counts those from 0 to 0.1, from 0.1 to 0.2 and so on, 1 in the last; `above` those above 1 (a
    Cognitive vault), `without` those whose format has no number.
    """

    title: str
    buckets: tuple[int, ...]
    above: int
    without: int


@dataclass(frozen=True, slots=True)
class LeavingMemory:
    """A memory that decay removes: at which moment (Unix seconds; due if past) and by which rule."""

    memory: Named
    at: float
    rule: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """What decay removes: `due` now, `within` a number of days (due ones included), each week from now, and
    the first of them. `ever` counts all that are removed at some time, `of` the live memories."""

    of: int
    ever: int
    due: int
    within: tuple[tuple[int, int], ...]
    weeks: tuple[int, ...]
    first: tuple[LeavingMemory, ...]


@dataclass(frozen=True, slots=True)
class ReportedPair:
    """An open contradiction or duplicate with both memories; no `reason` if one holds a secret, which that
    might quote."""

    id: int
    family: str
    kind: str
    score: float
    reason: str
    escalated: bool
    a: Named
    b: Named


@dataclass(frozen=True, slots=True)
class ReportedGroup:
    """An entity with the number of its memories, and how many of them are in an open contradiction."""

    name: str
    store: str
    memories: int
    contradicted: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A relation between two nodes of the drawing, by their places in `RelationPicture.nodes`."""

    source: int
    target: int
    kind: str


@dataclass(frozen=True, slots=True)
class RelationPicture:
    """The best connected nodes with the number of their relations, and a part of the graph to draw: its
    nodes, whose label is "" if their memory holds a secret, and `relations` among them, of `among`."""

    best: tuple[tuple[Node, int], ...]
    nodes: tuple[Node, ...]
    relations: tuple[Drawn, ...]
    among: int
    total_nodes: int
    total_relations: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report shows, at one moment (Unix seconds).

    `created` and `changed` are the moments at which memories were created, and last changed after that;
    `used` has the most used memories with their uses, `newest` the newest with when they were created.
    """

    at: float
    memories: int
    live: int
    pinned: int
    secrets: int
    stores: tuple[StoreCount, ...]
    categories: tuple[tuple[str, int], ...]
    statuses: tuple[tuple[str, int], ...]
    created: Sequence[float]
    changed: Sequence[float]
    strengths: tuple[StrengthCounts, ...]
    leaving: Leaving
    queue: QueueCounts
    contradictions: int
    duplicates: int
    pairs: tuple[ReportedPair, ...]
    entities: tuple[ReportedGroup, ...]
    entity_count: int
    relations: RelationPicture
    used: tuple[tuple[Named, int], ...]
    newest: tuple[tuple[Named, float], ...]


def named(memory: Memory) -> Named:
    """Return a memory as a report names it."""
    secret = holds_secret(memory)
    return Named(
        memory.uid,
        memory.store,
        "" if secret else label_of(memory.title, memory.subject, memory.content),
        "" if secret else memory.content,
        memory.category or "",
        memory.status,
        secret,
    )


def holds_secret(memory: Memory) -> bool:
    """Return whether any text of a memory that a report might show, in whole or in part, has a secret."""
    texts = (
        memory.content, memory.title, memory.subject, memory.key, memory.note, memory.source_excerpt,
        memory.category, memory.source_ref, str(memory.value or ""), *memory.tags,
    )  # fmt: skip
    return contains_secret("\n".join(filter(None, texts)))
