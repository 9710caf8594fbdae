"""What only the operating system can bring about: another user, a full disk, another process."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_BEGIN = """
import json, os, resource, signal, sys
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
_NOBODY = "os.setgid(65534); os.setuid(65534)\n"


def child(program: str, *args: Any, nobody: bool = False) -> Any:
    """What a Python program tells (`told`) that runs beside us, if need be as a user who owns nothing."""
    text = _BEGIN + (_NOBODY if nobody else "") + textwrap.dedent(program) + "\nprint(json.dumps(told))\n"
    ran = subprocess.run(
        [sys.executable, "-c", text, *map(str, args)], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def open_to_all(folder: Path) -> None:
    """Let another user come as far as this folder, and read what is in it."""
    for each in (folder, *folder.parents):
        if each != Path("/") and each.stat().st_mode & 0o005 != 0o005:
            each.chmod(each.stat().st_mode | 0o005)
    for file in folder.rglob("*"):
        file.chmod(file.stat().st_mode | (0o555 if file.is_dir() else 0o444))


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
