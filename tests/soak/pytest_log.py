"""A pytest plugin that logs the outcome of each test to the file that MEMTUI_SOAK_LOG names, a JSON line
each.

A line has `test`, and `failed` with the report unless the test passed; a skipped test has not passed. A
property test has another line with `property`, the number of `examples` that passed and why there were no
more (`stopped`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator
from pathlib import Path

import pytest

_EXAMPLES = re.compile(r"(\d+) passing")
_STOPPED = re.compile(r"Stopped because (.*)")


def _write(**line: object) -> None:
    with Path(os.environ["MEMTUI_SOAK_LOG"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In the process that ran a property test: log how many examples passed."""
    report = yield
    if report.when == "teardown" and (statistics := getattr(item, "hypothesis_statistics", "")):
        examples = sum(map(int, _EXAMPLES.findall(statistics)))
        _write(property=item.nodeid, examples=examples, stopped="; ".join(_STOPPED.findall(statistics)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """In the controller, or without workers: log the outcome of a test."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    if _failure(report) or report.when == "call":
        _write(test=report.nodeid, **_failure(report))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Log files that cannot be collected, or that skip themselves."""
    if "PYTEST_XDIST_WORKER" not in os.environ and _failure(report):
        _write(test=report.nodeid, **_failure(report))


def _failure(report: pytest.TestReport | pytest.CollectReport) -> dict[str, str]:
    if report.failed:
        return {"failed": report.longreprtext}
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        return {"failed": f"not run: {reason}"}
    return {}
