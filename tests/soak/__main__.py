"""Run the soak: `python -m tests.soak [PART …]`, as many parts at a time as there are cores.

Exit code: 0 if all parts ran without a loss, 1 if there was a loss or a part failed, 3 if there was no loss
but a part lacked a requirement that the table names, 130 after Ctrl-C. `make soak` itself ends with 2 for
each of them but 0, as GNU make does; the last line printed has the exit code.
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

PARTS = (  # the longest first, so that none starts last and runs alone
    "suite",
    "properties",
    "fuzz",
    "power-cuts",
    "disk-faults",
    "races",
    "agents",
    "minions-sdk",
    "exports",
    "claude-code",
    "report",
    "server-memory",
    "kills",
)
MINUTES = 45  # after which a part is ended and counts as a loss
LOST, NOT_RUN, INTERRUPTED = 1, 3, 130
_ROOT = Path(__file__).parents[2]


def module_of(part: str) -> ModuleType:
    """Return the module of a part."""
    return importlib.import_module(f"tests.soak.parts.{part.replace('-', '_')}")


def row_of(report: Report, commit: str, minutes: float = 0.0, needs: str = "") -> Row:
    """Return the row of a part as of now."""
    module = module_of(report.part)
    minimum: Minimum = module.MINIMUM
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
        minimum.rounds,
        minimum.faults,
    )


def commit_now() -> str:
    """Return the short hash of the current commit, with a "+" if files other than the table differ from it or
    are untracked; "" outside a repository."""
    try:
        head = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "-unormal", "--", ".", f":!{table.PATH.relative_to(_ROOT)}")
    except OSError:
        return ""
    return "" if head.returncode else head.stdout.strip() + "+" * bool(changed.stdout)


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False)


def run(part: str) -> Row:
    """Run one part and return its row of the table. Losses are printed on stderr."""
    module = module_of(part)
    report, commit = Report(part), commit_now()
    missing = [need.name for need in module.NEEDS if not need.present()]
    if missing:
        return row_of(report, commit, needs=", ".join(missing))
    print(f"{part}: {module.TITLE}", file=sys.stderr, flush=True)
    started = time.monotonic()
    try:
        module.run(report)
    except NotRun as not_run:
        if not report.losses:
            return row_of(report, commit, needs=str(not_run))
        report.add_loss(f"not run to its end: needs {not_run}")
    except KeyboardInterrupt:
        print(f"{part}: ended after {report.rounds:,} rounds", file=sys.stderr, flush=True)
        return row_of(report, commit, (time.monotonic() - started) / 60)
    except Exception:
        report.add_loss(f"the part itself broke:\n{traceback.format_exc()}")
    report.check_minimum(module.MINIMUM)
    return row_of(report, commit, (time.monotonic() - started) / 60)


def run_in_process(part: str, processes: Processes) -> Row | None:
    """Run one part in a process of its own and return its row; None if all parts are being ended."""
    output, code, timed_out = processes.run(["tests.soak", "--alone", part], 60 * MINUTES)
    if processes.ended:
        return None
    report = Report(part)
    try:
        row = Row(**json.loads(output.splitlines()[-1]))
    except (IndexError, ValueError):
        report.add_loss(f"it ended with {code}")
        row = row_of(Report(part), commit_now())
    if timed_out:
        report.add_loss(f"it still ran after {MINUTES} minutes")
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
    started = time.monotonic()
    rows, interrupted = _run_all(chosen)
    print("\n".join(line for line in table.PATH.read_text("utf-8").splitlines() if line.startswith("|")))
    with_losses = [row.part for row in rows if row.losses]
    not_run = [row.part for row in rows if row.needs]
    code = INTERRUPTED if interrupted else LOST if with_losses else NOT_RUN if not_run else 0
    summary = [f"{(time.monotonic() - started) / 60:.1f} minutes"]
    summary += [f"something was lost in {', '.join(with_losses)}"] if with_losses else []
    summary += [f"not run: {', '.join(not_run)}"] if not_run else []
    summary += ["interrupted"] if interrupted else []
    print(f"{'; '.join(summary)}; exit code {code}")
    return code


def _run_all(parts: list[str]) -> tuple[list[Row], bool]:
    """Run the parts; return the rows of those that ended, and whether the run was interrupted."""
    rows: list[Row] = []
    processes = Processes()
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        for done in as_completed([pool.submit(run_in_process, part, processes) for part in parts]):
            if (row := done.result()) is None:
                continue
            rows.append(row)
            # Each row is written at once, so that an interrupted soak has its results.
            print(row, flush=True)
            table.write([row], list(PARTS))
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        processes.end()
        if not isinstance(error, KeyboardInterrupt):
            raise
        return rows, True
    finally:
        pool.shutdown()
    return rows, False


if __name__ == "__main__":
    sys.exit(main())
