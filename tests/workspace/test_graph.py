"""The graph around a memory: seen from both ends, told by everybody, however odd it is (SPEC 9)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.graph import Around, Edge, Family, Origin, Spot
from memtui.workspace.workspace import Workspace
from tests.stores import graphs
from tests.stores.mcp_memory import entity, relation
from tests.workspace.office import CLAUDE, FOUNDER, MCP, NATIVE, SAMPLE, Clock, the
from tests.workspace.quarrels import Quarrel, pair


@contextmanager
def opened(folder: Path, objects: list[dict[str, Any]]) -> Iterator[tuple[Workspace, Path]]:
    """A workspace on one graph."""
    place = graphs.place(folder, objects)
    workspace = Workspace.open(folder / "w" / "workspace.db", clock=Clock())
    workspace.attach(place, "graph")
    try:
        yield workspace, place
    finally:
        workspace.close()


def store(workspace: Workspace) -> int:
    """The row of the foreign store."""
    return int(workspace._core.db.one("SELECT id FROM stores WHERE format <> 'native'"))


def at(workspace: Workspace, name: str, **more: Any) -> Around:
    """The neighbourhood of an entity."""
    found = workspace.around(Spot(store(workspace), name), **more)
    assert found is not None
    return found


def around_of(workspace: Workspace, id: int, **more: Any) -> Around:
    """The neighbourhood of a memory."""
    spot = workspace.spot(id)
    assert spot is not None
    found = workspace.around(spot, **more)
    assert found is not None
    return found


def said(edge: Edge) -> tuple[str, str, str]:
    return edge.kind, "out" if edge.out else "in", edge.node.label


def test_every_relation_is_seen_from_both_ends(tmp_path: Path) -> None:
    objects = graphs.made()
    told = [(o["from"], o["relationType"], o["to"]) for o in objects if o["type"] == "relation"]
    assert len(told) == 129
    with opened(tmp_path, objects) as (workspace, _):
        for source, kind, target in told:
            assert (kind, "out", target) in map(said, at(workspace, source).edges)
            assert (kind, "in", source) in map(said, at(workspace, target).edges)
        ends = sum(len(at(workspace, o["name"]).edges) for o in objects if o["type"] == "entity")
        assert ends == 2 * len(told)
        hub = at(workspace, graphs.HUB)
        assert hub.total == len(hub.edges) == sum(graphs.HUB in (s, t) for s, _, t in told)
        # One may walk on from each: it is told how much leads on from there.
        assert {e.node.label: e.node.relations for e in hub.edges} == {
            e.node.label: len(at(workspace, e.node.label).edges) for e in hub.edges
        }


def test_an_entity_is_one_node_with_all_its_observations(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea", "lives in Rome"), entity("Bo"), relation("Ana", "knows", "Bo")]
    with opened(tmp_path, objects) as (workspace, _):
        for words in ("likes tea", "lives in Rome"):
            found = around_of(workspace, the(workspace, words))
            assert (found.centre.label, found.centre.count) == ("Ana", 2)
            assert [said(e) for e in found.edges] == [("knows", "out", "Bo")]
        (bo,) = workspace.search("subject:Bo").ids
        assert found.edges[0].node.id == bo
        assert workspace.said_at(found.centre.spot) == ["likes tea", "lives in Rome"]


def test_oddities_are_shown_as_they_are(tmp_path: Path) -> None:
    objects = [
        *(entity(name, f"is {name}") for name in ("A", "B", "C")),
        relation("A", "knows", "A"),
        relation("A", "knows", "B"),
        relation("A", "knows", "B"),
        relation("B", "knows", "C"),
        relation("C", "knows", "A"),
        relation("A", "misses", "Nobody"),
        relation("Ghost", "haunts", "A"),
    ]
    with opened(tmp_path, objects) as (workspace, _):
        edges = {said(e): e for e in at(workspace, "A").edges}
        assert edges.keys() == {
            ("knows", "out", "A"),
            ("knows", "out", "B"),
            ("knows", "in", "C"),
            ("misses", "out", "Nobody"),
            ("haunts", "in", "Ghost"),
        }
        assert edges["knows", "out", "B"].times == 2
        assert edges["misses", "out", "Nobody"].node.id is None
        ghost = at(workspace, "Ghost")
        assert (ghost.centre.id, [said(e) for e in ghost.edges]) == (None, [("haunts", "out", "A")])
        assert workspace.around(Spot(store(workspace), "Never heard of")) is None


def test_a_thousand_neighbours_and_more(tmp_path: Path) -> None:
    many = [entity(f"n{n}") for n in range(2_500)]
    objects = [entity("hub"), *many, *(relation("hub", "has", f"n{n}") for n in range(2_500))]
    with opened(tmp_path, objects) as (workspace, _):
        found = at(workspace, "hub")
        assert (len(found.edges), found.total) == (2_000, 2_500)
        assert len(at(workspace, "n2499", hops=2).beyond[Spot(store(workspace), "hub")]) == 4


def test_ties_of_memtui_lead_from_store_to_store(workspace: Workspace) -> None:
    one, two, three = (the(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    workspace.relate(one, "supports", two, strength=0.5, context="seen")
    workspace.relate(three, "rests on", one)
    edges = around_of(workspace, one).edges
    assert [(e.kind, e.out, e.origin, e.strength, e.context) for e in edges] == [
        ("supports", True, Origin.KEPT, 0.5, "seen"),
        ("rests on", False, Origin.KEPT, None, ""),
    ]
    assert [(e.kind, e.out) for e in around_of(workspace, two).edges] == [("supports", False)]
    assert edges[0].ends == (one, two)
    # Of an entity with several observations, too.
    graph = the(workspace, SAMPLE[MCP])
    workspace.relate(one, "supports", graph)
    assert ("supports", False) in {(e.kind, e.out) for e in around_of(workspace, graph).edges}


def test_what_gave_way_and_what_it_came_from(tmp_path: Path) -> None:
    quarrel = Quarrel(tmp_path, ("native", "minions")).begin()
    with quarrel.opened() as workspace:
        one, other, *_ = quarrel.four(workspace, "native")
        workspace.supersede([other], one)
        assert ("supersedes", True, Origin.FIELD) in {
            (e.kind, e.out, e.origin) for e in around_of(workspace, one).edges
        }
        assert ("supersedes", False) in {(e.kind, e.out) for e in around_of(workspace, other).edges}
        lesson, item, *_ = quarrel.four(workspace, "minions")
        ref = workspace.memories([item])[0].ref
        workspace._core.db.run("UPDATE memories SET source_ref = ? WHERE id = ?", (ref, lesson))
        assert ("rests on", True, Origin.FIELD) in {
            (e.kind, e.out, e.origin) for e in around_of(workspace, lesson).edges
        }
        assert ("rests on", False) in {(e.kind, e.out) for e in around_of(workspace, item).edges}


def test_what_the_sweep_found_is_beside_it_until_it_is_settled(tmp_path: Path) -> None:
    quarrel = Quarrel(tmp_path, ("native",)).begin()
    with quarrel.opened() as workspace:
        one, other, *_ = quarrel.four(workspace, "native")
        found = pair(workspace, one, other)
        (edge,) = [e for e in around_of(workspace, one).edges if e.origin is Origin.FOUND]
        assert (edge.kind, edge.family, edge.computed, edge.context) == (
            "contradicts",
            Family.CONTRADICTS,
            True,
            "Two days.",
        )
        workspace.settle(found, "not-so")
        assert not [e for e in around_of(workspace, one).edges if e.origin is Origin.FOUND]


def test_the_overview_counts_what_hangs_together(tmp_path: Path) -> None:
    objects = [
        *(entity(name, f"is {name}") for name in "ABCDEFG"),
        relation("A", "knows", "B"),
        relation("A", "knows", "C"),
        relation("D", "knows", "E"),
        relation("F", "knows", "F"),
        relation("A", "misses", "Nobody"),
    ]
    with opened(tmp_path, objects) as (workspace, _):
        heard: list[float] = []
        found = workspace.overview(tell=heard.append)
        assert found is not None
        assert [(c.nodes, c.edges, c.hubs[0][0].label, c.hubs[0][1]) for c in found.clusters] == [
            (3, 2, "A", 2),
            (2, 1, "D", 1),
        ]
        assert (found.nodes, found.alone, found.outside, found.selves) == (7, 2, 1, 1)
        assert heard == sorted(heard)
        assert workspace.overview(stop=lambda: True) is None
        some = workspace.overview(workspace.search("is A").ids)
        assert some is not None
        assert (some.nodes, some.alone, some.outside) == (1, 1, 3)


@pytest.mark.parametrize("hops", [1, 2])
def test_walking_reads_the_same_whoever_asks_first(hops: int, tmp_path: Path) -> None:
    with opened(tmp_path, graphs.made()) as (workspace, _):
        first = at(workspace, graphs.HUB, hops=hops)
        assert first == at(workspace, graphs.HUB, hops=hops)
        neighbour = first.edges[0].node
        assert all(e.node.spot != first.centre.spot for e in first.beyond.get(neighbour.spot, ()))
        assert bool(first.beyond) == (hops == 2)
