"""Founder OS's `memory.db` (FORMATS 1): one row of `memories` is one memory.

Its plugins read and write the file at any time, and raise use counts as they read: only the
columns that a change means are compared. An embedding that no longer fits its text is cleared.
"""

from __future__ import annotations

import json
import re
import unicodedata
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import apsw

from memtui.errors import Refused
from memtui.formats.base import How, Reading, Record, Support, Write, clean
from memtui.formats.blocks import unit_of
from memtui.formats.foreign import columns_of, has_rowids, quoted, row_of, rows_of, tables_of
from memtui.formats.sqlite import RowEdit, SqliteStore
from memtui.formats.times import in_the_form_of, seconds_of

CATEGORIES = ("preference", "pattern", "fact", "contact", "workflow")
STATUSES = ("candidate", "confirmed", "applied", "dismissed")
KEY_LENGTH = 60

_MARKS = frozenset({"id", "key", "category", "content", "source_plugin", "confidence", "status"})
_KNOWN = tuple(
    "id key category content source_plugin confidence status company_id tags times_used times_confirmed"
    " created_at updated_at last_used_at expires_at notion_page_id last_synced_at deleted_at".split()
)
_ASIDE = frozenset({"embedding"})  # neither shown nor kept
_SET = tuple("content category key tags company_id expires_at confidence times_confirmed status".split())
_LOOSE = ("times_used", "last_used_at", "updated_at")  # agents change these as they go
_KEY = re.compile(r"[a-z0-9]+(?:-+[a-z0-9]+)*")
_SOURCES = {"user": "user", "system": "system", "pattern-detection": "system"}
_LATEST = 10**11  # a whole number below it is seconds


