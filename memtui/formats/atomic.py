"""Replacing one file of a foreign store so that no write is ever torn or lost (S-6).

The original is hard-linked aside under a hidden name before the rename and hashed after
it: whoever wrote into the old file in between wins, and our write is refused.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.draft import digest


def read(root: Path, name: str) -> bytes | None:
    """The bytes of a file inside the store; None if it is not there. Links are not followed."""
    try:
        fd = os.open(inside(root, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(fd, "rb") as handle:
        return handle.read()


def inside(root: Path, name: str) -> Path:
    """`root/name`, refused if it would lead out of the store or through a link."""
    path = root / name if name else root
    parts = Path(name).parts
    if Path(name).is_absolute() or ".." in parts:
        raise Refused("outside", f"{name} leads out of the store.", "Nothing was changed.")
    step = root
    for part in parts[:-1]:
        step = step / part
        if step.is_symlink():
            raise Refused("link", f"{step.name} is a link; links inside a store are read-only.")
    return path


@contextmanager
def alone(root: Path, patience: float = 5.0) -> Iterator[None]:
    """Keep other memtuis from writing in the folder meanwhile; leaves no file behind.

    Two that look at a file at once would each find it as it was, and the second would write
    over the first. Raises Refused if it takes longer than `patience` seconds.
    """
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        end = time.monotonic() + patience
        while not _locked(fd):
            if time.monotonic() > end:
                raise Refused("busy", "Not saved: another memtui is writing there.", "Try again in a moment.")
            time.sleep(0.005)
        yield
    finally:
        os.close(fd)


def _locked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: the checks before and after have to do
        pass
    return True


def change(
    root: Path, name: str, old: bytes | None, new: bytes | None, token: str, mode: int = 0o600
) -> None:
    """Bring the file from `old` to `new` bytes; None stands for "no file".

    Raises Refused, with nothing changed, if the file no longer holds `old`; OSError from
    the system (disk full, no permission), also with nothing changed.
    """
    path = inside(root, name)
    fresh, aside = _hidden(path, token, "new"), _hidden(path, token, "old")
    try:
        if new is None:
            _take_away(path, old, aside)
        else:
            _write(fresh, new, path if old is not None else None, mode)
            if old is None:
                _make(fresh, path)
            else:
                _swap(path, old, fresh, aside)
        _sync_folder(path.parent)
    finally:
        fresh.unlink(missing_ok=True)


def tidy(root: Path, name: str, token: str, before: str | None) -> None:
    """Clear up after a write that was cut off: hidden files go, and an original that someone
    wrote into while it lay aside comes back."""
    path = inside(root, name)
    fresh, aside = _hidden(path, token, "new"), _hidden(path, token, "old")
    fresh.unlink(missing_ok=True)
    if aside.exists():
        if digest(aside.read_bytes()) != before:
            os.replace(aside, path)
        else:
            aside.unlink()


def refusal(trouble: OSError) -> Refused:
    """What the system's error means for a person."""
    if trouble.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return Refused("disk-full", "Not saved: the disk is full.", "Free some space, try again.")
    if trouble.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return Refused("read-only", "Not saved: the store may not be written by this user.")
    return Refused("io", f"Not saved: {trouble.strerror}.", "Nothing was changed.")


def _hidden(path: Path, token: str, what: str) -> Path:
    return path.with_name(f".{path.name}.memtui-{token}.{what}")


def _write(fresh: Path, data: bytes, like: Path | None, mode: int) -> None:
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as handle:
        handle.write(data)
        handle.flush()
        if like is not None:
            status = os.stat(like, follow_symlinks=False)
            mode = stat.S_IMODE(status.st_mode)
            if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
                try:
                    os.fchown(handle.fileno(), status.st_uid, status.st_gid)
                except PermissionError:
                    mode &= 0o777
        os.fchmod(handle.fileno(), mode)
        os.fsync(handle.fileno())


def _swap(path: Path, old: bytes, fresh: Path, aside: Path) -> None:
    status = os.stat(path, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        raise Refused("link", f"{path.name} is a link; links inside a store are read-only.")
    if status.st_nlink > 1:
        raise Refused("hard-link", f"Not saved: {path.name} has a second name (a hard link).")
    os.link(path, aside, follow_symlinks=False)
    try:
        if aside.read_bytes() != old or not os.path.samefile(path, aside):
            raise _changed(path)
        os.replace(fresh, path)
        if aside.read_bytes() != old:
            os.replace(aside, path)
            raise _changed(path)
    finally:
        aside.unlink(missing_ok=True)


def _make(fresh: Path, path: Path) -> None:
    try:
        os.link(fresh, path, follow_symlinks=False)
    except FileExistsError:
        raise _changed(path) from None


def _take_away(path: Path, old: bytes | None, aside: Path) -> None:
    try:
        os.rename(path, aside)
    except FileNotFoundError:
        raise _changed(path) from None
    if aside.is_symlink() or aside.read_bytes() != old:
        os.rename(aside, path)
        raise _changed(path)
    aside.unlink()


def _changed(path: Path) -> Refused:
    return Refused(
        "changed",
        f"Not saved: {path.name} changed while the change was being made.",
        "Nothing was written. Try again.",
    )


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
