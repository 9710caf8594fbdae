"""Bringing a workspace's schema up to date: `schema/NNNN_name.sql`, in order, each in one transaction.

A new workspace is made of `schema/workspace.sql`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from memtui.paths import data_folder

if TYPE_CHECKING:
    import apsw

APPLICATION_ID = 0x6D746D75  # "mtmu"


@cache
def versions() -> tuple[tuple[int, str], ...]:
    """Return the known migrations as (number, SQL), ascending."""
    files = sorted(data_folder("schema").glob("[0-9][0-9][0-9][0-9]_*.sql"))
    return tuple((int(file.name[:4]), file.read_text("utf-8")) for file in files)


def latest() -> int:
    """Return the newest schema version; a later one was made by a later memtui."""
    return versions()[-1][0]


def migrate(connection: apsw.Connection) -> None:
    """Apply the missing migrations; the caller has checked that the file is a workspace, or empty.

    An empty file gets the latest schema at once: applying all migrations takes ten times as long.
    """
    if not connection.pragma("user_version"):
        with _transaction(connection):
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
                _apply(connection, latest(), (data_folder("schema") / "workspace.sql").read_text("utf-8"))
    for number, sql in versions():
        if number > int(connection.pragma("user_version")):
            with _transaction(connection):
                # Another process may have done it while this one waited for the lock.
                if number > int(connection.pragma("user_version")):
                    _apply(connection, number, sql)


def _apply(connection: apsw.Connection, number: int, sql: str) -> None:
    for statement in _statements(sql):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {number}")


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if not connection.get_autocommit():
            connection.execute("ROLLBACK")
        raise


def _statements(sql: str) -> list[str]:
    """Return the statements of a script: SQLite stops a script at the first one that returns a row."""
    import apsw

    out, held = [], ""
    for line in sql.splitlines(keepends=True):
        held += line
        if apsw.complete(held):
            out.append(held)
            held = ""
    return [*out, held] if held.strip() else out
