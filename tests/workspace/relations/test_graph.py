"""The graph around a memory: its edges from all origins, seen from both ends (SPEC 9)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.memory.graph.model import Edge, Family, NodeKey, Origin
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores, add_pair
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, NATIVE, SAMPLE, find_id
from tests.support.older_workspace import create_workspace
from tests.support.sizes import sample_cases
from tests.support.stores import graphs
from tests.support.stores.mcp_memory import entity, relation
from tests.workspace.relations.graph_workspace import (
    entity_neighborhood,
    foreign_store_id,
    memory_neighborhood,
    open_graph,
)


def edge_fields(edge: Edge) -> tuple[str, str, str]:
    return edge.kind, "out" if edge.out else "in", edge.node.label


def test_every_relation_is_found_from_both_ends(tmp_path: Path) -> None:
    objects = graphs.random_graph()
    relations = [(o["from"], o["relationType"], o["to"]) for o in objects if o["type"] == "relation"]
    assert len(relations) == 129
    with open_graph(tmp_path, objects) as (workspace, _):
        for source, kind, target in relations:
            assert (kind, "out", target) in map(edge_fields, entity_neighborhood(workspace, source).edges)
            assert (kind, "in", source) in map(edge_fields, entity_neighborhood(workspace, target).edges)
        ends = sum(
            len(entity_neighborhood(workspace, o["name"]).edges) for o in objects if o["type"] == "entity"
        )
        assert ends == 2 * len(relations)
        hub = entity_neighborhood(workspace, graphs.HUB)
        assert hub.total == len(hub.edges) == sum(graphs.HUB in (s, t) for s, _, t in relations)
        # Each neighbor has the number of its own relations.
        assert {e.node.label: e.node.relations for e in hub.edges} == {
            e.node.label: len(entity_neighborhood(workspace, e.node.label).edges) for e in hub.edges
        }


def test_an_entity_is_one_node_with_all_its_observations(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea", "lives in Rome"), entity("Bo"), relation("Ana", "knows", "Bo")]
    with open_graph(tmp_path, objects) as (workspace, _):
        for words in ("likes tea", "lives in Rome"):
            found = memory_neighborhood(workspace, find_id(workspace, words))
            assert (found.center.label, found.center.count) == ("Ana", 2)
            assert [edge_fields(e) for e in found.edges] == [("knows", "out", "Bo")]
        (bo,) = workspace.search("subject:Bo").ids
        assert found.edges[0].node.id == bo
        assert workspace.texts_of(found.center.key) == ["likes tea", "lives in Rome"]


def test_node_search_returns_each_node_once_and_exact_names_first(tmp_path: Path) -> None:
    objects = [
        entity("Anatol", *(f"met Ana {n} times" for n in range(30))),
        entity("Bo", "is Ana's brother", "owes Ana money"),
        entity("Ana", "likes tea"),
        entity("Zoe", "knows Ana", "knows Bo"),
    ]
    with open_graph(tmp_path, objects) as (workspace, _):
        ana = find_id(workspace, "likes tea")
        found = workspace.nodes("Ana")
        assert [node.label for node in found[:2]] == ["Ana", "Anatol"]
        assert sorted((node.label, node.count) for node in found[2:]) == [("Bo", 2), ("Zoe", 2)]
        assert "Ana" not in [node.label for node in workspace.nodes("Ana", but=ana)]
        assert [node.label for node in workspace.nodes("ana")[:2]] == ["Ana", "Anatol"]
        assert {node.label for node in workspace.nodes("")} == {"Ana", "Anatol", "Bo", "Zoe"}
        # Dismissed observations belong to no entity: each is its own node.
        brother, money = find_id(workspace, "brother"), find_id(workspace, "owes")
        workspace.dismiss([brother, money])
        dismissed = [node.key for node in workspace.nodes("status:dismissed")]
        assert sorted(dismissed) == [
            NodeKey(foreign_store_id(workspace), "", brother),
            NodeKey(foreign_store_id(workspace), "", money),
        ]
        assert len(workspace.nodes("", 2)) == 2


def test_an_exact_name_is_found_among_thousands_of_better_matches(tmp_path: Path) -> None:
    objects = [entity(f"plan {n}", "plan plan plan plan") for n in range(5_200)]
    objects.insert(0, entity("plan", "one that says " + "much else " * 300))
    with open_graph(tmp_path, objects) as (workspace, _):
        found = workspace.nodes("plan", 10)
        assert len(found) == 10
        assert found[0].label == "plan"


def test_loops_repeats_and_dangling_relations_are_shown(tmp_path: Path) -> None:
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
    with open_graph(tmp_path, objects) as (workspace, _):
        edges = {edge_fields(e): e for e in entity_neighborhood(workspace, "A").edges}
        assert edges.keys() == {
            ("knows", "out", "A"),
            ("knows", "out", "B"),
            ("knows", "in", "C"),
            ("misses", "out", "Nobody"),
            ("haunts", "in", "Ghost"),
        }
        assert edges["knows", "out", "B"].times == 2
        assert edges["misses", "out", "Nobody"].node.id is None
        ghost = entity_neighborhood(workspace, "Ghost")
        assert (ghost.center.id, [edge_fields(e) for e in ghost.edges]) == (None, [("haunts", "out", "A")])
        assert workspace.neighborhood(NodeKey(foreign_store_id(workspace), "Never heard of")) is None


def test_a_hub_with_thousands_of_neighbors_is_limited(tmp_path: Path) -> None:
    neighbors = [entity(f"n{n}") for n in range(2_500)]
    objects = [entity("hub"), *neighbors, *(relation("hub", "has", f"n{n}") for n in range(2_500))]
    with open_graph(tmp_path, objects) as (workspace, _):
        found = entity_neighborhood(workspace, "hub")
        assert (len(found.edges), found.total) == (2_000, 2_500)
        assert (
            len(
                entity_neighborhood(workspace, "n2499", hops=2).beyond[
                    NodeKey(foreign_store_id(workspace), "hub")
                ]
            )
            == 4
        )


def test_local_relations_connect_stores(workspace: Workspace) -> None:
    one, two, three = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    workspace.relate(one, "supports", two, strength=0.5, context="seen")
    workspace.relate(three, "based on", one)
    edges = memory_neighborhood(workspace, one).edges
    assert [(e.kind, e.out, e.origin, e.strength, e.context) for e in edges] == [
        ("supports", True, Origin.LOCAL, 0.5, "seen"),
        ("based on", False, Origin.LOCAL, None, ""),
    ]
    assert [(e.kind, e.out) for e in memory_neighborhood(workspace, two).edges] == [("supports", False)]
    assert edges[0].ends == (one, two)
    # Also for an entity with several observations.
    graph = find_id(workspace, SAMPLE[MCP])
    workspace.relate(one, "supports", graph)
    assert ("supports", False) in {(e.kind, e.out) for e in memory_neighborhood(workspace, graph).edges}


def test_supersession_and_source_are_edges(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native", "minions")).create()
    with stores.opened() as workspace:
        one, other, *_ = stores.sample_ids(workspace, "native")
        workspace.supersede([other], one)
        assert ("supersedes", True, Origin.FIELD) in {
            (e.kind, e.out, e.origin) for e in memory_neighborhood(workspace, one).edges
        }
        assert ("supersedes", False) in {(e.kind, e.out) for e in memory_neighborhood(workspace, other).edges}
        lesson, item, *_ = stores.sample_ids(workspace, "minions")
        ref = workspace.memories([item])[0].ref
        workspace._ctx.db.run("UPDATE memories SET source_ref = ? WHERE id = ?", (ref, lesson))
        assert ("based on", True, Origin.FIELD) in {
            (e.kind, e.out, e.origin) for e in memory_neighborhood(workspace, lesson).edges
        }
        assert ("based on", False) in {(e.kind, e.out) for e in memory_neighborhood(workspace, item).edges}


def test_a_found_pair_is_an_edge_until_it_is_settled(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        one, other, *_ = stores.sample_ids(workspace, "native")
        found = add_pair(workspace, one, other)
        (edge,) = [e for e in memory_neighborhood(workspace, one).edges if e.origin is Origin.SCAN]
        assert (edge.kind, edge.family, edge.computed, edge.context) == (
            "contradicts",
            Family.CONTRADICTS,
            True,
            "Two days.",
        )
        workspace.settle(found, "not-so")
        assert not [e for e in memory_neighborhood(workspace, one).edges if e.origin is Origin.SCAN]


def test_the_overview_counts_connected_components(tmp_path: Path) -> None:
    objects = [
        *(entity(name, f"is {name}") for name in "ABCDEFG"),
        relation("A", "knows", "B"),
        relation("A", "knows", "C"),
        relation("D", "knows", "E"),
        relation("F", "knows", "F"),
        relation("A", "misses", "Nobody"),
    ]
    with open_graph(tmp_path, objects) as (workspace, _):
        progress: list[float] = []
        found = workspace.overview(report=progress.append)
        assert found is not None
        assert [(c.nodes, c.edges, c.hubs[0][0].label, c.hubs[0][1]) for c in found.clusters] == [
            (3, 2, "A", 2),
            (2, 1, "D", 1),
        ]
        assert (found.nodes, found.isolated, found.outside, found.loops) == (7, 2, 1, 1)
        assert progress == sorted(progress)
        assert workspace.overview(stop=lambda: True) is None
        subset = workspace.overview(workspace.search("is A").ids)
        assert subset is not None
        assert (subset.nodes, subset.isolated, subset.outside) == (1, 1, 3)


@pytest.mark.parametrize("hops", [1, 2])
def test_a_neighborhood_is_the_same_at_each_call(hops: int, tmp_path: Path) -> None:
    with open_graph(tmp_path, graphs.random_graph()) as (workspace, _):
        first = entity_neighborhood(workspace, graphs.HUB, hops=hops)
        assert first == entity_neighborhood(workspace, graphs.HUB, hops=hops)
        neighbour = first.edges[0].node
        assert all(e.node.key != first.center.key for e in first.beyond.get(neighbour.key, ()))
        assert bool(first.beyond) == (hops == 2)


# -- edges from fields


@pytest.mark.parametrize(
    ("names", "type", "has_edge"),
    [
        ("ref", None, True),
        ("uid", None, True),
        ("anchor", None, True),
        ("7", None, False),
        ("7", "Memory", True),
        ("nothing", "memory", False),
    ],
)
def test_graph_detail_and_overview_agree_on_the_source_of_a_memory(
    names: str, type: str | None, has_edge: bool, tmp_path: Path
) -> None:
    objects = [entity("Ana", "likes tea", "knits"), entity("7", "is a number"), entity("Bo", "sails")]
    with open_graph(tmp_path, objects) as (workspace, _):
        tea, number, bo = (find_id(workspace, words) for words in ("likes tea", "is a number", "sails"))
        basis = number if names == "7" else tea
        run, one = workspace._ctx.db.run, workspace._ctx.db.one
        source_ref = names
        if names in ("ref", "uid", "anchor"):
            source_ref = one(f"SELECT {names} FROM memories WHERE id = ?", (tea,))
        run("UPDATE memories SET source_ref = ?, source_type = ? WHERE id = ?", (source_ref, type, bo))
        for id, other, out, kind in ((bo, basis, True, "based-on"), (basis, bo, False, "basis-for")):
            edges = [e for e in memory_neighborhood(workspace, id).edges if e.origin is Origin.FIELD]
            detail = workspace.detail(id)
            assert detail is not None
            assert [(e.out, e.node.key, e.times) for e in edges] == [
                (out, workspace.node_key(other), 1)
            ] * has_edge
            assert [(each.kind, each.id) for each in detail.lineage] == [(kind, other)] * has_edge
        found = workspace.overview()
        assert found is not None
        assert (found.edges, found.isolated) == ((1, 1) if has_edge else (0, 3))


def test_edges_over_the_limit_are_counted_for_each_origin(workspace: Workspace) -> None:
    one, two, three = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    db = workspace._ctx.db
    stored = db.rows(
        "SELECT store_id, uid, ref FROM memories WHERE id IN (?, ?) ORDER BY id = ?", (one, two, two)
    )
    (store, uid, _), (other_store, _, ref) = stored
    insert = "INSERT INTO memories (uid, store_id, ref, seen_at, content, {}) VALUES (?1, ?2, ?1, 1, ?1, ?3)"
    count = 2_100
    with db.atomic():
        db.run_many(insert.format("superseded_by"), [(f"s{n}", store, uid) for n in range(count)])
        db.run_many(insert.format("source_ref"), [(f"r{n}", other_store, ref) for n in range(count)])
        db.run_many(
            "INSERT INTO local_relations (source_id, target, kind) VALUES (?, ?, 'supports')",
            [(three, f"gone{n}") for n in range(count)],
        )
    for id in (one, two, three):
        found = memory_neighborhood(workspace, id)
        from_store = len([e for e in found.edges if e.origin is Origin.STORE])
        assert (len(found.edges), found.total) == (2_000 + from_store, count + from_store)


def test_an_entity_with_hundreds_of_memories_keeps_all_relations(tmp_path: Path) -> None:
    with open_graph(tmp_path, [entity("Ana", *(f"note {n}" for n in range(300))), entity("Bo")]) as (
        workspace,
        _,
    ):
        (own,) = workspace.add({"content": "Keeps bees."}).ids
        first, last = (find_id(workspace, f'"note {n}"') for n in (0, 299))
        for id in (first, last):
            workspace.relate(id, "supports", own)
        found = entity_neighborhood(workspace, "Ana")
        assert found.total == 2


# -- missing memories


def test_a_local_relation_with_a_missing_target_has_its_own_node(tmp_path: Path) -> None:
    with open_graph(tmp_path, [entity("Ana", "likes tea"), entity("Bo", "sails")]) as (workspace, _):
        bo = find_id(workspace, "sails")
        (own,) = workspace.add({"content": "Keeps bees."}).ids
        workspace.relate(own, "supports", bo)
        # No memory has this uid any more, but an entity happens to have it as its name.
        workspace._ctx.db.run("UPDATE local_relations SET target = 'Bo'")
        (edge,) = memory_neighborhood(workspace, own).edges
        assert (edge.node.id, edge.node.label, edge.node.key.name) == (None, "Bo", "Bo")
        assert edge.node.key != workspace.node_key(bo)
        found = workspace.neighborhood(edge.node.key, hops=2)
        assert found is not None
        assert (found.center.id, found.center.label, found.total) == (None, "Bo", 1)
        assert [(e.kind, e.out, e.node.label, e.ends) for e in found.edges] == [
            ("supports", False, "Keeps bees.", (own, None))
        ]
        assert workspace.texts_of(edge.node.key) == []
        assert not entity_neighborhood(workspace, "Bo").edges
        # A memory with that uid takes the node's place.
        workspace._ctx.db.run("UPDATE memories SET uid = 'Bo' WHERE id = ?", (bo,))
        restored = workspace.neighborhood(edge.node.key)
        assert restored is not None
        assert (restored.center.id, len(restored.edges)) == (bo, 1)
        workspace._ctx.db.run("DELETE FROM local_relations")
        assert workspace.neighborhood(edge.node.key._replace(name="nobody")) is None


def test_detached_and_removed_memories_are_marked_as_removed(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea"), entity("Bo", "sails"), relation("Ana", "knows", "Bo")]
    with open_graph(tmp_path, objects) as (workspace, store_path):
        tea, bo = find_id(workspace, "likes tea"), find_id(workspace, "sails")
        (own,) = workspace.add({"content": "Keeps bees."}).ids
        workspace.relate(own, "supports", tea)
        workspace.relate(own, "supports", bo)
        assert not any(e.node.removed for e in memory_neighborhood(workspace, own).edges)
        store_path.write_text(
            "\n".join(line for line in store_path.read_text().splitlines() if "Bo" not in line)
        )
        workspace.pull()
        nodes = {e.node.id: (e.node.label, e.node.removed) for e in memory_neighborhood(workspace, own).edges}
        assert nodes == {tea: ("Ana", False), bo: ("Bo", True)}
        name = workspace._ctx.db.one("SELECT name FROM stores WHERE format <> 'native'")
        workspace.detach(name)
        nodes = {e.node.id: (e.node.label, e.node.removed) for e in memory_neighborhood(workspace, own).edges}
        assert nodes == {tea: ("Ana", True), bo: ("Bo", True)}
        assert memory_neighborhood(workspace, tea).center.removed
        assert not memory_neighborhood(workspace, own).center.removed


# -- older workspaces


@pytest.mark.parametrize("version", sample_cases(range(4, 10), 3))
def test_an_older_workspace_opened_read_only_shows_its_relations(version: int, tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    create_workspace(path, version)
    connection = apsw.Connection(str(path))
    connection.execute(
        "UPDATE memories SET anchor = uid; UPDATE memories SET superseded_by = 'u2' WHERE uid = 'u1'; "
        "UPDATE memories SET source_ref = 'u3' WHERE uid = 'u1'; "
        "INSERT INTO relations (store_id, source, kind, target) VALUES (1, 'u1', 'knows', 'u4')"
    )
    connection.close()
    with closing(Workspace.open(path, read_only=True)) as workspace:
        one, two, three, four = (find_id(workspace, f'"Zebra {n}"') for n in (1, 2, 3, 4))
        detail = workspace.detail(one)
        assert detail is not None
        assert [each.id for each in detail.lineage] == [two, three]
        assert [each.target_id for each in detail.relations] == [four]
        edges = memory_neighborhood(workspace, one, hops=2, near=True).edges
        assert [(e.kind, e.out, e.node.id) for e in edges] == [
            ("supersedes", False, two),
            ("based on", True, three),
            ("knows", True, four),
        ]
        found = workspace.overview()
        assert found is not None
        assert [(each.nodes, each.edges) for each in found.clusters] == [(4, 3)]


# -- the scan


def test_contradicting_entities_are_one_pair_in_the_queue(tmp_path: Path) -> None:
    objects = [
        entity("Ana", "likes tea", "knits", "was born in May"),
        entity("Bo", "sails", "has a boat", "owns a dog"),
        relation("Ana", "contradicts", "Bo"),
    ]
    with open_graph(tmp_path, objects) as (workspace, _):
        workspace.scan()
        (found,) = workspace.pairs()
        assert {found.a, found.b} == {find_id(workspace, "likes tea"), find_id(workspace, "sails")}
        assert len(workspace.pairs(state="")) == 1


def test_a_pair_whose_relation_was_removed_is_no_edge(tmp_path: Path) -> None:
    """The pair stays until the next scan; the graph shows the current relations."""
    objects = [entity("A", "is red"), entity("B", "has wheels"), relation("A", "contradicts", "B")]
    with open_graph(tmp_path, objects) as (workspace, _):
        workspace.scan()
        assert workspace.pairs()
        one, other = (find_id(workspace, words) for words in ("red", "wheels"))
        assert [e.origin for e in entity_neighborhood(workspace, "A").edges] == [Origin.STORE]
        workspace.unrelate(one, "contradicts", other)
        assert entity_neighborhood(workspace, "A").edges == ()
