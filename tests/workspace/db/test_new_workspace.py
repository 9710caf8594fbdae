"""A new workspace has the schema that all migrations make together (S-90)."""

from __future__ import annotations

import re

import apsw

from memtui.workspace.db import migrations


def schema(connection: apsw.Connection) -> list[tuple[str, str, str]]:
    """Return type, name and SQL of each part in the order of its creation, without comments, quotes and
    spaces, which renames and added columns leave where a schema that is written at once has none."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY rowid").fetchall()
    return [(str(type), str(name), without_spaces(str(sql))) for type, name, sql in rows]


def without_spaces(sql: str) -> str:
    return re.sub(r"[\s\"]", "", re.sub(r"--[^\n]*", "", sql))


def test_a_new_workspace_has_the_schema_of_all_migrations() -> None:
    new, migrated = apsw.Connection(":memory:"), apsw.Connection(":memory:")
    migrations.migrate(new)
    for number, sql in migrations.versions():
        migrations._apply(migrated, number, sql)
    tables = [name for type, name, _ in schema(migrated) if type == "table"]
    assert schema(new) == schema(migrated)
    for connection in (new, migrated):
        assert connection.pragma("user_version") == migrations.latest()
        assert connection.pragma("application_id") == migrations.APPLICATION_ID
    for table in tables:
        rows = f"SELECT * FROM {table}"
        assert new.execute(rows).fetchall() == migrated.execute(rows).fetchall(), table


def test_a_file_that_an_older_version_is_creating_is_migrated() -> None:
    """Its migrations are separate transactions, and this process may come between them."""
    connection = apsw.Connection(":memory:")
    number, sql = migrations.versions()[0]
    migrations._apply(connection, number, sql)
    migrations.migrate(connection)
    assert connection.pragma("user_version") == migrations.latest()
