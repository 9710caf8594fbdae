"""A small C library, loaded before all others (LD_PRELOAD), that wraps each system call that changes a file:
it records them (`record.py`, replayed by `replay.py`), or makes one of them fail."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.soak.part import C_COMPILER, Need

NEEDS = [C_COMPILER, Need("Linux", lambda: sys.platform == "linux")]
ROOT = "MEMTUI_FAULTS_ROOT"  # the environment variable that names the watched folder
# Classes of calls; faults.c has the same numbers.
WRITES, MAKES, NAMES, SYNCS, REST = 1, 2, 4, 8, 16
ALL = WRITES | MAKES | NAMES | SYNCS | REST
PASS, FAIL, SHORT, KILL_BEFORE, KILL_WITHIN, KILL_AFTER = range(6)


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to the Nth call (from 1) of some classes; if `lasting`, also to all later ones."""

    action: int = PASS
    classes: int = ALL
    code: int = 0  # an errno
    nth: int = 0
    lasting: bool = False


def build(folder: Path) -> Path:
    """Compile the library into `folder` and return its path."""
    target = folder / "faults.so"
    source = Path(__file__).with_name("faults.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(target), str(source)], check=True)
    return target


def environment(library: Path, root: Path) -> dict[str, str]:
    """Return the environment variables of a process that is to be watched."""
    return {"LD_PRELOAD": str(library), ROOT: str(root)}


class Watcher:
    """Access to the library, in a process that was started with it."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)

    def arm(self, fault: Fault, log: int = -1) -> None:
        """Start counting; record each successful call in the open file `log`, if one is given."""
        self._library.memtui_faults_arm(
            fault.action, fault.classes, fault.code, ctypes.c_long(fault.nth), int(fault.lasting), log
        )

    def note(self, text: str) -> None:
        """Record a note between the calls."""
        self._library.memtui_faults_note(text.encode())

    def disturbed(self) -> int:
        """Return how many calls were made to fail or to be incomplete."""
        self._library.memtui_faults_met.restype = ctypes.c_long
        return int(self._library.memtui_faults_met())

    def disarm(self) -> int:
        """Stop, and return how many calls were counted."""
        disarm = self._library.memtui_faults_disarm
        disarm.restype = ctypes.c_long
        return int(disarm())
