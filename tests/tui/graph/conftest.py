"""A workspace over a store with relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.demo_workspace import copy_with_stores
from tests.support.stores.mcp_memory import entity, relation
from tests.tui.graph.driver import workspace_in

OBJECTS = [
    *(entity(name, f"{name} is known", f"more of {name}") for name in ("Ana", "Bo", "memtui", "kitty")),
    entity("Python", "is at 3.12"),
    relation("Ana", "works on", "memtui"),
    relation("Bo", "works on", "memtui"),
    relation("memtui", "depends_on", "Python"),
    relation("memtui", "contradicts", "kitty"),
    relation("memtui", "is", "memtui"),
    relation("memtui", "misses", "Nobody"),
]


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a workspace with one store, a memory.jsonl with relations."""
    return workspace_in(tmp_path_factory.mktemp("graph"), OBJECTS)


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """Return a copy of that workspace."""
    return copy_with_stores(template, tmp_path)
