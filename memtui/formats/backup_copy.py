"""Copying a whole store away, and bringing it back to what a copy holds (S-6, LIMITS 1).

A database is copied by SQLite's own backup, files as they are into a tar.
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

from memtui.errors import NotRestored, Refused
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite.connection import ASIDE, copy_database, opened

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter
    from memtui.formats.media.files.store import FileStore

_HERE = "."  # the member of a tar that says that the store is the folder itself
# Byte 128 of a -shm file is locked by everyone who has the database open.
_PROBE = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)"


def end_of(adapter: Adapter) -> str:
    """How the name of a store's copy ends."""
    return "tar" if _of_files(adapter) else "db"


def _of_files(adapter: Adapter) -> TypeGuard[FileStore]:
    from memtui.formats.media.files.store import FileStore  # each start pays for what stands at the top

    return isinstance(adapter, FileStore)


def copy_store(adapter: Adapter, target: Path) -> None:
    """Copy what stands in a store into `target`, an empty file."""
    if _of_files(adapter):
        _copy_files(adapter, target)
        return
    with opened(adapter.root) as connection:
        if connection.pragma("journal_mode") == "wal":  # there, reading holds nobody up
            with connection:
                connection.execute("SELECT 1 FROM sqlite_master").fetchone()
                copy_database(connection, target)
        else:
            copy_database(connection, target)


@contextmanager
def closed(copy: Path) -> Iterator[apsw.Connection]:
    """A copied database, for reading; nothing appears beside it."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"file:{quote(str(copy))}?immutable=1", flags=flags)
    try:
        yield connection
    finally:
        connection.close()


def verify(copy: Path) -> None:
    """Refused where a copied database does not pass SQLite's own check, or a tar has lost a part."""
    if copy.suffix == ".tar":
        _verify_tar(copy)
        return
    with closed(copy) as connection:
        found = [text for (text,) in connection.execute("PRAGMA quick_check(5)")]
    if found != ["ok"]:
        raise Refused("damaged", f"the copy does not pass SQLite's check: {found[0]}")


def _verify_tar(copy: Path) -> None:
    """Python reads a tar up to the first head that it cannot read, and says nothing."""
    import tarfile

    try:
        with tarfile.open(copy) as tar:
            tar.getmembers()
            end = tar.offset
    except (tarfile.TarError, ValueError) as trouble:
        raise Refused("damaged", f"the copy cannot be read: {trouble}.") from trouble
    with copy.open("rb") as handle:
        handle.seek(end)
        rest = handle.read()
    if len(rest) < 2 * tarfile.BLOCKSIZE or rest.strip(b"\0"):
        raise Refused("damaged", "the copy has lost a part.")


def _copy_files(adapter: FileStore, target: Path) -> None:
    import tarfile

    files, modes = _stands(adapter.folder, adapter)
    pax = tarfile.PAX_FORMAT
    with target.open("r+b") as handle, tarfile.open(fileobj=handle, mode="w", format=pax) as tar:
        if adapter.root.is_dir():
            here = tarfile.TarInfo(_HERE)
            here.type, here.mode = tarfile.DIRTYPE, 0o700
            tar.addfile(here)
        for name, data in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), modes[name]
            tar.addfile(member, io.BytesIO(data))


def _stands(folder: Path, adapter: FileStore) -> tuple[dict[str, bytes], dict[str, int]]:
    """The store's own files to the last byte, and their modes; a link is not the store's own."""
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
    """What a copy of a store of files holds under a name; None where no such file can be read in it."""
    import tarfile

    try:
        with tarfile.open(copy) as tar:
            found = next((each for each in tar if each.isreg() and each.name == name), None)
            handle = None if found is None else tar.extractfile(found)
            return None if handle is None else handle.read()
    except (tarfile.TarError, ValueError):
        return None


# -- bringing back


def put_back(adapter: Adapter, copy: Path, token: str) -> None:
    """Make the store what `copy` holds, all or nothing. `token` names the hidden files of this write."""
    if _of_files(adapter):
        _put_files_back(adapter, copy, token)
    elif os.path.lexists(adapter.root):
        with opened(adapter.root, write=True) as connection:
            put_database_back(connection, copy)
    else:
        _no_strays(adapter.root)
        atomic_write.change(adapter.root.parent, adapter.root.name, None, copy.read_bytes(), token)


def put_database_back(connection: apsw.Connection, copy: Path) -> None:
    """Fill an open database from a copy, in one transaction of SQLite's own."""
    with closed(copy) as source:
        sizes = [each.pragma("page_size") for each in (source, connection)]
        if connection.pragma("journal_mode") == "wal" and sizes[0] != sizes[1]:
            raise NotRestored(
                "page-size",
                f"the store's pages have {sizes[1]:,} bytes, the backup's {sizes[0]:,}.",
                "Nothing was changed. Move the store's file away and restore again.",
            )
        with connection.backup("main", source, "main") as work:
            work.step(-1)


def _no_strays(path: Path) -> None:
    """Take away the logs of a database that is gone: SQLite would play them into the new one (fault 19)."""
    shared = path.with_name(f"{path.name}-shm")
    if shared.exists():
        # Another process asks: opening the file here could drop locks that this one holds.
        asked = subprocess.run([sys.executable, "-c", _PROBE, str(shared)], capture_output=True, check=False)
        if asked.returncode:
            raise NotRestored(
                "busy",
                f"{path.name} is gone, but another program still has it open.",
                "Nothing was changed. Close that program first.",
            )
    for end in ASIDE:
        path.with_name(path.name + end).unlink(missing_ok=True)


def _put_files_back(adapter: FileStore, copy: Path, token: str) -> None:
    import tarfile

    with tarfile.open(copy) as tar:
        members = tar.getmembers()
        whole = any(member.name == _HERE for member in members)
        wanted = {m.name: handle.read() for m in members if m.isreg() and (handle := tar.extractfile(m))}
        modes = {member.name: member.mode for member in members}
    folder = adapter.root if whole else adapter.root.parent
    if whole and not adapter.root.exists():
        folder.mkdir(mode=0o700)
    with atomic_write.alone(folder):
        now, modes_now = _stands(folder, adapter) if adapter.root.exists() else ({}, {})
        _bring(folder, now, wanted, modes_now | modes, token)


def _bring(
    folder: Path,
    now: Mapping[str, bytes],
    wanted: Mapping[str, bytes],
    modes: Mapping[str, int],
    token: str,
) -> None:
    tried: list[str] = []
    try:
        for name in [name for name in {**now, **wanted} if now.get(name) != wanted.get(name)]:
            atomic_write.inside(folder, name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            tried.append(name)
            atomic_write.change(folder, name, now.get(name), wanted.get(name), token, modes[name])
    except (Refused, OSError) as trouble:
        refusal = atomic_write.refusal(trouble) if isinstance(trouble, OSError) else trouble
        for name in reversed(tried[:-1]):
            try:
                atomic_write.change(folder, name, wanted.get(name), now.get(name), token, modes[name])
            except (Refused, OSError):
                refusal = Refused("partly", f"{refusal.message} {name} could not be put back.")
        raise refusal from trouble
