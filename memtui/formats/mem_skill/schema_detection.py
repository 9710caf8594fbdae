"""What one database of mem-skill is made of: its archives, its history, its search and its triggers."""

from __future__ import annotations

import re
from dataclasses import dataclass

import apsw

from memtui.errors import Refused
from memtui.formats.media.sqlite.connection import columns_of, quoted
from memtui.formats.mem_skill.schema import ARCHIVE_MARKS, ARCHIVES, FACTS, HISTORY, MARKS
from memtui.formats.mem_skill.triggers import Trigger, trigger_of

_CONTENT = re.compile(r"content\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^\s,()]+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, as it is declared."""

    name: str
    type: str
    needed: bool  # NOT NULL, and nothing stands there by itself
    default: str
    key: bool


@dataclass(frozen=True, slots=True)
class Mirror:
    """A full-text table over facts; `content` is the table that it reads texts from, None where it
    keeps its own. `followed` tells whether triggers keep it in step, `trap` which one would break it."""

    name: str
    columns: tuple[str, ...]
    content: str | None
    followed: bool
    trap: str


@dataclass(frozen=True, slots=True)
class Shape:
    """The tables and triggers of one database."""

    columns: tuple[str, ...]  # of facts
    history: tuple[Column, ...]  # of fact_history; none where there is no such table
    history_sql: str
    archives: tuple[str, ...]
    mirrors: tuple[Mirror, ...]
    triggers: tuple[Trigger, ...]

    @property
    def history_stays(self) -> bool:
        """Whether no line can be taken out of the history again."""
        return any(t.table.casefold() == HISTORY and t.event == "DELETE" and t.forbids for t in self.triggers)

    @property
    def counted(self) -> bool:
        """Whether SQLite keeps count of the lines of the history."""
        return "AUTOINCREMENT" in self.history_sql.upper()

    @property
    def writers(self) -> tuple[Trigger, ...]:
        """The triggers by which the store itself writes its history."""
        return tuple(t for t in self.triggers if t.table.casefold() == FACTS and t.to(HISTORY))

    @property
    def number(self) -> str:
        """The column that numbers the lines of the history; empty where there is none."""
        keys = [column for column in self.history if column.key]
        alone = len(keys) == 1 and keys[0].type.upper() == "INTEGER"
        return keys[0].name if alone else ""

    def trusts(self, trigger: str) -> bool:
        """Whether all that a trigger writes, and what that sets off, is the search or more history."""
        searched = {mirror.name.casefold() for mirror in self.mirrors}
        kept = {HISTORY, *(name.casefold() for name in self.archives)}
        asked = {trigger}
        while True:
            writes = {write for each in self.triggers if each.name in asked for write in each.writes}
            if not all(
                target in searched or (verb == "insert" and target in kept) for verb, target in writes
            ):
                return False
            tables = {target for _, target in writes}
            more = {each.name for each in self.triggers if each.table.casefold() in tables} - asked
            if not more:
                return True
            asked |= more


def shape_of(connection: apsw.Connection, name: str) -> Shape:
    """What the database called `name` is made of. Raises Refused where its facts are gone."""
    columns = columns_of(connection, FACTS)
    if not set(columns) >= MARKS:
        raise Refused(
            "unknown-schema",
            f"{name} is no mem-skill memory any more: its “facts” are gone or others.",
            "It was left as it is.",
        )
    found = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    made = [(str(type), str(n), str(table), str(sql)) for type, n, table, sql in found]
    triggers = tuple(trigger_of(n, table, sql) for type, n, table, sql in made if type == "trigger")
    archives, mirrors = [], []
    for type, table, _, sql in made:
        if type != "table" or table in (FACTS, HISTORY):
            continue
        if sql.lstrip()[:20].upper().startswith("CREATE VIRTUAL"):
            if "fts" in sql.casefold() and (mirror := _mirror(connection, table, sql, columns, triggers)):
                mirrors.append(mirror)
        elif set(columns_of(connection, table)) >= ARCHIVE_MARKS:
            archives.append(table)
    history_sql = next((sql for type, table, _, sql in made if type == "table" and table == HISTORY), "")
    archives.sort(key=lambda table: (table not in ARCHIVES, table))
    return Shape(
        tuple(columns),
        declared(connection, HISTORY) if history_sql else (),
        history_sql,
        tuple(archives),
        tuple(mirrors),
        triggers,
    )


def declared(connection: apsw.Connection, table: str) -> tuple[Column, ...]:
    """The columns of a table as they are declared."""
    return tuple(
        Column(name, type or "", bool(needed) and default is None, str(default or ""), bool(key))
        for _, name, type, needed, default, key in connection.execute(f"PRAGMA table_info({quoted(table)})")
    )


def _mirror(
    connection: apsw.Connection, name: str, sql: str, facts: list[str], triggers: tuple[Trigger, ...]
) -> Mirror | None:
    columns = tuple(columns_of(connection, name))
    if name != "facts_fts" and not ({"value_text", "key"} & set(columns) and set(columns) <= {*facts}):
        return None
    found = _CONTENT.search(sql)
    content = next((part for part in found.groups() if part is not None), "") if found else None
    on_facts = [each for each in triggers if each.table.casefold() == FACTS and each.to(name)]
    followed = {"INSERT", "UPDATE", "DELETE"} <= {each.event for each in on_facts}
    trap = ""
    if content:  # once the fact has changed, such a table no longer knows what it had indexed
        plain = {("delete", name.casefold()), ("update", name.casefold()), ("replace", name.casefold())}
        trap = next((t.name for t in on_facts if not t.before and plain & set(t.writes)), "")
    return Mirror(name, columns, content, followed, trap)
