"""Replacing one file of a foreign store so that no write is ever torn or lost (S-6).

Our bytes and the original change places in one step, and what came out is compared with what was
read: whoever wrote or replaced the file in between wins, and our write is refused. Where the system
cannot exchange two files, the original is hard-linked aside before the rename and hashed after it.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memtui.errors import NotSaved, Refused
from memtui.formats.media.files.draft import digest

_NAME_MAX = 255  # bytes
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EMLINK)


def read(root: Path, name: str) -> bytes | None:
    """The bytes of a file inside the store; None if it is not there. Links are not followed."""
    try:
        # A pipe would keep its reader waiting.
        fd = os.open(inside(root, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(fd, "rb") as handle:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file", name)
        return handle.read()


def inside(root: Path, name: str) -> Path:
    """`root/name`, refused if it would lead out of the store or through a link."""
    path = root / name if name else root
    if "/" not in name and name not in ("", ".", ".."):
        return path
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
                raise NotSaved("busy", "another memtui is writing there.", "Try again in a moment.")
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
    root: Path,
    name: str,
    old: bytes | None,
    new: bytes | None,
    token: str,
    mode: int = 0o600,
    *,
    sync: bool = True,
) -> None:
    """Bring the file from `old` to `new` bytes; None stands for "no file".

    Raises Refused, with nothing changed, if the file no longer holds `old`; OSError from
    the system (disk full, no permission), also with nothing changed. Without `sync` the caller
    syncs the folder before it says that the change is made.
    """
    path = inside(root, name)
    aside = _hidden(path, token, "old")
    if new is None:
        _take_away(path, old, aside)
    else:
        fresh = _hidden(path, token, "new")
        try:
            _write(fresh, new, path if old is not None else None, mode)
            if old is None:
                _make(fresh, path)
            else:
                _swap(path, old, new, fresh, aside)
        finally:
            fresh.unlink(missing_ok=True)
    if sync:
        sync_folder(path.parent)


def tidy(root: Path, name: str, token: str, before: str | None, after: str | None) -> bool:
    """Clear up after a write that was cut off: hidden files go, and an original that someone
    wrote into while it lay aside comes back, unless somebody worked on in the file since; then
    it stays beside it under a name that can be seen, and the answer is False."""
    path = inside(root, name)
    fresh, aside = _hidden(path, token, "new"), _hidden(path, token, "old")
    fresh.unlink(missing_ok=True)
    if not os.path.lexists(aside):
        return True
    if os.path.lexists(path) and os.path.samefile(path, aside):  # ended between link and rename
        aside.unlink()
        return True
    if not aside.is_symlink() and digest(aside.read_bytes()) in (before, after):
        aside.unlink()
        return True
    return _put_back(aside, path, after)


def _put_back(aside: Path, path: Path, ours: str | None) -> bool:
    """Bring what lies aside back to its place if nothing but our own bytes (by digest; None: no
    file) is there; else keep it in sight, and answer False."""
    if ours is None:
        if _move(aside, path):
            return True
    elif path.is_file() and not path.is_symlink() and digest(path.read_bytes()) == ours:
        if not _exchange(aside, path):
            os.replace(aside, path)
            return True
        if digest(aside.read_bytes()) == ours:
            aside.unlink()
            return True
        _exchange(aside, path)  # replaced at this very moment: theirs stays
    keep_in_sight(aside, path)
    return False


def keep_in_sight(aside: Path, path: Path) -> None:
    """Give bytes of someone else that lost their place a name beside it."""
    number = 1
    while not _move(aside, _beside(path, "", f".memtui-recovered-{number}")):
        number += 1


def refusal(trouble: OSError) -> Refused:
    """What the system's error means for a person."""
    if trouble.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NotSaved("disk-full", "the disk is full.", "Free some space, try again.")
    if trouble.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return NotSaved("read-only", "the store may not be written by this user.")
    return NotSaved("io", f"{trouble.strerror}.", "Nothing was changed.")


def _hidden(path: Path, token: str, what: str) -> Path:
    return _beside(path, ".", f".memtui-{token}.{what}")


def _beside(path: Path, before: str, behind: str) -> Path:
    """A name made of the file's own; a mark stands for that where it would get too long."""
    name = before + path.name + behind
    if len(os.fsencode(name)) > _NAME_MAX:
        mark = hashlib.blake2b(os.fsencode(path.name), digest_size=16).hexdigest()
        name = before + mark + behind
    return path.with_name(name)


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


