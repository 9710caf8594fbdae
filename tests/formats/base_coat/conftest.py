"""Fixtures of the Base Coat tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.base_coat import BaseCoat
from tests.support.stores.base_coat import (
    EMBEDDED_COLUMNS,
    MEMORIES,
    OLD_COLUMNS,
    make,
)


@pytest.fixture
def store(tmp_path: Path) -> BaseCoat:
    rows = [{**row, "embedding": b"\x00\x01\x02\x03"} for row in MEMORIES]
    return BaseCoat(make(tmp_path / ".basecoat" / "memory.db", rows, columns=EMBEDDED_COLUMNS))


@pytest.fixture
def older(tmp_path: Path) -> BaseCoat:
    return BaseCoat(make(tmp_path / "older.db", columns=OLD_COLUMNS, relations=None))
