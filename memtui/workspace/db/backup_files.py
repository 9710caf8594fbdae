"""The folder of a workspace's backups: file names, creation, retention (S-6, S-64, fault 18)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats import wording as formats_wording
from memtui.formats.backup_copy import open_copy
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite.connection import copy_database
from memtui.workspace.db import wording
from memtui.workspace.db.damage import damage_in

KEPT = 10  # copies of each store
WORKSPACE = "workspace"  # the mark of the workspace's own copies
_NAME = re.compile(r"(\d{8}-\d{6})-([0-9a-z]+)(?:-(\d+))?\.(?:db|tar)")
_PATIENCE = 60.0  # seconds to wait for another memtui that copies a large store


@dataclass(frozen=True, slots=True)
class Copy:
    """A finished copy. `mark` identifies its store independently of the store's current name."""

    id: str
    mark: str
    made_at: float
    path: Path
    size: int


def mark_of(format: str, path: str) -> str:
    """Return the mark that a store's copies carry in their file names."""
    return hashlib.blake2b(f"{format}\0{path}".encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()


def folder_of(workspace: Path) -> Path:
    """Return the folder of a workspace's backups."""
    return workspace.with_name(workspace.name + ".backups")


def copies(workspace: Path, mark: str = "") -> list[Copy]:
    """Return the finished copies of one store or of all, newest first."""
    found: list[tuple[str, int, Copy]] = []
    try:
        names = os.listdir(folder_of(workspace))
    except (FileNotFoundError, NotADirectoryError):
        return []
    for name in names:
        parts = _NAME.fullmatch(name)
        if parts is None or mark not in ("", parts[2]):
            continue
        path = folder_of(workspace) / name
        made = datetime.strptime(parts[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC).timestamp()
        copy = Copy(path.stem, parts[2], made, path, path.stat().st_size)
        found.append((parts[1], int(parts[3] or 1), copy))
    return [copy for _, _, copy in sorted(found, key=lambda each: each[:2], reverse=True)]


@contextmanager
def held(workspace: Path) -> Iterator[None]:
    """Hold the folder, created if needed, against other memtuis; unfinished copies are removed."""
    folder = folder_of(workspace)
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    with atomic_write.lock_folder(folder, _PATIENCE):
        for name in os.listdir(folder):
            if name.startswith(".") and _NAME.fullmatch(name[1:]):
                (folder / name).unlink()
        yield


def make(
    workspace: Path,
    mark: str,
    end: str,
    now: float,
    write: Callable[[Path], None],
    keep: Path | None = None,
) -> Copy:
    """Make a copy: `write` fills an empty file of mode 0600, which is renamed once it is synced to disk.

    The caller holds the folder. All but the newest `KEPT` copies are deleted, except `keep`, which is
    being restored.
    """
    folder = folder_of(workspace)
    stamp = f"{datetime.fromtimestamp(now, UTC):%Y%m%d-%H%M%S}-{mark}"
    path, number = folder / f"{stamp}.{end}", 1
    while path.exists():
        number += 1
        path = folder / f"{stamp}-{number}.{end}"
    hidden = folder / f".{path.name}"
    try:
        fd = os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
        os.fchmod(fd, 0o600)
        os.close(fd)
        write(hidden)
        _sync(hidden)
        hidden.rename(path)
        _sync(folder)
    finally:
        hidden.unlink(missing_ok=True)
    existing = copies(workspace, mark)
    made = next(copy for copy in existing if copy.path == path)
    for old in [copy for copy in existing if copy != made and copy.path != keep][KEPT - 1 :]:
        old.path.unlink(missing_ok=True)
    return made


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def before_migration(path: Path, connection: apsw.Connection, now: float) -> None:
    """Copy a workspace and check the copy before its schema changes; raise Refused if that fails
    (fault 17)."""

    def write(target: Path) -> None:
        copy_database(connection, target)
        with open_copy(target) as copy:
            if damage := damage_in(copy):
                raise formats_wording.failed_check(damage)

    try:
        with held(path):
            make(path, WORKSPACE, "db", now, write)
    except (Refused, OSError, apsw.Error) as error:
        raise wording.no_backup_before_migration(path, why(error), folder_of(path)) from error


def why(error: Exception) -> str:
    """Say why a copy could not be made, as the end of a sentence."""
    if isinstance(error, Refused):
        return error.reason if isinstance(error, NotSaved) else error.message
    if isinstance(error, apsw.FullError):
        return wording.DISK_FULL
    if isinstance(error, OSError):
        return f"{(error.strerror or str(error)).lower()}."
    return f"{error}."
