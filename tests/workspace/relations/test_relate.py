"""Relating and superseding memories: where relations are stored, and undo (SPEC 7, S-8)."""

from __future__ import annotations

import json

import pytest

from memtui.errors import Refused
from memtui.memory.graph.model import Family, family_of
from memtui.workspace.changes.relating.relation_options import KINDS
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    detail_of,
    find_id,
    memory,
)
from tests.support.stores import rows_in


def relations_of(workspace: Workspace, id: int) -> list[tuple[str, str, bool]]:
    """Return (kind, direction, whether memtui keeps it) of the relations of a memory."""
    detail = detail_of(workspace, id)
    return [(r.kind, "out" if r.source_id == id else "in", r.local) for r in detail.relations]


def test_a_relation_between_stores_is_kept_in_memtui(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = {name: path.read_bytes() for name, path in demo_workspace.store_paths.items() if name == MCP}
    one, other = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[MCP])
    relations_before = relations_of(workspace, other)
    change = workspace.relate(one, "supports", other, strength=2.0, context="seen together")
    assert "native" in change.summary
    assert relations_of(workspace, one) == [("supports", "out", True)]
    assert relations_of(workspace, other) == [*relations_before, ("supports", "in", True)]
    (relation,) = detail_of(workspace, one).relations
    assert (relation.strength, relation.context) == (1.0, "seen together")
    assert demo_workspace.store_paths[MCP].read_bytes() == before[MCP]
    with pytest.raises(Refused, match="already"):
        workspace.relate(one, "supports", other)
    assert find_id(workspace, "has:relation staging host") == one
    workspace.undo()
    assert relations_of(workspace, one) == []
    workspace.redo()
    workspace.unrelate(one, "supports", other)
    assert relations_of(workspace, one) == []
    workspace.undo()
    assert relations_of(workspace, one) == [("supports", "out", True)]


def test_relations_to_and_from_a_memory_are_undone_in_any_order(workspace: Workspace) -> None:
    one, two, three = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    first = workspace.relate(one, "based on", two)
    second = workspace.relate(three, "refines", one)
    workspace.undo(first.journal_id)
    assert relations_of(workspace, one) == [("refines", "in", True)]
    workspace.undo(second.journal_id)
    assert relations_of(workspace, one) == []


def test_relations_of_one_memory_are_undone_in_any_order(workspace: Workspace) -> None:
    one, two, three = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    first = workspace.relate(one, "supports", two)
    workspace.relate(one, "refines", three)
    workspace.undo(first.journal_id)
    assert relations_of(workspace, one) == [("refines", "out", True)]
    workspace.undo()
    assert relations_of(workspace, one) == []


def test_a_purge_erases_relations_to_the_memory(workspace: Workspace) -> None:
    one, two, three = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER, CLAUDE))
    content = workspace.memories([two])[0].content
    workspace.relate(one, "supports", two)
    workspace.relate(one, "refines", three, context=content)
    workspace.purge([two])
    assert relations_of(workspace, one) == [("refines", "out", True)]
    assert [r.context for r in detail_of(workspace, one).relations] == [""]


