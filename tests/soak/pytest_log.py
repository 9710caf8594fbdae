"""A pytest plugin that writes what each test came to into the file that MEMTUI_SOAK_LOG names, a JSON line
each: `test` and `failed` (what was printed), or `examples` of a property test."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator
from pathlib import Path

import pytest

_EXAMPLES = re.compile(r"(\d+) passing")


def _write(**line: object) -> None:
    with Path(os.environ["MEMTUI_SOAK_LOG"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In the process that ran a property test: how many examples passed."""
    report = yield
    if report.when == "teardown" and (statistics := getattr(item, "hypothesis_statistics", "")):
        _write(examples=sum(map(int, _EXAMPLES.findall(statistics))))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """In the process that gathers the reports of all workers, or where there are none."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    if report.failed:
        _write(test=report.nodeid, failed=report.longreprtext)
    elif report.when == "call":
        _write(test=report.nodeid)
