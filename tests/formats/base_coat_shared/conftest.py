"""Fixtures of the Base Coat shared memory tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.base_coat_shared import BaseCoatShared
from tests.support.stores.base_coat_shared import make


@pytest.fixture
def store(tmp_path: Path) -> BaseCoatShared:
    return make(tmp_path / "memories")
