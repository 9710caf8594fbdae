"""Run the soak: `python -m tests.soak [PART …]`.

Exit code: 0 if all ran and nothing was lost, 1 if something was lost or a part broke, 3 if nothing was
lost but a part could not run for want of something that the table names.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import traceback
from types import ModuleType

from tests.soak import table
from tests.soak.part import NotRun, Report
from tests.soak.table import Row

PARTS = (
    "suite",
    "kills",
    "properties",
    "power-cuts",
    "disk-faults",
    "races",
    "fuzz",
    "server-memory",
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


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    chosen = parser.parse_args(argv).parts or list(PARTS)
    unknown = [part for part in chosen if part not in PARTS]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}. The parts: {', '.join(PARTS)}")
    code = 0
    shown: list[str] = []
    for part in chosen:
        row, losses = run(part)
        # Each row is kept as soon as it is known: an interrupted soak says what it did.
        shown = table.write([row], list(PARTS)).splitlines()
        print(f"{row}", flush=True)
        if losses:
            code = LOST
        elif row.needs and code == 0:
            code = NOT_RUN
    print("\n".join(line for line in shown if line.startswith("|")))
    return code


if __name__ == "__main__":
    sys.exit(main())
