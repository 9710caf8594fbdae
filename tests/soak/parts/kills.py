"""kill -9 in the midst of verbs, pulls, attaching, purges, backups, restores, migrations and embedding:
the tests of crashes, with as many rounds as it takes."""

from __future__ import annotations

from typing import Any

from tests.soak.part import Minimum, Need, Report
from tests.soak.pytest_run import run_tests

TITLE = "kill -9 at any moment: nothing acknowledged is lost, nothing half done"
NEEDS: tuple[Need, ...] = ()
LEAST = Minimum(faults=500)


def run(report: Report) -> None:
    """A round is a process that was to be killed, a fault one that was."""

    def each(line: dict[str, Any]) -> None:
        if line.get("part") == "kills":
            report.done(line["rounds"], line["faults"])

    run_tests(report, "-n", "1", "-m", "kills", each=each)
