"""The graph around a memory: seen from both ends, told by everybody, however odd it is (SPEC 9)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.memory.graph.model import Around, Edge, Family, Origin, Spot
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStore, pair
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, NATIVE, SAMPLE, Clock, the
from tests.support.empty_workspace import empty
from tests.support.stores import graphs
from tests.support.stores.mcp_memory import entity, relation
from tests.workspace.vectors.test_meaning import old


@contextmanager
def opened(folder: Path, objects: list[dict[str, Any]]) -> Iterator[tuple[Workspace, Path]]:
    """A workspace on one graph."""
    place = graphs.place(folder, objects)
    workspace = Workspace.open(empty(folder / "w" / "workspace.db"), clock=Clock())
    workspace.attach(place, "graph")
    try:
        yield workspace, place
    finally:
        workspace.close()


def store(workspace: Workspace) -> int:
    """The row of the foreign store."""
    return int(workspace._ctx.db.one("SELECT id FROM stores WHERE format <> 'native'"))


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


def test_whom_one_looks_for_is_each_node_once_and_the_name_typed_comes_first(tmp_path: Path) -> None:
    objects = [
        entity("Anatol", *(f"met Ana {n} times" for n in range(30))),
        entity("Bo", "is Ana's brother", "owes Ana money"),
        entity("Ana", "likes tea"),
        entity("Zoe", "knows Ana", "knows Bo"),
    ]
    with opened(tmp_path, objects) as (workspace, _):
        here = the(workspace, "likes tea")
        found = workspace.nodes("Ana")
        assert [node.label for node in found[:2]] == ["Ana", "Anatol"]
        assert sorted((node.label, node.count) for node in found[2:]) == [("Bo", 2), ("Zoe", 2)]
        assert "Ana" not in [node.label for node in workspace.nodes("Ana", but=here)]
        assert [node.label for node in workspace.nodes("ana")[:2]] == ["Ana", "Anatol"]
        assert {node.label for node in workspace.nodes("")} == {"Ana", "Anatol", "Bo", "Zoe"}
        # Those that were taken out are no entity's any more: each stands for itself.
        brother, money = the(workspace, "brother"), the(workspace, "owes")
        workspace.dismiss([brother, money])
        gone = [node.spot for node in workspace.nodes("status:dismissed")]
        assert sorted(gone) == [Spot(store(workspace), "", brother), Spot(store(workspace), "", money)]
        assert len(workspace.nodes("", 2)) == 2


def test_the_very_name_is_found_among_thousands_that_fit_better(tmp_path: Path) -> None:
    objects = [entity(f"plan {n}", "plan plan plan plan") for n in range(5_200)]
    objects.insert(0, entity("plan", "one that says " + "much else " * 300))
    with opened(tmp_path, objects) as (workspace, _):
        found = workspace.nodes("plan", 10)
        assert len(found) == 10
        assert found[0].label == "plan"


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
    disputed = ContradictionStore(tmp_path, ("native", "minions")).begin()
    with disputed.opened() as workspace:
        one, other, *_ = disputed.four(workspace, "native")
        workspace.supersede([other], one)
        assert ("supersedes", True, Origin.FIELD) in {
            (e.kind, e.out, e.origin) for e in around_of(workspace, one).edges
        }
        assert ("supersedes", False) in {(e.kind, e.out) for e in around_of(workspace, other).edges}
        lesson, item, *_ = disputed.four(workspace, "minions")
        ref = workspace.memories([item])[0].ref
        workspace._ctx.db.run("UPDATE memories SET source_ref = ? WHERE id = ?", (ref, lesson))
        assert ("rests on", True, Origin.FIELD) in {
            (e.kind, e.out, e.origin) for e in around_of(workspace, lesson).edges
        }
        assert ("rests on", False) in {(e.kind, e.out) for e in around_of(workspace, item).edges}


def test_what_the_sweep_found_is_beside_it_until_it_is_settled(tmp_path: Path) -> None:
    disputed = ContradictionStore(tmp_path, ("native",)).begin()
    with disputed.opened() as workspace:
        one, other, *_ = disputed.four(workspace, "native")
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


# -- what fields say


@pytest.mark.parametrize(
    ("names", "type", "tied"),
    [
        ("ref", None, True),
        ("uid", None, True),
        ("anchor", None, True),
        ("7", None, False),
        ("7", "Memory", True),
        ("nothing", "memory", False),
    ],
)
def test_all_agree_on_what_a_memory_rests_on(
    names: str, type: str | None, tied: bool, tmp_path: Path
) -> None:
    objects = [entity("Ana", "likes tea", "knits"), entity("7", "is a number"), entity("Bo", "sails")]
    with opened(tmp_path, objects) as (workspace, _):
        tea, number, bo = (the(workspace, words) for words in ("likes tea", "is a number", "sails"))
        basis = number if names == "7" else tea
        run, one = workspace._ctx.db.run, workspace._ctx.db.one
        said = names
        if names in ("ref", "uid", "anchor"):
            said = one(f"SELECT {names} FROM memories WHERE id = ?", (tea,))
        run("UPDATE memories SET source_ref = ?, source_type = ? WHERE id = ?", (said, type, bo))
        for id, other, out, kind in ((bo, basis, True, "rests-on"), (basis, bo, False, "carries")):
            edges = [e for e in around_of(workspace, id).edges if e.origin is Origin.FIELD]
            detail = workspace.detail(id)
            assert detail is not None
            assert [(e.out, e.node.spot, e.times) for e in edges] == [(out, workspace.spot(other), 1)] * tied
            assert [(each.kind, each.id) for each in detail.lineage] == [(kind, other)] * tied
        found = workspace.overview()
        assert found is not None
        assert (found.edges, found.alone) == ((1, 1) if tied else (0, 3))


def test_more_than_is_read_is_counted_whoever_tells_it(workspace: Workspace) -> None:
    one, two, three = (the(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    db = workspace._ctx.db
    said = db.rows(
        "SELECT store_id, uid, ref FROM memories WHERE id IN (?, ?) ORDER BY id = ?", (one, two, two)
    )
    (store, uid, _), (others, _, ref) = said
    made = "INSERT INTO memories (uid, store_id, ref, seen_at, content, {}) VALUES (?1, ?2, ?1, 1, ?1, ?3)"
    count = 2_100
    with db.atomic():
        db.run_many(made.format("superseded_by"), [(f"s{n}", store, uid) for n in range(count)])
        db.run_many(made.format("source_ref"), [(f"r{n}", others, ref) for n in range(count)])
        db.run_many(
            "INSERT INTO local_relations (source_id, target, kind) VALUES (?, ?, 'supports')",
            [(three, f"gone{n}") for n in range(count)],
        )
    for id in (one, two, three):
        found = around_of(workspace, id)
        told = len([e for e in found.edges if e.origin is Origin.STORE])
        assert (len(found.edges), found.total) == (2_000 + told, count + told)


def test_of_an_entity_with_very_many_memories_none_is_forgotten(tmp_path: Path) -> None:
    with opened(tmp_path, [entity("Ana", *(f"note {n}" for n in range(300))), entity("Bo")]) as (
        workspace,
        _,
    ):
        (own,) = workspace.add({"content": "Keeps bees."}).ids
        first, last = (the(workspace, f'"note {n}"') for n in (0, 299))
        for id in (first, last):
            workspace.relate(id, "supports", own)
        found = at(workspace, "Ana")
        assert found.total == 2


# -- what is not there


def test_a_tie_whose_target_is_gone_has_a_spot_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path, [entity("Ana", "likes tea"), entity("Bo", "sails")]) as (workspace, _):
        bo = the(workspace, "sails")
        (own,) = workspace.add({"content": "Keeps bees."}).ids
        workspace.relate(own, "supports", bo)
        # Nobody has the uid any more; by chance an entity bears it as a name.
        workspace._ctx.db.run("UPDATE local_relations SET target = 'Bo'")
        (edge,) = around_of(workspace, own).edges
        assert (edge.node.id, edge.node.label, edge.node.spot.name) == (None, "Bo", "Bo")
        assert edge.node.spot != workspace.spot(bo)
        found = workspace.around(edge.node.spot, hops=2)
        assert found is not None
        assert (found.centre.id, found.centre.label, found.total) == (None, "Bo", 1)
        assert [(e.kind, e.out, e.node.label, e.ends) for e in found.edges] == [
            ("supports", False, "Keeps bees.", (own, None))
        ]
        assert workspace.said_at(edge.node.spot) == []
        assert not at(workspace, "Bo").edges
        # What came back is itself again.
        workspace._ctx.db.run("UPDATE memories SET uid = 'Bo' WHERE id = ?", (bo,))
        back = workspace.around(edge.node.spot)
        assert back is not None
        assert (back.centre.id, len(back.edges)) == (bo, 1)
        workspace._ctx.db.run("DELETE FROM local_relations")
        assert workspace.around(edge.node.spot._replace(name="nobody")) is None


def test_what_is_detached_or_removed_is_shown_as_not_there(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea"), entity("Bo", "sails"), relation("Ana", "knows", "Bo")]
    with opened(tmp_path, objects) as (workspace, place):
        tea, bo = the(workspace, "likes tea"), the(workspace, "sails")
        (own,) = workspace.add({"content": "Keeps bees."}).ids
        workspace.relate(own, "supports", tea)
        workspace.relate(own, "supports", bo)
        assert not any(e.node.removed for e in around_of(workspace, own).edges)
        place.write_text("\n".join(line for line in place.read_text().splitlines() if "Bo" not in line))
        workspace.pull()
        told = {e.node.id: (e.node.label, e.node.removed) for e in around_of(workspace, own).edges}
        assert told == {tea: ("Ana", False), bo: ("Bo", True)}
        name = workspace._ctx.db.one("SELECT name FROM stores WHERE format <> 'native'")
        workspace.detach(name)
        told = {e.node.id: (e.node.label, e.node.removed) for e in around_of(workspace, own).edges}
        assert told == {tea: ("Ana", True), bo: ("Bo", True)}
        assert around_of(workspace, tea).centre.removed
        assert not around_of(workspace, own).centre.removed


# -- older workspaces


@pytest.mark.parametrize("version", range(4, 10))
def test_an_older_workspace_that_is_only_read_shows_what_it_has(version: int, tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    old(path, version)
    connection = apsw.Connection(str(path))
    connection.execute(
        "UPDATE memories SET anchor = uid; UPDATE memories SET superseded_by = 'u2' WHERE uid = 'u1'; "
        "UPDATE memories SET source_ref = 'u3' WHERE uid = 'u1'; "
        "INSERT INTO relations (store_id, source, kind, target) VALUES (1, 'u1', 'knows', 'u4')"
    )
    connection.close()
    with closing(Workspace.open(path, read_only=True)) as workspace:
        one, two, three, four = (the(workspace, f'"Zebra {n}"') for n in (1, 2, 3, 4))
        detail = workspace.detail(one)
        assert detail is not None
        assert [each.id for each in detail.lineage] == [two, three]
        assert [each.target_id for each in detail.relations] == [four]
        edges = around_of(workspace, one, hops=2, near=True).edges
        assert [(e.kind, e.out, e.node.id) for e in edges] == [
            ("supersedes", False, two),
            ("rests on", True, three),
            ("knows", True, four),
        ]
        found = workspace.overview()
        assert found is not None
        assert [(each.nodes, each.edges) for each in found.clusters] == [(4, 3)]


# -- the sweep


def test_entities_that_contradict_each_other_are_one_pair_for_review(tmp_path: Path) -> None:
    objects = [
        entity("Ana", "likes tea", "knits", "was born in May"),
        entity("Bo", "sails", "has a boat", "owns a dog"),
        relation("Ana", "contradicts", "Bo"),
    ]
    with opened(tmp_path, objects) as (workspace, _):
        workspace.sweep()
        (found,) = workspace.pairs()
        assert {found.a, found.b} == {the(workspace, "likes tea"), the(workspace, "sails")}
        assert len(workspace.pairs(state="")) == 1


def test_what_a_store_says_no_more_is_not_told_as_found(tmp_path: Path) -> None:
    """Its pair stands until the sweep looks again; the graph says what is so now."""
    objects = [entity("A", "is red"), entity("B", "has wheels"), relation("A", "contradicts", "B")]
    with opened(tmp_path, objects) as (workspace, _):
        workspace.sweep()
        assert workspace.pairs()
        one, other = (the(workspace, words) for words in ("red", "wheels"))
        assert [e.origin for e in at(workspace, "A").edges] == [Origin.STORE]
        workspace.unrelate(one, "contradicts", other)
        assert at(workspace, "A").edges == ()
