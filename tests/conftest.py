"""Configuration of all tests: Hypothesis, temporary folders, workers and garbage collection."""

from __future__ import annotations

import gc
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import compiling, memory_disk, sizes

# No deadline: a busy machine is no failure.
settings.register_profile("memtui", deadline=None, max_examples=sizes.FULL_EXAMPLES if sizes.FULL else 30)
settings.load_profile("memtui")
_temp_folders: list[Path] = []


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput") and (folder := memory_disk.use_memory_file_system()):
        _temp_folders.append(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    compiling.remove_mark(config)
    for folder in _temp_folders:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    compiling.wait_for_first_worker(session.config)
    gc.disable()  # collection creates no garbage


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze what collection created, and do not collect cycles, some 5 MB for each app that a test starts:
    that would take a tenth of the time. At full size they would not fit into memory."""
    compiling.release_other_workers(session.config)
    gc.freeze()
    if sizes.FULL:
        gc.enable()
        gc.set_threshold(400_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    gc.freeze()  # no collection at exit


@pytest.fixture
def disk_path() -> Iterator[Path]:
    """A folder on a real disk; `tmp_path` may be in memory."""
    with tempfile.TemporaryDirectory(prefix="memtui-tests-", dir=memory_disk.disk_folder()) as folder:
        yield Path(folder).resolve()
