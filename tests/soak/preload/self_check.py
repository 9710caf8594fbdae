"""A check of the library before the soak relies on it: a fault that never happens proves nothing."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

from tests.soak.preload import FAIL, KILL_BEFORE, KILL_WITHIN, SHORT, SYNCS, WRITES, environment, record

_CHILD = """
import os, sys
from tests.soak.preload import Fault, Watcher
root, log = sys.argv[1:3]
watcher = Watcher()
watcher.arm(Fault(*map(int, sys.argv[3:])), os.open(log, os.O_WRONLY | os.O_CREAT, 0o600))
try:
    os.mkdir(f"{root}/sub", 0o750)
    with open(f"{root}/sub/a", "wb", buffering=0) as file:
        print(file.write(b"0123456789"), file.write(b"abc"))
        os.pwrite(file.fileno(), b"XY", 1)
        os.fchmod(file.fileno(), 0o640)
        os.fsync(file.fileno())
        os.truncate(file.fileno(), 8)
    os.chdir(root)
    os.link("sub/a", "b")
    os.rename("b", "c")
    os.open(f"{root}/old", os.O_WRONLY | os.O_TRUNC)
    os.unlink("sub/a")
    watcher.note("all done")
    with open(f"{log}.outside", "w") as file:
        file.write("not counted")
except OSError as error:
    print(error.errno)
print(watcher.disarm(), watcher.disturbed())
"""
# A fault, what the child then prints (at the end the numbers of calls counted and disturbed), and what it has
# written.
_FAULTS: tuple[tuple[tuple[int, ...], list[str], bytes], ...] = (
    ((FAIL, WRITES, errno.ENOSPC, 2), [str(errno.ENOSPC), "2", "1"], b"0123456789"),
    ((FAIL, SYNCS, errno.EIO, 1), ["10", "3", str(errno.EIO), "1", "1"], b"0XY3456789abc"),
    ((SHORT, WRITES, errno.ENOSPC, 1, 1), [str(errno.ENOSPC), "2", "2"], b"01234"),
    ((KILL_WITHIN, WRITES, 0, 1), [], b"01234"),
    ((KILL_BEFORE, WRITES, 0, 2), [], b"0123456789"),
)


def verify(library: Path, folder: Path) -> None:
    """Check that each fault affects the intended call, and that every call is recorded once. Raise
    AssertionError otherwise."""
    for number, (fault, printed, data) in enumerate(_FAULTS):
        root = folder / str(number)
        assert _child(library, root, *fault) == (printed, 0 if printed else -9), fault
        assert (root / "sub" / "a").read_bytes() == data, fault
    root = folder / "recorded"
    assert _child(library, root) == (["10", "3", "12", "0"], 0)
    calls = record.read(root.with_name("recorded.log"))
    assert len(calls) == 12 + 1
    assert calls[-1].data == b"all done"
    assert (root / "c").stat().st_mode & 0o777 == 0o640


def _child(library: Path, root: Path, *fault: int) -> tuple[list[str], int]:
    """Run a watched process; return what it printed, and its exit code."""
    root.mkdir(parents=True)
    (root / "old").write_bytes(b"old")
    log = root.with_name(f"{root.name}.log")
    command = [sys.executable, "-c", _CHILD, str(root), str(log), *map(str, fault)]
    env = {**os.environ, **environment(library, root)}
    root_folder = Path(__file__).parents[3]
    result = subprocess.run(
        command, env=env, cwd=root_folder, capture_output=True, text=True, timeout=30, check=False
    )
    assert not result.stderr, result.stderr
    return result.stdout.split(), result.returncode
