"""How all tests run."""

from __future__ import annotations

import gc
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import compiling, memory_disk, sizes

# A busy machine is no failure.
settings.register_profile("memtui", deadline=None, max_examples=sizes.SEQUENCES if sizes.FULL else 50)
settings.load_profile("memtui")
_in_memory: list[Path] = []


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and (folder := memory_disk.use_memory()):
        _in_memory.append(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    compiling.clear_away(config)
    for folder in _in_memory:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    compiling.wait_for_the_first_worker(session.config)
    gc.disable()  # nothing of what collecting makes is garbage


def pytest_collection_finish(session: pytest.Session) -> None:
    """What collecting made stays to the end: looked through again and again by the garbage collector, it
    would cost a third of all time."""
    compiling.tell_the_other_workers(session.config)
    gc.freeze()
    gc.enable()
    gc.set_threshold(400_000, 20, 20)


@pytest.fixture
def disk_path() -> Iterator[Path]:
    """A folder on a real disk, where `tmp_path` may be in memory."""
    with tempfile.TemporaryDirectory(prefix="memtui-tests-", dir=memory_disk.disk()) as folder:
        yield Path(folder).resolve()