class FounderOs(SqliteStore):
    """A Founder OS memory, attached; `root` is the database."""

    format = "founder-os"
    title = "Founder OS"
    looked_for = "an SQLite database with a table “memories” (key, category, content, source_plugin, status)"
    inside = (".memory/memory.db", "memory.db")
    known_places = ("./.memory/memory.db", "~/.memory/memory.db", "~/*/.memory/memory.db")
    fields = frozenset(_SET)
    remade = frozenset({"ref", "times_used", "source_ref", "created_at"})
    categories = CATEGORIES
    writes_to = ("memories",)
    table = "memories"

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        tables = tables_of(path)
        return path if tables and set(tables.get("memories", ())) >= _MARKS else None

    # -- read

    def columns_read(self, connection: apsw.Connection) -> list[str]:
        return [name for name in self._columns(connection) if name not in _ASIDE]

    def records(
        self,
        connection: apsw.Connection,
        refs: Sequence[str] | None = None,
        span: tuple[int, int] | None = None,
    ) -> Reading:
        out = Reading()
        there = self._columns(connection)
        rowid = "m.rowid" if has_rowids(connection, "memories") else "NULL"
        others = [name for name in there if name not in _KNOWN and name not in _ASIDE]
        wanted = [f"m.{name}" if name in there else "NULL" for name in _KNOWN]
        wanted += [f"m.{quoted(name)}" for name in others]
        where, bindings = _which(refs, span)
        rows, broken = rows_of(connection, [rowid, *wanted], f"FROM memories AS m {where}", bindings)
        doubled = _doubled(connection)
        keys: set[Any] = set()
        for number, (rowid, *values) in enumerate(rows):
            record = _record(rowid, values, others, doubled, out)
            if number in broken:
                out.odd("bad-utf8", record.place, "Some of its text is no UTF-8; it is left as it is.")
            key = values[1]
            if key in keys and key is not None:
                out.odd("doubled-key", record.place, "Another row has the same key.")
            keys.add(key)
            out.records.append(record)
        if refs is None and span is None:
            self.look_around(connection, out)
        elif refs is not None:
            wished = set(refs)
            out.records = [record for record in out.records if record.ref in wished]
        return out

    def _columns(self, connection: apsw.Connection) -> list[str]:
        columns = columns_of(connection, "memories")
        if not set(columns) >= _MARKS:
            raise Refused(
                "unknown-schema",
                f"{self.root.name} is no Founder OS memory any more: its “memories” are gone or others.",
                "It was left as it is.",
            )
        return columns

    def stand_alone(self, connection: apsw.Connection) -> bool:
        return _ids_differ(connection)

    def look_around(self, connection: apsw.Connection, out: Reading) -> None:
        """What the doctor should know of the tables beside `memories`."""
        name = self.root.name
        for table in ("observations", "adaptations"):
            if not columns_of(connection, table):
                out.odd(
                    "missing-table",
                    name,
                    f"The table “{table}” is missing; Founder OS makes it when it runs.",
                )
        if "memory_id" in columns_of(connection, "adaptations"):
            found, _ = rows_of(
                connection,
                ["a.memory_id", "count(*)"],
                "FROM adaptations AS a WHERE a.memory_id IS NOT NULL"
                " AND NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.id = a.memory_id) GROUP BY a.memory_id",
            )
            for memory, count in found:
                out.odd("dangling", name, f"Adaptations of a memory that is gone ({memory}): {count}.")

    # -- write

    def row_edits(self, connection: apsw.Connection, record: Record | None, write: Write) -> list[RowEdit]:
        columns = self._columns(connection)
        if write.fields.get("expires_at") is not None and "expires_at" not in columns:
            raise Refused("no-field", f"Not saved: this {self.root.name} is older and has no expiry.")
        if record is None:
            return [_new_row(columns, write)]
        if write.action == "delete":
            return _deleted(connection, record, write)
        if record.removed_at is not None and write.action != "restore":
            raise Refused("removed", "Not saved: Founder OS has removed this memory.", "Restore it first.")
        fields = dict(write.fields)
        if write.action == "dismiss":
            fields = {"status": "dismissed"}
        elif write.action == "restore":
            fields = {"status": fields.get("status", "candidate")}
        fields = {
            name: fields[name]
            for name in _SET
            if name in fields and name in columns and fields[name] != record.fields.get(name)
        }
        return _edits(connection, columns, record, fields, write)

    def settle(
        self, connection: apsw.Connection, write: Write, edits: list[RowEdit], given: set[Any]
    ) -> list[RowEdit]:
        def taken(key: str) -> bool:
            return key in given or _holds(connection, key)

        out = []
        for edit in edits:
            key = _key_set(edit)
            if edit.made is not None and not write.fields.get("key"):
                key = _free(str(key), taken)
                edit = replace(edit, made={**edit.made, "key": key})
            elif key is not None and taken(key):
                raise Refused("exists", f"Not saved: another memory has the key “{key}” already.", key=key)
            given.add(key)
            out.append(edit)
        return out

    def ref_made(self, edits: Sequence[RowEdit]) -> str | None:
        return next((str(edit.row["id"]) for edit in edits if edit.made is not None), None)

    # -- in words

    def supports(self, action: str, name: str = "") -> Support:
        file = self.root.name
        if action == "add":
            return Support(How.NATIVE, f"adds a row to {file}")
        if action == "dismiss":
            return Support(How.NATIVE, f"sets its status to dismissed in {file}")
        if action == "restore":
            return Support(How.NATIVE, f"gives it its status back in {file}")
        if action == "confirm":
            return Support(How.NATIVE, f"raises its confidence by 15, to 60 at least, in {file}")
        if action == "edit" and name in ("", "content"):
            return Support(How.NATIVE, f"changes the text in {file} and clears its embedding there")
        if action == "edit" and name in _SET:
            return Support(How.NATIVE, f"changes its {name.replace('_', ' ')} in {file}")
        field = name or {"unpin": "pin"}.get(action, action)
        return Support(How.WORKSPACE, f"is kept in memtui: Founder OS has no {field.replace('_', ' ')}")


# -- reading one row


def _which(refs: Sequence[str] | None, span: tuple[int, int] | None) -> tuple[str, tuple[Any, ...]]:
    if refs is not None:
        return _where(refs)
    return ("", ()) if span is None else ("WHERE m.rowid BETWEEN ? AND ?", span)


