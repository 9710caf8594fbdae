"""Relation fields that a format cannot store are kept in memtui as overrides (SPEC 7, S-4, S-51)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory.graph.model import Origin
from memtui.memory.relations import RelationSpec
from memtui.workspace.changes import preconditions
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores, add_pair, workspace_rows
from tests.support.demo_workspace import Clock, detail_of, find_id
from tests.support.empty_workspace import create_empty
from tests.support.stores import minions
from tests.support.stores.mcp_memory import entity, relation
from tests.workspace.relations.graph_workspace import entity_neighborhood, open_graph

OBJECTS = [
    entity("Ana", "likes tea", "lives in Rome"),
    entity("Bo", "likes ink"),
    entity("Cy", "likes rain"),
    relation("Ana", "knows", "Bo"),
    relation("Bo", "pays", "Cy"),
]


def stored_edges(workspace: Workspace, name: str = "Ana") -> dict[str, tuple[str, float | None, str, str]]:
    """Return kind, strength, context and body of an entity's relations, by the label of the other end."""
    edges = entity_neighborhood(workspace, name).edges
    assert {edge.origin for edge in edges} <= {Origin.STORE}
    return {edge.node.label: (edge.kind, edge.strength, edge.context, edge.body) for edge in edges}


def overrides(workspace: Workspace) -> list[tuple[object, ...]]:
    return workspace._ctx.db.rows(
        "SELECT source, kind, target, strength, context, body FROM relation_overrides"
    )


def both_ids(workspace: Workspace) -> tuple[int, int]:
    return find_id(workspace, "likes tea"), find_id(workspace, "likes ink")


def test_an_override_leaves_the_store_unchanged(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        before, mtime = path.read_bytes(), path.stat().st_mtime_ns
        ana, bo = both_ids(workspace)
        change = workspace.update_relation(
            ana, "knows", bo, RelationSpec("knows", 0.8, "from school", "They met in 1999.")
        )
        assert change.summary == "Changed a relation of 1 memory (knows), kept in memtui"
        assert stored_edges(workspace)["Bo"] == ("knows", 0.8, "from school", "They met in 1999.")
        assert stored_edges(workspace, "Bo")["Ana"] == ("knows", 0.8, "from school", "They met in 1999.")
        assert workspace.relation(ana, "knows", bo).values == (0.8, "from school", "They met in 1999.")
        # The other observation of the entity has the same relation.
        (relation_now,) = detail_of(workspace, find_id(workspace, "lives in Rome")).relations
        assert (relation_now.strength, relation_now.context, relation_now.local) == (
            0.8,
            "from school",
            False,
        )
        assert (
            relation_now.overrides
            == entity_neighborhood(workspace, "Bo").edges[0].overrides
            == "strength, reason, text"
        )
        with pytest.raises(Refused, match="Nothing would change"):
            workspace.update_relation(
                ana, "knows", bo, RelationSpec("knows", 0.8, "from school", "They met in 1999.")
            )
        workspace.update_relation(ana, "knows", bo, RelationSpec("knows", None, "from school"))
        assert stored_edges(workspace)["Bo"] == ("knows", None, "from school", "")
        workspace.undo()
        assert stored_edges(workspace)["Bo"] == ("knows", 0.8, "from school", "They met in 1999.")
        workspace.redo()
        workspace.undo()
        workspace.undo()
        assert stored_edges(workspace)["Bo"] == ("knows", None, "", "")
        assert (overrides(workspace), entity_neighborhood(workspace, "Bo").edges[0].overrides) == ([], "")
        assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, mtime)


