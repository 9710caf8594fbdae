"""Workspace files of earlier schema versions."""

from __future__ import annotations

from pathlib import Path

import apsw

from memtui.workspace.db import migrations
from memtui.workspace.maintenance.salvage.former_names import FORMER_COLUMNS, FORMER_TABLES

_CURRENT_TABLES = {former: name for name, former in FORMER_TABLES.items()}
_CURRENT_COLUMNS = {(table, former): name for (table, name), former in FORMER_COLUMNS.items()}

RENAMED = 14  # the schema in which tables and columns got their present names


def downgrade(path: Path, before: int = RENAMED) -> None:
    """Rebuild a workspace with the schema before version `before`; rows are kept."""
    new = path.with_name("newer.db")
    path.rename(new)
    path.touch(0o600)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("PRAGMA journal_mode = WAL")
    for number, sql in migrations.versions()[: before - 1]:
        for statement in migrations._statements(sql):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    connection.execute("ATTACH ? AS newer", (str(new),))
    for table in (
        "stores",
        "memories",
        "relations",
        "journal",
        "journal_items",
        "bodies",
        "standings",
        "outbox",
    ):
        current_table = _CURRENT_TABLES.get(table, table)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({table})") if row[6] == 0]
        current_columns = [_CURRENT_COLUMNS.get((current_table, column), column) for column in columns]
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(current_columns)} "
            f"FROM newer.{current_table}"
        )
    connection.execute("DETACH newer")
    connection.close()
    for file in path.parent.glob("newer.db*"):
        file.unlink()


def create_workspace(path: Path, version: int) -> None:
    """Create a workspace of schema `version` with 40 memories; the first has no text."""
    connection = apsw.Connection(str(path))
    for number, sql in migrations.versions():
        if number <= version:
            for statement in migrations._statements(sql):
                connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute(
        "INSERT INTO stores (id, name, format, path, attached_at) VALUES (1, 'native', 'native', '', 1)"
    )
    for number in range(40):
        connection.execute(
            "INSERT INTO memories (uid, store_id, ref, content, seen_at) VALUES (?1, 1, ?1, ?2, 1)",
            (f"u{number}", f"Zebra {number}" if number else ""),
        )
    connection.close()
