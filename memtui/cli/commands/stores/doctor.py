"""`memtui doctor` (S-91): what is wrong or unusual and what follows from it; repairs; salvage.

With --json: {"sqlite": version, "verdict": "well" | "odd" | "grave", "findings": [{"store", "code",
"place", "words", "meaning", "mend", "grave"}], "mended": [sentence]}; the store of the workspace itself
is "", and "mend" is what --fix would do. With --salvage: {"target", "saved": {table: rows},
"lost": {table: rows}, "words": [sentence]}. Exits with 1 if something grave remains.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.commands.stores import wording
from memtui.cli.runtime.open_workspace import path_of, workspace
from memtui.cli.runtime.output import Output
from memtui.memory.stores import Issue
from memtui.serialization.stores import issue_as_json

if TYPE_CHECKING:
    from argparse import Namespace

_MAX_PRINTED = 500  # issues that are printed as text


def doctor(args: Namespace, output: Output) -> int:
    """Print the issues, after repairing them if asked to."""
    if args.salvage is not None:
        return _salvage(args, output)
    from memtui.workspace.maintenance.workspace_checks import sqlite_version

    with workspace(args, output) as opened:
        found = opened.doctor()
        repaired: list[str] = []
        repairable = [issue for issue in found if issue.repair]
        if args.fix and repairable:
            repaired = opened.repair(repairable)
            found = opened.doctor()
    severe = sum(each.severe for each in found)
    if output.json:
        output.data(
            {
                "sqlite": sqlite_version(),
                "verdict": "grave" if severe else "odd" if found else "well",
                "findings": [issue_as_json(each) for each in found],
                "mended": repaired,
            }
        )
        return 1 if severe else 0
    output.line(wording.sqlite_version(sqlite_version(), _summary(found, severe)))
    for sentence in repaired:
        output.line(sentence)
    for issue in found[:_MAX_PRINTED]:
        _print(issue, output)
    if len(found) > _MAX_PRINTED:
        output.line(wording.more_issues(len(found) - _MAX_PRINTED))
    return 1 if severe else 0


def _summary(found: Sequence[Issue], severe: int) -> str:
    if not found:
        return wording.NOTHING_WRONG
    return wording.doctor_summary(severe, len(found) - severe, sum(bool(each.repair) for each in found))


def _print(issue: Issue, output: Output) -> None:
    severity = wording.ERROR if issue.severe else wording.WARNING
    output.line(wording.issue(severity, issue.store, issue.place, issue.text))
    if issue.meaning:
        output.line(wording.meaning(issue.meaning))
    if issue.repair:
        output.line(wording.repair(issue.repair))


def _salvage(args: Namespace, output: Output) -> int:
    """Save what can be read into a new workspace; the old one need not open."""
    from memtui.paths import workspace_path
    from memtui.workspace.maintenance.salvage.salvage import salvage

    target = path_of(args.salvage).expanduser().absolute()
    result = salvage(path_of(str(workspace_path(args.workspace))), Path(target), time.time)
    if output.json:
        output.data(
            {
                "target": str(result.target),
                "saved": result.saved,
                "lost": result.lost,
                "words": list(result.report),
            }
        )
        return 0
    for sentence in result.report:
        output.line(sentence)
    return 0
