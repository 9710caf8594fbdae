"""Fixtures of the Claude Code tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.claude_code import ClaudeCode
from tests.support.stores.claude_code import (
    make,
)


@pytest.fixture
def store(tmp_path: Path) -> ClaudeCode:
    return make(tmp_path / "memory")
