"""Copying a whole store, and restoring it from a copy (S-6, LIMITS 1).

A database is copied by SQLite's own backup, files are put into a tar as they are.
"""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard
from urllib.parse import quote

import apsw

from memtui.errors import Refused
from memtui.formats import wording
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite.connection import SIDECARS, copy_database, opened

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter
    from memtui.formats.media.files.store import FileStore

_ROOT = "."  # a member of the tar if the store is the folder itself
# Byte 128 of a -shm file is locked by every process that has the database open.
_PROBE = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)"


def suffix_of(adapter: Adapter) -> str:
    """Return the suffix of the name of a store's copy."""
    return "tar" if _is_file_store(adapter) else "db"


def _is_file_store(adapter: Adapter) -> TypeGuard[FileStore]:
    from memtui.formats.media.files.store import FileStore  # imported late: it would slow down every start

    return isinstance(adapter, FileStore)


def copy_store(adapter: Adapter, target: Path) -> None:
    """Copy a store into `target`, an empty file."""
    if _is_file_store(adapter):
        _copy_files(adapter, target)
        return
    with opened(adapter.root) as connection:
        if connection.pragma("journal_mode") == "wal":  # in this mode, reading blocks no writer
            with connection:
                connection.execute("SELECT 1 FROM sqlite_master").fetchone()
                copy_database(connection, target)
        else:
            copy_database(connection, target)


@contextmanager
def open_copy(copy: Path) -> Iterator[apsw.Connection]:
    """Yield a connection to a copied database, for reading; no sidecar file is created."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"file:{quote(str(copy))}?immutable=1", flags=flags)
    try:
        yield connection
    finally:
        connection.close()


def verify(copy: Path) -> None:
    """Raise Refused if a copied database does not pass SQLite's own check, or a tar is incomplete."""
    if copy.suffix == ".tar":
        _verify_tar(copy)
        return
    with open_copy(copy) as connection:
        found = [text for (text,) in connection.execute("PRAGMA quick_check(5)")]
    if found != ["ok"]:
        raise wording.failed_check(found[0])


def _verify_tar(copy: Path) -> None:
    """Raise Refused unless the tar is complete: `tarfile` silently stops at the first unreadable header."""
    import tarfile

    try:
        with tarfile.open(copy) as tar:
            tar.getmembers()
            end = tar.offset
    except (tarfile.TarError, ValueError) as error:
        raise wording.unreadable_copy(error) from error
    with copy.open("rb") as handle:
        handle.seek(end)
        rest = handle.read()
    if len(rest) < 2 * tarfile.BLOCKSIZE or rest.strip(b"\0"):
        raise wording.truncated_copy()


def _copy_files(adapter: FileStore, target: Path) -> None:
    import tarfile

    files, modes = _own_files(adapter.folder, adapter)
    pax = tarfile.PAX_FORMAT
    with target.open("r+b") as handle, tarfile.open(fileobj=handle, mode="w", format=pax) as tar:
        if adapter.root.is_dir():
            root = tarfile.TarInfo(_ROOT)
            root.type, root.mode = tarfile.DIRTYPE, 0o700
            tar.addfile(root)
        for name, data in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), modes[name]
            tar.addfile(member, io.BytesIO(data))


def _own_files(folder: Path, adapter: FileStore) -> tuple[dict[str, bytes], dict[str, int]]:
    """Return the store's own files and their modes; links are not its own."""
    files: dict[str, bytes] = {}
    modes: dict[str, int] = {}
    for name in adapter.load()[0]:
        if (folder / name).is_symlink():
            continue
        data = atomic_write.read(folder, name)
        if data is not None:
            files[name], modes[name] = data, stat.S_IMODE((folder / name).stat().st_mode)
    return files, modes


def file_in(copy: Path, name: str) -> bytes | None:
    """Return the bytes of a file in the copy of a file store; None if it cannot be read."""
    import tarfile

    try:
        with tarfile.open(copy) as tar:
            found = next((each for each in tar if each.isreg() and each.name == name), None)
            handle = None if found is None else tar.extractfile(found)
            return None if handle is None else handle.read()
    except (tarfile.TarError, ValueError):
        return None


# -- restoring


def restore(adapter: Adapter, copy: Path, token: str) -> None:
    """Make the store equal to `copy`, all or nothing. `token` is part of the names of temporary files."""
    if _is_file_store(adapter):
        _restore_files(adapter, copy, token)
    elif os.path.lexists(adapter.root):
        with opened(adapter.root, write=True) as connection:
            restore_database(connection, copy)
    else:
        _remove_logs(adapter.root)
        atomic_write.change(adapter.root.parent, adapter.root.name, None, copy.read_bytes(), token)


def restore_database(connection: apsw.Connection, copy: Path) -> None:
    """Overwrite an open database with a copy, in one transaction."""
    with open_copy(copy) as source:
        sizes = [each.pragma("page_size") for each in (source, connection)]
        if connection.pragma("journal_mode") == "wal" and sizes[0] != sizes[1]:
            raise wording.different_page_size(sizes[1], sizes[0])
        with connection.backup("main", source, "main") as work:
            work.step(-1)


def _remove_logs(path: Path) -> None:
    """Remove the logs of a database that is gone: SQLite would apply them to the new one (fault 19)."""
    shared = path.with_name(f"{path.name}-shm")
    if shared.exists():
        # Another process checks: opening the file here could drop locks that this one holds.
        probe = subprocess.run([sys.executable, "-c", _PROBE, str(shared)], capture_output=True, check=False)
        if probe.returncode:
            raise wording.still_open(path.name)
    for suffix in SIDECARS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _restore_files(adapter: FileStore, copy: Path, token: str) -> None:
    import tarfile

    with tarfile.open(copy) as tar:
        members = tar.getmembers()
        is_folder = any(member.name == _ROOT for member in members)
        wanted = {m.name: handle.read() for m in members if m.isreg() and (handle := tar.extractfile(m))}
        modes = {member.name: member.mode for member in members}
    folder = adapter.root if is_folder else adapter.root.parent
    if is_folder and not adapter.root.exists():
        folder.mkdir(mode=0o700)
    with atomic_write.lock_folder(folder):
        now, modes_now = _own_files(folder, adapter) if adapter.root.exists() else ({}, {})
        _bring_to(folder, now, wanted, modes_now | modes, token)


def _bring_to(
    folder: Path,
    now: Mapping[str, bytes],
    wanted: Mapping[str, bytes],
    modes: Mapping[str, int],
    token: str,
) -> None:
    """Bring the files of a folder from `now` to `wanted`; put back what was written if that fails."""
    tried: list[str] = []
    try:
        for name in [name for name in {**now, **wanted} if now.get(name) != wanted.get(name)]:
            atomic_write.path_inside(folder, name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            tried.append(name)
            atomic_write.change(folder, name, now.get(name), wanted.get(name), token, modes[name])
    except (Refused, OSError) as error:
        refusal = atomic_write.refusal(error) if isinstance(error, OSError) else error
        for name in reversed(tried[:-1]):
            try:
                atomic_write.change(folder, name, wanted.get(name), now.get(name), token, modes[name])
            except (Refused, OSError):
                refusal = wording.not_put_back(refusal.message, name)
        raise refusal from error
