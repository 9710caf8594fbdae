"""Entries of mem-skill's audit for memtui's changes, filled in by what the table's columns mean.

An entry is first inserted into a copy of the table in memory, so that one that the table does not take is
refused before anything is written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import apsw

from memtui.errors import Refused
from memtui.formats.contract.new_ids import new_uuid
from memtui.formats.media.sqlite.connection import has_rowids, quoted, rows_of
from memtui.formats.media.sqlite.row_edit import SEQUENCE, RowEdit
from memtui.formats.mem_skill import wording
from memtui.formats.mem_skill.audit_columns import Role, column_roles
from memtui.formats.mem_skill.schema import HISTORY, TEXT_COLUMNS
from memtui.formats.mem_skill.schema_detection import Column, Schema
from memtui.formats.syntax.timestamps import format_like, seconds_of
from memtui.memory.encoding import iso, plain
from memtui.values import FieldValue, SqlValue

_SAMPLE = 500  # entries whose action names are imitated
_CHANGE = ("update", "updated", "edit", "edited", "modify", "modified", "change", "changed")
# Usual names of each action in audits; the first that the table takes is used.
_ACTION_NAMES: dict[str, tuple[str, ...]] = {
    "edit": _CHANGE,
    "redact": ("redact", "redacted", *_CHANGE),
    "confirm": ("confirm", "confirmed", "reinforce", "reinforced", *_CHANGE),
    "dismiss": ("expire", "expired", "invalidate", "invalidated", "dismiss", "dismissed", *_CHANGE),
    "expire": ("expire", "expired", "invalidate", "invalidated", *_CHANGE),
    "supersede": ("supersede", "superseded", "replace", "replaced", *_CHANGE),
    "restore": ("restore", "restored", "reactivate", "reactivated", *_CHANGE),
    "delete": ("delete", "deleted", "remove", "removed", "forget", "forgotten", "expire", *_CHANGE),
    "undo": ("undo", "undone", "revert", "reverted", "rollback", "restore", "restored", *_CHANGE),
}
_TEXT_NAMES = ("", "value", "text", "content", "fact")  # old_… and new_… columns for the fact's text
_ROW_NAMES = ("json", "data", "row", "snapshot", "record", "values", "fact_json", "row_json")


@dataclass(frozen=True, slots=True)
class FactChange:
    """A change of one fact: its row before and after (None if it is deleted), with the reason."""

    action: str
    before: Mapping[str, SqlValue]
    after: Mapping[str, SqlValue] | None
    reason: str
    who: str
    now: float


def change_entry(connection: apsw.Connection, schema: Schema, change: FactChange) -> list[RowEdit]:
    """Return the edits that add an entry for a change. Raise Refused where the table does not take it."""
    if change.action == "delete":  # a purge leaves no text behind
        before = {name: None if name in TEXT_COLUMNS else value for name, value in change.before.items()}
        change = replace(change, before=before, after=None)
    return _entry(connection, schema, change.action, change.now, _values_of(change))


def undo_entry(
    connection: apsw.Connection, schema: Schema, entry: Mapping[str, SqlValue], now: float
) -> list[RowEdit]:
    """Return the edits that add an entry for the undo of a change whose own `entry` cannot be deleted."""
    roles = column_roles(tuple(column.name for column in schema.history), schema.columns)
    by_role = {role: entry.get(name) for name, role in roles.items()}

    def value_of(role: Role) -> SqlValue:
        if role.kind in ("old", "new"):
            return by_role.get(Role("new" if role.kind == "old" else "old", role.column))
        if role.kind == "reason":
            return wording.UNDONE
        if role.kind == "changes":
            return None
        return by_role.get(role)

    return _entry(connection, schema, "undo", now, value_of)


def _values_of(change: FactChange) -> Callable[[Role], FieldValue]:
    """Return a function that gives a column's value by its role; None where nothing fits."""
    before, after = change.before, change.after
    changed = {
        name: (before.get(name), value)
        for name, value in (after or {}).items()
        if value != before.get(name) and name != "updated_at"
    }
    ends_validity = change.action in ("dismiss", "expire", "supersede", "delete")

    def side_value(role: Role) -> FieldValue:
        is_old = role.kind == "old"
        row = before if is_old else after
        if role.column in _ROW_NAMES:
            return None if row is None else _json(row)
        if role.column in before:
            return None if row is None else row.get(role.column)
        if role.column not in _TEXT_NAMES:
            return None
        other_changes = [name for name in changed if name != "value_text"]
        if change.action == "edit" and "value_text" not in changed and other_changes:
            if len(other_changes) == 1:
                return changed[other_changes[0]][0 if is_old else 1]
            return _json({name: pair[0 if is_old else 1] for name, pair in changed.items()})
        if (ends_validity and not is_old) or (change.action == "restore" and is_old):
            return None
        return (before if is_old or after is None else after).get("value_text")

    def value_of(role: Role) -> FieldValue:
        if role.kind in ("old", "new"):
            return side_value(role)
        if role.kind == "fact":
            return before.get("fact_id")
        if role.kind == "reason":
            return change.reason
        if role.kind == "who":
            return "memtui" if change.who == "person" else f"memtui, {change.who}"
        if role.kind == "row":
            return before.get(role.column) if role.column else _json(before)
        if role.kind == "changes":
            return _json({name: list(pair) for name, pair in changed.items()})
        return None

    return value_of


