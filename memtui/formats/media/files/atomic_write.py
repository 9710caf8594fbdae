"""Replacing one file of another program's store so that no write is torn or lost (S-6).

The new file and the original exchange names in one step, and the original is then compared with what was
read: whoever wrote or replaced the file in between wins, and this write is refused. Where the system cannot
exchange two files, the original is hard-linked aside before the rename and compared after it.
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

from memtui.errors import Refused
from memtui.formats.media.files import wording
from memtui.formats.media.files.digests import digest

_NAME_MAX = 255  # bytes
# What link() and rename() fail with where a file system does not support them.
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EMLINK)


def read(root: Path, name: str) -> bytes | None:
    """Return the bytes of a file of the store; None if it does not exist. Links are not followed.

    Raises OSError for anything but a regular file.
    """
    try:
        # O_NONBLOCK: opening a pipe would wait for a writer.
        fd = os.open(path_inside(root, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(fd, "rb") as handle:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file", name)
        return handle.read()


def path_inside(root: Path, name: str) -> Path:
    """Return `root/name`. Raises Refused if that leads out of the store or through a link."""
    path = root / name if name else root
    if "/" not in name and name not in ("", ".", ".."):
        return path
    parts = Path(name).parts
    if Path(name).is_absolute() or ".." in parts:
        raise wording.outside_store(name)
    step = root
    for part in parts[:-1]:
        step = step / part
        if step.is_symlink():
            raise wording.link_on_path(step.name)
    return path


@contextmanager
def lock_folder(root: Path, patience: float = 5.0) -> Iterator[None]:
    """Keep other memtui processes from writing in the folder meanwhile; leaves no file behind.

    Two processes that check a file at once would both find it unchanged, and the second would overwrite the
    first. Raises Refused if another one keeps the lock longer than `patience` seconds.
    """
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        end = time.monotonic() + patience
        while not _try_lock(fd):
            if time.monotonic() > end:
                raise wording.busy()
            time.sleep(0.005)
        yield
    finally:
        os.close(fd)


def _try_lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: only the checks before and after protect
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
    lasting: bool = True,
) -> None:
    """Bring a file from `old` to `new` bytes; None means "no file".

    Raises Refused if the file no longer holds `old`, OSError if the system refuses (disk full, no
    permission); nothing was changed then. `token` is part of the names of temporary files, `mode` the
    permission bits of a new file. Without `sync`, the caller syncs the folder before it reports success. What
    need not be `lasting` a power cut may undo: the file has its old bytes then.
    """
    path = path_inside(root, name)
    aside = _hidden(path, token, "old")
    if new is None:
        _remove(path, old, aside)
    else:
        fresh = _hidden(path, token, "new")
        try:
            _write(fresh, new, path if old is not None else None, mode)
            if old is None:
                _create(fresh, path)
            else:
                _swap(path, old, new, fresh, aside, lasting=lasting)
        finally:
            fresh.unlink(missing_ok=True)
    if sync and lasting:
        sync_folder(path.parent)


def tidy(root: Path, name: str, token: str, before: str | None, after: str | None) -> bool:
    """Clean up after an interrupted write whose file had the digests `before` and `after`.

    Hidden files are removed. An original that another program wrote to while it was aside is put back,
    unless the file itself was changed since; then the original is kept under a visible name, and the result
    is False.
    """
    path = path_inside(root, name)
    fresh, aside = _hidden(path, token, "new"), _hidden(path, token, "old")
    fresh.unlink(missing_ok=True)
    if not os.path.lexists(aside):
        return True
    if os.path.lexists(path) and os.path.samefile(path, aside):  # interrupted between link and rename
        aside.unlink()
        return True
    if not aside.is_symlink() and digest(aside.read_bytes()) in (before, after):
        aside.unlink()
        return True
    return _put_back(aside, path, after)


def _put_back(aside: Path, path: Path, own: str | None) -> bool:
    """Put the file that is aside back if its place holds only what this write put there (by digest; None: no
    file); else keep it under a visible name and return False."""
    if own is None:
        if move(aside, path):
            return True
    elif path.is_file() and not path.is_symlink() and digest(path.read_bytes()) == own:
        if not _exchange(aside, path):
            os.replace(aside, path)
            return True
        if digest(aside.read_bytes()) == own:
            aside.unlink()
            return True
        _exchange(aside, path)  # replaced at this moment by another program, whose file stays
    keep_visible(aside, path)
    return False


def keep_visible(aside: Path, path: Path) -> None:
    """Give another program's bytes that lost their place a visible name next to it."""
    number = 1
    while not move(aside, _sibling(path, "", f".memtui-recovered-{number}")):
        number += 1


