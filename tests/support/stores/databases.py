"""What sample databases of all formats are made with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw


@contextmanager
def begun(path: Path, table: str, columns: Mapping[str, str], journal: str, extra: str = "") -> Iterator[Any]:
    """A new database at `path` with one table in it, while it is filled."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(path))
    try:
        connection.execute(f"PRAGMA journal_mode={journal}")
        described = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        connection.execute(f"CREATE TABLE {table} ({described}){extra}")
        yield connection
    finally:
        connection.close()


def put(connection: apsw.Connection, table: str, row: Mapping[str, Any]) -> None:
    """Insert one row."""
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def alter(path: Path, *statements: str) -> None:
    """Run statements on a database and close it."""
    connection = apsw.Connection(str(path))
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


def asked(path: Path, sql: str, *values: Any) -> list[Any]:
    """What a database answers."""
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()
