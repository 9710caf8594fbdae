"""The property tests with 500 examples each: sequences of verbs and undos, texts, queries. Fewer are a loss,
unless Hypothesis has tried all examples."""

from __future__ import annotations

from typing import Any

from tests.soak.part import Minimum, Need, Report
from tests.soak.pytest_run import run_tests
from tests.support.sizes import FULL_EXAMPLES

TITLE = f"property tests, {FULL_EXAMPLES} examples each, or all that there are"
NEEDS: tuple[Need, ...] = ()
MINIMUM = Minimum(rounds=15_000)
_EXHAUSTED = "nothing left to do"  # Hypothesis' message


def run(report: Report) -> None:
    """A round is an example."""
    uncounted: set[str] = set()
    counted: set[str] = set()

    def count(line: dict[str, Any]) -> None:
        if "property" in line:
            report.add_rounds(line["examples"])
            counted.add(line["property"])
            if line["examples"] < FULL_EXAMPLES and _EXHAUSTED not in line["stopped"]:
                report.add_loss(
                    f"{line['property']}: {line['examples']} examples; stopped: {line['stopped']}"
                )
        elif "test" in line and "failed" not in line:
            uncounted.add(line["test"])

    run_tests(report, "-n", "1", "-m", "hypothesis", on_line=count)
    for test in sorted(uncounted - counted):
        report.add_loss(f"{test}: nobody counted its examples")
