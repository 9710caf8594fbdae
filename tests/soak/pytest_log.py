"""A pytest plugin that writes what each test came to into the file that MEMTUI_SOAK_LOG names, a JSON line
each: `test`, with `failed` (what was printed) unless it passed. A test that is skipped has not passed. Of
a property test also `property`, with the `examples` that passed and why there were no more (`stopped`)."""

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
    """In the process that ran a property test: how many examples passed."""
    report = yield
    if report.when == "teardown" and (statistics := getattr(item, "hypothesis_statistics", "")):
        examples = sum(map(int, _EXAMPLES.findall(statistics)))
        _write(property=item.nodeid, examples=examples, stopped="; ".join(_STOPPED.findall(statistics)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """In the process that gathers the reports of all workers, or where there are none."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    if _not_passed(report) or report.when == "call":
        _write(test=report.nodeid, **_not_passed(report))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """The same for files that cannot be collected, or skip themselves."""
    if "PYTEST_XDIST_WORKER" not in os.environ and _not_passed(report):
        _write(test=report.nodeid, **_not_passed(report))


def _not_passed(report: pytest.TestReport | pytest.CollectReport) -> dict[str, str]:
    if report.failed:
        return {"failed": report.longreprtext}
    if report.skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        return {"failed": f"not run: {why}"}
    return {}
