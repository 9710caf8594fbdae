"""Relations between memories, and one giving way to another: where they stand, and undo (SPEC 7, S-8)."""

from __future__ import annotations

import json

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    detail_of,
    memory,
    the,
)
from tests.support.stores import rows_in


def told(workspace: Workspace, id: int) -> list[tuple[str, str, bool]]:
    """The relations of a memory: kind, the way it leads, whether memtui keeps it."""
    detail = detail_of(workspace, id)
    return [(r.kind, "out" if r.source_id == id else "in", r.local) for r in detail.relations]


def test_between_stores_it_is_kept_in_memtui_and_seen_from_both_ends(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = {name: place.read_bytes() for name, place in demo_workspace.places.items() if name == MCP}
    one, other = the(workspace, SAMPLE[NATIVE]), the(workspace, SAMPLE[MCP])
    known = told(workspace, other)
    change = workspace.relate(one, "supports", other, strength=2.0, context="seen together")
    assert "native" in change.summary
    assert told(workspace, one) == [("supports", "out", True)]
    assert told(workspace, other) == [*known, ("supports", "in", True)]
    (relation,) = detail_of(workspace, one).relations
    assert (relation.strength, relation.context) == (1.0, "seen together")
    assert demo_workspace.places[MCP].read_bytes() == before[MCP]
    with pytest.raises(Refused, match="already"):
        workspace.relate(one, "supports", other)
    assert the(workspace, "has:relation staging host") == one
    workspace.undo()
    assert told(workspace, one) == []
    workspace.redo()
    workspace.unrelate(one, "supports", other)
    assert told(workspace, one) == []
    workspace.undo()
    assert told(workspace, one) == [("supports", "out", True)]


def test_two_relations_are_taken_back_in_either_order(workspace: Workspace) -> None:
    one, two, three = (the(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    first = workspace.relate(one, "rests on", two)
    second = workspace.relate(three, "refines", one)
    workspace.undo(first.journal_id)
    assert told(workspace, one) == [("refines", "in", True)]
    workspace.undo(second.journal_id)
    assert told(workspace, one) == []


def test_two_relations_of_one_memory_are_taken_back_in_either_order(workspace: Workspace) -> None:
    one, two, three = (the(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    first = workspace.relate(one, "supports", two)
    workspace.relate(one, "refines", three)
    workspace.undo(first.journal_id)
    assert told(workspace, one) == [("refines", "out", True)]
    workspace.undo()
    assert told(workspace, one) == []


def test_a_purge_takes_the_relations_to_it_along(workspace: Workspace) -> None:
    one, two, three = (the(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    said = workspace.memories([two])[0].content
    workspace.relate(one, "supports", two)
    workspace.relate(one, "refines", three, context=said)
    workspace.purge([two])
    assert told(workspace, one) == [("refines", "out", True)]
    assert [r.context for r in detail_of(workspace, one).relations] == [""]


def test_a_relation_survives_a_pull_and_a_renaming(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, other = the(workspace, SAMPLE[FOUNDER]), the(workspace, SAMPLE[CLAUDE])
    workspace.relate(one, "supports", other)
    workspace.edit([one], {"content": "Swiss francs, and euros"})
    workspace.pull()
    assert told(workspace, one) == [("supports", "out", True)]


def test_in_a_graph_it_is_a_line_of_the_file(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    file = demo_workspace.places[MCP]
    before = file.read_bytes()
    found = {memory(workspace, id).subject: id for id in workspace.search(f"store:{MCP}", live=False).ids}
    (one, a), (other, b) = list(found.items())[:2]
    workspace.relate(a, "knows of", b)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[-1] == {"type": "relation", "from": one, "to": other, "relationType": "knows of"}
    assert file.read_bytes().startswith(before)
    assert ("knows of", "out", False) in told(workspace, a)
    assert ("knows of", "in", False) in told(workspace, b)
    workspace.undo()
    assert file.read_bytes() == before
    assert ("knows of", "out", False) not in told(workspace, a)
    workspace.redo()
    workspace.unrelate(a, "knows of", b)
    assert file.read_bytes() == before


def test_what_gives_way_is_dismissed_as_its_format_does(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    graph, database = demo_workspace.places[MCP].read_bytes(), rows_in(demo_workspace.places[FOUNDER])
    winner = the(workspace, SAMPLE[NATIVE])
    losers = [the(workspace, SAMPLE[name]) for name in (FOUNDER, MCP)]
    change = workspace.supersede(losers, winner)
    assert change.kind == "superseded"
    for id in losers:
        assert memory(workspace, id).status == "dismissed"
        assert memory(workspace, id).superseded_by == memory(workspace, winner).uid
    assert demo_workspace.places[MCP].read_bytes() != graph
    workspace.undo()
    assert demo_workspace.places[MCP].read_bytes() == graph
    assert rows_in(demo_workspace.places[FOUNDER]) == database
    assert all(memory(workspace, id).superseded_by is None for id in losers)
    workspace.redo()
    workspace.restore(losers)
    assert [memory(workspace, id).superseded_by for id in losers] == [None, None]
    assert demo_workspace.places[MCP].read_bytes() == graph


def test_the_kind_supersedes_lets_the_other_give_way(workspace: Workspace) -> None:
    one = the(workspace, SAMPLE[NATIVE])
    workspace.add({"content": "The staging host moved to rome", "category": "fact"})
    newer = the(workspace, "moved to rome")
    workspace.relate(newer, "supersedes", one)
    assert memory(workspace, one).status == "superseded"
    assert one not in workspace.search("staging host").ids
    with pytest.raises(Refused, match="must stand itself"):
        workspace.supersede([newer], one)
    workspace.restore([one])
    assert memory(workspace, one).status == "confirmed"


def test_what_cannot_be_related_says_why(workspace: Workspace) -> None:
    one, other = the(workspace, SAMPLE[NATIVE]), the(workspace, SAMPLE[FOUNDER])
    with pytest.raises(Refused, match="no relation to itself"):
        workspace.relate(one, "supports", one)
    with pytest.raises(Refused, match="1 to 60"):
        workspace.relate(one, " ", other)
    with pytest.raises(Refused, match="no relation “supports”"):
        workspace.unrelate(one, "supports", other)
    with pytest.raises(Refused, match="cannot give way to itself"):
        workspace.supersede([one], one)
