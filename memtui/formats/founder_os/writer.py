"""One row of Founder OS's `memories`, written: made, changed, deleted; its values as columns hold them."""

from __future__ import annotations

import json
import re
import unicodedata
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.contract.adapter import Record, Write, clean
from memtui.formats.founder_os.schema import ASIDE, CATEGORIES, KEY_LENGTH, LOOSE, ROWS, STATUSES
from memtui.formats.media.sqlite.connection import columns_of, quoted, row_of
from memtui.formats.media.sqlite.store import RowEdit
from memtui.formats.syntax.timestamps import in_the_form_of

_KEY = re.compile(r"[a-z0-9]+(?:-+[a-z0-9]+)*")


def new_row(columns: list[str], write: Write) -> RowEdit:
    """A whole row as Founder OS would make it."""
    fields, now = write.fields, int(write.now)
    content = _checked("content", fields.get("content"))
    ref = str(fields.get("ref") or uuid.uuid4().hex)
    expires, confidence, used = (fields.get(n) for n in ("expires_at", "confidence", "last_used_at"))
    whole = {
        "id": ref,
        "key": _checked("key", fields.get("key") or slug(content) or f"memory-{ref[:8]}"),
        "category": fields.get("category") or "fact",
        "content": content,
        "source_plugin": str(fields.get("source_ref") or "User"),
        "company_id": _checked("company_id", fields.get("company_id")),
        "tags": _spelled("tags", fields.get("tags") or (), None),
        "embedding": None,
        "confidence": _spelled("confidence", 0.5 if confidence is None else confidence, 0),
        "status": _checked("status", fields.get("status") or "candidate"),
        "times_used": int(fields.get("times_used") or 0),
        "times_confirmed": int(fields.get("times_confirmed") or 0),
        "created_at": int(fields.get("created_at") or now),
        "updated_at": now,
        "last_used_at": None if used is None else int(used),
        "expires_at": None if expires is None else int(expires),
    }
    made = {name: value for name, value in whole.items() if name in columns}
    return RowEdit(
        "memories",
        {"id": ref},
        stamps={name: (None, made[name]) for name in LOOSE if name in made},
        derived={name: (None, None) for name in ASIDE if name in made},
        made=made,
    )


def edits_of(
    connection: apsw.Connection, columns: list[str], record: Record, fields: Mapping[str, Any], write: Write
) -> list[RowEdit]:
    """The edit that makes these fields of a row what they should be; none if they are."""
    undelete = write.action == "restore" and record.removed_at is not None
    uses = write.fields.get("times_used") if "times_used" in columns else None  # of two memories, merged
    asked = [*fields, "updated_at", "created_at", *(["embedding"] if "content" in fields else [])]
    asked += ["deleted_at"] if undelete else []
    asked += ["times_used"] if uses is not None else []
    asked = [name for name in asked if name in columns]
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name, asked)
    if row is None:
        raise NotSaved("gone", "the row is no longer where it was.")
    guards: dict[str, tuple[Any, Any]] = {}
    for field, value in fields.items():
        like = row[field]
        if field == "expires_at" and like is None:
            like = row.get("created_at")
        guards[field] = (row[field], _spelled(field, _checked(field, value), like))
    if undelete:
        guards["deleted_at"] = (row["deleted_at"], None)
    if not guards and uses is None:
        return []
    stamps = {}
    if uses is not None:
        stamps["times_used"] = (row["times_used"], int(uses))
    if "updated_at" in columns:
        stamps["updated_at"] = (row["updated_at"], in_the_form_of(write.now, row["updated_at"]))
    derived = {"embedding": (row["embedding"], None)} if "embedding" in row else {}
    return [RowEdit("memories", name, guards, stamps, derived)]


def deleted(connection: apsw.Connection, record: Record, write: Write) -> list[RowEdit]:
    """The row goes for good (a purge); what was adapted because of it stays, as reverted."""
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name)
    if row is None:
        raise NotSaved("gone", "the row is no longer where it was.")
    loose = {each: (None, row[each]) for each in (*LOOSE, *ASIDE) if each in row}
    return [RowEdit("memories", name, stamps=loose, lost=row), *reverted(connection, record, write)]