def _where(refs: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The rows of these refs, and perhaps a few beside them."""
    rowids = [int(ref[6:]) for ref in refs if ref.startswith("rowid:") and ref[6:].isdigit()]
    ids: list[Any] = [ref for ref in refs if not ref.startswith("rowid:")]
    ids += [int(ref) for ref in ids if ref.isdecimal() and len(ref) < 19]
    parts, bindings = ["m.id IN (SELECT value FROM json_each(?))"], [json.dumps(ids)]
    if rowids:
        parts.append("m.rowid IN (SELECT value FROM json_each(?))")
        bindings.append(json.dumps(rowids))
    return f"WHERE {' OR '.join(parts)}", tuple(bindings)


def _ids_differ(connection: apsw.Connection) -> bool:
    """Whether the table lets no two rows have one id."""
    return connection.execute("SELECT name FROM pragma_table_info('memories') WHERE pk").fetchall() == [
        ("id",)
    ]


def _doubled(connection: apsw.Connection) -> frozenset[str]:
    """Ids that several rows have, where the table lets them."""
    if _ids_differ(connection):
        return frozenset()
    found, _ = rows_of(connection, ["CAST(id AS TEXT)"], "FROM memories GROUP BY 1 HAVING count(*) > 1")
    return frozenset(row[0] for row in found if row[0] is not None)


def _record(
    rowid: int | None, values: list[Any], others: list[str], doubled: frozenset[str], out: Reading
) -> Record:
    id_, key, category, content, plugin, confidence, status, company, tags = values[:9]
    used, confirmed, created, updated, last_used, expires, notion, synced, deleted = values[9:18]
    ref = id_ if type(id_) is str else str(id_) if type(id_) is int else ""
    if not ref or ref in doubled or ref.startswith("rowid:"):
        ref = f"rowid:{rowid}"
    anchor = clean(key) if type(key) is str else _text(key) or ""
    place = f"row {anchor or ref}"

    def odd(code: str, words: str) -> None:
        out.odd(code, place, words)

    def at(name: str, value: Any) -> float | None:
        if value is None or (type(value) is int and 0 <= value < _LATEST):
            return value if value is None else float(value)
        seconds = seconds_of(value)
        if seconds is None:
            odd("odd-time", f"{name} says “{_text(value)}”, which is no time.")
        return seconds

    extra: dict[str, Any] = {}
    text = clean(content) if type(content) is str else _text(content) or ""
    if text != content:
        odd("odd-content", "The content is no plain text; it is shown as far as it can be.")
    if not anchor:
        odd("no-key", "The row has no key.")
    if category not in CATEGORIES:
        odd("odd-category", f"“{_text(category)}” is no category of Founder OS.")
    if status not in STATUSES:
        odd("odd-status", f"“{_text(status)}” is no status of Founder OS; shown as candidate.")
        if status is not None:
            extra["status"] = status
    labels: tuple[str, ...] = ()
    if tags is not None:
        read = _tags(tags)
        labels = read or ()
        if read is None:
            odd("odd-tags", "The tags are no list of words; they are left as they are.")
            extra["tags"] = tags
    if type(confidence) is int and 0 <= confidence <= 100:
        share: float | None = confidence / 100
    else:
        share = _share(confidence, odd)
    source_type, source_ref = _source(plugin)
    fields: dict[str, Any] = {
        "key": anchor or None,
        "category": category if category in CATEGORIES else _text(category),
        "content": text,
        "confidence": share,
        "status": status if status in STATUSES else "candidate",
        "company_id": None if company is None else _text(company),
        "tags": labels,
        "source_type": source_type,
        "source_ref": source_ref,
        "times_used": used if type(used) is int and used >= 0 else _count(used),
        "times_confirmed": confirmed if type(confirmed) is int and confirmed >= 0 else _count(confirmed),
        "created_at": at("created_at", created),
        "updated_at": at("updated_at", updated),
        "last_used_at": at("last_used_at", last_used),
        "expires_at": at("expires_at", expires),
    }
    if notion is not None:
        extra["notion_page_id"] = notion
    if synced is not None:
        extra["last_synced_at"] = synced
    for name, value in zip(others, values[18:], strict=True):
        if value is not None:
            extra[name] = value
    if extra:
        fields["extra"] = extra
    removed = None
    if deleted is not None:
        removed = at("deleted_at", deleted)
        if removed is None:
            removed = fields["updated_at"] or 0.0
    unit = unit_of(rowid) if rowid is not None else ""
    return Record(ref, fields, anchor, place, removed_at=removed, unit=unit)


def _text(value: Any) -> str | None:
    """Any value as text that can be shown; None stays None."""
    if value is None:
        return None
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return clean(value if type(value) is str else str(value))


def _count(value: Any) -> int:
    if type(value) is int:
        return max(0, value)
    try:
        return max(0, int(float(value)))
    except (TypeError, ValueError, OverflowError):
        return 0


def _share(value: Any, odd: Callable[[str, str], None]) -> float | None:
    """A confidence of 0–100 as 0–1; None if there is none that can be read."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        odd("odd-confidence", f"The confidence “{_text(value)}” is no number.")
        return None
    if number != number or not 0 <= number <= 100:
        odd("odd-confidence", f"The confidence {_text(value)} is outside 0–100; shown as the nearest bound.")
    elif 0 < number < 1:
        odd(
            "odd-confidence",
            f"The confidence {_text(value)} is on a scale of 0–100, where it is next to nothing.",
        )
    return max(0.0, min(100.0, number)) / 100 if number == number else None


@lru_cache(4096)
def _tags(raw: Any) -> tuple[str, ...] | None:
    """A JSON array of words, or words with commas; None if it is neither."""
    if isinstance(raw, bytes):
        raw = raw.decode(errors="replace")
    if not isinstance(raw, str):
        return None
    text = raw.strip()
    if text[:1] in ("[", "{", '"') or text == "null":
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return None
    else:
        found = [part.strip() for part in text.split(",") if part.strip()]
    if isinstance(found, str):
        found = [found]
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        return None
    return tuple(clean(each) for each in found)


@lru_cache(256)
def _source(plugin: Any) -> tuple[str | None, str | None]:
    """What kind of source a plugin is, and its name."""
    name = _text(plugin) or None
    return (_SOURCES.get(name.lower(), "plugin") if name else None), name


# -- writing one row


def _new_row(columns: list[str], write: Write) -> RowEdit:
    """A whole row as Founder OS would make it."""
    fields, now = write.fields, int(write.now)
    content = _checked("content", fields.get("content"))
    ref = str(fields.get("ref") or uuid.uuid4().hex)
    expires, confidence = fields.get("expires_at"), fields.get("confidence")
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
        "last_used_at": None,
        "expires_at": None if expires is None else int(expires),
    }
    made = {name: value for name, value in whole.items() if name in columns}
    return RowEdit(
        "memories",
        {"id": ref},
        stamps={name: (None, made[name]) for name in _LOOSE if name in made},
        derived={name: (None, None) for name in _ASIDE if name in made},
        made=made,
    )


