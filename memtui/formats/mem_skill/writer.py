"""One row of mem-skill's `facts`, written: made, changed, taken out; its values as columns hold them."""

from __future__ import annotations

import json
import re
import unicodedata
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.contract.adapter import Record, Write, clean
from memtui.formats.media.sqlite.connection import quoted, row_of, rows_of
from memtui.formats.media.sqlite.store import RowEdit
from memtui.formats.mem_skill import audit
from memtui.formats.mem_skill.audit import Happened
from memtui.formats.mem_skill.reader import id_of
from memtui.formats.mem_skill.schema import CALLED, FACTS, FIRST_MENTION, ROWS, SET, TIMES
from memtui.formats.mem_skill.schema_detection import Shape, declared
from memtui.formats.syntax.timestamps import in_the_form_of, seconds_of
from memtui.memory.encoding import plain

KEY_LENGTH = 60


def new_row(connection: apsw.Connection, shape: Shape, write: Write) -> RowEdit:
    """A whole row as mem-skill would insert it, its times as the format documents them."""
    fields, now = write.fields, write.now
    content = _checked("content", fields.get("content"))
    extra = fields.get("extra") or {}
    ref = _free_id(connection, shape, str(fields.get("ref") or ""))
    confidence = fields.get("confidence")
    whole: dict[str, Any] = {
        **_unknown(connection, extra),
        "fact_id": ref,
        "user_id": str(fields.get("owner") or _user(connection)),
        "key": _key_of(fields) or f"memory_{str(ref)[:8]}",
        "value_text": content,
        "value_json": _spelled("value", fields.get("value"), None) or extra.get("value_json"),
        "category": fields.get("category") or "other",
        "confidence": _share(FIRST_MENTION if confidence is None else confidence),
        "status": CALLED.get(str(fields.get("status") or "confirmed"), "active"),
        "source_turn_id": str(fields.get("source_ref") or "memtui"),
        "source_excerpt": str(fields.get("source_excerpt") or ""),
    }
    moments = {name: fields.get(name) for name in TIMES}
    for name in ("valid_from", "created_at"):
        moments[name] = now if moments[name] is None else moments[name]
    moments["updated_at"] = now
    for column in declared(connection, FACTS):
        if column.name in moments and (seconds := moments[column.name]) is not None:
            whole[column.name] = _time(float(seconds), audit.plain_time(column, now))
        elif whole.get(column.name) is None and column.needed:
            whole[column.name] = audit.neutral(column)
    made = {name: whole[name] for name in shape.columns if whole.get(name) is not None}
    stamps: dict[str, tuple[Any, Any]] = {
        name: (None, made.get(name)) for name in ("updated_at", "embedding_id") if name in shape.columns
    }
    return RowEdit(FACTS, {"fact_id": ref}, stamps=stamps, made=made)


def changed(connection: apsw.Connection, shape: Shape, record: Record, write: Write) -> list[RowEdit]:
    """The edits that one change of a fact makes, with its line of the audit; none if all is as asked."""
    name = ROWS.name(connection, record.ref)
    before = _whole(connection, shape, name)
    asked = _asked(shape, record, write, before)
    if not asked:
        return []
    touched = [column for column in (*asked, "updated_at") if column in shape.columns]
    row_of(connection, FACTS, name, touched)  # refuses text that is no UTF-8
    guards = {column: (before[column], value) for column, value in asked.items()}
    stamps = {}
    if "updated_at" in shape.columns:
        stamps["updated_at"] = (before["updated_at"], _time(write.now, _like("updated_at", before)))
    after = {**before, **asked, **{column: value for column, (_, value) in stamps.items()}}
    _unbroken(shape, asked)
    edit = RowEdit(FACTS, name, guards, stamps)
    if write.action == "edit" and not {"value_text", "value_json", *_NAMING} & asked.keys():
        return [edit]
    return [edit, *_told(connection, shape, write, before, after)]


def deleted(connection: apsw.Connection, shape: Shape, record: Record, write: Write) -> list[RowEdit]:
    """The row leaves the facts; the audit keeps that it did, without its text."""
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, FACTS, name, list(shape.columns))
    if row is None:
        raise _gone()
    _unbroken(shape, None)
    loose: dict[str, tuple[Any, Any]] = {
        each: (None, row[each]) for each in ("updated_at", "embedding_id") if each in row
    }
    lost = RowEdit(FACTS, name, stamps=loose, lost=row)
    return [lost, *_told(connection, shape, write, row, None)]


