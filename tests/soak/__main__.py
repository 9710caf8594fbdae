"""Run the soak: `python -m tests.soak [PART …]`, as many parts at a time as there are cores.

Exit code: 0 if all ran and nothing was lost, 1 if something was lost or a part broke, 3 if nothing was
lost but a part could not run for want of something that the table names.
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
from types import ModuleType

from tests.soak import table
from tests.soak.part import NotRun, Report
from tests.soak.table import Row

PARTS = (  # the longest first
    "suite",
    "power-cuts",
    "disk-faults",
    "properties",
    "races",
    "fuzz",
    "server-memory",
    "kills",
    "minions-sdk",
)
LOST, NOT_RUN = 1, 3


def module_of(part: str) -> ModuleType:
    """The module that runs a part."""
    return importlib.import_module(f"tests.soak.parts.{part.replace('-', '_')}")


def run(part: str) -> tuple[Row, list[str]]:
    """Run one part; its row of the table, and what was lost."""
    module = module_of(part)
    missing = [need.name for need in module.NEEDS if not need.present()]
    if missing:
        return Row(part, module.TITLE, needs=", ".join(missing)), []
    print(f"{part}: {module.TITLE}", file=sys.stderr, flush=True)
    report = Report(part)
    begun = time.monotonic()
    try:
        module.run(report)
    except NotRun as missing_after_all:
        if not report.losses:
            return Row(part, module.TITLE, needs=str(missing_after_all)), []
        report.loss(f"not run to its end: needs {missing_after_all}")
    except Exception:
        report.loss(f"the part itself broke:\n{traceback.format_exc()}")
    if not report.rounds and not report.losses:
        report.loss("nothing was tried")
    minutes = (time.monotonic() - begun) / 60
    row = Row(part, module.TITLE, report.rounds, report.faults, len(report.losses), minutes)
    return row, report.losses


def run_beside(part: str) -> tuple[Row, list[str]]:
    """Run one part in a process of its own."""
    command = [sys.executable, "-m", "tests.soak", "--alone", part]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    try:
        answer = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return Row(part, module_of(part).TITLE, losses=1), [f"{part} ended with {done.returncode}"]
    return Row(**answer["row"]), answer["losses"]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    chosen = options.parts or list(PARTS)
    unknown = [part for part in chosen if part not in PARTS]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}. The parts: {', '.join(PARTS)}")
    if options.alone:
        row, losses = run(*chosen)
        print(json.dumps({"row": dataclasses.asdict(row), "losses": losses}))
        return LOST if losses else 0
    lost = not_run = False
    shown: list[str] = []
    begun = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in as_completed([pool.submit(run_beside, part) for part in chosen]):
            row, losses = done.result()
            # Each row is kept as soon as it is known: an interrupted soak says what it did.
            shown = table.write([row], list(PARTS)).splitlines()
            print(row, flush=True)
            for loss in losses:
                print(f"{row.part}: LOSS: {loss}")
            lost |= bool(losses)
            not_run |= bool(row.needs)
    print("\n".join(line for line in shown if line.startswith("|")))
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes")
    return LOST if lost else NOT_RUN if not_run else 0


if __name__ == "__main__":
    sys.exit(main())
