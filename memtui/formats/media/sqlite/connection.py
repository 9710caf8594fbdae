"""Opening another program's SQLite database without leaving a trace, and reading it tolerantly (LIMITS 1)."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from memtui.errors import Refused
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite import wording
from memtui.values import SqlRow, SqlValue

STEP = 2_000  # pages copied at once: writers can get in between
TRIES, PAUSE_MS = 3, 500  # S-90
SIDECARS = ("-wal", "-shm", "-journal")  # suffixes of the files next to a database


@contextmanager
def opened(path: Path, *, write: bool = False) -> Iterator[apsw.Connection]:
    """Yield a connection that leaves no trace: no checkpoint, no sidecar file that was not there.

    Raises Refused if the file is not a database, is busy or may not be read.
    """
    if not path.exists():
        raise wording.missing(path)
    file = path.name
    try:
        with _connected(path, write) as connection:
            yield connection
    except (apsw.BusyError, apsw.LockedError, apsw.ProtocolError) as error:
        raise wording.busy(file) from error
    except (apsw.NotADBError, apsw.CorruptError, apsw.FormatError) as error:
        raise wording.not_a_database(file, error) from error
    except UnicodeDecodeError as error:  # in names of tables and columns; text in rows is read nevertheless
        raise wording.name_not_text(file) from error
    except apsw.FullError as error:
        raise (wording.disk_full_writing() if write else wording.disk_full_reading(file)) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError) as error:
        raise wording.not_permitted(file, error) from error
    except apsw.IOError as error:
        raise (wording.io_error_writing(error) if write else wording.io_error_reading(file, error)) from error
    except apsw.Error as error:
        raise wording.refused_by_sqlite(file, error) from error


@contextmanager
def changing(path: Path) -> Iterator[apsw.Connection]:
    """Yield a connection within one transaction that writes to the database: all of it or nothing (S-6)."""
    with opened(path, write=True) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if not connection.get_autocommit():
                connection.execute("ROLLBACK")
            raise


@contextmanager
def without_triggers(connection: apsw.Connection) -> Iterator[None]:
    """Have no trigger fire in the block; other connections have theirs."""
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    try:
        yield
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)


def make(path: Path, statements: Sequence[str]) -> None:
    """Create a database at `path`, readable by the user alone; removed again if that fails."""
    atomic_write.make_folders(path.parent)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            with connection:
                for statement in statements:
                    connection.execute(statement)
        finally:
            connection.close()
    except BaseException:
        path.unlink()
        raise


@contextmanager
def _connected(path: Path, write: bool) -> Iterator[apsw.Connection]:
    path = path.resolve()
    if not write and (not writable(path) or _has_hot_journal(path)):
        with copied(path) as copy:
            connection = apsw.Connection(str(copy))
            try:
                _configure(connection, write=False)
                yield connection
            finally:
                connection.close()
        return
    had_wal = path.with_name(path.name + "-wal").exists()
    had_shm = path.with_name(path.name + "-shm").exists()
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        if had_wal:
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            if not had_shm:
                # Keeps the index of the WAL in memory, so that no -shm file appears.
                connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        _configure(connection, write)
        yield connection
    finally:
        connection.close()


def writable(path: Path) -> bool:
    """Return whether the user may write to a database, which also needs files next to it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _has_hot_journal(path: Path) -> bool:
    """Return whether a writer died in a transaction: to read the file, SQLite would roll it back in place."""
    if _file_stats(path).get(f"{path}-journal", (0, 0))[0] == 0:
        return False
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        _configure(connection, write=False)
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    except apsw.ReadOnlyError:
        return True
    finally:
        connection.close()
    return False


def _configure(connection: apsw.Connection, write: bool) -> None:
    connection.set_busy_timeout(TRIES * PAUSE_MS)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA foreign_keys=OFF")
    if write:
        # EXTRA also syncs the folder after the rollback journal is deleted: after a power cut, a journal that
        # came back would undo the write.
        connection.execute("PRAGMA synchronous=EXTRA")
        connection.execute("PRAGMA secure_delete=ON")  # deleted text leaves no bytes behind
    else:
        connection.execute("PRAGMA query_only=ON")


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """Yield a private copy of a database and its logs, where SQLite cannot work on the files themselves.

    Another process copies them: opening the files in this one could drop locks that it holds.
    """
    with tempfile.TemporaryDirectory(prefix="memtui-") as folder:
        for number in range(TRIES):
            copy = Path(folder, str(number), path.name)
            copy.parent.mkdir()
            before = _file_stats(path)
            made = subprocess.run(["cp", "--", *before, str(copy.parent)], capture_output=True, check=False)
            if _file_stats(path) != before:
                continue
            if made.returncode:
                raise wording.copy_failed(path.name, made.stderr.decode(errors="replace").strip())
            for file in copy.parent.iterdir():
                file.chmod(0o600)
            yield copy
            return
        raise wording.busy(path.name)