def refusal(error: OSError) -> Refused:
    """Return the refusal for a system error."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return wording.disk_full()
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return wording.store_not_writable()
    return wording.system_error(error.strerror)


def _hidden(path: Path, token: str, suffix: str) -> Path:
    return _sibling(path, ".", f".memtui-{token}.{suffix}")


def _sibling(path: Path, prefix: str, suffix: str) -> Path:
    """Return a path next to the file, named after it; with a digest of the name where that is too long."""
    name = prefix + path.name + suffix
    if len(os.fsencode(name)) > _NAME_MAX:
        name_digest = hashlib.blake2b(os.fsencode(path.name), digest_size=16).hexdigest()
        name = prefix + name_digest + suffix
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


def _swap(path: Path, old: bytes, new: bytes, fresh: Path, aside: Path, *, lasting: bool) -> None:
    status = os.stat(path, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        raise wording.link_on_path(path.name)
    _ensure_single_name(path, status)
    os.rename(fresh, aside)
    try:
        if path.read_bytes() != old:  # so that no reader sees old content in place of newer
            raise wording.changed_meanwhile(path.name)
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
            raise wording.changed_meanwhile(path.name)
        if lasting:
            sync_folder(path.parent)
        if aside.read_bytes() != old:  # another program still writes to the file that it had open
            raise wording.changed_meanwhile(path.name)
    except BaseException:
        _put_back(aside, path, digest(new))
        raise
    aside.unlink()


def _ensure_single_name(path: Path, status: os.stat_result) -> None:
    if status.st_nlink > 1 and stat.S_ISREG(status.st_mode):
        raise wording.hard_link(path.name)


def _swap_linked(path: Path, old: bytes, fresh: Path, aside: Path) -> None:
    """Replace the file where two files cannot exchange names."""
    own = digest(fresh.read_bytes())
    try:
        os.link(path, aside, follow_symlinks=False)
    except OSError as error:
        raise _link_error(error, path) from error
    if aside.read_bytes() != old or not os.path.samefile(path, aside):
        aside.unlink()
        raise wording.changed_meanwhile(path.name)
    try:
        os.replace(fresh, path)
    except OSError:
        aside.unlink()
        raise
    if aside.read_bytes() != old:
        _put_back(aside, path, own)
        raise wording.changed_meanwhile(path.name)
    aside.unlink()


def _create(fresh: Path, path: Path) -> None:
    if not move(fresh, path):
        raise wording.changed_meanwhile(path.name)


def _remove(path: Path, old: bytes | None, aside: Path) -> None:
    try:
        _ensure_single_name(path, os.stat(path, follow_symlinks=False))
        os.rename(path, aside)
    except FileNotFoundError:
        raise wording.changed_meanwhile(path.name) from None
    if aside.is_symlink() or aside.read_bytes() != old:
        _put_back(aside, path, None)
        raise wording.changed_meanwhile(path.name)
    aside.unlink()


def move(source: Path, target: Path) -> bool:
    """Rename to a free name in one step; return False if it is taken."""
    try:
        if _rename(source, target, 1, 4):  # RENAME_NOREPLACE, RENAME_EXCL
            return True
    except FileExistsError:
        return False
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError as error:
        raise _link_error(error, target) from error
    source.unlink()
    return True


def _exchange(a: Path, b: Path) -> bool:
    """Exchange the names of two files in one step; return False where the system cannot."""
    return _rename(a, b, 2, 2)  # RENAME_EXCHANGE, RENAME_SWAP


def _rename(source: Path, target: Path, linux: int, darwin: int) -> bool:
    """Rename with these flags; return False where the system or the file system does not support them."""
    names = os.fsencode(source), os.fsencode(target)
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        if sys.platform == "darwin":
            failed = libc.renamex_np(*names, ctypes.c_uint(darwin))
        else:
            cwd = ctypes.c_int(-100)  # AT_FDCWD
            failed = libc.renameat2(cwd, names[0], cwd, names[1], ctypes.c_uint(linux))
    except AttributeError:
        return False
    if not failed:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP):
        return False
    raise OSError(code, os.strerror(code), str(source), None, str(target))


def _link_error(error: OSError, path: Path) -> Exception:
    return wording.no_atomic_rename(path.name) if error.errno in _UNSUPPORTED else error


def make_file(path: Path, data: bytes = b"") -> None:
    """Create a file (mode 0600) and its missing parent folders, synced to disk.

    Raises FileExistsError if there is one already.
    """
    make_folders(path.parent)
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    with open(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(fd)
    sync_folder(path.parent)


def make_folders(folder: Path) -> None:
    """Create a folder and its missing parents, synced to disk."""
    for each in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        each.mkdir(mode=0o700, exist_ok=True)
        sync_folder(each.parent)
    if not folder.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def sync_folder(folder: Path) -> None:
    """Sync what was created, renamed or removed in a folder to disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
