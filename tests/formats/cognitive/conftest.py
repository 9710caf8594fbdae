"""Fixtures of the Cognitive Memory tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats.cognitive import Cognitive
from tests.support.stores.cognitive import (
    make,
)


@pytest.fixture
def store(tmp_path: Path) -> Cognitive:
    return make(tmp_path / "memory")
