"""Reading one row of mem-skill's `facts` or of its archive, whatever it holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.sqlite.row_reader import ROWID, read_confidence
from memtui.formats.mem_skill import wording
from memtui.formats.mem_skill.schema import CATEGORIES, KNOWN_COLUMNS, STATUSES, TIME_COLUMNS
from memtui.formats.syntax.timestamps import seconds_of
from memtui.values import Fields, Json, SqlValue

ARCHIVE_REF = "archive:"  # begins the ref of an archived fact without a usable id


def read_fact(
    rowid: int | None, row: Mapping[str, SqlValue], duplicate_ids: frozenset[str], unit: str, out: Reading
) -> Record:
    """Return a row of facts as a memory and add findings about it to `out`; `duplicate_ids` belong to
    several rows."""
    id = id_of(row["fact_id"])
    ref = id if id and id not in duplicate_ids else f"{ROWID}{rowid}"
    place = f"fact {text_of(row['key']) or ref}"
    if id in duplicate_ids:
        out.add_finding("doubled-id", place, wording.DOUBLED_ID)
    elif not id:
        out.add_finding("no-id", place, wording.NO_ID)
    return Record(ref, fields_of(row, place, out), ref, place, unit=unit)


def id_of(value: SqlValue) -> str:
    """Return a fact's id if it can serve as its ref, else ""."""
    text = str(value) if type(value) in (str, int) else ""
    return "" if text.startswith((ROWID, ARCHIVE_REF)) or clean(text) != text or "\ufffd" in text else text


def fields_of(row: Mapping[str, SqlValue], place: str, out: Reading, *, archived: bool = False) -> Fields:
    """Return the fields of a row and add findings about it to `out`."""

    def note(code: str, text: str) -> None:
        out.add_finding(code, place, text)

    extra: Fields = {}
    value = _value(row.get("value_json"), note, extra)
    key, content = text_of(row.get("key")), _content(row, value, note)
    if not key:
        note("no-key", wording.NO_KEY)
    category = row.get("category")
    if category not in CATEGORIES:
        note("odd-category", wording.UNKNOWN_CATEGORY.format(category=text_of(category)))
    status = _status(row.get("status"), note, extra, archived=archived)
    times = {name: _time(name, row.get(name), note) for name in TIME_COLUMNS}
    begin, end = times["valid_from"], times["valid_to"]
    if begin is not None and end is not None and end < begin:
        note("odd-validity", wording.REVERSED_VALIDITY)
    fields: Fields = {
        "owner": text_of(row.get("user_id")) or None,
        "key": key or None,
        "category": text_of(category) or None,
        "content": content,
        "value": value,
        "confidence": read_confidence(row.get("confidence"), note),
        "status": status,
        "source_ref": text_of(row.get("source_turn_id")) or None,
        "source_excerpt": text_of(row.get("source_excerpt")) or None,
        **times,
    }
    extra |= {name: value for name, value in row.items() if name not in KNOWN_COLUMNS and value is not None}
    if extra:
        fields["extra"] = extra
    return fields


def text_of(value: SqlValue) -> str:
    """Return any value as text that can be shown; "" for NULL."""
    if value is None:
        return ""
    return clean(value.decode(errors="replace") if isinstance(value, bytes) else str(value))


def _content(row: Mapping[str, SqlValue], value: Json, note: Callable[[str, str], None]) -> str:
    text = row.get("value_text")
    content = text_of(text)
    if not content and value is not None:
        note("odd-content", wording.NO_TEXT)
        return text_of(row.get("value_json"))
    if content != text:
        note("odd-content", wording.NOT_PLAIN_TEXT)
    return content


def _status(stored: SqlValue, note: Callable[[str, str], None], extra: Fields, *, archived: bool) -> str:
    """Return memtui's status; a stored one that it does not cover goes to `extra`."""
    status = STATUSES.get(stored) if isinstance(stored, str) else None
    if status is None and not (archived and stored is None):
        note("odd-status", wording.UNKNOWN_STATUS.format(status=text_of(stored)))
    if status not in ("superseded", "expired") and archived:
        status = None  # agents are not given archived facts
    if status is None and stored is not None:
        extra["status"] = stored
    return status or ("superseded" if archived else "pending")


def _time(name: str, value: SqlValue, note: Callable[[str, str], None]) -> float | None:
    seconds = seconds_of(value)
    if seconds is None and value is not None:
        note("odd-time", wording.BAD_TIME.format(name=name, value=text_of(value)))
    return seconds


def _value(raw: SqlValue, note: Callable[[str, str], None], extra: Fields) -> Json:
    """Return the parsed value; text that is no JSON goes to `extra` as it is."""
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return None
    if isinstance(raw, (int, float)):
        return raw
    try:
        return _cleaned(json.loads(raw))
    except (ValueError, RecursionError):
        note("odd-json", wording.VALUE_NO_JSON)
        extra["value_json"] = raw
        return None


def _cleaned(value: Json) -> Json:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(each) for name, each in value.items()}
    return value
