"""Empty tables like those of a database, in memory: what a row would be read as is found out without writing
it (S-60)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import apsw

# Indexes come with their tables' constraints; triggers would write what the program itself writes then.
_TABLES = (
    "SELECT s.sql FROM pragma_table_list t JOIN sqlite_master s ON s.name = t.name AND s.type = 'table' "
    "WHERE t.schema = 'main' AND t.type = 'table' AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
)


@contextmanager
def with_same_tables(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """Yield a database in memory that has the tables of another one, all of them empty."""
    with closing(apsw.Connection(":memory:")) as alone:
        for (sql,) in connection.execute(_TABLES).fetchall():
            alone.execute(str(sql))
        yield alone
