"""Let one pytest worker compile the tests and the others read its bytecode: started together, every worker
would compile everything itself."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pytest

_FIRST = "gw0"
_TIMEOUT = 120.0  # seconds, after which a worker compiles for itself


def wait_for_first_worker(config: pytest.Config) -> None:
    """Before collection: make every worker but the first wait until the first has collected."""
    deadline = time.monotonic() + _TIMEOUT
    while _worker(config) not in ("", _FIRST) and not _mark(config).exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def release_other_workers(config: pytest.Config) -> None:
    """After collection: let the other workers start, if this is the first one."""
    if _worker(config) == _FIRST:
        _mark(config).touch()


def remove_mark(config: pytest.Config) -> None:
    """Remove the first worker's mark at the end of the run."""
    if _worker(config) == _FIRST:
        _mark(config).unlink(missing_ok=True)


def _worker(config: pytest.Config) -> str:
    """Return this worker's name; "" in the controller, and without workers."""
    return str(getattr(config, "workerinput", {}).get("workerid", ""))


def _mark(config: pytest.Config) -> Path:
    run = getattr(config, "workerinput", {})["testrunuid"]
    return Path(tempfile.gettempdir()) / f"memtui-collected-{run}"