def _file_stats(path: Path) -> dict[str, tuple[int, int]]:
    """Return (size, modification time) of the files of a database that exist."""
    out = {}
    for name in (str(path), f"{path}-wal", f"{path}-journal"):
        with suppress(FileNotFoundError):  # a writer that ends removes its logs
            status = os.stat(name)
            out[name] = (status.st_size, status.st_mtime_ns)
    return out


@contextmanager
def snapshot(path: Path) -> Iterator[apsw.Connection]:
    """Yield a connection within a read transaction: one moment of a database."""
    with opened(path) as connection, connection:
        yield connection


def tables_of(path: Path) -> dict[str, list[str]] | None:
    """Return the tables of a database and their columns; None if `path` is not a database.

    Only SQLite opens the file, never `open()`: see LIMITS 1. An empty file is not a database, nor is one of a
    single byte, which SQLite takes for empty.
    """
    if not path.is_file() or path.name.endswith(SIDECARS) or path.stat().st_size <= 1:
        return None
    try:
        with opened(path) as connection:
            names = [
                row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            return {name: columns_of(connection, name) for name in names}
    except Refused as refusal:
        if refusal.code == "damaged":
            return None
        raise


def columns_of(connection: apsw.Connection, table: str) -> list[str]:
    """Return the columns of a table that can be set, without generated ones; [] if there is no such table."""
    try:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({quoted(table)})")]
    except apsw.SQLError:
        return []  # a virtual table whose module is not loaded


def has_rowids(connection: apsw.Connection, table: str) -> bool:
    """Return whether the rows of a table have rowids."""
    without = "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND (wr OR type <> 'table')"
    return connection.execute(without, (table,)).fetchone() is None


def quoted(name: str) -> str:
    """Return an identifier for SQL."""
    return '"' + name.replace('"', '""') + '"'


def rows_of(
    connection: apsw.Connection, columns: Sequence[str], rest: str, bindings: Sequence[SqlValue] = ()
) -> tuple[list[SqlRow], set[int]]:
    """Return the rows of `SELECT columns rest`, and the indexes of those with text that is not UTF-8.

    Such text is read with U+FFFD in it; apsw alone would raise and read nothing.
    """
    try:
        return connection.execute(f"SELECT {', '.join(columns)} {rest}", bindings).fetchall(), set()
    except UnicodeDecodeError:
        pass
    as_bytes = (f"CASE typeof({c}) WHEN 'text' THEN CAST({c} AS BLOB) ELSE {c} END" for c in columns)
    kinds = (f"typeof({c}) = 'text'" for c in columns)
    rows: list[SqlRow] = []
    broken: set[int] = set()
    for found in connection.execute(f"SELECT {', '.join((*as_bytes, *kinds))} {rest}", bindings):
        row = list(found[: len(columns)])
        for at, is_text in enumerate(found[len(columns) :]):
            if is_text:
                row[at] = found[at].decode(errors="replace")
                if row[at].encode() != found[at]:
                    broken.add(len(rows))
        rows.append(tuple(row))
    return rows, broken


def row_of(
    connection: apsw.Connection, table: str, row: Mapping[str, SqlValue], names: Sequence[str] | None = None
) -> dict[str, SqlValue] | None:
    """Return these columns of a row (all, if `names` is None); None if there is no such row."""
    if names is None:
        names = columns_of(connection, table)
    # SQLite takes a bare "name" for a text if there is no such column.
    prefix = quoted(table) + "."
    columns = ", ".join(prefix + quoted(name) for name in names) or "1"
    where = " AND ".join(f"{prefix}{quoted(name)} IS ?" for name in row)
    try:
        sql = f"SELECT {columns} FROM {quoted(table)} WHERE {where} LIMIT 1"
        found = connection.execute(sql, tuple(row.values())).fetchone()
    except UnicodeDecodeError as error:
        raise wording.row_not_utf8() from error
    return None if found is None else dict(zip(names, found, strict=False))


def copy_database(source: apsw.Connection, target: Path) -> None:
    """Copy a database into `target`, an empty file, in bounded steps.

    A write in between makes SQLite start again; a writer that never pauses has to wait in the end.
    """
    copy = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        # No other program has the file open, and it is only used once it is complete and synced.
        copy.execute("PRAGMA locking_mode=EXCLUSIVE")
        copy.execute("PRAGMA journal_mode=OFF")
        copy.execute("PRAGMA synchronous=OFF")
        with copy.backup("main", source, "main") as work:
            work.step(STEP)
            steps = 4 * (work.page_count // STEP) + 4
            while not work.done:
                steps -= 1
                # A step waits at most as long as was not waited since the last statement: a new one.
                source.execute("SELECT 1").fetchone()
                work.step(STEP if steps > 0 else -1)
    finally:
        copy.close()
