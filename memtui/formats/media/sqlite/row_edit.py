"""The change of one row: carrying it out, telling whether it was, and converting it to JSON (S-4, S-7)."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import apsw

from memtui.formats.media.sqlite import wording
from memtui.formats.media.sqlite.connection import quoted, row_of
from memtui.values import Json, JsonObject, SqlRow, SqlValue

SEQUENCE = "sqlite_sequence"  # where SQLite keeps the last number of an AUTOINCREMENT

Change = tuple[SqlValue, SqlValue]  # the values before and after
RowKey = tuple[SqlValue, ...]  # the table and what names the row


@dataclass(frozen=True, slots=True)
class RowEdit:
    """The change of one row; columns map to (before, after).

    `guards` are compared before they are set: a difference is a conflict. `stamps` are set without comparing
    (an agent's own clock or use counts never block a change) and put back by an undo only if they are still
    as left. `derived` columns follow the guards and are always put back. An insert or delete has the whole
    row: `inserted` or `deleted` is column → value; `stamps` and `derived` then name the columns in which it
    may have changed since.
    """

    table: str
    row: Mapping[str, SqlValue]  # the columns that name the row
    guards: Mapping[str, Change] = field(default_factory=dict)
    stamps: Mapping[str, Change] = field(default_factory=dict)
    derived: Mapping[str, Change] = field(default_factory=dict)
    inserted: Mapping[str, SqlValue] | None = None
    deleted: Mapping[str, SqlValue] | None = None

    @property
    def key(self) -> RowKey:
        """The same for all edits of one row."""
        return (self.table, *sorted(self.row.items()))

    @property
    def columns(self) -> dict[str, Change]:
        """All columns that are set."""
        return {**self.guards, **self.stamps, **self.derived}


def is_same(stored: SqlValue, value: SqlValue) -> bool:
    """Return whether a column holds a value; a text column stores numbers as text, and vice versa."""
    if isinstance(stored, str) != isinstance(value, str) and not isinstance(stored, bytes):
        return stored is not None and value is not None and str(stored) == str(value)
    return bool(stored == value)


def is_row(row: Mapping[str, SqlValue], edit: RowEdit, expected: Mapping[str, SqlValue]) -> bool:
    """Return whether the row is still as expected, but for the columns that may change by themselves."""
    ignored = {*edit.stamps, *edit.derived, "rowid"}
    return all(is_same(row.get(name), value) for name, value in expected.items() if name not in ignored)


def row_state(connection: apsw.Connection, edits: Sequence[RowEdit]) -> tuple[bool, bool]:
    """Return whether a row is as before these edits of it, and whether as after, by its guarded columns."""
    old: dict[str, SqlValue] = {}
    new: dict[str, SqlValue] = {}
    for edit in edits:
        for name, (before, after) in edit.guards.items():
            old.setdefault(name, before)
            new[name] = after
    row = row_of(connection, edits[0].table, edits[0].row, list(new))
    if row is None:
        return edits[0].inserted is not None, edits[-1].deleted is not None
    return (
        edits[0].inserted is None and all(is_same(row[name], value) for name, value in old.items()),
        edits[-1].deleted is None and all(is_same(row[name], value) for name, value in new.items()),
    )


def carry_out(connection: apsw.Connection, edit: RowEdit) -> None:
    """Make the change within the current transaction. Raises Refused if the row is not as expected."""
    table = quoted(edit.table)
    where = " AND ".join(f"{quoted(name)} IS ?" for name in edit.row)
    if edit.inserted is not None:
        _insert(connection, edit, edit.inserted)
        return
    names = list(edit.guards if edit.deleted is None else edit.deleted)
    row = row_of(connection, edit.table, edit.row, names)
    if row is None or any(not is_same(row.get(name), before) for name, (before, _) in edit.guards.items()):
        raise wording.changed_meanwhile()
    if edit.deleted is not None:
        if not is_row(row, edit, edit.deleted):
            raise wording.changed_meanwhile()
        _execute(connection, f"DELETE FROM {table} WHERE {where}", tuple(edit.row.values()))
        return
    values = {name: after for name, (_, after) in edit.columns.items()}
    if values:
        sets = ", ".join(f"{quoted(name)} = ?" for name in values)
        sql = f"UPDATE {table} SET {sets} WHERE {where}"
        _execute(connection, sql, (*values.values(), *edit.row.values()))


def _insert(connection: apsw.Connection, edit: RowEdit, inserted: Mapping[str, SqlValue]) -> None:
    if row_of(connection, edit.table, edit.row, ()) is not None:
        raise wording.changed_meanwhile()  # its number was given to another row meanwhile
    values = dict(inserted)
    if "rowid" in values and row_of(connection, edit.table, {"rowid": values["rowid"]}, ()) is not None:
        del values["rowid"]
    names = ", ".join(quoted(name) for name in values)
    marks = ", ".join("?" for _ in values)
    sql = f"INSERT INTO {quoted(edit.table)} ({names}) VALUES ({marks})"
    _execute(connection, sql, tuple(values.values()))


def _execute(connection: apsw.Connection, sql: str, bindings: SqlRow) -> None:
    """Run a statement that must change one row."""
    try:
        connection.execute(sql, bindings)
    except (apsw.ConstraintError, apsw.MismatchError) as error:
        raise wording.constraint_failed(error) from error
    if connection.changes() != 1:
        raise wording.ambiguous_row(connection.changes())


# -- JSON


def dump_edit(edit: RowEdit) -> JsonObject:
    """Convert an edit to JSON."""
    return {
        "table": edit.table,
        "row": _pack_row(edit.row),
        "guards": _pack_changes(edit.guards),
        "stamps": _pack_changes(edit.stamps),
        "derived": _pack_changes(edit.derived),
        "made": None if edit.inserted is None else _pack_row(edit.inserted),
        "lost": None if edit.deleted is None else _pack_row(edit.deleted),
    }


def load_edit(data: JsonObject) -> RowEdit:
    """Convert an edit from JSON."""
    return RowEdit(
        data["table"],
        _unpack_row(data["row"]),
        _unpack_changes(data["guards"]),
        _unpack_changes(data["stamps"]),
        _unpack_changes(data["derived"]),
        None if data["made"] is None else _unpack_row(data["made"]),
        None if data["lost"] is None else _unpack_row(data["lost"]),
    )


def _pack(value: SqlValue) -> Json:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unpack(value: Json) -> SqlValue:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def _pack_row(values: Mapping[str, SqlValue]) -> JsonObject:
    return {name: _pack(value) for name, value in values.items()}


def _unpack_row(values: JsonObject) -> dict[str, SqlValue]:
    return {name: _unpack(value) for name, value in values.items()}


def _pack_changes(changes: Mapping[str, Change]) -> JsonObject:
    return {name: [_pack(before), _pack(after)] for name, (before, after) in changes.items()}


def _unpack_changes(changes: JsonObject) -> dict[str, Change]:
    return {name: (_unpack(before), _unpack(after)) for name, (before, after) in changes.items()}