def test_a_relation_survives_an_edit_and_a_pull(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    one, other = find_id(workspace, SAMPLE[FOUNDER]), find_id(workspace, SAMPLE[CLAUDE])
    workspace.relate(one, "supports", other)
    workspace.edit([one], {"content": "Swiss francs, and euros"})
    workspace.pull()
    assert relations_of(workspace, one) == [("supports", "out", True)]


def test_a_relation_within_an_mcp_memory_is_a_line_of_its_file(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    file = demo_workspace.store_paths[MCP]
    before = file.read_bytes()
    found = {memory(workspace, id).subject: id for id in workspace.search(f"store:{MCP}", live=False).ids}
    (one, a), (other, b) = list(found.items())[:2]
    workspace.relate(a, "knows of", b)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[-1] == {"type": "relation", "from": one, "to": other, "relationType": "knows of"}
    assert file.read_bytes().startswith(before)
    assert ("knows of", "out", False) in relations_of(workspace, a)
    assert ("knows of", "in", False) in relations_of(workspace, b)
    workspace.undo()
    assert file.read_bytes() == before
    assert ("knows of", "out", False) not in relations_of(workspace, a)
    workspace.redo()
    workspace.unrelate(a, "knows of", b)
    assert file.read_bytes() == before


def test_a_superseded_memory_is_dismissed_as_its_format_does(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    graph, database = (
        demo_workspace.store_paths[MCP].read_bytes(),
        rows_in(demo_workspace.store_paths[FOUNDER]),
    )
    winner = find_id(workspace, SAMPLE[NATIVE])
    losers = [find_id(workspace, SAMPLE[name]) for name in (FOUNDER, MCP)]
    change = workspace.supersede(losers, winner)
    assert change.kind == "superseded"
    for id in losers:
        assert memory(workspace, id).status == "dismissed"
        assert memory(workspace, id).superseded_by == memory(workspace, winner).uid
    assert demo_workspace.store_paths[MCP].read_bytes() != graph
    workspace.undo()
    assert demo_workspace.store_paths[MCP].read_bytes() == graph
    assert rows_in(demo_workspace.store_paths[FOUNDER]) == database
    assert all(memory(workspace, id).superseded_by is None for id in losers)
    workspace.redo()
    workspace.restore(losers)
    assert [memory(workspace, id).superseded_by for id in losers] == [None, None]
    assert demo_workspace.store_paths[MCP].read_bytes() == graph


def test_a_relation_of_kind_supersedes_supersedes_the_target(workspace: Workspace) -> None:
    one = find_id(workspace, SAMPLE[NATIVE])
    workspace.add({"content": "The staging host moved to rome", "category": "fact"})
    newer = find_id(workspace, "moved to rome")
    workspace.relate(newer, "supersedes", one)
    assert memory(workspace, one).status == "superseded"
    assert one not in workspace.search("staging host").ids
    with pytest.raises(Refused, match="must be active"):
        workspace.supersede([newer], one)
    workspace.restore([one])
    assert memory(workspace, one).status == "confirmed"


def test_invalid_relations_are_refused_with_a_reason(workspace: Workspace) -> None:
    one, other = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[FOUNDER])
    with pytest.raises(Refused, match="can't be related to itself"):
        workspace.relate(one, "supports", one)
    with pytest.raises(Refused, match="1 to 60"):
        workspace.relate(one, " ", other)
    with pytest.raises(Refused, match="no “supports” relation"):
        workspace.unrelate(one, "supports", other)
    with pytest.raises(Refused, match="can't replace itself"):
        workspace.supersede([one], one)


def test_a_kind_that_two_memories_have_is_always_offered_and_can_be_removed(workspace: Workspace) -> None:
    one, two = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, FOUNDER))
    assert "rests on" not in KINDS
    assert family_of("rests on") is Family.BASED_ON
    workspace.relate(one, "rests on", two)
    first, *others = workspace.relation_options(one, two)
    assert (first.kind, first.exists) == ("rests on", True)
    assert [each.kind for each in others] == list(KINDS)
    assert not any(each.exists for each in others)
    assert [each.kind for each in workspace.relation_options(one, two, "res")] == ["rests on", "res"]
    assert "rests on" not in {each.kind for each in workspace.relation_options(two, one)}
    workspace.unrelate(one, "rests on", two)
    assert relations_of(workspace, one) == []
    assert "rests on" not in {each.kind for each in workspace.relation_options(one, two)}
    workspace.undo()
    assert relations_of(workspace, one) == [("rests on", "out", True)]


def test_a_kind_of_the_store_that_exists_is_offered_once(workspace: Workspace) -> None:
    relations = detail_of(workspace, find_id(workspace, SAMPLE[MCP])).relations
    related = next(each for each in relations if each.source_id and each.target_id)
    one, two = related.source_id or 0, related.target_id or 0
    kinds = [each.kind for each in workspace.relation_options(one, two) if each.exists]
    assert kinds == [related.kind]
