"""Fixtures of the minions tests."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from memtui.formats.minions import Minions
from memtui.formats.minions import paths as places
from tests.support.stores.minions import make, uid


@pytest.fixture
def store(tmp_path: Path) -> Minions:
    return make(tmp_path)


@pytest.fixture(autouse=True)
def numbered_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give new minions ids in order."""
    numbers = count(9001)
    monkeypatch.setattr(places, "new_id", lambda: uid(next(numbers)))
