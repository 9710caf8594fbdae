"""Writing rows of Base Coat's `memories`: new, changed and deleted ones, values in their columns' form."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import apsw

from memtui.formats.base_coat import relations, wording
from memtui.formats.base_coat.reader import count_of
from memtui.formats.base_coat.schema import (
    COLUMN_OF,
    HIDDEN_COLUMNS,
    INITIAL_CONFIDENCE,
    ROWS,
    TIERS,
    VOLATILE_COLUMNS,
)
from memtui.formats.contract.new_ids import new_uuid
from memtui.formats.contract.plans import REPEATS, Write
from memtui.formats.contract.records import Record, clean
from memtui.formats.media.sqlite.connection import quoted, row_of
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.formats.syntax.timestamps import format_like, seconds_of
from memtui.memory.lifecycles.base_coat import heat_of
from memtui.values import Fields, FieldValue, SqlValue

_TIME_FORM = "2026-01-01T00:00:00Z"  # how Base Coat writes times
_MAX_SUBJECT = 60  # characters of a subject that is made of other fields


def new_row(connection: apsw.Connection, columns: Collection[str], write: Write) -> RowEdit:
    """Return the edit that adds a complete row as Base Coat would. Raise Refused where a value is not
    allowed."""
    fields = write.fields
    ref = str(fields.get("ref") or "")
    if not ref or ref.startswith("rowid:") or has_row(connection, ref):
        ref = str(new_uuid())
    uses = max(0, int(fields.get("times_used") or 0))
    confidence = fields.get("confidence")
    used, expires = fields.get("last_used_at"), fields.get("expires_at")
    row = {
        "id": ref,
        "category": fields.get("category") or "fact",
        "subject": clean(subject_of(fields)),
        "content": _checked("content", fields.get("content")),
        "source": str(fields.get("source_ref") or "") or None,
        "confidence": _column_value(
            "confidence", INITIAL_CONFIDENCE if confidence is None else confidence, INITIAL_CONFIDENCE
        ),
        "created_at": format_like(float(fields.get("created_at") or write.now), _TIME_FORM),
        "last_accessed": None if used is None else format_like(float(used), _TIME_FORM),
        "access_count": uses,
        "expires_at": None if expires is None else format_like(float(expires), _TIME_FORM),
        "tier": _checked("tier", fields.get("tier") or TIERS[-1]),
        "heat": heat_of(uses),
        "pinned": int(bool(fields.get("pinned"))),
        "promotion_count": max(0, int(fields.get("promotion_count") or 0)),
        "last_promoted_at": None,
        "updated_at": format_like(write.now, _TIME_FORM),
        "embedding": None,
    }
    inserted = {name: value for name, value in row.items() if name in columns}
    return RowEdit("memories", {"id": ref}, stamps=_volatile(inserted), inserted=inserted)


def with_new_id(edit: RowEdit) -> RowEdit:
    """Return a new row under another id, since an earlier one of the batch has the same."""
    ref = str(new_uuid())
    return RowEdit("memories", {"id": ref}, stamps=edit.stamps, inserted={**(edit.inserted or {}), "id": ref})


def change_row(
    connection: apsw.Connection,
    columns: Collection[str],
    record: Record,
    fields: Mapping[str, FieldValue],
    write: Write,
) -> list[RowEdit]:
    """Return the edit that sets `fields` of a row, with the columns that follow from it; none if all are as
    wanted. Raise Refused where the row is gone or a value is not allowed."""
    wanted = {name: value for name, value in fields.items() if value != record.fields.get(name)}
    uses = write.fields.get("times_used")  # the sum, where two memories are merged
    if not wanted and uses is None:
        return []
    needed = {COLUMN_OF[name] for name in wanted} | {"created_at"} | ({"updated_at"} & set(columns))
    if "content" in wanted:
        needed |= HIDDEN_COLUMNS & set(columns)
    if "promotion_count" in wanted:
        needed |= {"last_promoted_at"} & set(columns)
    if uses is not None:
        needed |= {"access_count", "heat"} & set(columns)
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name, sorted(needed))
    if row is None:
        raise wording.row_gone()
    guards = {}
    for field, value in wanted.items():
        before = row[COLUMN_OF[field]]
        like = _time_form(before, row["created_at"]) if field == "expires_at" else before
        guards[COLUMN_OF[field]] = before, _column_value(field, _checked(field, value), like)
    stamps: dict[str, tuple[SqlValue, SqlValue]] = {}
    if write.incoming and "updated_at" not in row and "last_accessed" in columns:
        before = row_of(connection, "memories", name, ["last_accessed"])
        used = None if before is None else before["last_accessed"]
        stamps["last_accessed"] = used, format_like(write.now, _time_form(used, row["created_at"]))
    for column in ("updated_at", "last_promoted_at"):
        if column in row:
            before = row[column]
            stamps[column] = before, format_like(write.now, _time_form(before, row["created_at"]))
    if uses is not None:
        stamps["access_count"] = row["access_count"], int(uses)
        if "heat" in row:
            stamps["heat"] = row["heat"], heat_of(int(uses))
    derived = {each: (row[each], None) for each in HIDDEN_COLUMNS if each in row}
    return [RowEdit("memories", name, guards, stamps, derived)]


def contradict_from(connection: apsw.Connection, added: RowEdit, write: Write) -> list[RowEdit]:
    """Return the edits that relate a new row to those that it contradicts, if they are in the store."""
    if not relations.has_table(connection):
        return []
    targets = (relations.find_id(connection, link.target) for link in write.against)
    return [relations.new_row(added.row["id"], each, "contradicts") for each in targets if each is not None]


def delete_row(connection: apsw.Connection, record: Record) -> list[RowEdit]:
    """Return the edits that delete a row and its relations. Raise Refused where it is gone."""
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name)
    if row is None:
        raise wording.row_gone()
    removal = RowEdit("memories", name, stamps=_volatile(row), deleted=row)
    # A row named by its rowid has no id of its own: relations belong to the other row with that id.
    return [removal] if "rowid" in name else [removal, *relations.remove_all(connection, row["id"])]


def contradict_by_winner(connection: apsw.Connection, record: Record, write: Write) -> list[RowEdit]:
    """Return the edit that relates a superseded memory to the one that supersedes it, if that is in this
    store."""
    if write.link is None or not record.anchor or write.link.kind == REPEATS:
        return []
    winner = relations.find_id(connection, write.link.source)
    if winner is None:
        return []
    return relations.contradict(connection, winner, relations.id_of(connection, record.anchor))


def has_row(connection: apsw.Connection, ref: str) -> bool:
    """Return whether a row has this id."""
    return connection.execute("SELECT 1 FROM memories WHERE id = ?", (ref,)).fetchone() is not None


def subject_of(fields: Mapping[str, FieldValue]) -> str:
    """Return what a memory is about, in a few words: Base Coat requires a subject."""
    for name in ("subject", "key", "title"):
        text = " ".join(str(fields.get(name) or "").split())
        if text:
            return text if name == "subject" else text[:_MAX_SUBJECT].rstrip()
    words = re.findall(r"[^\W_]+", str(fields.get("content") or "").casefold())
    return "-".join(words[:2])[:_MAX_SUBJECT] or "general"


def count_uses(
    connection: apsw.Connection, refs: Sequence[str], columns: Collection[str], now: float
) -> dict[str, int]:
    """Count one more use of each of these rows at `now`, within the caller's transaction; return the counts
    of those that exist."""
    counts = {}
    needed = [name for name in ("access_count", "last_accessed", "created_at", "heat") if name in columns]
    for ref in refs:
        name = ROWS.name(connection, ref)
        row = row_of(connection, "memories", name, needed)
        if row is None:
            continue
        uses = counts[ref] = count_of(row["access_count"]) + 1
        values: Fields = {"access_count": uses}
        if "last_accessed" in row:
            form = _time_form(row["last_accessed"], row["created_at"])
            values["last_accessed"] = format_like(now, form)
        if "heat" in row:
            values["heat"] = heat_of(uses)
        sets = ", ".join(f"{quoted(each)} = ?" for each in values)
        where = " AND ".join(f"{quoted(each)} IS ?" for each in name)
        connection.execute(f"UPDATE memories SET {sets} WHERE {where}", (*values.values(), *name.values()))
    return counts


def _time_form(own: SqlValue, other: SqlValue) -> SqlValue:
    """Return a time whose form a new one takes: the column's own value, else another one of the row that is
    more precise than a day, else Base Coat's form."""
    if seconds_of(own) is not None:
        return own
    is_precise = not isinstance(other, str) or len(other.strip()) > len("2026-01-01")
    return other if seconds_of(other) is not None and is_precise else _TIME_FORM


def _volatile(row: Mapping[str, SqlValue]) -> dict[str, tuple[SqlValue, SqlValue]]:
    """Return the columns of a new or deleted row that agents may have changed by the time of an undo."""
    return {name: (None, row[name]) for name in VOLATILE_COLUMNS if name in row}


def _checked(field: str, value: FieldValue) -> FieldValue:
    """Return the value. Raise Refused if the format does not allow it in this field."""
    if field in ("content", "subject"):
        text = str(value or "")
        if not text.strip():
            raise wording.empty_content() if field == "content" else wording.empty_subject()
        return text
    if field == "tier" and value not in TIERS:
        raise wording.bad_tier(TIERS)
    return value


def _column_value(field: str, value: FieldValue, like: SqlValue) -> SqlValue:
    """Return a field's value as its column holds it, in the form of the value `like`."""
    if field == "confidence" and value is not None:
        number = max(0.0, min(1.0, float(value)))
        return str(number) if isinstance(like, str) else number
    if field == "promotion_count":
        return str(int(value or 0)) if isinstance(like, str) else int(value or 0)
    if field == "pinned":
        return str(int(bool(value))) if isinstance(like, str) else int(bool(value))
    if field == "expires_at" and value is not None:
        return format_like(float(value), like)
    return value
