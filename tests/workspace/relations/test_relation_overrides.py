"""What a format has no place for of a relation is kept in memtui beside it (SPEC 7, S-4, S-51)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory.graph.model import Origin
from memtui.memory.relations import RelationSpec
from memtui.workspace.changes import outbox
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStore, known, pair
from tests.support.demo_workspace import Clock, detail_of, the
from tests.support.empty_workspace import empty
from tests.support.stores import minions
from tests.support.stores.mcp_memory import entity, relation
from tests.workspace.relations.test_graph import at, opened

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
    return workspace._ctx.db.rows("SELECT source, kind, target, strength, context, body FROM relation_overrides")


def ends(workspace: Workspace) -> tuple[int, int]:
    return the(workspace, "likes tea"), the(workspace, "likes ink")


def test_it_is_said_of_the_relation_and_the_store_keeps_its_bytes(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        before, mark = place.read_bytes(), place.stat().st_mtime_ns
        ana, bo = ends(workspace)
        change = workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school", "They met in 1999."))
        assert change.summary == "Changed a relation of 1 memory (knows), kept in memtui"
        assert said(workspace)["Bo"] == ("knows", 0.8, "from school", "They met in 1999.")
        assert said(workspace, "Bo")["Ana"] == ("knows", 0.8, "from school", "They met in 1999.")
        assert workspace.relation(ana, "knows", bo).values == (0.8, "from school", "They met in 1999.")
        # The other observation of the entity has the same relation.
        (told,) = detail_of(workspace, the(workspace, "lives in Rome")).relations
        assert (told.strength, told.context, told.local) == (0.8, "from school", False)
        assert told.overrides == at(workspace, "Bo").edges[0].beside == "strength, why, text"
        with pytest.raises(Refused, match="says so already"):
            workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school", "They met in 1999."))
        workspace.retie(ana, "knows", bo, RelationSpec("knows", None, "from school"))
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
        workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        change = workspace.retie(ana, "knows", bo, RelationSpec("married", 0.9, "from school"))
        assert "graph (memory.jsonl)" in change.summary
        assert "kept in memtui: strength, why" in change.summary
        assert json.loads(place.read_text().splitlines()[3]) == relation("Ana", "married", "Bo")
        assert said(workspace)["Bo"] == ("married", 0.9, "from school", "")
        workspace.retie(ana, "married", bo, RelationSpec("married", 0.9, "from school"), reverse=True)
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
        workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
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
        workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.edit([bo], {"subject": "Bob"})
        assert said(workspace)["Bob"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert said(workspace)["Bo"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert (place.read_bytes(), notes(workspace)) == (before, [])


def test_an_older_change_is_not_taken_back_under_a_newer_one(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = ends(workspace)
        first = workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8))
        workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.3))
        with pytest.raises(Refused, match="changed since"):
            workspace.undo(first.journal_id)
        assert said(workspace)["Bo"] == ("knows", 0.3, "", "")


def test_a_purge_leaves_no_word_of_it(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = ends(workspace)
        cy = the(workspace, "likes rain")
        workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.retie(bo, "pays", cy, RelationSpec("pays", 0.2, "ana says she likes tea"))
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


def test_a_purge_reaches_words_that_quote_a_memory_of_another_store(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = ends(workspace)
        (own,) = workspace.add({"content": "The vault opens at seven for the blue quokka"}).ids
        workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "The vault opens at seven for the blue quokka"))
        workspace.purge([own])
        assert notes(workspace) == [("Ana", "knows", "Bo", 0.8, "", "")]
        assert said(workspace)["Bo"] == ("knows", 0.8, "", "")


def test_undo_goes_on_across_a_new_name(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        before = place.read_bytes()
        ana, bo = ends(workspace)
        renamed = workspace.edit([bo], {"subject": "Bob"})
        noted = workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.undo(renamed.journal_id)
        assert said(workspace)["Bo"] == ("knows", 0.8, "from school", "")
        workspace.undo()
        assert (place.read_bytes(), notes(workspace)) == (before, [])
        # The other way round: the note came before the name.
        noted = workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "from school"))
        workspace.edit([bo], {"subject": "Bob"})
        workspace.undo(noted.journal_id)
        assert said(workspace)["Bob"] == ("knows", None, "", "")
        workspace.undo()
        assert (place.read_bytes(), notes(workspace)) == (before, [])


@pytest.mark.parametrize("made", [False, True], ids=["changed", "made"])
def test_what_a_note_stands_on_is_not_taken_back_under_it(made: bool, tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        before = place.read_bytes()
        ana, other = (the(workspace, words) for words in ("likes tea", "likes rain" if made else "likes ink"))
        if made:
            first = workspace.relate(ana, "married", other)
        else:
            first = workspace.retie(ana, "knows", other, RelationSpec("married"))
        workspace.retie(ana, "married", other, RelationSpec("married", 0.8, "in May"))
        with pytest.raises(Refused, match="changed since"):
            workspace.undo(first.journal_id)
        workspace.undo()
        workspace.undo()
        assert (place.read_bytes(), notes(workspace)) == (before, [])


def test_two_memtuis_lose_no_word_of_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, _):
        ana, bo = ends(workspace)
        first, second = RelationSpec("knows", 0.1, "by the other one"), RelationSpec("knows", 0.9)
        ask = outbox._ask

        def meanwhile(pieces: Any) -> None:
            monkeypatch.undo()
            ask(pieces)
            other = Workspace.open(tmp_path / "w" / "workspace.db", clock=Clock())
            other.retie(ana, "knows", bo, first)
            other.close()

        monkeypatch.setattr(outbox, "_ask", meanwhile)
        with pytest.raises(Refused, match="another memtui"):
            workspace.retie(ana, "knows", bo, second)
        assert said(workspace)["Bo"] == ("knows", 0.1, "by the other one", "")
        workspace.retie(ana, "knows", bo, second)
        workspace.undo()
        workspace.undo()
        assert notes(workspace) == []


def test_what_changes_nothing_is_no_change(tmp_path: Path) -> None:
    objects = [*OBJECTS, relation("Ana", "mirrors", "Ana")]
    with opened(tmp_path, objects) as (workspace, place):
        before, lines = place.read_bytes(), len(workspace.journal())
        tea, rome = the(workspace, "likes tea"), the(workspace, "lives in Rome")
        with pytest.raises(Refused):
            workspace.retie(tea, "mirrors", rome, RelationSpec("mirrors"), reverse=True)
        assert (place.read_bytes(), notes(workspace)) == (before, [])
        done = [event for event in workspace.journal() if event.state == "done"]
        assert len(done) == lines


def test_one_that_rests_is_not_written_over(tmp_path: Path) -> None:
    with opened(tmp_path, OBJECTS) as (workspace, place):
        ana, bo = ends(workspace)
        workspace.retie(ana, "knows", bo, RelationSpec("knows", 0.8, "about Bo"))
        place.write_text(place.read_text().replace('"Bo"', '"Bob"'))  # an agent does
        workspace.pull()
        bob = the(workspace, "likes ink")
        workspace.retie(ana, "knows", bob, RelationSpec("knows", 0.3, "about Bob"))
        there = sorted(notes(workspace), key=str)
        assert len(there) == 2
        workspace.edit([bob], {"subject": "Bo"})
        workspace.undo()
        assert sorted(notes(workspace), key=str) == there


def test_one_of_two_like_relations_leaves_the_other_its_note(tmp_path: Path) -> None:
    said_of = {"detectedAt": minions.AT, "detectedBy": "scout", "resolution": "unresolved"}
    ends_of = {"memoryIdA": minions.uid(1), "memoryIdB": minions.uid(2)}
    facts = [minions.item(n, f"key{n}", text) for n, text in enumerate(("Tea is good", "Tea is bad"), 1)]
    pairs = [
        minions.minion(n, "contradiction", {**ends_of, **said_of, "description": words})
        for n, words in ((201, "first"), (202, "second"))
    ]
    place = minions.make(tmp_path / "m", *facts, *pairs).root
    workspace = Workspace.open(empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(place)
    one, other = the(workspace, "Tea is good"), the(workspace, "Tea is bad")
    told = detail_of(workspace, one).relations
    if told[0].source_id == other:
        one, other = other, one
    first = RelationSpec("contradicts", None, "first", local=False)
    workspace.retie(one, "contradicts", other, RelationSpec("contradicts", 0.9, "first"), was=first)
    knew = known(workspace)
    workspace.unrelate(one, "contradicts", other, was=RelationSpec("contradicts", 0.9, "second", local=False))
    (left,) = detail_of(workspace, one).relations
    assert (left.strength, left.context) == (0.9, "first")
    workspace.undo()
    assert known(workspace)["notes"] == knew["notes"]
    workspace.close()


@pytest.mark.parametrize("format", ["mcp-memory", "base-coat"])
def test_a_verdict_takes_it_along_and_undo_brings_it_back(format: str, tmp_path: Path) -> None:
    disputed = ContradictionStore(tmp_path, (format,)).begin()
    kind = {"mcp-memory": "knows of", "base-coat": "supports"}[format]
    with disputed.opened() as workspace:
        one, other, _, outsider = disputed.four(workspace, format)
        workspace.relate(other, kind, outsider, strength=0.7, context="it was said so")
        assert [row[3:5] for row in notes(workspace)] == [(0.7, "it was said so")]
        found = pair(workspace, one, other)
        before, knew = disputed.stands(), known(workspace)
        a, _ = sorted((one, other))
        workspace.settle(found, "keep-a" if a == one else "keep-b")
        told = detail_of(workspace, one).relations
        moved = [(r.strength, r.context, r.local) for r in told if (r.kind, r.target_id) == (kind, outsider)]
        assert moved == [(0.7, "it was said so", False)]
        settled = notes(workspace)
        workspace.undo()
        assert (disputed.stands(), known(workspace)) == (before, knew)
        workspace.redo()
        assert notes(workspace) == settled
        workspace.undo()
        assert (disputed.stands(), known(workspace)) == (before, knew)
