"""What mem-skill keeps next to its facts: archived facts, and the entries of the audit."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import apsw

from memtui.formats.contract.records import Reading, Record, SideRecord
from memtui.formats.media.sqlite.block_scan import SIDE_UNIT
from memtui.formats.media.sqlite.connection import columns_of, has_rowids, quoted, rows_of
from memtui.formats.media.sqlite.row_reader import ROWID
from memtui.formats.mem_skill import wording
from memtui.formats.mem_skill.audit_columns import Role, column_roles
from memtui.formats.mem_skill.reader import ARCHIVE_REF, fields_of, id_of, text_of
from memtui.formats.mem_skill.schema import FACTS, HISTORY
from memtui.formats.mem_skill.schema_detection import Schema
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.encoding import iso
from memtui.values import SqlValue

NEWEST = 5_000  # entries of the history that are read; each change of an agent adds one
_TEXT_NAMES = ("value", "value_text", "text", "content", "")  # columns whose values need no name


def archived_facts(
    connection: apsw.Connection, schema: Schema, refs: Collection[str] | None = None
) -> Reading:
    """Return as memories the facts that are only in an archive, each once; with `refs` only these."""
    out = Reading()
    if refs is not None and not refs:
        return out
    for table, found in _archive_rows(connection, schema)[0].items():
        columns = columns_of(connection, table)
        rows, broken = rows_of(
            connection, [f"a.{quoted(name)}" for name in columns], _in_order(connection, table)
        )
        for number, ref in found.items():
            if refs is not None and ref not in refs:
                continue
            row = dict(zip(columns, rows[number], strict=True))
            place = f"{table}, fact {text_of(row['key']) or ref}"
            fields = fields_of(row, place, out, archived=True)
            if number in broken:
                out.add_finding("bad-utf8", place, wording.NO_UTF8)
            out.records.append(Record(ref, fields, id_of(row["fact_id"]) or ref, place, unit=SIDE_UNIT))
    return out


def archive_copies(connection: apsw.Connection, schema: Schema) -> list[SideRecord]:
    """Return the archived copies of facts that also exist elsewhere, or in a newer copy."""
    return _archive_rows(connection, schema)[1]


def _archive_rows(
    connection: apsw.Connection, schema: Schema
) -> tuple[dict[str, dict[int, str]], list[SideRecord]]:
    """Return for each archive the numbers of the rows that are memories, with their refs; and the other rows
    as side records."""
    live: set[str] = set()
    for table in schema.archives:
        archived = f"SELECT CAST(fact_id AS TEXT) FROM {quoted(table)}"
        both = f"FROM {FACTS} WHERE CAST(fact_id AS TEXT) IN ({archived})"
        live |= {text_of(row[0]) for row in rows_of(connection, ["fact_id"], both)[0]}
    newest: dict[str, tuple[str, int, SideRecord]] = {}
    copies: list[SideRecord] = []
    for table in reversed(schema.archives):
        names = columns_of(connection, table)
        times = [f"a.{quoted(name)}" if name in names else "NULL" for name in ("archived_at", "updated_at")]
        wanted = ["a.fact_id", "a.value_text", *times]
        rows, _ = rows_of(connection, wanted, _in_order(connection, table))
        for number, (raw_id, text, *moments) in enumerate(rows):
            id = id_of(raw_id)
            # A fact keeps its ref when its agent archives it.
            ref = id or f"{ARCHIVE_REF}{table}:{ROWID}{number + 1}"
            line = wording.IN_ARCHIVE.format(table=table, text=" ".join(text_of(text).split()))
            at = next((seconds_of(moment) for moment in moments if moment is not None), None)
            copy = SideRecord("archived", id or ref, line, at, unit=SIDE_UNIT)
            if id and id in live:
                copies.append(copy)
                continue
            if ref in newest:
                copies.append(newest[ref][2])
            newest[ref] = (table, number, copy)
    memories: dict[str, dict[int, str]] = {}
    for ref, (table, number, _) in newest.items():
        memories.setdefault(table, {})[number] = ref
    return memories, copies


def _in_order(connection: apsw.Connection, table: str) -> str:
    order = " ORDER BY a.rowid" if has_rowids(connection, table) else ""
    return f"FROM {quoted(table)} AS a{order}"


def audit_entries(connection: apsw.Connection, schema: Schema) -> list[SideRecord]:
    """Return the newest entries of the audit, read by the roles of its columns."""
    columns = tuple(column.name for column in schema.history)
    roles = column_roles(columns, schema.columns)
    fact = next((name for name, role in roles.items() if role.kind == "fact"), None)
    if fact is None:
        return []
    order = "rowid DESC" if has_rowids(connection, HISTORY) else "1"
    rows, _ = rows_of(
        connection,
        [quoted(name) for name in columns],
        f"FROM {quoted(HISTORY)} WHERE {quoted(fact)} IS NOT NULL ORDER BY {order} LIMIT {NEWEST}",
    )
    out = []
    for values in rows:
        entry = {roles[name]: value for name, value in zip(columns, values, strict=True)}
        at = next((seconds_of(entry[r]) for r in entry if r.kind == "time" and entry[r] is not None), None)
        out.append(
            SideRecord("history", text_of(entry[Role("fact")]), _entry_text(entry), at, unit=SIDE_UNIT)
        )
    return out


def _entry_text(entry: Mapping[Role, SqlValue]) -> str:
    """Return an entry as one line: “expired, status active → expired (invalidated by the user)”."""
    changes = _changes(entry)
    parts = [text_of(entry.get(Role("action"))), ", ".join(changes)]
    if not changes:
        parts.append(text_of(entry.get(Role("row", "value_text"))))
    line = ": ".join(part for part in parts if part)
    reason = text_of(entry.get(Role("reason")))
    line = " ".join(part for part in (line, f"({reason})" if reason else "") if part)
    return " ".join(line.split()) or wording.CHANGED


def _changes(entry: Mapping[Role, SqlValue]) -> list[str]:
    """Return the old and new values of an entry: “status active → expired”."""
    out = []
    for role, value in entry.items():
        if role.kind == "old":
            before, after = value, entry.get(Role("new", role.column))
        elif role.kind == "new" and Role("old", role.column) not in entry:
            before, after = None, value
        else:
            continue
        if before is None and after is None:
            continue
        name = "" if role.column in _TEXT_NAMES else f"{role.column.replace('_', ' ')} "
        old, new = _value_text(role.column, before), _value_text(role.column, after)
        out.append(f"{name}{old}" if before == after else f"{name}{old} → {new}".strip())
    return out


def _value_text(column: str, value: SqlValue) -> str:
    if value is None:
        return wording.NOTHING
    if column.startswith("valid_"):
        return iso(seconds_of(value)) or text_of(value)
    return f"“{text_of(value)}”" if column in _TEXT_NAMES or column == "key" else text_of(value)
