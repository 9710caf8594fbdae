"""Whether the library does what it says, asked before the soak rests on it: a fault that never happens would
be survived by anything."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

from tests.soak.preload import FAIL, KILL_BEFORE, KILL_WITHIN, SHORT, SYNCS, WRITES, environment, record

_CHILD = """
import os, sys
from tests.soak.preload import Fault, Watch
root, log = sys.argv[1:3]
watch = Watch()
watch.arm(Fault(*map(int, sys.argv[3:])), os.open(log, os.O_WRONLY | os.O_CREAT, 0o600))
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
    watch.note("all done")
    with open(f"{log}.outside", "w") as file:
        file.write("not counted")
except OSError as trouble:
    print(trouble.errno)
print(watch.disarm(), watch.met())
"""
# A fault, what the child then says (at the end how many calls were counted, and went wrong), and what it has
# written.
_FAULTS: tuple[tuple[tuple[int, ...], list[str], bytes], ...] = (
    ((FAIL, WRITES, errno.ENOSPC, 2), [str(errno.ENOSPC), "2", "1"], b"0123456789"),
    ((FAIL, SYNCS, errno.EIO, 1), ["10", "3", str(errno.EIO), "1", "1"], b"0XY3456789abc"),
    ((SHORT, WRITES, errno.ENOSPC, 1, 1), [str(errno.ENOSPC), "2", "2"], b"01234"),
    ((KILL_WITHIN, WRITES, 0, 1), [], b"01234"),
    ((KILL_BEFORE, WRITES, 0, 2), [], b"0123456789"),
)


def verify(library: Path, folder: Path) -> None:
    """Each fault meets the call that it is meant for, and every call is recorded, once. Raises
    AssertionError where it is not so."""
    for number, (fault, said, data) in enumerate(_FAULTS):
        root = folder / str(number)
        assert _child(library, root, *fault) == (said, 0 if said else -9), fault
        assert (root / "sub" / "a").read_bytes() == data, fault
    root = folder / "recorded"
    assert _child(library, root) == (["10", "3", "12", "0"], 0)
    calls = record.read(root.with_name("recorded.log"))
    assert len(calls) == 12 + 1
    assert calls[-1].data == b"all done"
    assert (root / "c").stat().st_mode & 0o777 == 0o640


def _child(library: Path, root: Path, *fault: int) -> tuple[list[str], int]:
    """What a watched process printed, and how it ended."""
    root.mkdir(parents=True)
    (root / "old").write_bytes(b"old")
    log = root.with_name(f"{root.name}.log")
    command = [sys.executable, "-c", _CHILD, str(root), str(log), *map(str, fault)]
    env = {**os.environ, **environment(library, root)}
    above = Path(__file__).parents[3]
    ran = subprocess.run(command, env=env, cwd=above, capture_output=True, text=True, timeout=30, check=False)
    assert not ran.stderr, ran.stderr
    return ran.stdout.split(), ran.returncode