def _edits(
    connection: apsw.Connection, columns: list[str], record: Record, fields: Mapping[str, Any], write: Write
) -> list[RowEdit]:
    """The edit that makes these fields of a row what they should be; none if they are."""
    undelete = write.action == "restore" and record.removed_at is not None
    asked = [*fields, "updated_at", "created_at", *(["embedding"] if "content" in fields else [])]
    asked += ["deleted_at"] if undelete else []
    asked = [name for name in asked if name in columns]
    name = _name(connection, record.ref)
    row = row_of(connection, "memories", name, asked)
    if row is None:
        raise Refused("gone", "Not saved: the row is no longer where it was.")
    guards: dict[str, tuple[Any, Any]] = {}
    for field, value in fields.items():
        like = row[field]
        if field == "expires_at" and like is None:
            like = row.get("created_at")
        guards[field] = (row[field], _spelled(field, _checked(field, value), like))
    if undelete:
        guards["deleted_at"] = (row["deleted_at"], None)
    if not guards:
        return []
    stamps = {}
    if "updated_at" in columns:
        stamps["updated_at"] = (row["updated_at"], in_the_form_of(write.now, row["updated_at"]))
    derived = {"embedding": (row["embedding"], None)} if "embedding" in row else {}
    return [RowEdit("memories", name, guards, stamps, derived)]


def _deleted(connection: apsw.Connection, record: Record, write: Write) -> list[RowEdit]:
    """The row goes for good (a purge); what was adapted because of it stays, as reverted."""
    name = _name(connection, record.ref)
    row = row_of(connection, "memories", name)
    if row is None:
        raise Refused("gone", "Not saved: the row is no longer where it was.")
    loose = {each: (None, row[each]) for each in (*_LOOSE, *_ASIDE) if each in row}
    gone = RowEdit("memories", name, stamps=loose, lost=row)
    columns = columns_of(connection, "adaptations")
    if not {"id", "memory_id", "reverted_at"} <= set(columns) or "rowid" in name:
        return [gone]
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
        gone,
        *(
            RowEdit("adaptations", {"id": id}, {"reverted_at": (None, in_the_form_of(write.now, at))})
            for id, at in adapted
        ),
    ]


def _name(connection: apsw.Connection, ref: str) -> dict[str, Any]:
    """What names a row in SQL: its id as it is stored, or its place where ids fail."""
    if ref.startswith("rowid:"):
        return {"rowid": int(ref[6:])}
    where, bindings = _where([ref])
    found = connection.execute(f"SELECT m.id FROM memories AS m {where}", bindings)
    return {"id": next((value for (value,) in found if str(value) == ref), ref)}


def _checked(field: str, value: Any) -> Any:
    """The value, if the format allows it in this field."""
    if field == "content":
        text = str(value or "")
        if not text.strip():
            raise Refused("empty", "Not saved: a memory cannot be empty.", "Dismiss it instead.")
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


def _holds(connection: apsw.Connection, key: str) -> bool:
    return connection.execute("SELECT 1 FROM memories WHERE key = ?", (key,)).fetchone() is not None


def _free(key: str, taken: Callable[[str], bool]) -> str:
    """The key, or the first of key-2, key-3 … that is not taken."""
    number, candidate = 1, key
    while taken(candidate):
        number += 1
        end = f"-{number}"
        candidate = key[: KEY_LENGTH - len(end)].rstrip("-") + end
    return candidate


def _key_set(edit: RowEdit) -> Any:
    """The key that an edit gives a row, None if it gives none."""
    return edit.made["key"] if edit.made is not None else edit.guards.get("key", (None, None))[1]
