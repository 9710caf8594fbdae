"""The property tests with at least 500 examples each: sequences of verbs and undos, texts, queries."""

from __future__ import annotations

from typing import Any

from tests.soak.part import Need, Report
from tests.soak.pytest_run import run_tests

TITLE = "property tests, at least 500 examples each"
NEEDS: tuple[Need, ...] = ()


def run(report: Report) -> None:
    """A round is an example."""

    def each(line: dict[str, Any]) -> None:
        report.done(line.get("examples", 0))

    run_tests(report, "-n", "1", "-m", "hypothesis", each=each)