def _swap(path: Path, old: bytes, new: bytes, fresh: Path, aside: Path) -> None:
    status = os.stat(path, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        raise Refused("link", f"{path.name} is a link; links inside a store are read-only.")
    _only_name(path, status)
    os.rename(fresh, aside)
    try:
        if path.read_bytes() != old:  # nobody sees our bytes in place of newer ones
            raise _changed(path)
        exchanged = _exchange(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    if not exchanged:
        os.rename(aside, fresh)
        _swap_linked(path, old, fresh, aside)
        return
    try:
        if aside.is_symlink() or aside.read_bytes() != old:
            raise _changed(path)
        sync_folder(path.parent)
        if aside.read_bytes() != old:  # someone still writes into the file that they had open
            raise _changed(path)
    except BaseException:
        _put_back(aside, path, digest(new))
        raise
    aside.unlink()


def _only_name(path: Path, status: os.stat_result) -> None:
    if status.st_nlink > 1 and stat.S_ISREG(status.st_mode):
        raise NotSaved("hard-link", f"{path.name} has a second name (a hard link).")


def _swap_linked(path: Path, old: bytes, fresh: Path, aside: Path) -> None:
    """Where files cannot be exchanged."""
    ours = digest(fresh.read_bytes())
    try:
        os.link(path, aside, follow_symlinks=False)
    except OSError as trouble:
        raise _no_way(path) if trouble.errno in _CANNOT else trouble from trouble
    if aside.read_bytes() != old or not os.path.samefile(path, aside):
        aside.unlink()
        raise _changed(path)
    try:
        os.replace(fresh, path)
    except OSError:
        aside.unlink()
        raise
    if aside.read_bytes() != old:
        _put_back(aside, path, ours)
        raise _changed(path)
    aside.unlink()


def _make(fresh: Path, path: Path) -> None:
    if not _move(fresh, path):
        raise _changed(path)


def _take_away(path: Path, old: bytes | None, aside: Path) -> None:
    try:
        _only_name(path, os.stat(path, follow_symlinks=False))
        os.rename(path, aside)
    except FileNotFoundError:
        raise _changed(path) from None
    if aside.is_symlink() or aside.read_bytes() != old:
        _put_back(aside, path, None)
        raise _changed(path)
    aside.unlink()


def _move(source: Path, target: Path) -> bool:
    """Rename to a name that is free, in one step; False if it is not."""
    try:
        if _rename(source, target, 1, 4):  # RENAME_NOREPLACE, RENAME_EXCL
            return True
    except FileExistsError:
        return False
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError as trouble:
        raise _no_way(target) if trouble.errno in _CANNOT else trouble from trouble
    source.unlink()
    return True


def _exchange(one: Path, other: Path) -> bool:
    """Let two files change names in one step; False where the system cannot."""
    return _rename(one, other, 2, 2)  # RENAME_EXCHANGE, RENAME_SWAP


def _rename(source: Path, target: Path, linux: int, darwin: int) -> bool:
    """A rename of a special kind; False where the system or the file system has none."""
    names = os.fsencode(source), os.fsencode(target)
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        if sys.platform == "darwin":
            failed = libc.renamex_np(*names, ctypes.c_uint(darwin))
        else:
            here = ctypes.c_int(-100)  # AT_FDCWD
            failed = libc.renameat2(here, names[0], here, names[1], ctypes.c_uint(linux))
    except AttributeError:
        return False
    if not failed:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP):
        return False
    raise OSError(code, os.strerror(code), str(source), None, str(target))


def _no_way(path: Path) -> Refused:
    return NotSaved(
        "file-system",
        f"the file system of {path.name} can neither exchange nor link files,"
        " so an agent's own change could be lost.",
        "Nothing was written.",
    )


def _changed(path: Path) -> Refused:
    return NotSaved(
        "changed",
        f"{path.name} changed while the change was being made.",
        "Nothing was written. Try again.",
    )


def make_file(path: Path, data: bytes = b"") -> None:
    """Create a file (mode 0600) and its missing parent folders, synced so that a power cut does not undo it.
    Raises FileExistsError if there is one already."""
    make_folders(path.parent)
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    with open(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(fd)
    sync_folder(path.parent)


def make_folders(folder: Path) -> None:
    """Make a folder, and those above it that are missing, so that a power cut does not undo it."""
    for each in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        each.mkdir(mode=0o700, exist_ok=True)
        sync_folder(each.parent)
    if not folder.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def sync_folder(folder: Path) -> None:
    """Have the disk keep what was made, renamed or removed in a folder."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
