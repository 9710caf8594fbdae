"""One row of Base Coat's `memories`, written: made, changed, deleted; its values as columns hold them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import apsw

from memtui.errors import NotSaved, Refused
from memtui.formats.base_coat import relations
from memtui.formats.base_coat.reader import count_of
from memtui.formats.base_coat.schema import ASIDE, LOOSE, ROWS, SET, START, TIERS
from memtui.formats.contract.adapter import REPEATS, Record, Write, clean
from memtui.formats.media.sqlite.connection import quoted, row_of
from memtui.formats.media.sqlite.store import RowEdit
from memtui.formats.syntax.timestamps import in_the_form_of, seconds_of
from memtui.memory.lifecycles.base_coat import heat_of

_ISO = "2026-01-01T00:00:00Z"  # the form in which Base Coat writes times
_SUBJECT_LENGTH = 60


def new_row(connection: apsw.Connection, columns: Collection[str], write: Write) -> RowEdit:
    """A whole row as Base Coat would make it."""
    fields = write.fields
    ref = str(fields.get("ref") or "")
    if not ref or ref.startswith("rowid:") or holds(connection, ref):
        ref = str(uuid.uuid4())
    uses = max(0, int(fields.get("times_used") or 0))
    confidence = fields.get("confidence")
    used, expires = fields.get("last_used_at"), fields.get("expires_at")
    whole = {
        "id": ref,
        "category": fields.get("category") or "fact",
        "subject": clean(subject_of(fields)),
        "content": _checked("content", fields.get("content")),
        "source": str(fields.get("source_ref") or "") or None,
        "confidence": _spelled("confidence", START if confidence is None else confidence, START),
        "created_at": in_the_form_of(float(fields.get("created_at") or write.now), _ISO),
        "last_accessed": None if used is None else in_the_form_of(float(used), _ISO),
        "access_count": uses,
        "expires_at": None if expires is None else in_the_form_of(float(expires), _ISO),
        "tier": _checked("tier", fields.get("tier") or TIERS[-1]),
        "heat": heat_of(uses),
        "pinned": int(bool(fields.get("pinned"))),
        "promotion_count": max(0, int(fields.get("promotion_count") or 0)),
        "last_promoted_at": None,
        "updated_at": in_the_form_of(write.now, _ISO),
        "embedding": None,
    }
    made = {name: value for name, value in whole.items() if name in columns}
    return RowEdit("memories", {"id": ref}, stamps=_loose(made), made=made)


def renamed(edit: RowEdit) -> RowEdit:
    """A new row under another id, where an earlier one of the batch has its own."""
    ref = str(uuid.uuid4())
    return RowEdit("memories", {"id": ref}, stamps=edit.stamps, made={**(edit.made or {}), "id": ref})


def edits_of(
    connection: apsw.Connection,
    columns: Collection[str],
    record: Record,
    fields: Mapping[str, Any],
    write: Write,
) -> list[RowEdit]:
    """The edit that makes these fields of a row what they should be; none if they are."""
    wanted = {name: value for name, value in fields.items() if value != record.fields.get(name)}
    uses = write.fields.get("times_used")  # of two memories, merged
    if not wanted and uses is None:
        return []
    asked = {SET[name] for name in wanted} | {"created_at"} | ({"updated_at"} & set(columns))
    if "content" in wanted:
        asked |= ASIDE & set(columns)
    if "promotion_count" in wanted:
        asked |= {"last_promoted_at"} & set(columns)
    if uses is not None:
        asked |= {"access_count", "heat"} & set(columns)
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name, sorted(asked))
    if row is None:
        raise _gone()
    guards = {}
    for field, value in wanted.items():
        before = row[SET[field]]
        like = in_form(before, row["created_at"]) if field == "expires_at" else before
        guards[SET[field]] = before, _spelled(field, _checked(field, value), like)
    stamps = {}
    if "updated_at" in asked:
        before = row["updated_at"]
        stamps["updated_at"] = before, in_the_form_of(write.now, in_form(before, row["created_at"]))
    if "last_promoted_at" in row:
        before = row["last_promoted_at"]
        stamps["last_promoted_at"] = before, in_the_form_of(write.now, in_form(before, row["created_at"]))
    if uses is not None:
        stamps["access_count"] = row["access_count"], int(uses)
        if "heat" in row:
            stamps["heat"] = row["heat"], heat_of(int(uses))
    derived = {each: (row[each], None) for each in ASIDE if each in row}
    return [RowEdit("memories", name, guards, stamps, derived)]


def deleted(connection: apsw.Connection, record: Record) -> list[RowEdit]:
    """The row goes for good, and its relations with it."""
    name = ROWS.name(connection, record.ref)
    row = row_of(connection, "memories", name)
    if row is None:
        raise _gone()
    gone = RowEdit("memories", name, stamps=_loose(row), lost=row)
    # A row that is known by its place has no id, or one that is another's, too: relations stay with that.
    return [gone] if "rowid" in name else [gone, *relations.cut(connection, row["id"])]


def superseded(connection: apsw.Connection, record: Record, write: Write) -> list[RowEdit]:
    """What tells which memory took its place, where that one stands in this store."""
    if write.link is None or not record.anchor or write.link.kind == REPEATS:
        return []
    winner = relations.found_id(connection, write.link.source)
    if winner is None:
        return []
    return relations.contradicted(connection, winner, relations.id_of(connection, record.anchor))


def holds(connection: apsw.Connection, ref: str) -> bool:
    """Whether a row has this id."""
    return connection.execute("SELECT 1 FROM memories WHERE id = ?", (ref,)).fetchone() is not None


def subject_of(fields: Mapping[str, Any]) -> str:
    """What a memory is about, in a word or few: Base Coat must have that of each."""
    for name in ("subject", "key", "title"):
        said = " ".join(str(fields.get(name) or "").split())
        if said:
            return said if name == "subject" else said[:_SUBJECT_LENGTH].rstrip()
    words = re.findall(r"[^\W_]+", str(fields.get("content") or "").casefold())
    return "-".join(words[:2])[:_SUBJECT_LENGTH] or "general"


def count_uses(
    connection: apsw.Connection, refs: Sequence[str], columns: Collection[str], now: float
) -> None:
    """One more use of each of these rows, now; in the caller's transaction."""
    asked = [name for name in ("access_count", "last_accessed", "created_at", "heat") if name in columns]
    for ref in refs:
        name = ROWS.name(connection, ref)
        row = row_of(connection, "memories", name, asked)
        if row is None:
            continue
        uses = count_of(row["access_count"]) + 1
        values: dict[str, Any] = {"access_count": uses}
        if "last_accessed" in row:
            values["last_accessed"] = in_the_form_of(now, in_form(row["last_accessed"], row["created_at"]))
        if "heat" in row:
            values["heat"] = heat_of(uses)
        sets = ", ".join(f"{quoted(each)} = ?" for each in values)
        where = " AND ".join(f"{quoted(each)} IS ?" for each in name)
        connection.execute(f"UPDATE memories SET {sets} WHERE {where}", (*values.values(), *name.values()))