def _entry(
    connection: apsw.Connection,
    schema: Schema,
    action: str,
    now: float,
    value_of: Callable[[Role], FieldValue],
) -> list[RowEdit]:
    """Return the edits that add an entry, under the first name for the action that the table takes."""
    roles = column_roles(tuple(column.name for column in schema.history), schema.columns)
    number, sequence = _next_number(connection, schema)
    trial = _TrialTable(schema.history_sql)
    refusal: Refused | None = None
    for name in _action_names(connection, roles, action):
        entry: dict[str, SqlValue] = {}
        for column in schema.history:
            value = _column_value(connection, column, roles[column.name], schema, now, name, value_of)
            if column.name == schema.number_column:
                value = number
            if value is None and column.required:
                value = empty_value(column)
            if value is not None:
                entry[column.name] = value
        error, stored = trial.insert(entry)
        if not error:
            return _edits(connection, schema, stored, number, sequence)
        refusal = refusal or wording.audit_refuses(HISTORY, error)
    assert refusal is not None
    raise refusal


def _column_value(
    connection: apsw.Connection,
    column: Column,
    role: Role,
    schema: Schema,
    now: float,
    action: str,
    value_of: Callable[[Role], FieldValue],
) -> SqlValue:
    """Return the value of one column of a new entry."""
    if column.is_key and role.kind != "fact" and column.name != schema.number_column:
        return _next_key(connection, column)
    if role.kind == "action":
        return action
    if role.kind == "time":
        return format_like(now, _time_form(connection, column, now))
    if role.kind == "hash":
        return hashlib.sha256(new_uuid().bytes).hexdigest()
    if role.kind == "turn":
        return f"memtui-{new_uuid().hex[:12]}" if column.required else None
    if role.kind == "version":
        names = {each.name.casefold(): quoted(each.name) for each in schema.history}
        where = f"WHERE {names['fact_id']} IS ?" if "fact_id" in names else "WHERE ? IS NOT NULL"
        sql = f"SELECT max({quoted(column.name)}) FROM {HISTORY} {where}"
        last = connection.execute(sql, (value_of(Role("fact")),)).get
        return last + 1 if isinstance(last, int) else 1
    value = value_of(role)
    return _json(value) if isinstance(value, (dict, list, tuple)) else value


def _edits(
    connection: apsw.Connection,
    schema: Schema,
    entry: dict[str, SqlValue],
    number: int,
    sequence: int | None,
) -> list[RowEdit]:
    """Return the edits that insert an entry and keep AUTOINCREMENT's last number right."""
    keys = [column.name for column in schema.history if column.is_key]
    if keys or not has_rowids(connection, HISTORY):
        insertion = RowEdit(HISTORY, {name: entry[name] for name in keys}, inserted=entry)
    else:
        insertion = RowEdit(HISTORY, {"rowid": number}, inserted={"rowid": number, **entry})
    if not schema.has_autoincrement:
        return [insertion]
    name = {"name": HISTORY}
    if sequence is None:  # SQLite adds this row with the first entry, and would keep it on undo
        return [RowEdit(SEQUENCE, name, inserted={**name, "seq": number}), insertion]
    return [insertion, RowEdit(SEQUENCE, name, stamps={"seq": (sequence, number)})]


def renumber(edits: Sequence[RowEdit], given: set[tuple[SqlValue, ...]]) -> list[RowEdit]:
    """Return the edits with numbers that no earlier entry of the batch has; `given` gathers the numbers."""
    out: list[RowEdit] = []
    shift = 0
    for edit in sorted(edits, key=lambda each: each.table == SEQUENCE):
        if edit.table == HISTORY and edit.inserted is not None and len(edit.row) == 1:
            ((column, number),) = edit.row.items()
            if isinstance(number, int):
                while (HISTORY, number + shift) in given:
                    shift += 1
                number += shift
                given.add((HISTORY, number))
                edit = RowEdit(HISTORY, {column: number}, inserted={**edit.inserted, column: number})
        elif edit.table == SEQUENCE:
            if edit.inserted is None:
                before, number = edit.stamps["seq"]
                edit = replace(edit, stamps={"seq": (before, number + shift)})
            elif not shift:
                out.insert(0, edit)
                continue
            else:  # an earlier entry of the batch adds that row
                number = edit.inserted["seq"] + shift
                edit = RowEdit(SEQUENCE, edit.row, stamps={"seq": (number - 1, number)})
        out.append(edit)
    return out


