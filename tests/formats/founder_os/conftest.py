"""Fixtures of the Founder OS tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.founder_os import FounderOs
from tests.support.stores.founder_os import (
    make,
)


@pytest.fixture
def store(tmp_path: Path) -> FounderOs:
    return FounderOs(make(tmp_path / ".memory" / "memory.db"))
