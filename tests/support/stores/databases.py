"""Create, fill and query the sample databases of all formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw


@contextmanager
def new_database(
    path: Path, table: str, columns: Mapping[str, str], journal: str, options: str = ""
) -> Iterator[apsw.Connection]:
    """Create a database with one table at `path` and yield the connection to fill it.

    `options` follow the column list, as in " WITHOUT ROWID".
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(path))
    try:
        connection.execute(f"PRAGMA journal_mode={journal}")
        definitions = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        connection.execute(f"CREATE TABLE {table} ({definitions}){options}")
        yield connection
    finally:
        connection.close()


def insert(connection: apsw.Connection, table: str, row: Mapping[str, Any]) -> None:
    """Insert one row."""
    names = ", ".join(f'"{name}"' for name in row)
    placeholders = ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({placeholders})", tuple(row.values()))


def execute(path: Path, *statements: str) -> None:
    """Run statements on a database, then close it."""
    connection = apsw.Connection(str(path))
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


def query(path: Path, sql: str, *values: Any) -> list[Any]:
    """Run one query on a database, close it and return the rows."""
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()