def _next_number(connection: apsw.Connection, schema: Schema) -> tuple[int, int | None]:
    """Return the number of the next entry, and the last one that SQLite keeps for AUTOINCREMENT."""
    last = 0
    if has_rowids(connection, HISTORY):
        last = connection.execute(f"SELECT max(rowid) FROM {HISTORY}").get or 0
    if not schema.has_autoincrement:
        return last + 1, None
    kept = connection.execute(f"SELECT seq FROM {SEQUENCE} WHERE name = ?", (HISTORY,)).get
    return max(last, kept or 0) + 1, kept


def _action_names(connection: apsw.Connection, roles: Mapping[str, Role], action: str) -> list[str]:
    """Return possible names of the action, best first: those of existing entries, then the usual ones."""
    column = next((name for name, role in roles.items() if role.kind == "action"), None)
    if column is None:
        return [action]
    newest = f"SELECT {quoted(column)} FROM {HISTORY} {_newest_first(connection)} LIMIT {_SAMPLE}"
    sql = f"SELECT DISTINCT {quoted(column)} FROM ({newest})"
    used = [value for (value,) in connection.execute(sql) if isinstance(value, str)]
    usual = _ACTION_NAMES[action]
    specific = [each for each in usual if each not in _CHANGE] or usual
    same = [name for each in specific for name in used if name.casefold() == each]
    is_upper = bool(used) and all(name.isupper() for name in used)
    return list(dict.fromkeys([*same, *(form for each in usual for form in _case_forms(each, is_upper))]))


def _case_forms(name: str, is_upper: bool) -> tuple[str, ...]:
    return (name.upper(), name, name.title()) if is_upper else (name, name.upper(), name.title())


def _next_key(connection: apsw.Connection, column: Column) -> SqlValue:
    """Return a new key like those of other entries: the next number, or a UUID in their form."""
    name = quoted(column.name)
    last = connection.execute(f"SELECT {name} FROM {HISTORY} ORDER BY {name} DESC LIMIT 1").get
    if isinstance(last, int):
        return last + 1
    id = new_uuid()
    return id.hex if isinstance(last, str) and len(last) == 32 and "-" not in last else str(id)


def _time_form(connection: apsw.Connection, column: Column, now: float) -> SqlValue:
    """Return a time whose form a new one takes: the newest of the column, else one that suits its type."""
    name = quoted(column.name)
    rest = f"FROM {HISTORY} WHERE {name} IS NOT NULL {_newest_first(connection)} LIMIT 1"
    rows, _ = rows_of(connection, [name], rest)
    if rows and seconds_of(rows[0][0]) is not None:
        return rows[0][0]
    return default_time(column, now)


def _newest_first(connection: apsw.Connection) -> str:
    return "ORDER BY rowid DESC" if has_rowids(connection, HISTORY) else ""


def default_time(column: Column, now: float) -> SqlValue:
    """Return a time in the form that a column's type and default suggest."""
    type, default = column.type.upper(), column.default.upper()
    if "CURRENT_TIMESTAMP" in default or default.startswith(("DATETIME(", "(DATETIME(")):
        return format_like(now, "2026-01-01 00:00:00")
    if "INT" in type:
        return int(now)
    return now if type in ("REAL", "NUMERIC", "FLOAT", "DOUBLE") else iso(int(now))


def empty_value(column: Column) -> SqlValue:
    """Return an empty value of the column's type, for a column that is NOT NULL."""
    type = column.type.upper()
    if "BLOB" in type:
        return b""
    if any(part in type for part in ("INT", "REAL", "FLOA", "DOUB", "NUM", "BOOL")):
        return 0
    return ""


def _json(value: FieldValue) -> str:
    return json.dumps(plain(value), ensure_ascii=False)


class _TrialTable:
    """An empty copy of the audit's table in memory."""

    def __init__(self, sql: str) -> None:
        self._connection: apsw.Connection | None = apsw.Connection(":memory:")
        try:
            self._connection.execute(sql)
        except apsw.Error:
            self._connection = None  # it needs something of the store; an error shows when it is written

    def insert(self, entry: Mapping[str, SqlValue]) -> tuple[str, dict[str, SqlValue]]:
        """Insert an entry; return SQLite's error, "" if it is taken, and the entry as it would be stored."""
        if self._connection is None:
            return "", dict(entry)
        names = ", ".join(quoted(name) for name in entry)
        marks = ", ".join("?" for _ in entry)
        try:
            sql = f"INSERT INTO {HISTORY} ({names}) VALUES ({marks})"
            self._connection.execute(sql, tuple(entry.values()))
            stored = self._connection.execute(f"SELECT {names} FROM {HISTORY}").fetchone()
        except (apsw.ConstraintError, apsw.MismatchError) as error:
            return str(error), {}
        except apsw.Error:
            return "", dict(entry)
        return "", dict(zip(entry, stored or (), strict=True))
