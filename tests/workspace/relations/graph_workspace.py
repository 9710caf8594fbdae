"""Workspaces on one MCP memory, and the neighborhoods in its graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memtui.memory.graph.model import Neighborhood, NodeKey
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty
from tests.support.stores import graphs


@contextmanager
def open_graph(folder: Path, objects: list[dict[str, Any]]) -> Iterator[tuple[Workspace, Path]]:
    """Open a workspace on an MCP memory with these objects; yield it and the path of the store."""
    path = graphs.write_graph(folder, objects)
    workspace = Workspace.open(create_empty(folder / "w" / "workspace.db"), clock=Clock())
    workspace.attach(path, "graph")
    try:
        yield workspace, path
    finally:
        workspace.close()


def foreign_store_id(workspace: Workspace) -> int:
    """Return the row id of the foreign store."""
    return int(workspace._ctx.db.one("SELECT id FROM stores WHERE format <> 'native'"))


def entity_neighborhood(workspace: Workspace, name: str, **options: Any) -> Neighborhood:
    """Return the neighborhood of an entity."""
    neighborhood = workspace.neighborhood(NodeKey(foreign_store_id(workspace), name), **options)
    assert neighborhood is not None
    return neighborhood


def memory_neighborhood(workspace: Workspace, id: int, **options: Any) -> Neighborhood:
    """Return the neighborhood of a memory."""
    key = workspace.node_key(id)
    assert key is not None
    neighborhood = workspace.neighborhood(key, **options)
    assert neighborhood is not None
    return neighborhood
