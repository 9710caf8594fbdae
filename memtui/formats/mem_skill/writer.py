"""Writing rows of mem-skill's `facts`: new, changed and deleted ones, values in their columns' form."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

import apsw

from memtui.formats.contract.new_ids import new_uuid
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record, clean
from memtui.formats.media.sqlite.connection import quoted, row_of, rows_of
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.formats.mem_skill import audit, wording
from memtui.formats.mem_skill.audit import FactChange
from memtui.formats.mem_skill.reader import id_of
from memtui.formats.mem_skill.schema import (
    COLUMN_OF,
    FACTS,
    INITIAL_CONFIDENCE,
    ROWS,
    STORED_STATUSES,
    TIME_COLUMNS,
)
from memtui.formats.mem_skill.schema_detection import Schema, declared_columns
from memtui.formats.syntax.timestamps import format_like, seconds_of
from memtui.memory.encoding import plain
from memtui.values import Fields, FieldValue, SqlRow, SqlValue

KEY_LENGTH = 60  # characters of a key that is made of other fields
_NAMING = ("key", "category", "valid_from", "valid_to")  # besides the value, what the audit records


def new_row(connection: apsw.Connection, schema: Schema, write: Write) -> RowEdit:
    """Return the edit that adds a complete row as mem-skill would, times in the documented form. Raise
    Refused where a value is not allowed."""
    fields, now = write.fields, write.now
    content = _checked("content", fields.get("content"))
    extra = fields.get("extra") or {}
    ref = _free_id(connection, schema, str(fields.get("ref") or ""))
    confidence = fields.get("confidence")
    row: dict[str, SqlValue] = {
        **_unknown_columns(connection, extra),
        "fact_id": ref,
        "user_id": str(fields.get("owner") or _main_user(connection)),
        "key": _key_of(fields) or f"memory_{str(ref)[:8]}",
        "value_text": content,
        "value_json": _column_value("value", fields.get("value"), None) or extra.get("value_json"),
        "category": fields.get("category") or "other",
        "confidence": _limited(INITIAL_CONFIDENCE if confidence is None else confidence),
        "status": STORED_STATUSES.get(str(fields.get("status") or "confirmed"), "active"),
        "source_turn_id": str(fields.get("source_ref") or write.session or "memtui"),
        "source_excerpt": str(fields.get("source_excerpt") or ""),
    }
    times = {name: fields.get(name) for name in TIME_COLUMNS}
    for name in ("valid_from", "created_at"):
        times[name] = now if times[name] is None else times[name]
    times["updated_at"] = now
    for column in declared_columns(connection, FACTS):
        if column.name in times and (seconds := times[column.name]) is not None:
            row[column.name] = _format_time(float(seconds), audit.default_time(column, now))
        elif row.get(column.name) is None and column.required:
            row[column.name] = audit.empty_value(column)
    inserted = {name: row[name] for name in schema.columns if row.get(name) is not None}
    stamps: dict[str, tuple[SqlValue, SqlValue]] = {
        name: (None, inserted.get(name)) for name in ("updated_at", "embedding_id") if name in schema.columns
    }
    return RowEdit(FACTS, {"fact_id": ref}, stamps=stamps, inserted=inserted)


def change_row(connection: apsw.Connection, schema: Schema, record: Record, write: Write) -> list[RowEdit]:
    """Return the edits that change a fact, with an entry of the audit; none if all is as wanted. Raise
    Refused where the change cannot be made."""
    name = ROWS.name(connection, record.ref)
    before = _read_row(connection, schema, name)
    wanted = _wanted(schema, record, write, before)
    if not wanted:
        return []
    touched = [column for column in (*wanted, "updated_at") if column in schema.columns]
    row_of(connection, FACTS, name, touched)  # raises Refused for text that is no UTF-8
    guards = {column: (before[column], value) for column, value in wanted.items()}
    stamps = {}
    if "updated_at" in schema.columns:
        form = _time_form("updated_at", before)
        stamps["updated_at"] = (before["updated_at"], _format_time(write.now, form))
    after = {**before, **wanted, **{column: value for column, (_, value) in stamps.items()}}
    _check_triggers(schema, wanted)
    edit = RowEdit(FACTS, name, guards, stamps)
    if write.action == "edit" and not {"value_text", "value_json", *_NAMING} & wanted.keys():
        return [edit]
    return [edit, *_audit_entry(connection, schema, write, before, after)]


def delete_row(connection: apsw.Connection, schema: Schema, record: Record, write: Write) -> list[RowEdit]:
    """Return the edits that delete a fact; the audit records that, without its text."""
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, FACTS, name, list(schema.columns))
    if row is None:
        raise wording.row_gone()
    _check_triggers(schema, None)
    stamps: dict[str, tuple[SqlValue, SqlValue]] = {
        each: (None, row[each]) for each in ("updated_at", "embedding_id") if each in row
    }
    removal = RowEdit(FACTS, name, stamps=stamps, deleted=row)
    return [removal, *_audit_entry(connection, schema, write, row, None)]


def _wanted(schema: Schema, record: Record, write: Write, row: Mapping[str, SqlValue]) -> dict[str, SqlValue]:
    """Return the columns that a change sets, with their new values."""
    fields = dict(write.fields)
    if write.action in ("dismiss", "expire"):
        fields = {"status": "expired"}
    elif write.action == "supersede":
        fields = {"status": "superseded"}
    elif write.action == "restore":
        fields = {"status": fields.get("status", "confirmed")}
    out: dict[str, SqlValue] = {}
    for field, column in COLUMN_OF.items():
        if field not in fields or column not in schema.columns or fields[field] == record.fields.get(field):
            continue
        value = _checked(field, fields[field])
        if field == "status":
            value = STORED_STATUSES[value]
        elif column in TIME_COLUMNS and value is not None:
            value = _format_time(float(value), _time_form(column, row))
        else:
            value = _column_value(field, value, row[column])
        if value != row[column]:
            out[column] = value
    if "valid_to" in schema.columns and "status" in out:
        end = seconds_of(row["valid_to"])
        if write.action in ("dismiss", "supersede") and (end is None or end > write.now):
            out["valid_to"] = _format_time(write.now, _time_form("valid_to", row))
        elif write.action == "restore" and end is not None and end <= write.now:
            out["valid_to"] = None  # agents ignore facts whose validity is over
    return out


def _audit_entry(
    connection: apsw.Connection,
    schema: Schema,
    write: Write,
    before: Mapping[str, SqlValue],
    after: Mapping[str, SqlValue] | None,
) -> list[RowEdit]:
    """Return the edits for the audit, none where the store's own triggers write it."""
    if not schema.history or any(each.fires(connection, before, after) for each in schema.history_triggers):
        return []
    if write.redacted is not None:
        before, after = write.redacted.value(before), write.redacted.value(after)
    winner = write.link.source if write.action == "supersede" and write.link is not None else ""
    reason = wording.audit_reason(write.action, write.who, winner)
    change = FactChange(write.action, before, after, reason, write.who, write.now)
    return audit.change_entry(connection, schema, change)


