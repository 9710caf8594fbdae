"""Reading one row of Base Coat's `memories`, whatever it holds."""

from __future__ import annotations

from collections.abc import Callable

from memtui.formats.base_coat import wording
from memtui.formats.base_coat.schema import CATEGORIES, KNOWN_COLUMNS, TIERS, text_of
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.sqlite.block_scan import unit_of
from memtui.formats.media.sqlite.row_reader import read_confidence
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.lifecycles.base_coat import HEATS, heat_of
from memtui.values import Fields, SqlValue


def read_row(
    rowid: int | None, values: list[SqlValue], others: list[str], duplicate_ids: frozenset[str], out: Reading
) -> Record:
    """Return one row as a memory and add findings about it to `out`.

    `values` are those of KNOWN_COLUMNS, then those of the `others`; `duplicate_ids` are not unique."""
    row = dict(zip(KNOWN_COLUMNS, values, strict=False))
    ref, anchor = identity(rowid, row["id"], duplicate_ids)
    place = f"row {anchor or ref}"

    def note(code: str, text: str) -> None:
        out.add_finding(code, place, text)

    def time_of(name: str) -> float | None:
        seconds = seconds_of(row[name])
        if seconds is None and row[name] is not None:
            note("odd-time", wording.BAD_TIME.format(name=name, value=_text(row[name])))
        return seconds

    if not anchor:
        note("no-id", wording.NO_ID)
    elif anchor in duplicate_ids:
        note("doubled-id", wording.DOUBLED_ID)
    content = _text(row["content"]) or ""
    if content != row["content"]:
        note("odd-content", wording.CONTENT_NO_TEXT)
    category, tier, heat = _text(row["category"]), _text(row["tier"]) or None, _text(row["heat"]) or None
    uses = count_of(row["access_count"])
    _check_values(category, tier, heat, uses, note)
    confidence = read_confidence(row["confidence"], note)
    fields: Fields = {
        "category": category,
        "subject": _text(row["subject"]) or None,
        "content": content,
        "confidence": confidence,
        "status": "dismissed" if confidence == 0 else "confirmed",
        "source_ref": _text(row["source"]) or None,
        "tier": tier,
        "heat": heat,
        "pinned": _flag(row["pinned"], note),
        "promotion_count": count_of(row["promotion_count"]),
        "times_used": uses,
        "created_at": time_of("created_at"),
        "updated_at": time_of("updated_at"),
        "last_used_at": time_of("last_accessed"),
        "expires_at": time_of("expires_at"),
    }
    extra = {
        name: value
        for name, value in zip(others, values[len(KNOWN_COLUMNS) :], strict=True)
        if value is not None
    }
    if extra:
        fields["extra"] = extra
    return Record(ref, fields, anchor, place, unit=unit_of(rowid) if rowid is not None else "")


def _check_values(
    category: str | None, tier: str | None, heat: str | None, uses: int, note: Callable[[str, str], None]
) -> None:
    """Note values that Base Coat does not know, and a heat that does not match the uses."""
    if category not in CATEGORIES:
        note("odd-category", wording.UNKNOWN_CATEGORY.format(category=category or ""))
    if tier is not None and tier not in TIERS:
        note("odd-tier", wording.UNKNOWN_TIER.format(tier=tier))
    if heat is not None and heat not in HEATS:
        note("odd-heat", wording.UNKNOWN_HEAT.format(heat=heat))
    elif heat is not None and heat != heat_of(uses):
        note("odd-heat", wording.wrong_heat(heat, uses, heat_of(uses)))


def identity(rowid: int | None, id: SqlValue, duplicate_ids: frozenset[str]) -> tuple[str, str]:
    """Return a row's ref and anchor, both its id; where the id cannot name one row alone, the ref is the
    rowid."""
    text = text_of(id) if type(id) in (str, int) else ""
    is_unique = text and text not in duplicate_ids and clean(text) == text and "\ufffd" not in text
    ref = text if is_unique and not text.startswith("rowid:") else f"rowid:{rowid}"
    return ref, clean(text)


def _text(value: SqlValue) -> str | None:
    if value is None:
        return None
    return clean(value if type(value) is str else text_of(value))


def count_of(value: SqlValue) -> int:
    """Return a count of 0 or more; 0 where it cannot be read."""
    if type(value) is int:
        return max(0, value)
    try:
        return max(0, int(float(value)))
    except (TypeError, ValueError, OverflowError):
        return 0


def _flag(value: SqlValue, note: Callable[[str, str], None]) -> bool:
    if type(value) is int and value in (0, 1):
        return bool(value)
    text = text_of(value).strip().casefold()
    if text in ("", "0", "0.0", "false"):
        return False
    if text not in ("1", "1.0", "true"):
        note("odd-pinned", wording.BAD_PINNED.format(value=clean(text)))
    return True