def test_an_override_follows_a_changed_relation(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        before = path.read_bytes()
        ana, bo = both_ids(workspace)
        workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        change = workspace.update_relation(ana, "knows", bo, RelationSpec("married", 0.9, "from school"))
        assert "graph (memory.jsonl)" in change.summary
        assert "kept in memtui: strength, reason" in change.summary
        assert json.loads(path.read_text().splitlines()[3]) == relation("Ana", "married", "Bo")
        assert stored_edges(workspace)["Bo"] == ("married", 0.9, "from school", "")
        workspace.update_relation(
            ana, "married", bo, RelationSpec("married", 0.9, "from school"), reverse=True
        )
        assert json.loads(path.read_text().splitlines()[3]) == relation("Bo", "married", "Ana")
        assert [row[:3] for row in overrides(workspace)] == [("Bo", "married", "Ana")]
        assert stored_edges(workspace)["Bo"] == ("married", 0.9, "from school", "")
        workspace.unrelate(bo, "married", ana)
        assert (stored_edges(workspace), overrides(workspace)) == ({}, [])
        for expected in (("married", 0.9, "from school", ""),) * 2 + (("knows", 0.8, "from school", ""),):
            workspace.undo()
            assert stored_edges(workspace)["Bo"] == expected
        workspace.undo()
        assert (path.read_bytes(), overrides(workspace)) == (before, [])


def test_a_new_relation_may_have_overrides(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        before = path.read_bytes()
        ana, cy = find_id(workspace, "likes tea"), find_id(workspace, "likes rain")
        change = workspace.relate(ana, "owes", cy, strength=2.0, context="since  May")
        assert "kept in memtui: strength, reason" in change.summary
        assert stored_edges(workspace)["Cy"] == ("owes", 1.0, "since  May", "")
        assert json.loads(path.read_text().splitlines()[-1]) == relation("Ana", "owes", "Cy")
        workspace.undo()
        assert (path.read_bytes(), overrides(workspace)) == (before, [])
        workspace.redo()
        assert stored_edges(workspace)["Cy"] == ("owes", 1.0, "since  May", "")


def test_an_override_is_inactive_while_its_relation_is_missing(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        whole = path.read_text()
        ana, bo = both_ids(workspace)
        workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        path.write_text("\n".join(line for line in whole.splitlines() if '"knows"' not in line))
        workspace.pull()
        assert stored_edges(workspace) == {}
        path.write_text(whole)
        workspace.pull()
        assert stored_edges(workspace)["Bo"] == ("knows", 0.8, "from school", "")
        # A relation that the user makes again does not get the old override.
        workspace.unrelate(ana, "knows", bo)
        workspace.relate(ana, "knows", bo)
        assert stored_edges(workspace)["Bo"] == ("knows", None, "", "")


def test_an_override_follows_a_renamed_entity(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        before = path.read_bytes()
        ana, bo = both_ids(workspace)
        workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.edit([bo], {"subject": "Bob"})
        assert stored_edges(workspace)["Bob"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert stored_edges(workspace)["Bo"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert (path.read_bytes(), overrides(workspace)) == (before, [])


def test_an_older_override_is_not_undone_before_a_newer_one(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = both_ids(workspace)
        first = workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8))
        workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.3))
        with pytest.raises(Refused, match="changed since"):
            workspace.undo(first.journal_id)
        assert stored_edges(workspace)["Bo"] == ("knows", 0.3, "", "")


def test_a_purge_erases_overrides(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = both_ids(workspace)
        cy = find_id(workspace, "likes rain")
        workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.update_relation(bo, "pays", cy, RelationSpec("pays", 0.2, "ana says she likes tea"))
        workspace.purge([ana])
        assert overrides(workspace) == [
            ("Ana", "knows", "Bo", 0.8, "from school", ""),  # Ana still lives in Rome
            ("Bo", "pays", "Cy", 0.2, "", ""),
        ]
        assert stored_edges(workspace, "Cy")["Bo"] == ("pays", 0.2, "", "")
        workspace.purge([find_id(workspace, "lives in Rome")])
        (bare,) = workspace.search("subject:Ana").ids  # its entity is still stored, without observations
        workspace.purge([bare])
        assert overrides(workspace) == [("Bo", "pays", "Cy", 0.2, "", "")]


def test_a_purge_erases_overrides_that_quote_the_memory(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = both_ids(workspace)
        (own,) = workspace.add({"content": "The vault opens at seven for the blue quokka"}).ids
        workspace.update_relation(
            ana, "knows", bo, RelationSpec("knows", 0.8, "The vault opens at seven for the blue quokka")
        )
        workspace.purge([own])
        assert overrides(workspace) == [("Ana", "knows", "Bo", 0.8, "", "")]
        assert stored_edges(workspace)["Bo"] == ("knows", 0.8, "", "")


def test_undo_works_across_a_renaming(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        before = path.read_bytes()
        ana, bo = both_ids(workspace)
        renamed = workspace.edit([bo], {"subject": "Bob"})
        noted = workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.undo(renamed.journal_id)
        assert stored_edges(workspace)["Bo"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert (path.read_bytes(), overrides(workspace)) == (before, [])
        # The other way round: the override came before the renaming.
        noted = workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.edit([bo], {"subject": "Bob"})
        workspace.undo(noted.journal_id)
        assert stored_edges(workspace)["Bob"] == ("knows", None, "", "")
        workspace.undo()
        assert (path.read_bytes(), overrides(workspace)) == (before, [])


@pytest.mark.parametrize("is_new", [False, True], ids=["changed", "made"])
def test_a_relation_with_an_override_is_not_undone_first(is_new: bool, tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        before = path.read_bytes()
        ana, other = (
            find_id(workspace, words) for words in ("likes tea", "likes rain" if is_new else "likes ink")
        )
        if is_new:
            first = workspace.relate(ana, "married", other)
        else:
            first = workspace.update_relation(ana, "knows", other, RelationSpec("married"))
        workspace.update_relation(ana, "married", other, RelationSpec("married", 0.8, "in May"))
        with pytest.raises(Refused, match="changed since"):
            workspace.undo(first.journal_id)
        workspace.undo()
        workspace.undo()
        assert (path.read_bytes(), overrides(workspace)) == (before, [])


def test_a_concurrent_override_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = both_ids(workspace)
        first, second = RelationSpec("knows", 0.1, "by the other one"), RelationSpec("knows", 0.9)
        real_read = preconditions.read_stored_fields

        def update_meanwhile(items: Any) -> None:
            monkeypatch.undo()
            real_read(items)
            other = Workspace.open(tmp_path / "w" / "workspace.db", clock=Clock())
            other.update_relation(ana, "knows", bo, first)
            other.close()

        monkeypatch.setattr(preconditions, "read_stored_fields", update_meanwhile)
        with pytest.raises(Refused, match="another memtui"):
            workspace.update_relation(ana, "knows", bo, second)
        assert stored_edges(workspace)["Bo"] == ("knows", 0.1, "by the other one", "")
        workspace.update_relation(ana, "knows", bo, second)
        workspace.undo()
        workspace.undo()
        assert overrides(workspace) == []


def test_reversing_a_loop_is_refused(tmp_path: Path) -> None:
    objects = [*OBJECTS, relation("Ana", "mirrors", "Ana")]
    with open_graph(tmp_path, objects) as (workspace, path):
        before, entries = path.read_bytes(), len(workspace.journal())
        tea, rome = find_id(workspace, "likes tea"), find_id(workspace, "lives in Rome")
        with pytest.raises(Refused):
            workspace.update_relation(tea, "mirrors", rome, RelationSpec("mirrors"), reverse=True)
        assert (path.read_bytes(), overrides(workspace)) == (before, [])
        done = [event for event in workspace.journal() if event.state == "done"]
        assert len(done) == entries


def test_an_inactive_override_is_not_overwritten(tmp_path: Path) -> None:
    with open_graph(tmp_path, OBJECTS) as (workspace, path):
        ana, bo = both_ids(workspace)
        workspace.update_relation(ana, "knows", bo, RelationSpec("knows", 0.8, "about Bo"))
        path.write_text(path.read_text().replace('"Bo"', '"Bob"'))  # by an agent
        workspace.pull()
        bob = find_id(workspace, "likes ink")
        workspace.update_relation(ana, "knows", bob, RelationSpec("knows", 0.3, "about Bob"))
        stored = sorted(overrides(workspace), key=str)
        assert len(stored) == 2
        workspace.edit([bob], {"subject": "Bo"})
        workspace.undo()
        assert sorted(overrides(workspace), key=str) == stored


def test_removing_one_of_two_equal_relations_keeps_the_others_override(tmp_path: Path) -> None:
    fields = {"detectedAt": minions.AT, "detectedBy": "scout", "resolution": "unresolved"}
    members = {"memoryIdA": minions.uid(1), "memoryIdB": minions.uid(2)}
    facts = [minions.item(n, f"key{n}", text) for n, text in enumerate(("Tea is good", "Tea is bad"), 1)]
    pairs = [
        minions.minion(n, "contradiction", {**members, **fields, "description": words})
        for n, words in ((201, "first"), (202, "second"))
    ]
    path = minions.make(tmp_path / "m", *facts, *pairs).root
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(path)
    first_id, other = find_id(workspace, "Tea is good"), find_id(workspace, "Tea is bad")
    relations = detail_of(workspace, first_id).relations
    if relations[0].source_id == other:
        first_id, other = other, first_id
    first = RelationSpec("contradicts", None, "first", local=False)
    workspace.update_relation(
        first_id, "contradicts", other, RelationSpec("contradicts", 0.9, "first"), was=first
    )
    rows_before = workspace_rows(workspace)
    workspace.unrelate(
        first_id, "contradicts", other, was=RelationSpec("contradicts", 0.9, "second", local=False)
    )
    (remaining,) = detail_of(workspace, first_id).relations
    assert (remaining.strength, remaining.context) == (0.9, "first")
    workspace.undo()
    assert workspace_rows(workspace)["overrides"] == rows_before["overrides"]
    workspace.close()


@pytest.mark.parametrize("format", ["mcp-memory", "base-coat"])
def test_a_verdict_moves_overrides_and_undo_restores_them(format: str, tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    kind = {"mcp-memory": "knows of", "base-coat": "supports"}[format]
    with stores.opened() as workspace:
        first_id, other, _, outsider = stores.sample_ids(workspace, format)
        workspace.relate(other, kind, outsider, strength=0.7, context="it was said so")
        assert [row[3:5] for row in overrides(workspace)] == [(0.7, "it was said so")]
        found = add_pair(workspace, first_id, other)
        before, rows_before = stores.snapshot(), workspace_rows(workspace)
        a, _ = sorted((first_id, other))
        workspace.settle(found, "keep-a" if a == first_id else "keep-b")
        relations = detail_of(workspace, first_id).relations
        moved = [
            (r.strength, r.context, r.local) for r in relations if (r.kind, r.target_id) == (kind, outsider)
        ]
        assert moved == [(0.7, "it was said so", False)]
        settled = overrides(workspace)
        workspace.undo()
        assert (stores.snapshot(), workspace_rows(workspace)) == (before, rows_before)
        workspace.redo()
        assert overrides(workspace) == settled
        workspace.undo()
        assert (stores.snapshot(), workspace_rows(workspace)) == (before, rows_before)
