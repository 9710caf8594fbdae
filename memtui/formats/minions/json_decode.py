"""Decoding one file's JSON, whatever it holds."""

from __future__ import annotations

import json

from memtui.formats.minions import wording
from memtui.formats.syntax.timestamps import seconds_of
from memtui.values import Json, JsonObject

BOM = b"\xef\xbb\xbf"


class WithDuplicateKeys(dict[str, Json]):
    """An object in which a key occurs twice; the last one counts."""


def _object(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    return found if len(found) == len(pairs) else WithDuplicateKeys(found)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def decode(data: bytes) -> tuple[Json, str]:
    """Return a file's value, and why it cannot be decoded, "" if it can. Never raises."""
    try:
        return _DECODER.decode(data.removeprefix(BOM).decode("utf-8", "replace")), ""
    except (ValueError, RecursionError) as error:
        return None, _reason(error) if data.strip() else wording.EMPTY_FILE


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return wording.BAD_JSON_FROM.format(line=error.lineno)
    return wording.TOO_DEEP


def text_of(value: Json) -> str:
    """Return any value of a member as text."""
    if value is None:
        return ""
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):  # too deep, or a number too long
        return "…"


def time_of(value: Json) -> float | None:
    """Return Unix seconds from any form of a time; None if it cannot be read."""
    try:
        return seconds_of(value)
    except OverflowError:
        return None


def member(minion: JsonObject, name: str) -> Json:
    """Return a member of a minion's fields; None where it has no such fields."""
    fields = minion.get("fields")
    return fields.get(name) if isinstance(fields, dict) else None
