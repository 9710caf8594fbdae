"""The contract of a part of the soak: what it needs, and how it runs.

A part is a module in `tests/soak/parts/` with four names:

- `TITLE`: one line on what is tried, as the table shows it.
- `NEEDS`: the requirements without which the part cannot run.
- `MINIMUM`: how many rounds and faults there must be; fewer are a loss.
- `run(report)`: runs all rounds and adds each to `report`. Raises `NotRun` if something that it needs turns
out to be missing, such as a package to install.

Random choices come from fixed seeds, which are printed with each loss, so that a loss can be reproduced; in
races the choices repeat, but the timing does not. Parts are bounded in time, and touch only folders of their
own and the loopback interface; the only other traffic is the installation of packages by npm and pip.
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
    """A part cannot run because of something that shows only once it runs; the message names it."""


@dataclass(frozen=True, slots=True)
class Need:
    """A requirement of a part outside memtui: its name, and whether it is present."""

    name: str
    present: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Minimum:
    """How many rounds and faults a part must have for its row to mean something."""

    rounds: int = 1
    faults: int = 0


def _responds(*command: str, stdin: bytes = b"") -> bool:
    if shutil.which(command[0]) is None:
        return False
    try:
        return subprocess.run(command, input=stdin, capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


_PROGRAM = b"#include <stdio.h>\nint main(void) { return 0; }\n"
NPM = Need("npm", lambda: _responds("npm", "--version"))
PYTHON_312 = Need("Python 3.12", lambda: python_312() is not None)
C_COMPILER = Need("a C compiler", lambda: _responds("cc", "-x", "c", "-fsyntax-only", "-", stdin=_PROGRAM))
_LOOPBACK_ONLY = ("unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
PRIVATE_NETWORK = Need("private networks (unshare -rn)", lambda: _responds(*loopback_only("true")))


def loopback_only(*command: str) -> list[str]:
    """Return a command that runs another one where the loopback interface is the whole network."""
    return [*_LOOPBACK_ONLY, *command]


def python_312() -> str | None:
    """Return the command of a Python 3.12 or newer that can make virtual environments, or None.

    pyenv's shims work only for the selected version, so its versions are tried by path.
    """
    names = ("python3.14", "python3.13", "python3.12")
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    by_path = [path for name in names for path in sorted(versions.glob(f"*/bin/{name}"))]
    for command in (*names, *map(str, by_path)):
        if _responds(command, "-c", "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 12))"):
            return command
    return None


@dataclass(slots=True)
class Report:
    """Counts the rounds, faults and losses of a part, and shows its progress on stderr."""

    part: str
    planned: int = 0
    """How many rounds there will be, as far as is known."""
    rounds: int = 0
    """Rounds that were run and checked."""
    faults: int = 0
    """Rounds with a fault that took effect: a kill that hit, a call that failed."""
    losses: list[str] = field(default_factory=list)
    """One entry for each round that ended wrong: what was tried (with its seed), and what was found."""
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    _shown: float = 0.0

    def plan(self, rounds: int) -> None:
        """Announce more rounds."""
        self.planned += rounds

    def add_rounds(self, rounds: int = 1, faults: int = 0) -> None:
        """Count rounds that ended, and those of them with a fault."""
        self.rounds += rounds
        self.faults += faults
        self._show()

    def add_loss(self, text: str) -> None:
        """Record a round that ended with something lost, torn, wrong or unexplained."""
        self.losses.append(text)
        print(f"\n{self.part}: LOSS: {text}", file=self.stream, flush=True)

    def check_minimum(self, minimum: Minimum) -> None:
        """Record a loss if there were fewer rounds or faults than required."""
        for name, count, required in (
            ("rounds", self.rounds, minimum.rounds),
            ("faults", self.faults, minimum.faults),
        ):
            if count < required:
                self.add_loss(f"{count:,} {name}, and there must be {required:,}")

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
