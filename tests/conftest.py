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
settings.register_profile("memtui", deadline=None, max_examples=sizes.SEQUENCES if sizes.FULL else 30)
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
    """What collecting made stays to the end, and so does what tests leave behind in cycles, some 5 MB for
    each app that they start: to find and free it costs a tenth of all time. At full size it would not fit."""
    compiling.tell_the_other_workers(session.config)
    gc.freeze()
    if sizes.FULL:
        gc.enable()
        gc.set_threshold(400_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    gc.freeze()  # nothing of it is looked at again while the process ends


@pytest.fixture
def disk_path() -> Iterator[Path]:
    """A folder on a real disk, where `tmp_path` may be in memory."""
    with tempfile.TemporaryDirectory(prefix="memtui-tests-", dir=memory_disk.disk()) as folder:
        yield Path(folder).resolve()
