"""What only the operating system can bring about: another user, a full disk, another process."""

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
told = []

def refused(act):
    try:
        act()
    except Refused as refusal:
        return [refusal.code, refusal.message]
    return ["done", ""]

"""
NOBODY = 65534
_BECOME_NOBODY = f"os.setgid({NOBODY}); os.setuid({NOBODY})\n"


def child(program: str, *args: Any, nobody: bool = False) -> Any:
    """What a Python program tells (`told`) that runs beside us, for root with `nobody` as a user who owns
    nothing."""
    text = (
        _BEGIN
        + (_BECOME_NOBODY if nobody and os.geteuid() == 0 else "")
        + textwrap.dedent(program)
        + "\nprint(json.dumps(told))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", text, *map(str, args)], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


@contextmanager
def only_readable(folder: Path) -> Iterator[None]:
    """What is in a folder may be read and not be written by a child that is `nobody`: that is another user,
    who comes as far as this folder; or this one, where this is not root. In the end all is as it was."""
    inside = [folder, *folder.rglob("*")]
    if os.geteuid() == 0:
        modes = {each: 0o005 for each in folder.parents if each != Path("/")}
        modes |= {each: 0o555 if each.is_dir() else 0o444 for each in inside}
        wanted = {each: each.stat().st_mode | more for each, more in modes.items()}
    else:
        wanted = {each: each.stat().st_mode & ~0o222 for each in inside}
    before = {each: each.stat().st_mode for each in wanted}
    try:
        for each, mode in wanted.items():
            if mode != before[each]:
                each.chmod(mode)
        yield
    finally:
        for each, mode in before.items():
            if each.exists() and each.stat().st_mode != mode:
                each.chmod(mode)


@contextmanager
def disk(folder: Path, size: str) -> Iterator[Path | None]:
    """A small disk of its own at `folder`; None where this user may mount none."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def limit_files(most: int = resource.RLIM_INFINITY) -> None:
    """Let no file of this process grow beyond so many bytes; let all grow again."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def fill(folder: Path) -> Path:
    """Write until nothing more goes in; the file that takes the room."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        size = 1 << 16
        while size:
            try:
                file.write(b"\0" * size)
            except OSError:
                size //= 2
    return ballast
