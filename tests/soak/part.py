"""The contract of a part of the soak: what it needs, and how it runs.

A part is a module in `tests/soak/parts/` with four names:

- `TITLE`: one line that says what is tried, as the table shows it.
- `NEEDS`: the `Need`s without which the part cannot run.
- `LEAST`: how many rounds and faults there must be; fewer are a loss.
- `run(report)`: tries everything, tells `report` of each round, and returns when it is done. Raises
  `NotRun` where something that it needs turns out to be missing, such as a package to install.

Parts choose at random from seeds that are fixed and printed with each loss, so that a loss can be
reproduced; in races the choices are the same again, and the moments are not. Parts are bounded, and touch
only folders of their own and the loopback interface; the only other traffic is the installation of
packages by npm and pip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO


class NotRun(Exception):
    """A part cannot run for want of something that only shows once it is tried; says what."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something outside of memtui that a part cannot do without: its name, and whether it is there."""

    name: str
    present: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Minimum:
    """How much a part must have tried for its row to mean something."""

    rounds: int = 1
    faults: int = 0


def _responds(*command: str, given: bytes = b"") -> bool:
    if shutil.which(command[0]) is None:
        return False
    try:
        return subprocess.run(command, input=given, capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


_PROGRAM = b"#include <stdio.h>\nint main(void) { return 0; }\n"
NPM = Need("npm", lambda: _responds("npm", "--version"))
PYTHON_312 = Need("Python 3.12", lambda: python_312() is not None)
C_COMPILER = Need("a C compiler", lambda: _responds("cc", "-x", "c", "-fsyntax-only", "-", given=_PROGRAM))


def python_312() -> str | None:
    """The command of a Python 3.12 or newer that can make virtual environments; None if there is none.
    pyenv's own commands answer only for the version that is selected, so its versions are tried by path."""
    names = ("python3.14", "python3.13", "python3.12")
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    kept = [path for name in names for path in sorted(versions.glob(f"*/bin/{name}"))]
    for command in (*names, *map(str, kept)):
        if _responds(command, "-c", "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 12))"):
            return command
    return None


@dataclass(slots=True)
class Report:
    """Counts what a part tried and what was lost, and shows its progress on stderr."""

    part: str
    planned: int = 0
    """How many rounds there will be, as far as the part knows."""
    rounds: int = 0
    """What was tried and judged."""
    faults: int = 0
    """Rounds in which something was really done to memtui: a kill that hit, a call that failed."""
    losses: list[str] = field(default_factory=list)
    """One entry for each round that ended otherwise than it must: what was tried (with its seed), and
    what was found."""
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    _shown: float = 0.0

    def plan(self, rounds: int) -> None:
        """There will be so many rounds more."""
        self.planned += rounds

    def done(self, rounds: int = 1, faults: int = 0) -> None:
        """So many rounds ended, in so many of which a fault was injected."""
        self.rounds += rounds
        self.faults += faults
        self._show()

    def loss(self, what: str) -> None:
        """A round ended with something lost, torn, wrong or unexplained."""
        self.losses.append(what)
        print(f"\n{self.part}: LOSS: {what}", file=self.stream, flush=True)

    def compare(self, least: Minimum) -> None:
        """At the end: fewer rounds or faults than there must be are a loss."""
        for what, came, wanted in (
            ("rounds", self.rounds, least.rounds),
            ("faults", self.faults, least.faults),
        ):
            if came < wanted:
                self.loss(f"{came:,} {what}, and there must be {wanted:,}")

    def _show(self) -> None:
        now = time.monotonic()
        step = 1.0 if self.stream.isatty() else 30.0
        if now - self._shown >= step:
            self._shown = now
            end = "\r" if self.stream.isatty() else "\n"
            of = f" of {self.planned}" if self.planned else ""
            print(
                f"{self.part}: {self.rounds}{of} rounds, {self.faults} faults, {len(self.losses)} losses",
                end=end,
                file=self.stream,
                flush=True,
            )
