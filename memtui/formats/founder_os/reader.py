"""Read a row of Founder OS's `memories` as a memory, whatever its columns hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache

from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.founder_os import wording
from memtui.formats.founder_os.schema import CATEGORIES, STATUSES
from memtui.formats.media.sqlite.block_scan import unit_of
from memtui.formats.syntax.timestamps import seconds_of
from memtui.values import Fields, SqlValue

_SOURCES = {"user": "user", "system": "system", "pattern-detection": "system"}
_MAX_SECONDS = 10**11  # a smaller whole number is seconds, not milliseconds


def record_of(
    rowid: int | None, values: list[SqlValue], others: list[str], doubled: frozenset[str], out: Reading
) -> Record:
    """Return a row as a memory, and add a finding to `out` for each value that is not as it should be.

    `values` are those of `schema.READ_COLUMNS`, then those of the columns `others`; `doubled` holds the ids
    that several rows have."""
    id_, key, category, content, plugin, confidence, status, company, tags = values[:9]
    used, confirmed, created, updated, last_used, expires, notion, synced, deleted = values[9:18]
    ref = _ref_of(id_, rowid, doubled)
    anchor = clean(key) if type(key) is str else text_of(key) or ""
    place = f"row {anchor or ref}"

    def warn(code: str, text: str) -> None:
        out.add_finding(code, place, text)

    text = clean(content) if type(content) is str else text_of(content) or ""
    if text != content:
        warn("odd-content", wording.NOT_PLAIN_TEXT)
    if ref.startswith("rowid:") and text_of(id_) in doubled:
        warn("doubled-id", wording.DUPLICATE_ID)
    if not anchor:
        warn("no-key", wording.NO_KEY)
    if category not in CATEGORIES:
        warn("odd-category", wording.UNKNOWN_CATEGORY.format(category=text_of(category)))
    if status not in STATUSES:
        warn("odd-status", wording.UNKNOWN_STATUS.format(status=text_of(status)))
    labels = () if tags is None else _tags(tags)
    if labels is None:
        warn("odd-tags", wording.TAGS_UNREADABLE)
    source_type, source_ref = _source(plugin)
    fields: Fields = {
        "key": anchor or None,
        "category": category if category in CATEGORIES else text_of(category),
        "content": text,
        "confidence": _confidence(confidence, warn),
        "status": status if status in STATUSES else "candidate",
        "company_id": None if company is None else text_of(company),
        "tags": labels or (),
        "source_type": source_type,
        "source_ref": source_ref,
        "times_used": used if type(used) is int and used >= 0 else _count(used),
        "times_confirmed": confirmed if type(confirmed) is int and confirmed >= 0 else _count(confirmed),
        "created_at": _seconds("created_at", created, warn),
        "updated_at": _seconds("updated_at", updated, warn),
        "last_used_at": _seconds("last_used_at", last_used, warn),
        "expires_at": _seconds("expires_at", expires, warn),
    }
    extra = {
        "status": None if status in STATUSES else status,
        "tags": tags if labels is None else None,
        "notion_page_id": notion,
        "last_synced_at": synced,
        **dict(zip(others, values[18:], strict=True)),
    }
    if extra := {name: value for name, value in extra.items() if value is not None}:
        fields["extra"] = extra
    removed_at = _seconds("deleted_at", deleted, warn)
    if deleted is not None and removed_at is None:
        removed_at = fields["updated_at"] or 0.0
    unit = unit_of(rowid) if rowid is not None else ""
    return Record(ref, fields, anchor, place, removed_at=removed_at, unit=unit)


def text_of(value: SqlValue) -> str | None:
    """Return any value as text that can be shown; None stays None."""
    if value is None:
        return None
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return clean(value if type(value) is str else str(value))


def _ref_of(id: SqlValue, rowid: int | None, doubled: frozenset[str]) -> str:
    """Return the id as a ref, or the rowid where the id names no row or several."""
    ref = id if type(id) is str else str(id) if type(id) is int else ""
    return f"rowid:{rowid}" if not ref or ref in doubled or ref.startswith("rowid:") else ref


def _seconds(column: str, value: SqlValue, warn: Callable[[str, str], None]) -> float | None:
    """Return a time in Unix seconds; None if there is none or it cannot be read."""
    if value is None or (type(value) is int and 0 <= value < _MAX_SECONDS):
        return value if value is None else float(value)
    seconds = seconds_of(value)
    if seconds is None:
        warn("odd-time", wording.NOT_A_TIME.format(column=column, value=text_of(value)))
    return seconds


def _count(value: SqlValue) -> int:
    if type(value) is int:
        return max(0, value)
    try:
        return max(0, int(float(value)))
    except (TypeError, ValueError, OverflowError):
        return 0


def _confidence(value: SqlValue, warn: Callable[[str, str], None]) -> float | None:
    """Return a confidence of 0–100 as 0–1; None if there is none or it cannot be read."""
    if type(value) is int and 0 <= value <= 100:
        return value / 100
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        warn("odd-confidence", wording.CONFIDENCE_NOT_A_NUMBER.format(value=text_of(value)))
        return None
    if number != number or not 0 <= number <= 100:
        warn("odd-confidence", wording.CONFIDENCE_OUT_OF_RANGE.format(value=text_of(value)))
    elif 0 < number < 1:
        warn("odd-confidence", wording.CONFIDENCE_TINY.format(value=text_of(value)))
    return max(0.0, min(100.0, number)) / 100 if number == number else None


@lru_cache(4096)
def _tags(raw: SqlValue) -> tuple[str, ...] | None:
    """Return the tags of a JSON array of words, or of words between commas; None if it is neither."""
    if isinstance(raw, bytes):
        raw = raw.decode(errors="replace")
    if not isinstance(raw, str):
        return None
    text = raw.strip()
    if text[:1] in ("[", "{", '"') or text == "null":
        try:
            tags = json.loads(text)
        except (ValueError, RecursionError):
            return None
    else:
        tags = [part.strip() for part in text.split(",") if part.strip()]
    if isinstance(tags, str):
        tags = [tags]
    if tags is None:
        return ()
    if not isinstance(tags, list) or not all(isinstance(each, str) for each in tags):
        return None
    return tuple(clean(each) for each in tags)


@lru_cache(256)
def _source(plugin: SqlValue) -> tuple[str | None, str | None]:
    """Return the source type of a plugin, and its name."""
    name = text_of(plugin) or None
    return (_SOURCES.get(name.lower(), "plugin") if name else None), name
