"""Fixtures of the MCP memory tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.mcp_memory import reader
from memtui.formats.mcp_memory.adapter import McpMemory
from tests.support.stores.mcp_memory import make


@pytest.fixture(autouse=True)
def no_waiting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read torn files at once, without waiting for a writer that might complete them."""
    if "writer" not in request.fixturenames:
        monkeypatch.setattr(reader, "SETTLED_AFTER", 0.0)


@pytest.fixture
def store(tmp_path: Path) -> McpMemory:
    return make(tmp_path / "memory.jsonl")
