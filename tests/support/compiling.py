"""What pytest compiles of the tests is kept on disk. All workers begin at once, so each would compile
everything; here the first one does it, and the others wait and read what it made."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pytest

_FIRST = "gw0"
_PATIENCE = 120.0  # seconds; then a worker compiles for itself


def wait_for_the_first_worker(config: pytest.Config) -> None:
    """Before collecting: every worker but the first waits until that one has collected."""
    until = time.monotonic() + _PATIENCE
    while _worker(config) not in ("", _FIRST) and not _mark(config).exists() and time.monotonic() < until:
        time.sleep(0.05)


def tell_the_other_workers(config: pytest.Config) -> None:
    """After collecting: the first worker lets the others begin."""
    if _worker(config) == _FIRST:
        _mark(config).touch()


def clear_away(config: pytest.Config) -> None:
    """At the end of a worker."""
    if _worker(config) == _FIRST:
        _mark(config).unlink(missing_ok=True)


def _worker(config: pytest.Config) -> str:
    """This worker's name; "" in the process that hands out the tests, and where there are no workers."""
    return str(getattr(config, "workerinput", {}).get("workerid", ""))


def _mark(config: pytest.Config) -> Path:
    run = getattr(config, "workerinput", {})["testrunuid"]
    return Path(tempfile.gettempdir()) / f"memtui-collected-{run}"
