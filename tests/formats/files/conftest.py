"""Fixtures of the file store tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.claude_code import ClaudeCode
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.media.files import atomic_write
from tests.support.stores import claude_code, mcp_memory


@pytest.fixture
def folder(tmp_path: Path) -> ClaudeCode:
    return claude_code.make(tmp_path / "memory")


@pytest.fixture
def file(tmp_path: Path) -> McpMemory:
    return mcp_memory.make(tmp_path / "graph" / "memory.jsonl")


@pytest.fixture(params=["exchange", "link"])
def exchange_mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run with and without a system call that exchanges two files."""
    if request.param == "link":
        monkeypatch.setattr(atomic_write, "_rename", lambda *rest: False)
    return str(request.param)
