"""Opening someone else's SQLite database without leaving a trace, and reading it tolerantly (LIMITS 1)."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.media.files import atomic_write

STEP = 2_000  # pages: writers get in between
TRIES, PAUSE_MS = 3, 500  # S-90
ASIDE = ("-wal", "-shm", "-journal")


@contextmanager
def opened(path: Path, *, write: bool = False) -> Iterator[apsw.Connection]:
    """A connection that leaves no trace: no checkpoint, no sidecar file that was not there.

    Raises Refused where the file is no database, is busy or may not be read.
    """
    if not path.exists():
        raise Refused("missing", f"{path} is no longer there.", "Nothing was changed.")
    try:
        with _connected(path, write) as connection:
            yield connection
    except (apsw.BusyError, apsw.LockedError, apsw.ProtocolError) as trouble:
        raise _busy(path) from trouble
    except (apsw.NotADBError, apsw.CorruptError, apsw.FormatError) as trouble:
        raise Refused(
            "damaged", f"{path.name} cannot be read as a database: {trouble}.", "It was left as it is."
        ) from trouble
    except UnicodeDecodeError as trouble:  # the names of tables and columns; text in rows is read anyway
        raise Refused(
            "damaged", f"{path.name} is damaged: a name in it is no text.", "It was left as it is."
        ) from trouble
    except apsw.FullError as trouble:
        advice = "Free some space, try again."
        if write:
            raise NotSaved("disk-full", "the disk is full.", advice) from trouble
        raise Refused("disk-full", f"{path.name} cannot be read: the disk is full.", advice) from trouble
    except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError) as trouble:
        raise Refused("read-only", f"{path.name} may not be opened or written: {trouble}.") from trouble
    except apsw.IOError as trouble:
        if write:
            raise NotSaved("io", f"{trouble}.", "Nothing was changed.") from trouble
        raise Refused("io", f"{path.name} cannot be read: {trouble}.", "Nothing was changed.") from trouble
    except apsw.Error as trouble:
        raise Refused("store", f"{path.name} refuses it: {trouble}.", "Nothing was changed.") from trouble


@contextmanager
def changing(path: Path) -> Iterator[apsw.Connection]:
    """One transaction that writes into a foreign database: all of it or nothing (S-6)."""
    with opened(path, write=True) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if not connection.get_autocommit():
                connection.execute("ROLLBACK")
            raise


def make(path: Path, statements: Sequence[str]) -> None:
    """A new database at `path`, for the person alone; taken away again where that fails."""
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
    if not write and (not writable(path) or _cut_off(path)):
        with copied(path) as copy:
            connection = apsw.Connection(str(copy))
            try:
                _careful(connection, write=False)
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
                # The index of the log is kept in memory, so that no -shm file appears.
                connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        _careful(connection, write)
        yield connection
    finally:
        connection.close()


def writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _cut_off(path: Path) -> bool:
    """Whether a writer died in the middle: SQLite would roll its write back, in the file, to read it."""
    if _stamps(path).get(f"{path}-journal", (0, 0))[0] == 0:
        return False
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        _careful(connection, write=False)
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    except apsw.ReadOnlyError:
        return True
    finally:
        connection.close()
    return False


def _careful(connection: apsw.Connection, write: bool) -> None:
    connection.set_busy_timeout(TRIES * PAUSE_MS)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA foreign_keys=OFF")
    if write:
        # EXTRA syncs the folder, too, once the rollback journal is deleted: one that a power cut brings
        # back would undo the write.
        connection.execute("PRAGMA synchronous=EXTRA")
        connection.execute("PRAGMA secure_delete=ON")  # what is taken out leaves no bytes behind
    else:
        connection.execute("PRAGMA query_only=ON")


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A private copy of a database and its logs, where SQLite cannot work on the files themselves.

    Another process copies: opening the files here could drop locks that this one holds.
    """
    with tempfile.TemporaryDirectory(prefix="memtui-") as folder:
        for number in range(TRIES):
            copy = Path(folder, str(number), path.name)
            copy.parent.mkdir()
            before = _stamps(path)
            made = subprocess.run(["cp", "--", *before, str(copy.parent)], capture_output=True, check=False)
            if _stamps(path) != before:
                continue
            if made.returncode:
                why = made.stderr.decode(errors="replace").strip()
                raise Refused("unreadable", f"{path.name} may not be read: {why}.", "Nothing was changed.")
            for file in copy.parent.iterdir():
                file.chmod(0o600)
            yield copy
            return
        raise _busy(path)


