"""Faults that need the operating system: another user, a full disk, another process."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_BEGIN = """
import json
import os
import resource, os, resource, signal, sys
from pathlib import Path
from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from memtui.formats import registry
registry.formats()
result = []

def refused(act):
    try:
        act()
    except Refused as refusal:
        return [refusal.code, refusal.message]
    return ["done", ""]

"""
NOBODY = 65534
_BECOME_NOBODY = f"os.setgid({NOBODY}); os.setuid({NOBODY})\n"


def run_child(program: str, *args: object, nobody: bool = False) -> Any:  # JSON, of the caller's choice
    """Run a Python program in another process and return its list `result`; with `nobody`, and if this
    process is root, as a user who owns nothing."""
    source = (
        _BEGIN
        + (_BECOME_NOBODY if nobody and os.geteuid() == 0 else "")
        + textwrap.dedent(program)
        + "\nprint(json.dumps(result))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", source, *map(str, args)], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make a folder readable but not writable for a child that runs as `nobody` (or as this user, unless
    this is root), and restore their modes afterwards. Parent folders become passable, and stay so."""
    inside = [folder, *folder.rglob("*")]
    if os.geteuid() == 0:
        extra = {path: 0o005 for path in folder.parents if path != Path("/")}
        extra |= {path: 0o555 if path.is_dir() else 0o444 for path in inside}
        wanted = {path: path.stat().st_mode | bits for path, bits in extra.items()}
    else:
        wanted = {path: path.stat().st_mode & ~0o222 for path in inside}
    before = {path: path.stat().st_mode for path in wanted}
    try:
        for path, mode in wanted.items():
            if mode != before[path]:
                path.chmod(mode)
        yield
    finally:
        for path in inside:  # a test of another worker may need to pass through the same parents
            mode = before[path]
            if path.exists() and path.stat().st_mode != mode:
                path.chmod(mode)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path | None]:
    """Mount a small file system at a new `folder`; yield None where this user may not mount."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def limit_file_size(limit: int = resource.RLIM_INFINITY) -> None:
    """Limit the size of files that this process writes, in bytes; without an argument, lift the limit."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def fill_disk(folder: Path) -> Path:
    """Fill a file system, and return the file that takes the space."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        size = 1 << 16
        while size:
            try:
                file.write(b"\0" * size)
            except OSError:
                size //= 2
    return ballast
