"""`memtui doctor` (S-91): what is wrong or odd and what follows from it; mending; salvage.

With --json: {"sqlite": version, "verdict": "well" | "odd" | "grave", "findings": [{"store", "code",
"place", "words", "meaning", "mend", "grave"}], "mended": [sentence]}; the store of the workspace itself
is "", and "mend" is what --fix would do. With --salvage: {"target", "saved": {table: rows},
"lost": {table: rows}, "words": [sentence]}. Exits with 1 where something grave stands.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memtui.cli.runtime.open_workspace import place, workspace
from memtui.cli.runtime.output import Output
from memtui.memory.stores import Issue
from memtui.serialization.stores import issue_as_json
from memtui.text import plural

_SHOWN = 500  # findings that are printed for a person


def doctor(args: Any, output: Output) -> int:
    """Look, mend if asked to, and tell what stands then."""
    if args.salvage is not None:
        return _salvage(args, output)
    from memtui.workspace.maintenance.doctor import linked

    with workspace(args, output) as opened:
        found = opened.doctor()
        mended: list[str] = []
        todo = [ailment for ailment in found if ailment.repair]
        if args.fix and todo:
            mended = opened.mend(todo)
            found = opened.doctor()
    grave = sum(each.severe for each in found)
    if output.json:
        output.data(
            {
                "sqlite": linked(),
                "verdict": "grave" if grave else "odd" if found else "well",
                "findings": [issue_as_json(each) for each in found],
                "mended": mended,
            }
        )
        return 1 if grave else 0
    output.line(f"SQLite {linked()}. {_verdict(found, grave)}")
    for sentence in mended:
        output.line(sentence)
    for each in found[:_SHOWN]:
        _tell(each, output)
    if len(found) > _SHOWN:
        output.line(f"And {len(found) - _SHOWN:,} more; --json tells all.")
    return 1 if grave else 0


def _verdict(found: Sequence[Issue], grave: int) -> str:
    if not found:
        return "Nothing is wrong."
    odd = len(found) - grave
    parts = [f"{grave:,} grave"] if grave else []
    parts += [f"{odd:,} odd"] if odd else []
    many = plural(len(found), "thing")
    can = sum(bool(each.repair) for each in found)
    return f"{' and '.join(parts)} {many}" + (f"; --fix mends {can:,}." if can else ".")


def _tell(each: Issue, output: Output) -> None:
    sign = "GRAVE" if each.severe else "odd"
    output.line(f"{sign}  {each.store or 'workspace'}: {each.place}: {each.text}")
    if each.meaning:
        output.line(f"    {each.meaning}")
    if each.repair:
        output.line(f"    --fix {each.repair}")


def _salvage(args: Any, output: Output) -> int:
    """Save what can be read into a new workspace; the old one need not open."""
    from memtui.paths import workspace_path
    from memtui.workspace.maintenance.salvage import salvage

    target = place(args.salvage).expanduser().absolute()
    done = salvage(place(str(workspace_path(args.workspace))), Path(target), time.time)
    if output.json:
        output.data(
            {"target": str(done.target), "saved": done.saved, "lost": done.lost, "words": list(done.words)}
        )
        return 0
    for sentence in done.words:
        output.line(sentence)
    return 0