def in_form(own: Any, other: Any) -> Any:
    """A time that tells how to write another: the column's own, else one of its row that says more than
    the day, else as Base Coat writes them."""
    if seconds_of(own) is not None:
        return own
    says_enough = not isinstance(other, str) or len(other.strip()) > len("2026-01-01")
    return other if seconds_of(other) is not None and says_enough else _ISO


def _loose(row: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The columns of a row that came or goes in which it may change by itself."""
    return {name: (None, row[name]) for name in LOOSE if name in row}


def _checked(field: str, value: Any) -> Any:
    """The value, if the format allows it in this field."""
    if field in ("content", "subject"):
        text = str(value or "")
        if not text.strip():
            hint = "Dismiss it instead." if field == "content" else "Nothing was changed."
            raise NotSaved("empty", f"the {field} cannot be empty.", hint)
        return text
    if field == "tier" and value not in TIERS:
        raise Refused("tier", f"Invalid tier: must be one of {', '.join(TIERS)}", "Nothing was changed.")
    return value


def _spelled(field: str, value: Any, like: Any) -> Any:
    """A field's value as its column holds it, in the form of what stands there."""
    if field == "confidence" and value is not None:
        number = max(0.0, min(1.0, float(value)))
        return str(number) if isinstance(like, str) else number
    if field == "promotion_count":
        return str(int(value or 0)) if isinstance(like, str) else int(value or 0)
    if field == "pinned":
        return str(int(bool(value))) if isinstance(like, str) else int(bool(value))
    if field == "expires_at" and value is not None:
        return in_the_form_of(float(value), like)
    return value


def _gone() -> Refused:
    return NotSaved("gone", "the row is no longer where it was.")