def reverted(connection: apsw.Connection, record: Record, write: Write) -> list[RowEdit]:
    """What was adapted because of a memory stays, as reverted."""
    columns = columns_of(connection, "adaptations")
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name, ["id"])
    if row is None or not {"id", "memory_id", "reverted_at"} <= set(columns) or "rowid" in name:
        return []
    applied = "applied_at" if "applied_at" in columns else "NULL"
    adapted = connection.execute(
        f"SELECT id, {applied} FROM adaptations WHERE memory_id IS ? AND reverted_at IS NULL", (row["id"],)
    ).fetchall()
    unknown = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = 'adaptations'"
    ).fetchone()
    if adapted and unknown:
        why = f"The trigger “{unknown[0]}” on adaptations is unknown; a change could set it off."
        raise Refused("read-only", why, "Nothing was changed.")
    return [
        RowEdit("adaptations", {"id": id}, {"reverted_at": (None, in_the_form_of(write.now, at))})
        for id, at in adapted
    ]


def _checked(field: str, value: Any) -> Any:
    """The value, if the format allows it in this field."""
    if field == "content":
        text = str(value or "")
        if not text.strip():
            raise NotSaved("empty", "a memory cannot be empty.", "Dismiss it instead.")
        return text
    allowed = {"status": STATUSES, "category": CATEGORIES}.get(field)
    if allowed and value not in allowed:
        raise Refused(field, f"Invalid {field}: must be one of {', '.join(allowed)}", "Nothing was changed.")
    if field == "key":
        key = str(value or "")
        if len(key) > KEY_LENGTH or not _KEY.fullmatch(key):
            raise Refused(
                "key",
                f"Invalid key: must be lower-case a–z, 0–9 and hyphens, at most {KEY_LENGTH} characters",
                "Nothing was changed. A key looks like acme-payment-terms.",
            )
        return key
    if field == "company_id":
        return str(value) if value else None
    return value


def _spelled(field: str, value: Any, like: Any) -> Any:
    """A field's value as its column holds it, in the form of what stands there."""
    if field == "confidence" and value is not None:
        number = max(0, min(100, round(float(value) * 100)))
        return str(number) if isinstance(like, str) else number
    if field == "times_confirmed":
        return str(int(value or 0)) if isinstance(like, str) else int(value or 0)
    if field == "expires_at" and value is not None:
        return in_the_form_of(float(value), like)
    if field == "tags" and (value or like is not None):
        old = like if isinstance(like, str) else ""
        tags = [clean(str(tag)) for tag in value or ()]
        return json.dumps(tags, ensure_ascii="\\u" in old, separators=(", " if '", "' in old else ",", ":"))
    if field == "tags":
        return None
    return value


def slug(content: str) -> str:
    """A key made of a text's first words; empty where it has none in Latin letters."""
    plain = unicodedata.normalize("NFKD", content).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    out = ""
    for word in words:
        longer = f"{out}-{word}" if out else word[:KEY_LENGTH]
        if len(longer) > KEY_LENGTH:
            break
        out = longer
    return out


def holds(connection: apsw.Connection, key: str) -> bool:
    """Whether a row has this key."""
    return connection.execute("SELECT 1 FROM memories WHERE key = ?", (key,)).fetchone() is not None


def free_key(key: str, taken: Callable[[str], bool]) -> str:
    """The key, or the first of key-2, key-3 … that is not taken."""
    number, candidate = 1, key
    while taken(candidate):
        number += 1
        end = f"-{number}"
        candidate = key[: KEY_LENGTH - len(end)].rstrip("-") + end
    return candidate


def key_set(edit: RowEdit) -> Any:
    """The key that an edit gives a row, None if it gives none."""
    return edit.made["key"] if edit.made is not None else edit.guards.get("key", (None, None))[1]


def count_uses(connection: apsw.Connection, refs: Sequence[str], columns: Sequence[str], now: float) -> None:
    """One more use of each of these rows, now; in the caller's transaction."""
    for ref in refs:
        row = ROWS.name(connection, ref)
        where = " AND ".join(f"{quoted(name)} IS ?" for name in row)
        if "times_used" in columns:
            sql = f"UPDATE memories SET times_used = coalesce(times_used, 0) + 1 WHERE {where}"
            connection.execute(sql, tuple(row.values()))
        if "last_used_at" in columns:
            sql = f"SELECT last_used_at FROM memories WHERE {where}"
            before = connection.execute(sql, tuple(row.values())).fetchone()
            if before is not None:
                at = in_the_form_of(now, before[0])
                sql = f"UPDATE memories SET last_used_at = ? WHERE {where}"
                connection.execute(sql, (at, *row.values()))
