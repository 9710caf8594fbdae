"""kill -9 during verbs, pulls, attaching, purges, backups, restores, migrations and embedding: the tests
marked `kills`, at full size."""

from __future__ import annotations

from typing import Any

from tests.soak.part import Minimum, Need, Report
from tests.soak.pytest_run import run_tests

TITLE = "kill -9 at any moment: nothing acknowledged is lost, nothing half done"
NEEDS: tuple[Need, ...] = ()
MINIMUM = Minimum(faults=500)


def run(report: Report) -> None:
    """A round is a process that is to be killed, a fault one that was."""

    def count(line: dict[str, Any]) -> None:
        if line.get("part") == "kills":
            report.add_rounds(line["rounds"], line["faults"])

    run_tests(report, "-n", "1", "-m", "kills", on_line=count)
