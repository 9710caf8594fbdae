"""What a format has no place for of a relation is kept in memtui beside it (SPEC 7, S-4, S-51)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.graph import Origin
from memtui.memory.ties import Tie
from memtui.workspace.workspace import Workspace
from tests.stores.mcp_memory import entity, relation
from tests.workspace.office import the
from tests.workspace.quarrels import Quarrel, known
from tests.workspace.test_graph import at, opened

OBJECTS = [
    entity("Ana", "likes tea", "lives in Rome"),
    entity("Bo", "likes ink"),
    entity("Cy", "likes rain"),
    relation("Ana", "knows", "Bo"),
    relation("Bo", "pays", "Cy"),
]


def said(workspace: Workspace, name: str = "Ana") -> dict[str, tuple[str, float | None, str, str]]:
    """What the relations of an entity say, by the other end."""
    edges = at(workspace, name).edges
    assert {edge.origin for edge in edges} <= {Origin.STORE}
    return {edge.node.label: (edge.kind, edge.strength, edge.context, edge.body) for edge in edges}


def notes(workspace: Workspace) -> list[tuple[object, ...]]:
    return workspace._core.db.rows("SELECT source, kind, target, strength, context, body FROM relation_notes")


def ends(workspace: Workspace) -> tuple[int, int]:
    return the(workspace, "likes tea"), the(workspace, "likes ink")


def test_it_is_said_of_the_relation_and_the_store_keeps_its_bytes(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        before, mark = place.read_bytes(), place.stat().st_mtime_ns
        ana, bo = ends(workspace)
        change = workspace.retie(ana, "knows", bo, Tie("knows", 0.8, "from school", "They met in 1999."))
        assert change.summary == "Changed a relation of 1 memory (knows), kept in memtui"
        assert said(workspace)["Bo"] == ("knows", 0.8, "from school", "They met in 1999.")
        assert said(workspace, "Bo")["Ana"] == ("knows", 0.8, "from school", "They met in 1999.")
        assert workspace.relation(ana, "knows", bo).said == (0.8, "from school", "They met in 1999.")
        # The other observation of the entity has the same relation.
        (told,) = workspace.detail(the(workspace, "lives in Rome")).relations  # type: ignore[union-attr]
        assert (told.strength, told.context, told.kept) == (0.8, "from school", False)
        assert told.beside == at(workspace, "Bo").edges[0].beside == "strength, why, text"
        with pytest.raises(Refused, match="says so already"):
            workspace.retie(ana, "knows", bo, Tie("knows", 0.8, "from school", "They met in 1999."))
        workspace.retie(ana, "knows", bo, Tie("knows", None, "from school"))
        assert said(workspace)["Bo"] == ("knows", None, "from school", "")
        workspace.undo()
        assert said(workspace)["Bo"] == ("knows", 0.8, "from school", "They met in 1999.")
        workspace.redo()
        workspace.undo()
        workspace.undo()
        assert said(workspace)["Bo"] == ("knows", None, "", "")
        assert (notes(workspace), at(workspace, "Bo").edges[0].beside) == ([], "")
        assert (place.read_bytes(), place.stat().st_mtime_ns) == (before, mark)


def test_it_goes_along_when_the_relation_changes(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        before = place.read_bytes()
        ana, bo = ends(workspace)
        workspace.retie(ana, "knows", bo, Tie("knows", 0.8, "from school"))
        change = workspace.retie(ana, "knows", bo, Tie("married", 0.9, "from school"))
        assert "graph (memory.jsonl)" in change.summary
        assert "kept in memtui: strength, why" in change.summary
        assert json.loads(place.read_text().splitlines()[3]) == relation("Ana", "married", "Bo")
        assert said(workspace)["Bo"] == ("married", 0.9, "from school", "")
        workspace.retie(ana, "married", bo, Tie("married", 0.9, "from school"), reverse=True)
        assert json.loads(place.read_text().splitlines()[3]) == relation("Bo", "married", "Ana")
        assert [row[:3] for row in notes(workspace)] == [("Bo", "married", "Ana")]
        assert said(workspace)["Bo"] == ("married", 0.9, "from school", "")
        workspace.unrelate(bo, "married", ana)
        assert (said(workspace), notes(workspace)) == ({}, [])
        for left in (("married", 0.9, "from school", ""),) * 2 + (("knows", 0.8, "from school", ""),):
            workspace.undo()
            assert said(workspace)["Bo"] == left
        workspace.undo()
        assert (place.read_bytes(), notes(workspace)) == (before, [])


def test_a_new_relation_may_say_why_and_how_strongly(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        before = place.read_bytes()
        ana, cy = the(workspace, "likes tea"), the(workspace, "likes rain")
        change = workspace.relate(ana, "owes", cy, strength=2.0, context="since  May")
        assert "kept in memtui: strength, why" in change.summary
        assert said(workspace)["Cy"] == ("owes", 1.0, "since  May", "")
        assert json.loads(place.read_text().splitlines()[-1]) == relation("Ana", "owes", "Cy")
        workspace.undo()
        assert (place.read_bytes(), notes(workspace)) == (before, [])
        workspace.redo()
        assert said(workspace)["Cy"] == ("owes", 1.0, "since  May", "")


def test_it_rests_while_the_store_tells_no_such_relation(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        whole = place.read_text()
        ana, bo = ends(workspace)
        workspace.retie(ana, "knows", bo, Tie("knows", 0.8, "from school"))
        place.write_text("\n".join(line for line in whole.splitlines() if '"knows"' not in line))
        workspace.pull()
        assert said(workspace) == {}
        place.write_text(whole)
        workspace.pull()
        assert said(workspace)["Bo"] == ("knows", 0.8, "from school", "")
        # A relation that a person makes anew says only what is said then.
        workspace.unrelate(ana, "knows", bo)
        workspace.relate(ana, "knows", bo)
        assert said(workspace)["Bo"] == ("knows", None, "", "")


def test_it_follows_an_entity_that_gets_another_name(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        before = place.read_bytes()
        ana, bo = ends(workspace)
        workspace.retie(ana, "knows", bo, Tie("knows", 0.8, "from school"))
        workspace.edit([bo], {"subject": "Bob"})
        assert said(workspace)["Bob"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert said(workspace)["Bo"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert (place.read_bytes(), notes(workspace)) == (before, [])


def test_an_older_change_is_not_taken_back_under_a_newer_one(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = ends(workspace)
        first = workspace.retie(ana, "knows", bo, Tie("knows", 0.8))
        workspace.retie(ana, "knows", bo, Tie("knows", 0.3))
        with pytest.raises(Refused, match="changed since"):
            workspace.undo(first.journal_id)
        assert said(workspace)["Bo"] == ("knows", 0.3, "", "")


def test_a_purge_leaves_no_word_of_it(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = ends(workspace)
        cy = the(workspace, "likes rain")
        workspace.retie(ana, "knows", bo, Tie("knows", 0.8, "from school"))
        workspace.retie(bo, "pays", cy, Tie("pays", 0.2, "ana says she likes tea"))
        workspace.purge([ana])
        assert notes(workspace) == [
            ("Ana", "knows", "Bo", 0.8, "from school", ""),  # Ana still lives in Rome
            ("Bo", "pays", "Cy", 0.2, "", ""),
        ]
        assert said(workspace, "Cy")["Bo"] == ("pays", 0.2, "", "")
        workspace.purge([the(workspace, "lives in Rome")])
        (bare,) = workspace.search("subject:Ana").ids  # its line stands there still, and says nothing
        workspace.purge([bare])
        assert notes(workspace) == [("Bo", "pays", "Cy", 0.2, "", "")]


@pytest.mark.parametrize("format", ["mcp-memory", "base-coat"])
def test_a_verdict_takes_it_along_and_undo_brings_it_back(format: str, tmp_path: Path) -> None:
    quarrel = Quarrel(tmp_path, (format,)).begin()
    kind = {"mcp-memory": "knows of", "base-coat": "supports"}[format]
    with quarrel.opened() as workspace:
        one, other, _, outsider = quarrel.four(workspace, format)
        workspace.relate(one, kind, outsider, strength=0.7, context="it was said so")
        before, knew, kept = quarrel.stands(), known(workspace), notes(workspace)
        assert [row[3:5] for row in kept] == [(0.7, "it was said so")]
        workspace.supersede([one], other)
        workspace.undo()
        assert (quarrel.stands(), known(workspace), notes(workspace)) == (before, knew, kept)
