"""Fixtures of the mem-skill tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.mem_skill import MemSkill
from tests.support.stores.mem_skill import make


@pytest.fixture
def store(tmp_path: Path) -> MemSkill:
    return MemSkill(make(tmp_path / "mem.db"))
