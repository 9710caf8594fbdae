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


def memory(room: int = ROOM) -> Path | None:
    """The file system in memory; None where there is none with so many bytes free, where no program may run
    from it, or the caller has chosen a place (TMPDIR)."""
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < room:
        return None
    return None if os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC else _MEMORY


def temp_folder() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder for one part of the soak, in memory where there is room."""
    return tempfile.TemporaryDirectory(prefix="memtui-soak-", dir=memory(1 << 30))


def use_memory() -> Path | None:
    """Have this process and its children make temporary folders in memory; the folder to be removed
    afterwards, None where there is no `memory`."""
    above = memory()
    if above is None:
        return None
    os.environ[_DISK] = tempfile.gettempdir()
    folder = Path(tempfile.mkdtemp(prefix="memtui-tests-", dir=above))
    folder.chmod(0o755)  # tests that run as another user come through here
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


def disk() -> str:
    """Where temporary folders are when they are not kept in memory; never below /dev, which is not searched
    for stores."""
    found = os.environ.get(_DISK) or tempfile.gettempdir()
    return "/var/tmp" if Path(found).is_relative_to("/dev") else found
