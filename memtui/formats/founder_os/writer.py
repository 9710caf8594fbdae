"""Insert, update and delete rows of Founder OS's `memories`, with values as its columns hold them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

import apsw

from memtui.formats.contract.new_ids import new_uuid
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record, clean
from memtui.formats.founder_os import wording
from memtui.formats.founder_os.schema import (
    CATEGORIES,
    KEY_LENGTH,
    OMITTED_COLUMNS,
    ROWS,
    STATUSES,
    VOLATILE_COLUMNS,
)
from memtui.formats.media.sqlite.connection import columns_of, quoted, row_of
from memtui.formats.media.sqlite.row_edit import RowEdit
from memtui.formats.syntax.timestamps import format_like
from memtui.values import FieldValue, SqlValue

_KEY = re.compile(r"[a-z0-9]+(?:-+[a-z0-9]+)*")


def insert_edit(columns: list[str], write: Write) -> RowEdit:
    """Return the edit that inserts a row as Founder OS would make it. Raise Refused if a value is not
    allowed."""
    fields, now = write.fields, int(write.now)
    content = _validated("content", fields.get("content"))
    ref = str(fields.get("ref") or new_uuid().hex)
    expires, confidence, used = (fields.get(n) for n in ("expires_at", "confidence", "last_used_at"))
    row = {
        "id": ref,
        "key": _validated("key", fields.get("key") or slug(content) or f"memory-{ref[:8]}"),
        "category": fields.get("category") or "fact",
        "content": content,
        "source_plugin": str(fields.get("source_ref") or write.who.partition("agent:")[2] or "User"),
        "company_id": _validated("company_id", fields.get("company_id")),
        "tags": _column_value("tags", fields.get("tags") or (), None),
        "embedding": None,
        "confidence": _column_value("confidence", 0.5 if confidence is None else confidence, 0),
        "status": _validated("status", fields.get("status") or "candidate"),
        "times_used": int(fields.get("times_used") or 0),
        "times_confirmed": int(fields.get("times_confirmed") or 0),
        "created_at": int(fields.get("created_at") or now),
        "updated_at": now,
        "last_used_at": None if used is None else int(used),
        "expires_at": None if expires is None else int(expires),
    }
    made = {name: value for name, value in row.items() if name in columns}
    return RowEdit(
        "memories",
        {"id": ref},
        stamps={name: (None, made[name]) for name in VOLATILE_COLUMNS if name in made},
        derived={name: (None, None) for name in OMITTED_COLUMNS if name in made},
        inserted=made,
    )


def update_edits(
    connection: apsw.Connection,
    columns: list[str],
    record: Record,
    fields: Mapping[str, FieldValue],
    write: Write,
) -> list[RowEdit]:
    """Return the edit that sets these fields of a row; none if they are set already. Raise Refused if a
    value is not allowed or the row is gone."""
    undelete = write.action == "restore" and record.removed_at is not None
    uses = write.fields.get("times_used") if "times_used" in columns else None  # the sum, where two merge
    wanted = [*fields, "updated_at", "created_at", *(["embedding"] if "content" in fields else [])]
    wanted += ["deleted_at"] if undelete else []
    wanted += ["times_used"] if uses is not None else []
    wanted = [name for name in wanted if name in columns]
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name, wanted)
    if row is None:
        raise wording.row_gone()
    guards: dict[str, tuple[SqlValue, SqlValue]] = {}
    for field, value in fields.items():
        like = row[field]
        if field == "expires_at" and like is None:
            like = row.get("created_at")
        guards[field] = (row[field], _column_value(field, _validated(field, value), like))
    if undelete:
        guards["deleted_at"] = (row["deleted_at"], None)
    if not guards and uses is None:
        return []
    stamps = {}
    if uses is not None:
        stamps["times_used"] = (row["times_used"], int(uses))
    if "updated_at" in columns:
        stamps["updated_at"] = (row["updated_at"], format_like(write.now, row["updated_at"]))
    derived = {"embedding": (row["embedding"], None)} if "embedding" in row else {}
    return [RowEdit("memories", name, guards, stamps, derived)]


def delete_edits(connection: apsw.Connection, record: Record, write: Write) -> list[RowEdit]:
    """Return the edits that delete a row (a purge) and revert its adaptations. Raise Refused if the row is
    gone or an unknown trigger forbids it."""
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name)
    if row is None:
        raise wording.row_gone()
    stamps = {each: (None, row[each]) for each in (*VOLATILE_COLUMNS, *OMITTED_COLUMNS) if each in row}
    edit = RowEdit("memories", name, stamps=stamps, deleted=row)
    return [edit, *revert_adaptations(connection, record, write)]


def revert_adaptations(connection: apsw.Connection, record: Record, write: Write) -> list[RowEdit]:
    """Return the edits that mark the adaptations of a memory as reverted; their rows stay. Raise Refused if
    an unknown trigger forbids it."""
    columns = columns_of(connection, "adaptations")
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name, ["id"])
    if row is None or not {"id", "memory_id", "reverted_at"} <= set(columns) or "rowid" in name:
        return []
    applied = "applied_at" if "applied_at" in columns else "NULL"
    adapted = connection.execute(
        f"SELECT id, {applied} FROM adaptations WHERE memory_id IS ? AND reverted_at IS NULL", (row["id"],)
    ).fetchall()
    trigger = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = 'adaptations'"
    ).fetchone()
    if adapted and trigger:
        raise wording.unknown_trigger(str(trigger[0]))
    return [
        RowEdit("adaptations", {"id": id}, {"reverted_at": (None, format_like(write.now, at))})
        for id, at in adapted
    ]


def _validated(field: str, value: FieldValue) -> FieldValue:
    """Return the value if the format allows it in this field, else raise Refused."""
    if field == "content":
        text = str(value or "")
        if not text.strip():
            raise wording.empty()
        return text
    allowed = {"status": STATUSES, "category": CATEGORIES}.get(field)
    if allowed and value not in allowed:
        raise wording.not_allowed(field, allowed)
    if field == "key":
        key = str(value or "")
        if len(key) > KEY_LENGTH or not _KEY.fullmatch(key):
            raise wording.invalid_key(KEY_LENGTH)
        return key
    if field == "company_id":
        return str(value) if value else None
    return value


def _column_value(field: str, value: FieldValue, like: SqlValue) -> SqlValue:
    """Return a field's value as its column holds it, in the form of the stored value `like`."""
    if field == "confidence" and value is not None:
        number = max(0, min(100, round(float(value) * 100)))
        return str(number) if isinstance(like, str) else number
    if field == "times_confirmed":
        return str(int(value or 0)) if isinstance(like, str) else int(value or 0)
    if field == "expires_at" and value is not None:
        return format_like(float(value), like)
    if field == "tags" and (value or like is not None):
        old = like if isinstance(like, str) else ""
        tags = [clean(str(tag)) for tag in value or ()]
        return json.dumps(tags, ensure_ascii="\\u" in old, separators=(", " if '", "' in old else ",", ":"))
    if field == "tags":
        return None
    return value