def _stamps(path: Path) -> dict[str, tuple[int, int]]:
    """The files of a database that are there, with size and time."""
    out = {}
    for name in (str(path), f"{path}-wal", f"{path}-journal"):
        with suppress(FileNotFoundError):  # a writer that ends takes its logs away
            status = os.stat(name)
            out[name] = (status.st_size, status.st_mtime_ns)
    return out


def _busy(path: Path) -> Refused:
    return Refused(
        "busy",
        f"{path.name} is busy: another program is writing to it.",
        "Nothing was changed. Try again in a moment.",
    )


@contextmanager
def snapshot(path: Path) -> Iterator[apsw.Connection]:
    """One moment of a database, for reading."""
    with opened(path) as connection, connection:
        yield connection


def tables_of(path: Path) -> dict[str, list[str]] | None:
    """The tables of a database and their columns; None if `path` is no database.

    SQLite itself is asked, never `open()`: see LIMITS 1. An empty file is none, nor is one of a single
    byte, which SQLite takes for empty.
    """
    if not path.is_file() or path.name.endswith(ASIDE) or path.stat().st_size <= 1:
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
    """The columns of a table that can be set; generated ones are none. Empty if there is no such table."""
    try:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({quoted(table)})")]
    except apsw.SQLError:
        return []  # a virtual table whose module is not here


def has_rowids(connection: apsw.Connection, table: str) -> bool:
    """Whether the rows of a table have numbers of their own."""
    without = "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND (wr OR type <> 'table')"
    return connection.execute(without, (table,)).fetchone() is None


def quoted(name: str) -> str:
    """An identifier for SQL."""
    return '"' + name.replace('"', '""') + '"'


def rows_of(
    connection: apsw.Connection, columns: Sequence[str], rest: str, bindings: Sequence[Any] = ()
) -> tuple[list[tuple[Any, ...]], set[int]]:
    """`SELECT columns rest`, and the numbers of the rows that hold text which is no UTF-8.

    Such text is read with U+FFFD in it; apsw alone would raise and read nothing.
    """
    try:
        return connection.execute(f"SELECT {', '.join(columns)} {rest}", bindings).fetchall(), set()
    except UnicodeDecodeError:
        pass
    as_bytes = (f"CASE typeof({c}) WHEN 'text' THEN CAST({c} AS BLOB) ELSE {c} END" for c in columns)
    kinds = (f"typeof({c}) = 'text'" for c in columns)
    rows: list[tuple[Any, ...]] = []
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
    connection: apsw.Connection, table: str, row: Mapping[str, Any], names: Sequence[str] | None = None
) -> dict[str, Any] | None:
    """These columns of a row (all, if `names` is None) as they stand; None if there is no such row."""
    if names is None:
        names = columns_of(connection, table)
    # A bare "name" would be taken for a text where no such column is.
    prefix = quoted(table) + "."
    columns = ", ".join(prefix + quoted(name) for name in names) or "1"
    where = " AND ".join(f"{prefix}{quoted(name)} IS ?" for name in row)
    try:
        sql = f"SELECT {columns} FROM {quoted(table)} WHERE {where} LIMIT 1"
        found = connection.execute(sql, tuple(row.values())).fetchone()
    except UnicodeDecodeError as trouble:
        raise NotSaved(
            "not-utf8", "the row holds text that is no UTF-8.", "It was left as it is."
        ) from trouble
    return None if found is None else dict(zip(names, found, strict=False))


def copy_database(source: apsw.Connection, target: Path) -> None:
    """Copy a database into `target`, an empty file, in bounded steps.

    A writer that gets in between makes SQLite begin anew; one that never rests waits in the end."""
    copy = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        # Nobody else has the file, and it counts only once it is whole and synced.
        copy.execute("PRAGMA locking_mode=EXCLUSIVE")
        copy.execute("PRAGMA journal_mode=OFF")
        copy.execute("PRAGMA synchronous=OFF")
        with copy.backup("main", source, "main") as work:
            work.step(STEP)
            steps = 4 * (work.page_count // STEP) + 4
            while not work.done:
                steps -= 1
                # A step waits for what was not waited yet since the last statement: anew each time.
                source.execute("SELECT 1").fetchone()
                work.step(STEP if steps > 0 else -1)
    finally:
        copy.close()
