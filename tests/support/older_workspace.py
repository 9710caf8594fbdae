"""A workspace as the memtui before this one left it."""

from __future__ import annotations

from pathlib import Path

import apsw

from memtui.workspace.db import migrations
from memtui.workspace.maintenance.salvage import FORMER_COLUMNS, FORMER_TABLES

NOW_CALLED = {former: name for name, former in FORMER_TABLES.items()}
NOW_NAMED = {(table, former): name for (table, name), former in FORMER_COLUMNS.items()}


def older(path: Path, before: int | None = None) -> None:
    """Make a workspace what the schema before number `before` makes it, the latest if None, with the same
    rows."""
    new = path.with_name("newer.db")
    path.rename(new)
    path.touch(0o600)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("PRAGMA journal_mode = WAL")
    for number, sql in migrations.versions()[:-1] if before is None else migrations.versions()[: before - 1]:
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
        now = NOW_CALLED.get(table, table)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({table})") if row[6] == 0]
        same = [NOW_NAMED.get((now, column), column) for column in columns]
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(same)} FROM newer.{now}"
        )
    connection.execute("DETACH newer")
    connection.close()
    for file in path.parent.glob("newer.db*"):
        file.unlink()
