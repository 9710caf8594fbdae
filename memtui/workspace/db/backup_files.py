"""The folder of a workspace's backups: their names, how one is made, how many stay (S-6, S-64, fault 18)."""

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
from memtui.formats.backup_copy import verify
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite.connection import copy_database

KEPT = 10
WORKSPACE = "workspace"  # the mark of the workspace's own copies
_NAME = re.compile(r"(\d{8}-\d{6})-([0-9a-z]+)(?:-(\d+))?\.(?:db|tar)")
_PATIENCE = 60.0  # seconds: another memtui may be copying a large store


@dataclass(frozen=True, slots=True)
class Copy:
    """One finished copy. `mark` tells of which store, whatever that is called today."""

    id: str
    mark: str
    made_at: float
    path: Path
    size: int


def mark_of(format: str, path: str) -> str:
    """What a store's copies have in their names."""
    return hashlib.blake2b(f"{format}\0{path}".encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()


def folder_of(workspace: Path) -> Path:
    """Where a workspace keeps its backups."""
    return workspace.with_name(workspace.name + ".backups")


def copies(workspace: Path, mark: str = "") -> list[Copy]:
    """The finished copies, of one store or of all, newest first."""
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
    """The folder, made if need be and kept from other memtuis; what one left half made goes."""
    folder = folder_of(workspace)
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    with atomic_write.alone(folder, _PATIENCE):
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
    """A copy that `write` writes into an empty file that only its owner may read, while the folder
    is held. It gets its name once all of it is on the disk; older ones than the newest ten go, but
    not `keep`: it is just being restored."""
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
    there = copies(workspace, mark)
    made = next(copy for copy in there if copy.path == path)
    for old in [copy for copy in there if copy != made and copy.path != keep][KEPT - 1 :]:
        old.path.unlink(missing_ok=True)
    return made


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def before_migration(path: Path, connection: apsw.Connection, now: float) -> None:
    """A copy of a workspace that passes SQLite's check, before its schema is changed; Refused where
    there can be none (fault 17)."""

    def write(target: Path) -> None:
        copy_database(connection, target)
        verify(target)

    try:
        with held(path):
            make(path, WORKSPACE, "db", now, write)
    except (Refused, OSError, apsw.Error) as trouble:
        raise Refused(
            "backup",
            f"The workspace {path} is of an older memtui and is not brought up to date, since no backup "
            f"of it could be made: {why(trouble)}",
            f"Nothing was changed. Backups go to {folder_of(path)}.",
        ) from trouble


def why(trouble: Exception) -> str:
    """What kept a copy from being made, to end a sentence."""
    if isinstance(trouble, Refused):
        return trouble.why if isinstance(trouble, NotSaved) else trouble.message
    if isinstance(trouble, apsw.FullError):
        return "the disk is full."
    if isinstance(trouble, OSError):
        return f"{(trouble.strerror or str(trouble)).lower()}."
    return f"{trouble}."