def _check_triggers(schema: Schema, columns: Mapping[str, SqlValue] | None) -> None:
    """Raise Refused for a change of these columns (None: of the whole row) by which the store's own trigger
    would damage its search."""
    for table in schema.full_text:
        if table.breaking_trigger and (columns is None or set(table.columns) & columns.keys()):
            raise wording.trigger_breaks_search(table.breaking_trigger, table.name)


def _read_row(
    connection: apsw.Connection, schema: Schema, name: Mapping[str, SqlValue]
) -> dict[str, SqlValue]:
    """Return all columns of a row; text that is no UTF-8 has U+FFFD in it."""
    where = " AND ".join(f"{quoted(each)} IS ?" for each in name)
    rows, _ = rows_of(
        connection,
        [quoted(column) for column in schema.columns],
        f"FROM {FACTS} WHERE {where}",
        tuple(name.values()),
    )
    if not rows:
        raise wording.row_gone()
    return dict(zip(schema.columns, rows[0], strict=True))


def _has_numeric_id(connection: apsw.Connection) -> bool:
    """Return whether a fact's id is its rowid."""
    keys = [column for column in declared_columns(connection, FACTS) if column.is_key]
    return len(keys) == 1 and keys[0].type.upper() == "INTEGER"


def _main_user(connection: apsw.Connection) -> str:
    """Return the user that most facts belong to."""
    sql = f"SELECT user_id FROM {FACTS} WHERE user_id <> '' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"
    return str(connection.execute(sql).get or "user")


def _time_form(column: str, row: Mapping[str, SqlValue]) -> SqlValue:
    """Return a time of the row whose form a new one takes, preferably the column's own."""
    for name in (column, "updated_at", "created_at", "valid_from"):
        if seconds_of(row.get(name)) is not None:
            return row[name]
    return "2026-01-01T00:00:00Z"


def _format_time(seconds: float, like: SqlValue) -> SqlValue:
    """Return a time in the form of another one. Raise Refused where that form cannot hold it."""
    try:
        return format_like(seconds, like)
    except (OverflowError, ValueError, OSError) as error:
        raise wording.time_out_of_range() from error


