"""A workspace at a fixed time, and stores as any program sees them: rows by sqlite3, files as bytes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty

NOW = 1_800_000_000  # 2027-01-15T08:00:00Z
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=lambda: float(NOW))
    yield workspace
    workspace.close()


def rows(path: Path) -> Rows:
    """Return all rows of all tables, each with its rowid, in order."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        named = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        tables = [name for (name,) in connection.execute(named)]
        return {
            table: [
                dict(row) for row in connection.execute(f'SELECT rowid AS _, * FROM "{table}" ORDER BY 1')
            ]
            for table in tables
        }


def changed(before: Rows, after: Rows) -> dict[str, list[dict[str, Any]]]:
    """Return by table what each row has now that it had not before: all of a new row; {} for one that is
    gone."""
    out: dict[str, list[dict[str, Any]]] = {}
    for table, then in before.items():
        old = {row["_"]: row for row in then}
        new = {row["_"]: row for row in after[table]}
        found = [
            {name: value for name, value in row.items() if id not in old or old[id][name] != value}
            for id, row in new.items()
        ]
        gone: list[dict[str, Any]] = [{} for id in old if id not in new]
        if found := [row for row in found if row] + gone:
            out[table] = found
    return out


def tree(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files of a folder, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