def slug(content: str) -> str:
    """Return a key made of a text's first words; "" where it has none in Latin letters."""
    plain = unicodedata.normalize("NFKD", content).encode("ascii", "ignore").decode().lower()
    out = ""
    for word in re.findall(r"[a-z0-9]+", plain):
        longer = f"{out}-{word}" if out else word[:KEY_LENGTH]
        if len(longer) > KEY_LENGTH:
            break
        out = longer
    return out


def has_key(connection: apsw.Connection, key: str) -> bool:
    """Return whether a row has this key."""
    return connection.execute("SELECT 1 FROM memories WHERE key = ?", (key,)).fetchone() is not None


def free_key(key: str, is_taken: Callable[[str], bool]) -> str:
    """Return the key, or the first of key-2, key-3 … that is not taken."""
    number, candidate = 1, key
    while is_taken(candidate):
        number += 1
        suffix = f"-{number}"
        candidate = key[: KEY_LENGTH - len(suffix)].rstrip("-") + suffix
    return candidate


def key_set_by(edit: RowEdit) -> SqlValue:
    """Return the key that an edit gives a row, None if it gives none."""
    return edit.inserted["key"] if edit.inserted is not None else edit.guards.get("key", (None, None))[1]


def count_uses(
    connection: apsw.Connection, refs: Sequence[str], columns: Sequence[str], now: float
) -> dict[str, int]:
    """Count one more use of each of these rows at `now` (Unix seconds), in the caller's transaction; return
    the counts of those that exist."""
    counts: dict[str, int] = {}
    for ref in refs:
        row = ROWS.name(connection, ref)
        where = " AND ".join(f"{quoted(name)} IS ?" for name in row)
        if "times_used" in columns:
            more = "UPDATE memories SET times_used = coalesce(times_used, 0) + 1"
            sql = f"{more} WHERE {where} RETURNING times_used"
            found = connection.execute(sql, tuple(row.values())).fetchall()
            if found and isinstance(found[0][0], int):
                counts[ref] = found[0][0]
        if "last_used_at" in columns:
            sql = f"SELECT last_used_at FROM memories WHERE {where}"
            before = connection.execute(sql, tuple(row.values())).fetchone()
            if before is not None:
                at = format_like(now, before[0])
                sql = f"UPDATE memories SET last_used_at = ? WHERE {where}"
                connection.execute(sql, (at, *row.values()))
    return counts
