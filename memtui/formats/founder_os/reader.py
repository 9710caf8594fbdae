"""One row of Founder OS's `memories`, read as a memory, whatever stands in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.founder_os.schema import CATEGORIES, STATUSES
from memtui.formats.media.sqlite.block_scan import unit_of
from memtui.formats.syntax.timestamps import seconds_of

_SOURCES = {"user": "user", "system": "system", "pattern-detection": "system"}
_LATEST = 10**11  # a whole number below it is seconds


def record_of(
    rowid: int | None, values: list[Any], others: list[str], doubled: frozenset[str], out: Reading
) -> Record:
    """One row as a memory; what is odd about it goes to `out`."""
    id_, key, category, content, plugin, confidence, status, company, tags = values[:9]
    used, confirmed, created, updated, last_used, expires, notion, synced, deleted = values[9:18]
    ref = id_ if type(id_) is str else str(id_) if type(id_) is int else ""
    if not ref or ref in doubled or ref.startswith("rowid:"):
        ref = f"rowid:{rowid}"
    anchor = clean(key) if type(key) is str else text_of(key) or ""
    place = f"row {anchor or ref}"

    def odd(code: str, words: str) -> None:
        out.odd(code, place, words)

    def at(name: str, value: Any) -> float | None:
        if value is None or (type(value) is int and 0 <= value < _LATEST):
            return value if value is None else float(value)
        seconds = seconds_of(value)
        if seconds is None:
            odd("odd-time", f"{name} says “{text_of(value)}”, which is no time.")
        return seconds

    extra: dict[str, Any] = {}
    text = clean(content) if type(content) is str else text_of(content) or ""
    if text != content:
        odd("odd-content", "The content is no plain text; it is shown as far as it can be.")
    if ref.startswith("rowid:") and text_of(id_) in doubled:
        odd("doubled-id", "Another row has the same id; both are shown.")
    if not anchor:
        odd("no-key", "The row has no key.")
    if category not in CATEGORIES:
        odd("odd-category", f"“{text_of(category)}” is no category of Founder OS.")
    if status not in STATUSES:
        odd("odd-status", f"“{text_of(status)}” is no status of Founder OS; shown as candidate.")
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
        "category": category if category in CATEGORIES else text_of(category),
        "content": text,
        "confidence": share,
        "status": status if status in STATUSES else "candidate",
        "company_id": None if company is None else text_of(company),
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


def text_of(value: Any) -> str | None:
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
        odd("odd-confidence", f"The confidence “{text_of(value)}” is no number.")
        return None
    if number != number or not 0 <= number <= 100:
        odd(
            "odd-confidence", f"The confidence {text_of(value)} is outside 0–100; shown as the nearest bound."
        )
    elif 0 < number < 1:
        odd(
            "odd-confidence",
            f"The confidence {text_of(value)} is on a scale of 0–100, where it is next to nothing.",
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
    name = text_of(plugin) or None
    return (_SOURCES.get(name.lower(), "plugin") if name else None), name
