"""Undo and restore never create a second entity of the same name in an MCP memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import find_id, memory
from tests.support.stores import mcp_memory

FILE = "\n".join(
    mcp_memory.lines(
        mcp_memory.entity("Ana", "Likes tea"),
        mcp_memory.entity("Bo"),
        mcp_memory.entity("Twin", "First"),
        mcp_memory.entity("Twin", "Second"),
    )
).encode()


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return mcp_memory.make(tmp_path / "memory.jsonl", FILE).root


def empty_entity(workspace: Workspace) -> int:
    """Return the id of the entity without observations."""
    return next(id for id in workspace.search("store:graph").ids if not memory(workspace, id).content)


def test_undo_of_a_rename_is_refused_once_the_old_name_is_taken(graph: Workspace, store_path: Path) -> None:
    renamed = graph.edit([find_id(graph, "tea")], {"subject": "Eva"}).journal_id
    graph.add({"content": "Likes ink", "subject": "Ana"}, "graph")
    before = store_path.read_bytes()
    with pytest.raises(Refused, match="an entity named “Ana” already exists") as refused:
        graph.undo(renamed)
    assert refused.value.code == "changed-since"
    assert store_path.read_bytes() == before


def test_an_entity_is_not_restored_once_its_name_is_taken(graph: Workspace, store_path: Path) -> None:
    id = empty_entity(graph)
    graph.dismiss([id])
    graph.add({"content": "Likes ink", "subject": "Bo"}, "graph")
    before = store_path.read_bytes()
    with pytest.raises(Refused, match="an entity named “Bo” already exists"):
        graph.restore([id])
    assert store_path.read_bytes() == before


def test_two_entities_of_one_name_are_renamed_together(graph: Workspace, store_path: Path) -> None:
    graph.edit([find_id(graph, "First")], {"subject": "Pair"})
    assert store_path.read_bytes() == FILE.replace(b"Twin", b"Pair")
    graph.undo()
    assert store_path.read_bytes() == FILE


def test_an_entity_that_becomes_empty_again_keeps_its_identity(graph: Workspace) -> None:
    id = empty_entity(graph)
    graph.pin([id])
    graph.add({"content": "Likes ink", "subject": "Bo"}, "graph")
    for step in (graph.undo, graph.redo, graph.undo):
        step()
    assert (empty_entity(graph), memory(graph, id).pinned) == (id, True)


@pytest.mark.parametrize("oldest_first", [False, True])
def test_two_empty_entities_of_one_name_are_restored_in_any_order(
    graph: Workspace, store_path: Path, oldest_first: bool
) -> None:
    twins = mcp_memory.lines(mcp_memory.entity("Cy"), mcp_memory.entity("Cy"))
    store_path.write_bytes("\n".join(twins).encode())
    graph.pull()
    before = store_path.read_bytes()
    ids = [id for id in graph.search("store:graph").ids if memory(graph, id).subject == "Cy"]
    entry_ids = [graph.dismiss([id]).journal_id for id in ids]
    for entry_id in entry_ids if oldest_first else entry_ids[::-1]:
        graph.undo(entry_id)
    assert store_path.read_bytes() == before
    assert graph.pull().total == 0
