"""Run the soak: `python -m tests.soak [PART …]`, as many parts at a time as there are cores.

Exit code: 0 if all ran and nothing was lost, 1 if something was lost or a part broke, 3 if nothing was
lost but a part could not run for want of something that the table names, 130 after Ctrl-C. `make soak`
itself ends with 2 for each of them but 0, as GNU make does; the last line printed tells which it was.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import subprocess
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import ModuleType

from tests.soak import table
from tests.soak.part import Minimum, NotRun, Report
from tests.soak.processes import Processes, exit_with_parent, interrupt_on_signals
from tests.soak.table import Row

PARTS = (  # the longest first, so that none begins last and runs alone
    "suite",
    "properties",
    "fuzz",
    "power-cuts",
    "disk-faults",
    "races",
    "minions-sdk",
    "server-memory",
    "kills",
)
MINUTES = 45  # after which a part is ended, and counts as lost
LOST, NOT_RUN, INTERRUPTED = 1, 3, 130
_ROOT = Path(__file__).parents[2]


def module_of(part: str) -> ModuleType:
    """The module that runs a part."""
    return importlib.import_module(f"tests.soak.parts.{part.replace('-', '_')}")


def row_of(report: Report, commit: str, minutes: float = 0.0, needs: str = "") -> Row:
    """A part's row as of now."""
    module = module_of(report.part)
    least: Minimum = module.LEAST
    return Row(
        report.part,
        module.TITLE,
        report.rounds,
        report.faults,
        len(report.losses),
        minutes,
        needs,
        time.strftime("%Y-%m-%d"),
        commit,
        least.rounds,
        least.faults,
    )


def commit_now() -> str:
    """The commit that is tried, short, with a "+" where files but the table differ from it or are in none;
    "" outside of a repository."""
    try:
        head = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "-unormal", "--", ".", f":!{table.PATH.relative_to(_ROOT)}")
    except OSError:
        return ""
    return "" if head.returncode else head.stdout.strip() + "+" * bool(changed.stdout)


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False)


def run(part: str) -> Row:
    """Run one part; its row of the table. What was lost is told on stderr."""
    module = module_of(part)
    report, commit = Report(part), commit_now()
    missing = [need.name for need in module.NEEDS if not need.present()]
    if missing:
        return row_of(report, commit, needs=", ".join(missing))
    print(f"{part}: {module.TITLE}", file=sys.stderr, flush=True)
    begun = time.monotonic()
    try:
        module.run(report)
    except NotRun as missing_after_all:
        if not report.losses:
            return row_of(report, commit, needs=str(missing_after_all))
        report.loss(f"not run to its end: needs {missing_after_all}")
    except KeyboardInterrupt:
        print(f"{part}: ended after {report.rounds:,} rounds", file=sys.stderr, flush=True)
        return row_of(report, commit, (time.monotonic() - begun) / 60)
    except Exception:
        report.loss(f"the part itself broke:\n{traceback.format_exc()}")
    report.compare(module.LEAST)
    return row_of(report, commit, (time.monotonic() - begun) / 60)


def run_beside(part: str, processes: Processes) -> Row | None:
    """Run one part in a process of its own; None if all were ended."""
    said, code, stopped = processes.run(["tests.soak", "--alone", part], 60 * MINUTES)
    if processes.ended:
        return None
    report = Report(part)
    try:
        row = Row(**json.loads(said.splitlines()[-1]))
    except (IndexError, ValueError):
        report.loss(f"it ended with {code}")
        row = row_of(Report(part), commit_now())
    if stopped:
        report.loss(f"it still ran after {MINUTES} minutes")
        row = dataclasses.replace(row, minutes=float(MINUTES))
    return dataclasses.replace(row, losses=row.losses + len(report.losses))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    chosen = options.parts or list(PARTS)
    unknown = [part for part in chosen if part not in PARTS]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}. The parts: {', '.join(PARTS)}")
    interrupt_on_signals()
    if not os.access(table.PATH.parent, os.W_OK):
        parser.error(f"{table.PATH.parent}, where the table is written, cannot be written to")
    if options.alone:
        with exit_with_parent():
            row = run(*chosen)
            print(json.dumps(dataclasses.asdict(row)))
        return LOST if row.losses else 0
    begun = time.monotonic()
    rows, interrupted = _run_all(chosen)
    print("\n".join(line for line in table.PATH.read_text("utf-8").splitlines() if line.startswith("|")))
    lost = [row.part for row in rows if row.losses]
    not_run = [row.part for row in rows if row.needs]
    code = INTERRUPTED if interrupted else LOST if lost else NOT_RUN if not_run else 0
    said = [f"{(time.monotonic() - begun) / 60:.1f} minutes"]
    said += [f"something was lost in {', '.join(lost)}"] if lost else []
    said += [f"not run: {', '.join(not_run)}"] if not_run else []
    said += ["interrupted"] if interrupted else []
    print(f"{'; '.join(said)}; exit code {code}")
    return code


def _run_all(parts: list[str]) -> tuple[list[Row], bool]:
    """The rows of those that came to their end, and whether they were interrupted."""
    rows: list[Row] = []
    processes = Processes()
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        for done in as_completed([pool.submit(run_beside, part, processes) for part in parts]):
            if (row := done.result()) is None:
                continue
            rows.append(row)
            # Each row is kept as soon as it is known: an interrupted soak says what it did.
            print(row, flush=True)
            table.write([row], list(PARTS))
    except BaseException as end:
        pool.shutdown(wait=False, cancel_futures=True)
        processes.end()
        if not isinstance(end, KeyboardInterrupt):
            raise
        return rows, True
    finally:
        pool.shutdown()
    return rows, False


if __name__ == "__main__":
    sys.exit(main())
