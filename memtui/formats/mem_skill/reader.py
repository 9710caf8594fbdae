"""One row of mem-skill's `facts` or of its archive, read as a memory, whatever stands in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.media.sqlite.row_reader import ROWID, share
from memtui.formats.mem_skill.schema import CATEGORIES, KNOWN, STATUSES
from memtui.formats.syntax.timestamps import seconds_of

ARCHIVED = "archive:"


def id_of(value: Any) -> str:
    """A fact's id, if it can name it; else empty."""
    text = str(value) if type(value) in (str, int) else ""
    return "" if text.startswith((ROWID, ARCHIVED)) or clean(text) != text or "\ufffd" in text else text


def fields_of(row: Mapping[str, Any], place: str, out: Reading, *, archived: bool = False) -> dict[str, Any]:
    """What a row says; what is odd about it goes to `out`."""

    def odd(code: str, words: str) -> None:
        out.odd(code, place, words)

    def at(name: str) -> float | None:
        value = row.get(name)
        seconds = seconds_of(value)
        if seconds is None and value is not None:
            odd("odd-time", f"{name} says “{said(value)}”, which is no time.")
        return seconds

    extra: dict[str, Any] = {}
    value = _value(row.get("value_json"), odd, extra)
    text, key = row.get("value_text"), said(row.get("key"))
    content = said(text)
    if not content and value is not None:
        content = said(row.get("value_json"))
        odd("odd-content", "The fact has no text; its value is shown instead.")
    elif content != text:
        odd("odd-content", "The text is no plain text; it is shown as far as it can be.")
    if not key:
        odd("no-key", "The fact has no key.")
    category, status = row.get("category"), row.get("status")
    if category not in CATEGORIES:
        odd("odd-category", f"“{said(category)}” is no category of mem-skill.")
    standing = STATUSES.get(status) if isinstance(status, str) else None
    if standing is None and not (archived and status is None):
        odd("odd-status", f"“{said(status)}” is no status of mem-skill.")
    if standing not in ("superseded", "expired") and archived:
        standing = None  # what is in the archive is given to nobody any more
    if standing is None and status is not None:
        extra["status"] = status
    times = {name: at(name) for name in ("event_time", "valid_from", "valid_to", "created_at", "updated_at")}
    begin, end = times["valid_from"], times["valid_to"]
    if begin is not None and end is not None and end < begin:
        odd("odd-validity", "Its validity ends before it begins.")
    fields: dict[str, Any] = {
        "owner": said(row.get("user_id")) or None,
        "key": key or None,
        "category": said(category) or None,
        "content": content,
        "value": value,
        "confidence": share(row.get("confidence"), odd),
        "status": standing or ("superseded" if archived else "pending"),
        "source_ref": said(row.get("source_turn_id")) or None,
        "source_excerpt": said(row.get("source_excerpt")) or None,
        **times,
    }
    extra |= {name: value for name, value in row.items() if name not in KNOWN and value is not None}
    if extra:
        fields["extra"] = extra
    return fields


def record_of(
    rowid: int | None, row: Mapping[str, Any], doubled: frozenset[str], unit: str, out: Reading
) -> Record:
    """One row of facts as a memory."""
    ref = id_of(row["fact_id"])
    if not ref or ref in doubled:
        ref = f"{ROWID}{rowid}"
    place = f"fact {said(row['key']) or ref}"
    if ref.startswith(ROWID) and id_of(row["fact_id"]) in doubled:
        out.odd("doubled-id", place, "Another fact has the same id; both are shown.")
    elif ref.startswith(ROWID):
        out.odd("no-id", place, "The fact has no id of its own.")
    return Record(ref, fields_of(row, place, out), ref, place, unit=unit)


def said(value: Any) -> str:
    """Any value as text that can be shown; nothing is empty."""
    if value is None:
        return ""
    return clean(value.decode(errors="replace") if isinstance(value, bytes) else str(value))


def _value(raw: Any, odd: Callable[[str, str], None], extra: dict[str, Any]) -> Any:
    """The JSON of a value; where it is none, it is kept as it stands."""
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return None
    if isinstance(raw, (int, float)):
        return raw
    try:
        return _cleaned(json.loads(raw))
    except (ValueError, RecursionError):
        odd("odd-json", "value_json is no JSON; it is left as it is.")
        extra["value_json"] = raw
        return None


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(each) for name, each in value.items()}
    return value
