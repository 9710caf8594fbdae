"""One row of Base Coat's `memories`, read as a memory, whatever stands in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memtui.formats.base_coat.schema import CATEGORIES, KNOWN, TIERS, text_of
from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.media.sqlite.block_scan import unit_of
from memtui.formats.media.sqlite.row_reader import share
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.lifecycles.base_coat import HEATS, heat_of
from memtui.text import counted


def record_of(
    rowid: int | None, values: list[Any], others: list[str], doubled: frozenset[str], out: Reading
) -> Record:
    """One row as a memory; what is odd about it goes to `out`."""
    row = dict(zip(KNOWN, values, strict=False))
    ref, anchor = identity(rowid, row["id"], doubled)
    place = f"row {anchor or ref}"

    def odd(code: str, words: str) -> None:
        out.odd(code, place, words)

    def at(name: str) -> float | None:
        seconds = seconds_of(row[name])
        if seconds is None and row[name] is not None:
            odd("odd-time", f"{name} says “{_text(row[name])}”, which is no time.")
        return seconds

    if not anchor:
        odd("no-id", "The row has no id; it is known by its place.")
    elif anchor in doubled:
        odd("doubled-id", "Another row has the same id; each is shown as a memory of its own.")
    content = _text(row["content"]) or ""
    if content != row["content"]:
        odd("odd-content", "The content is no plain text; it is shown as far as it goes.")
    category = _text(row["category"])
    if category not in CATEGORIES:
        odd("odd-category", f"“{category or ''}” is no category that Base Coat knows.")
    tier = _text(row["tier"]) or None
    if tier is not None and tier not in TIERS:
        odd("odd-tier", f"“{tier}” is no tier that Base Coat knows.")
    uses = count_of(row["access_count"])
    heat = _text(row["heat"]) or None
    if heat is not None and heat not in HEATS:
        odd("odd-heat", f"“{heat}” is no heat that Base Coat knows.")
    elif heat is not None and heat != heat_of(uses):
        odd("odd-heat", f"It is {heat}, and used {counted(uses, 'time')} it should be {heat_of(uses)}.")
    confidence = share(row["confidence"], odd)
    fields: dict[str, Any] = {
        "category": category,
        "subject": _text(row["subject"]) or None,
        "content": content,
        "confidence": confidence,
        "status": "dismissed" if confidence == 0 else "confirmed",
        "source_ref": _text(row["source"]) or None,
        "tier": tier,
        "heat": heat,
        "pinned": _flag(row["pinned"], odd),
        "promotion_count": count_of(row["promotion_count"]),
        "times_used": uses,
        "created_at": at("created_at"),
        "updated_at": at("updated_at"),
        "last_used_at": at("last_accessed"),
        "expires_at": at("expires_at"),
    }
    extra = {
        name: value for name, value in zip(others, values[len(KNOWN) :], strict=True) if value is not None
    }
    if extra:
        fields["extra"] = extra
    return Record(ref, fields, anchor, place, unit=unit_of(rowid) if rowid is not None else "")


def identity(rowid: int | None, id: Any, doubled: frozenset[str]) -> tuple[str, str]:
    """A row's ref and anchor: its id, or for the ref its place where that is no name for one alone."""
    said = text_of(id) if type(id) in (str, int) else ""
    sound = said and said not in doubled and clean(said) == said and "\ufffd" not in said
    ref = said if sound and not said.startswith("rowid:") else f"rowid:{rowid}"
    return ref, clean(said)


def _text(value: Any) -> str | None:
    if value is None:
        return None
    return clean(value if type(value) is str else text_of(value))


def count_of(value: Any) -> int:
    """A number of times, 0 where that cannot be read."""
    if type(value) is int:
        return max(0, value)
    try:
        return max(0, int(float(value)))
    except (TypeError, ValueError, OverflowError):
        return 0


def _flag(value: Any, odd: Callable[[str, str], None]) -> bool:
    if type(value) is int and value in (0, 1):
        return bool(value)
    said = text_of(value).strip().casefold()
    if said in ("", "0", "0.0", "false"):
        return False
    if said not in ("1", "1.0", "true"):
        odd("odd-pinned", f"pinned says “{clean(said)}”, where Base Coat has 0 or 1; taken for pinned.")
    return True