_NAMING = ("key", "category", "valid_from", "valid_to")  # what else the audit tells of


def _asked(shape: Shape, record: Record, write: Write, row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that a change sets, and to what."""
    fields = dict(write.fields)
    if write.action in ("dismiss", "expire"):
        fields = {"status": "expired"}
    elif write.action == "supersede":
        fields = {"status": "superseded"}
    elif write.action == "restore":
        fields = {"status": fields.get("status", "confirmed")}
    out: dict[str, Any] = {}
    for field, column in SET.items():
        if field not in fields or column not in shape.columns or fields[field] == record.fields.get(field):
            continue
        value = _checked(field, fields[field])
        if field == "status":
            value = CALLED[value]
        elif column in TIMES and value is not None:
            value = _time(float(value), _like(column, row))
        else:
            value = _spelled(field, value, row[column])
        if value != row[column]:
            out[column] = value
    if "valid_to" in shape.columns and "status" in out:
        end = seconds_of(row["valid_to"])
        if write.action in ("dismiss", "supersede") and (end is None or end > write.now):
            out["valid_to"] = _time(write.now, _like("valid_to", row))
        elif write.action == "restore" and end is not None and end <= write.now:
            out["valid_to"] = None  # agents pass over what is no longer valid
    return out


def _told(
    connection: apsw.Connection,
    shape: Shape,
    write: Write,
    before: Mapping[str, Any],
    after: Mapping[str, Any] | None,
) -> list[RowEdit]:
    """The line of the audit, where the store does not write it by itself."""
    if not shape.history or any(each.goes_off(connection, before, after) for each in shape.writers):
        return []
    by = "a person" if write.who == "person" else write.who
    why = f"{_DONE[write.action]} by {by} in memtui"
    if write.action == "supersede" and write.link is not None:
        why = f"superseded by {write.link.source}, by {by} in memtui"
    return audit.line_of(connection, shape, Happened(write.action, before, after, why, write.who, write.now))


_DONE = {
    "edit": "edited",
    "confirm": "confirmed",
    "dismiss": "expired",
    "expire": "its validity ended: expired",
    "restore": "restored",
    "supersede": "superseded",
    "delete": "taken out",
}


def _unbroken(shape: Shape, columns: Mapping[str, Any] | None) -> None:
    """Refuse a change that the store's own trigger would turn into damage; None is the whole row."""
    for mirror in shape.mirrors:
        if mirror.trap and (columns is None or set(mirror.columns) & columns.keys()):
            raise NotSaved(
                "search-trap",
                f"the store's own trigger “{mirror.trap}” would break its search {mirror.name}.",
                "Nothing was changed. Dismiss it and add it anew instead.",
            )


def _whole(connection: apsw.Connection, shape: Shape, name: Mapping[str, Any]) -> dict[str, Any]:
    """All columns of a row, text that is no UTF-8 as far as it can be read."""
    where = " AND ".join(f"{quoted(each)} IS ?" for each in name)
    rows, _ = rows_of(
        connection,
        [quoted(column) for column in shape.columns],
        f"FROM {FACTS} WHERE {where}",
        tuple(name.values()),
    )
    if not rows:
        raise _gone()
    return dict(zip(shape.columns, rows[0], strict=True))


def _gone() -> Refused:
    return NotSaved("gone", "the row is no longer where it was.")


def _is_number(connection: apsw.Connection) -> bool:
    """Whether a fact's number is a column of its own."""
    keys = [column for column in declared(connection, FACTS) if column.key]
    return len(keys) == 1 and keys[0].type.upper() == "INTEGER"


def _user(connection: apsw.Connection) -> str:
    """Whose facts most of these are."""
    sql = f"SELECT user_id FROM {FACTS} WHERE user_id <> '' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"
    return str(connection.execute(sql).get or "user")


def _like(column: str, row: Mapping[str, Any]) -> Any:
    """A time of this row in the form that the column has, or its others."""
    for name in (column, "updated_at", "created_at", "valid_from"):
        if seconds_of(row.get(name)) is not None:
            return row[name]
    return "2026-01-01T00:00:00Z"


def _time(seconds: float, like: Any) -> Any:
    """A moment in the form of another one."""
    try:
        return in_the_form_of(seconds, like)
    except (OverflowError, ValueError, OSError) as trouble:
        raise NotSaved("time", "a time lies outside the years 1 to 9999.") from trouble


def _unknown(connection: apsw.Connection, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that memtui knows nothing of, as they stood when the fact was last read."""
    own = [column.name for column in declared(connection, FACTS) if "BLOB" not in column.type.upper()]
    return {
        name: clean(value) if isinstance(value, str) else value
        for name in own
        if isinstance(value := extra.get(name), (str, int, float))
    }


def _free_id(connection: apsw.Connection, shape: Shape, wanted: str) -> str | int:
    """The id that is wanted, if it can name a fact and none has it, archived ones included; else a new
    one."""

    def is_taken(id: str | int) -> bool:
        there = [connection.execute(f"SELECT 1 FROM {FACTS} WHERE fact_id = ?", (id,)).fetchone()]
        for table in shape.archives:
            sql = f"SELECT 1 FROM {quoted(table)} WHERE CAST(fact_id AS TEXT) = ?"
            there.append(connection.execute(sql, (str(id),)).fetchone())
        return any(there)

    if _is_number(connection):
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 19 else None
        if number is not None and not is_taken(number):
            return number
        last = [connection.execute(f"SELECT max(fact_id) FROM {FACTS}").get]
        for table in shape.archives:
            last.append(connection.execute(f"SELECT max(CAST(fact_id AS INTEGER)) FROM {quoted(table)}").get)
        return int(max(each or 0 for each in last)) + 1
    id = id_of(wanted)
    return id if id and not is_taken(id) else str(uuid.uuid4())


def _checked(field: str, value: Any) -> Any:
    """The value, if the format allows it in this field."""
    if field == "content":
        text = str(value or "")
        if not text.strip():
            raise NotSaved("empty", "a memory cannot be empty.", "Dismiss it instead.")
        return text
    if field == "key" and not str(value or "").strip():
        raise NotSaved("key", "a fact needs a key.", "A key looks like favourite_editor.")
    if field == "status" and value not in CALLED:
        allowed = ", ".join(CALLED)
        raise Refused("status", f"Invalid status: must be one of {allowed}", "Nothing was changed.")
    return value


def _spelled(field: str, value: Any, like: Any) -> Any:
    """A field's value as its column holds it, in the form of what stands there."""
    if field == "confidence" and value is not None:
        share = _share(value)
        return str(share) if isinstance(like, str) else share
    if field == "value" and value is not None:
        old = like if isinstance(like, str) else ""
        tight = ":" in old and ": " not in old
        between = (",", ":") if tight else None
        return clean(json.dumps(plain(value), ensure_ascii="\\u" in old, separators=between))
    return value


def _share(value: Any) -> float:
    return max(0.0, min(1.0, float(value)))


def _key_of(fields: Mapping[str, Any]) -> str:
    """A key: as given, or made of the subject, the title or the first words."""
    if key := str(fields.get("key") or "").strip():
        return key
    return next(
        (made for name in ("subject", "title", "content") if (made := slug(str(fields.get(name) or "")))), ""
    )


def slug(text: str) -> str:
    """A key made of a text's first words; empty where it has none in Latin letters."""
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    out = ""
    for word in re.findall(r"[a-z0-9]+", bare):
        longer = f"{out}_{word}" if out else word[:KEY_LENGTH]
        if len(longer) > KEY_LENGTH or out.count("_") >= 5:
            break
        out = longer
    return out


def settled(connection: apsw.Connection, write: Write, edit: RowEdit, given: set[Any]) -> RowEdit:
    """A new fact beside those of the same batch: its number, and a key of its own where none was asked."""
    assert edit.made is not None
    made = dict(edit.made)
    if isinstance(made.get("fact_id"), int):
        while (FACTS, made["fact_id"]) in given:
            made["fact_id"] += 1
        given.add((FACTS, made["fact_id"]))
    if not write.fields.get("key"):
        key, number = str(made["key"]), 1
        while (made["user_id"], made["key"]) in given or taken(connection, made["user_id"], made["key"]):
            number += 1
            made["key"] = f"{key}_{number}"
    given.add((made["user_id"], made["key"]))
    return replace(edit, row={"fact_id": made["fact_id"]}, made=made)


def taken(connection: apsw.Connection, user: Any, key: Any) -> bool:
    """Whether a fact of this user has this key."""
    sql = f"SELECT 1 FROM {FACTS} WHERE user_id IS ? AND key IS ?"
    return connection.execute(sql, (user, key)).fetchone() is not None
