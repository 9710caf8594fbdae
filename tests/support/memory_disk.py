"""Temporary folders in memory, where the machine has some: waiting for a disk proves nothing.

What needs a real disk (because /dev is never searched, say) asks for the fixture `disk_path`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

ROOM = 4 << 30  # bytes that must be free; a run uses about a gigabyte
_MEMORY = Path("/dev/shm")
_DISK = "MEMTUI_TESTS_DISK"


def use_memory() -> Path | None:
    """Have this process and its children make temporary folders in memory; the folder to be removed
    afterwards, None where there is no memory disk or the caller has chosen a place (TMPDIR)."""
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < ROOM:
        return None
    os.environ[_DISK] = tempfile.gettempdir()
    folder = Path(tempfile.mkdtemp(prefix="memtui-tests-", dir=_MEMORY))
    folder.chmod(0o755)  # tests that run as another user come through here
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


def disk() -> str:
    """Where temporary folders are when they are not kept in memory."""
    return os.environ.get(_DISK) or tempfile.gettempdir()
