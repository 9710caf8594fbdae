"""All tests with every case that an ordinary run omits; kills and property tests are parts of their own."""

from __future__ import annotations

from typing import Any

from tests.soak.part import Minimum, Need, Report
from tests.soak.pytest_run import run_tests

TITLE = "all other tests, each with all its cases and none skipped"
NEEDS: tuple[Need, ...] = ()
MINIMUM = Minimum(rounds=5_000)


def run(report: Report) -> None:
    """A round is a test."""

    def count(line: dict[str, Any]) -> None:
        if "test" in line:
            report.add_rounds()

    run_tests(report, "-n", "1", "-m", "not kills and not hypothesis", on_line=count)
