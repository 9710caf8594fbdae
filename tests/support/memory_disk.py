"""Temporary folders in /dev/shm where possible: waiting for a disk proves nothing.

A test that needs a real disk (because /dev is never searched, for instance) uses the fixture `disk_path`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MIN_FREE = 4 << 30  # bytes; a run uses about a gigabyte
_MEMORY = Path("/dev/shm")
_DISK = "MEMTUI_TESTS_DISK"


def memory_file_system(min_free: int = MIN_FREE) -> Path | None:
    """Return the in-memory file system, or None if it has less than `min_free` bytes free, is mounted
    noexec, or TMPDIR is set."""
    if (
        "TMPDIR" in os.environ
        or not os.access(_MEMORY, os.W_OK)
        or shutil.disk_usage(_MEMORY).free < min_free
    ):
        return None
    return None if os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC else _MEMORY


def temp_folder() -> tempfile.TemporaryDirectory[str]:
    """Make a temporary folder for one part of the soak, in memory if 1 GiB is free there."""
    return tempfile.TemporaryDirectory(prefix="memtui-soak-", dir=memory_file_system(1 << 30))


def use_memory_file_system() -> Path | None:
    """Make this process and its children create temporary folders in memory. Return the folder that the
    caller removes afterwards, or None if there is no `memory_file_system`."""
    parent = memory_file_system()
    if parent is None:
        return None
    os.environ[_DISK] = tempfile.gettempdir()
    folder = Path(tempfile.mkdtemp(prefix="memtui-tests-", dir=parent))
    folder.chmod(0o755)  # tests that run as another user pass through it
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


def disk_folder() -> str:
    """Return the folder for temporary files on disk; never below /dev, which is not searched for stores."""
    found = os.environ.get(_DISK) or tempfile.gettempdir()
    return "/var/tmp" if Path(found).is_relative_to("/dev") else found
