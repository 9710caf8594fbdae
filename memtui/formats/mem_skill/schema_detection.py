"""What one database of mem-skill consists of: archives, history, full-text tables and triggers."""

from __future__ import annotations

import re
from dataclasses import dataclass

import apsw

from memtui.formats.media.sqlite.connection import columns_of, quoted
from memtui.formats.mem_skill import wording
from memtui.formats.mem_skill.schema import (
    ARCHIVE_COLUMNS,
    FACTS,
    HISTORY,
    REQUIRED_COLUMNS,
    USUAL_ARCHIVES,
)
from memtui.formats.mem_skill.triggers import Trigger, parse_trigger

_CONTENT = re.compile(r"content\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^\s,()]+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, as it is declared."""

    name: str
    type: str
    required: bool  # NOT NULL without a default
    default: str
    is_key: bool


@dataclass(frozen=True, slots=True)
class FullTextTable:
    """A full-text table over the facts.

    `content` is the table that it takes its texts from, None if it keeps its own. `is_synced` tells whether
    triggers keep it up to date; `breaking_trigger` is one that would damage it, or "".
    """

    name: str
    columns: tuple[str, ...]
    content: str | None
    is_synced: bool
    breaking_trigger: str


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables and triggers of one database."""

    columns: tuple[str, ...]  # of facts
    history: tuple[Column, ...]  # of fact_history; none where there is no such table
    history_sql: str
    archives: tuple[str, ...]
    full_text: tuple[FullTextTable, ...]
    triggers: tuple[Trigger, ...]

    @property
    def history_is_append_only(self) -> bool:
        """Whether no entry can be deleted from the history."""
        return any(t.table.casefold() == HISTORY and t.event == "DELETE" and t.raises for t in self.triggers)

    @property
    def has_autoincrement(self) -> bool:
        """Whether SQLite keeps the last number of the history's entries."""
        return "AUTOINCREMENT" in self.history_sql.upper()

    @property
    def history_triggers(self) -> tuple[Trigger, ...]:
        """The triggers by which the store itself writes its history."""
        return tuple(t for t in self.triggers if t.table.casefold() == FACTS and t.writes_to(HISTORY))

    @property
    def number_column(self) -> str:
        """The column that numbers the history's entries; "" where there is none."""
        keys = [column for column in self.history if column.is_key]
        is_rowid = len(keys) == 1 and keys[0].type.upper() == "INTEGER"
        return keys[0].name if is_rowid else ""

    def is_own_trigger(self, trigger: str) -> bool:
        """Return whether all that a trigger writes, and what that sets off, is full text or more history."""
        searched = {table.name.casefold() for table in self.full_text}
        kept = {HISTORY, *(name.casefold() for name in self.archives)}
        reached = {trigger}
        while True:
            writes = {write for each in self.triggers if each.name in reached for write in each.writes}
            if not all(
                target in searched or (verb == "insert" and target in kept) for verb, target in writes
            ):
                return False
            tables = {target for _, target in writes}
            more = {each.name for each in self.triggers if each.table.casefold() in tables} - reached
            if not more:
                return True
            reached |= more


def detect_schema(connection: apsw.Connection, name: str) -> Schema:
    """Return the schema of the database called `name`. Raise Refused where it has no facts any more."""
    columns = columns_of(connection, FACTS)
    if not set(columns) >= REQUIRED_COLUMNS:
        raise wording.no_longer_a_store(name)
    found = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    objects = [(str(type), str(n), str(table), str(sql)) for type, n, table, sql in found]
    triggers = tuple(parse_trigger(n, table, sql) for type, n, table, sql in objects if type == "trigger")
    archives, full_text = [], []
    for type, table, _, sql in objects:
        if type != "table" or table in (FACTS, HISTORY):
            continue
        if sql.lstrip()[:20].upper().startswith("CREATE VIRTUAL"):
            if "fts" in sql.casefold() and (over := _full_text(connection, table, sql, columns, triggers)):
                full_text.append(over)
        elif set(columns_of(connection, table)) >= ARCHIVE_COLUMNS:
            archives.append(table)
    history_sql = next((sql for type, table, _, sql in objects if type == "table" and table == HISTORY), "")
    archives.sort(key=lambda table: (table not in USUAL_ARCHIVES, table))
    return Schema(
        tuple(columns),
        declared_columns(connection, HISTORY) if history_sql else (),
        history_sql,
        tuple(archives),
        tuple(full_text),
        triggers,
    )


def declared_columns(connection: apsw.Connection, table: str) -> tuple[Column, ...]:
    """Return the columns of a table as they are declared."""
    return tuple(
        Column(name, type or "", bool(not_null) and default is None, str(default or ""), bool(key))
        for _, name, type, not_null, default, key in connection.execute(f"PRAGMA table_info({quoted(table)})")
    )


def _full_text(
    connection: apsw.Connection, name: str, sql: str, facts: list[str], triggers: tuple[Trigger, ...]
) -> FullTextTable | None:
    """Return a full-text table if it is over the facts, judged by its name and columns."""
    columns = tuple(columns_of(connection, name))
    if name != "facts_fts" and not ({"value_text", "key"} & set(columns) and set(columns) <= {*facts}):
        return None
    found = _CONTENT.search(sql)
    content = next((part for part in found.groups() if part is not None), "") if found else None
    on_facts = [each for each in triggers if each.table.casefold() == FACTS and each.writes_to(name)]
    is_synced = {"INSERT", "UPDATE", "DELETE"} <= {each.event for each in on_facts}
    breaking = ""
    if content:  # once the fact has changed, such a table no longer has the words that it indexed
        plain = {("delete", name.casefold()), ("update", name.casefold()), ("replace", name.casefold())}
        breaking = next((t.name for t in on_facts if not t.before and plain & set(t.writes)), "")
    return FullTextTable(name, columns, content, is_synced, breaking)
