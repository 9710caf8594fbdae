"""Writing an export to a file: whole or not at all, readable by its owner only (S-73)."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memtui.export import wording
from memtui.formats.media.files import atomic_write

_STAGING = ".memtui-text-"  # begins the name of a file that is not complete yet


def write_new(path: Path, text: str, *, replace: bool = False) -> None:
    """Write the text as UTF-8 with mode 0600; raise Refused if the file exists, unless `replace`, or if it
    cannot be written. A file that is replaced keeps its content until the new one is complete; a device or a
    pipe is never replaced."""
    try:
        if os.path.lexists(path):
            if not replace:
                raise wording.file_exists(path)
            _require_file(path)
        with _staging_file(path.parent) as (handle, temporary):
            with os.fdopen(handle, "wb", closefd=False) as file:
                file.write(text.encode("utf-8", "backslashreplace"))
                file.flush()
                os.fsync(handle)
            if replace:
                os.replace(temporary, path)
            elif not atomic_write.move(temporary, path):  # another program made the file meanwhile
                raise wording.file_exists(path)
    except OSError as error:
        raise wording.not_written(path, (error.strerror or str(error)).lower()) from error


def _require_file(path: Path) -> None:
    """Raise Refused for a device, a pipe or a socket: a file in its place would break what uses it."""
    mode = os.lstat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode)):
        raise wording.no_regular_file(path)


@contextmanager
def _staging_file(folder: Path) -> Iterator[tuple[int, Path]]:
    """Make a hidden file with a lock on it, and remove it at the end where it still has its name; those that
    a killed process left in the folder are removed first."""
    for left in folder.glob(f"{_STAGING}*"):
        with suppress(OSError):
            _remove_unless_locked(left)
    while True:
        handle, name = tempfile.mkstemp(prefix=_STAGING, dir=folder)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:  # else another export took it for left in between
            break
        os.close(handle)
    try:
        yield handle, Path(name)
    finally:
        with suppress(OSError):
            os.unlink(name)
        os.close(handle)


def _remove_unless_locked(left: Path) -> None:
    # O_NONBLOCK: opening a pipe of that name would wait for a writer.
    handle = os.open(left, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(left)
    finally:
        os.close(handle)
