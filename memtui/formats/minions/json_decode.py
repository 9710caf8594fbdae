"""One file's JSON, whatever stands in it."""

from __future__ import annotations

import json
from typing import Any

from memtui.formats.syntax.timestamps import seconds_of

BOM = b"\xef\xbb\xbf"


class Doubled(dict[str, Any]):
    """An object in which a key stands twice; the last one counts."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Doubled(found)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def decoded(data: bytes) -> tuple[Any, str]:
    """What a file says, and why it cannot be read where it cannot. Never raises."""
    try:
        return _DECODER.decode(data.removeprefix(BOM).decode("utf-8", "replace")), ""
    except (ValueError, RecursionError) as trouble:
        return None, "it is empty" if not data.strip() else _why(trouble)


def _why(trouble: Exception) -> str:
    if isinstance(trouble, json.JSONDecodeError):
        return f"no JSON from line {trouble.lineno} on"
    return "nested or long beyond sense"


def text_of(value: Any) -> str:
    """Any value of a member as text."""
    if value is None:
        return ""
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):  # beyond all sense
        return "…"


def time_of(value: Any) -> float | None:
    """Unix seconds from whatever stands for a time; None if it cannot be read."""
    try:
        return seconds_of(value)
    except OverflowError:
        return None


def member(minion: dict[str, Any], name: str) -> Any:
    """A member of a minion's fields; None where there are no such fields."""
    fields = minion.get("fields")
    return fields.get(name) if isinstance(fields, dict) else None
