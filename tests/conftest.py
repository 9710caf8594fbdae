"""How all tests run."""

from __future__ import annotations

import gc

import pytest
from hypothesis import settings

# A busy machine is no failure.
settings.register_profile("memtui", deadline=None)
settings.load_profile("memtui")


def pytest_collection_finish(session: pytest.Session) -> None:
    """What collecting made stays to the end: looked through again and again by the garbage collector, it
    would cost a third of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
