"""Fixtures of the SQLite store tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.stores.founder_os import (
    make,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path / "memory.db")