def _unknown_columns(connection: apsw.Connection, extra: Fields) -> dict[str, SqlValue]:
    """Return the columns that memtui does not interpret, as they were when the fact was last read."""
    names = [
        column.name for column in declared_columns(connection, FACTS) if "BLOB" not in column.type.upper()
    ]
    return {
        name: clean(value) if isinstance(value, str) else value
        for name in names
        if isinstance(value := extra.get(name), (str, int, float))
    }


def _free_id(connection: apsw.Connection, schema: Schema, wanted: str) -> str | int:
    """Return the wanted id if it is valid and no fact, archived or not, has it; else a new one."""

    def is_taken(id: str | int) -> bool:
        found = [connection.execute(f"SELECT 1 FROM {FACTS} WHERE fact_id = ?", (id,)).fetchone()]
        for table in schema.archives:
            sql = f"SELECT 1 FROM {quoted(table)} WHERE CAST(fact_id AS TEXT) = ?"
            found.append(connection.execute(sql, (str(id),)).fetchone())
        return any(found)

    if _has_numeric_id(connection):
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 19 else None
        if number is not None and not is_taken(number):
            return number
        last = [connection.execute(f"SELECT max(fact_id) FROM {FACTS}").get]
        for table in schema.archives:
            last.append(connection.execute(f"SELECT max(CAST(fact_id AS INTEGER)) FROM {quoted(table)}").get)
        return int(max(each or 0 for each in last)) + 1
    id = id_of(wanted)
    return id if id and not is_taken(id) else str(new_uuid())


def _checked(field: str, value: FieldValue) -> FieldValue:
    """Return the value. Raise Refused if the format does not allow it in this field."""
    if field == "content":
        text = str(value or "")
        if not text.strip():
            raise wording.empty_content()
        return text
    if field == "key" and not str(value or "").strip():
        raise wording.no_key()
    if field == "status" and value not in STORED_STATUSES:
        raise wording.bad_status(STORED_STATUSES)
    return value


def _column_value(field: str, value: FieldValue, like: SqlValue) -> SqlValue:
    """Return a field's value as its column holds it, in the form of the value `like`."""
    if field == "confidence" and value is not None:
        confidence = _limited(value)
        return str(confidence) if isinstance(like, str) else confidence
    if field == "value" and value is not None:
        old = like if isinstance(like, str) else ""
        is_compact = ":" in old and ": " not in old
        separators = (",", ":") if is_compact else None
        return clean(json.dumps(plain(value), ensure_ascii="\\u" in old, separators=separators))
    return value


def _limited(confidence: FieldValue) -> float:
    """Return a confidence, limited to 0–1."""
    return max(0.0, min(1.0, float(confidence)))


def _key_of(fields: Mapping[str, FieldValue]) -> str:
    """Return the key: the given one, or one made of the subject, the title or the content."""
    if key := str(fields.get("key") or "").strip():
        return key
    return made_key(fields)


def made_key(fields: Mapping[str, FieldValue]) -> str:
    """Return a key made of the subject, the title or the content; "" where none has Latin letters."""
    keys = (_slug(str(fields.get(name) or "")) for name in ("subject", "title", "content"))
    return next((key for key in keys if key), "")


def _slug(text: str) -> str:
    """Return a key made of a text's first words; "" where it has none in Latin letters."""
    ascii = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    out = ""
    for word in re.findall(r"[a-z0-9]+", ascii):
        longer = f"{out}_{word}" if out else word[:KEY_LENGTH]
        if len(longer) > KEY_LENGTH or out.count("_") >= 5:
            break
        out = longer
    return out


def with_free_names(connection: apsw.Connection, write: Write, edit: RowEdit, given: set[SqlRow]) -> RowEdit:
    """Return a new fact with an id, and a key unless one was asked for, that no other fact of the store or
    of the batch has; `given` gathers those of the batch."""
    assert edit.inserted is not None
    row = dict(edit.inserted)
    if isinstance(row.get("fact_id"), int):
        while (FACTS, row["fact_id"]) in given:
            row["fact_id"] += 1
        given.add((FACTS, row["fact_id"]))
    if not write.fields.get("key"):
        key, number = str(row["key"]), 1
        while (row["user_id"], row["key"]) in given or _has_key(connection, row["user_id"], row["key"]):
            number += 1
            row["key"] = f"{key}_{number}"
    given.add((row["user_id"], row["key"]))
    return replace(edit, row={"fact_id": row["fact_id"]}, inserted=row)


def _has_key(connection: apsw.Connection, user: SqlValue, key: SqlValue) -> bool:
    """Return whether a fact of this user has this key."""
    sql = f"SELECT 1 FROM {FACTS} WHERE user_id IS ? AND key IS ?"
    return connection.execute(sql, (user, key)).fetchone() is not None
