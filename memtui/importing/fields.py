"""From the names and values of a file to the fields of a memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from memtui.importing import wording
from memtui.memory.encoding import MAX_DEPTH
from memtui.memory.memory import KINDS, LISTS, RECORD_FIELDS, SCOPES, SHARES, STATUSES, TIMES
from memtui.values import Fields, FieldValue

# What is about a memory's place in its store, or leads to another memory, and is no field of a new one.
LEFT = frozenset({"uid", "store", "ref", "superseded_by", "ties"})
_COUNTS = ("times_used", "times_confirmed", "promotion_count", "token_count")
_CHOICES = {"kind": KINDS, "scope": SCOPES, "status": STATUSES}
# What other programs call the text.
_TEXT_NAMES = ("memory", "text", "statement", "fact")
_UID = re.compile(r"[0-9a-z]{12}", re.ASCII)
_MAX_SECONDS = 253_402_300_799.0  # the end of the year 9999


class WrongValue(Exception):
    """A field has no such value; `reason` is a sentence."""

    def __init__(self, name: str, wanted: str) -> None:
        super().__init__(name)
        self.reason = wording.wrong_value(name, wanted)


def fields_of(values: Mapping[str, Any]) -> tuple[Fields, tuple[str, ...]]:
    """Return the fields of a memory with these JSON values, and the names that are none; raise WrongValue."""
    fields: Fields = {}
    ignored: list[str] = []
    for name, value in values.items():
        if name in LEFT:
            continue
        if name not in RECORD_FIELDS:
            other = "content" in values or "content" in fields  # a text that has its name, or came first
            if name in _TEXT_NAMES and not other and isinstance(value, str):
                fields["content"] = value
            else:
                ignored.append(name)
        elif value is None:
            if name == "updated_at":  # a memory that was never changed is not new because it is restored
                fields[name] = None
        else:
            fields[name] = _VALUES[name](name, value)
    return fields, tuple(ignored)


def fields_of_cells(cells: Mapping[str, str]) -> tuple[Fields, tuple[str, ...]]:
    """Return the same for the cells of a table, which are all text; an empty cell is no value, but
    tells that the memory was never changed."""
    return fields_of(
        {
            name: _from_cell(name, cell) if cell != "" else None
            for name, cell in cells.items()
            if cell != "" or name == "updated_at"
        }
    )


def uids_of(values: Mapping[str, Any]) -> tuple[str, str]:
    """Return the `uid` and `superseded_by` of these values, "" for what is no uid of memtui."""
    return _uid(values.get("uid")), _uid(values.get("superseded_by"))


def _uid(value: FieldValue) -> str:
    return value if isinstance(value, str) and _UID.fullmatch(value) else ""


def _from_cell(name: str, cell: str) -> FieldValue:
    if name in LISTS:
        parsed = _json_or(cell, None) if cell.startswith("[") else None
        return (
            parsed if isinstance(parsed, list) else [part.strip() for part in cell.split(",") if part.strip()]
        )
    if name in (*SHARES, *_COUNTS):
        return _json_or(cell, cell)
    if name == "pinned":
        return {"true": True, "false": False, "1": True, "0": False}.get(cell.casefold(), cell)
    if name == "extra" or (name == "value" and cell[:1] in '{["0123456789-tfn'):
        return _json_or(cell, cell)
    return cell


def _json_or(text: str, otherwise: FieldValue) -> FieldValue:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def _text(name: str, value: FieldValue) -> FieldValue:
    if not isinstance(value, str):
        raise WrongValue(name, wording.A_TEXT)
    choices = _CHOICES.get(name)
    if choices is not None and value not in choices:
        raise WrongValue(name, wording.one_of(choices))
    return value


def _list(name: str, value: FieldValue) -> FieldValue:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise WrongValue(name, wording.A_LIST)
    return tuple(value)


def _share(name: str, value: FieldValue) -> FieldValue:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise WrongValue(name, wording.A_SHARE)
    return value


def _count(name: str, value: FieldValue) -> FieldValue:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 53:
        raise WrongValue(name, wording.A_COUNT)
    return value


def _flag(name: str, value: FieldValue) -> FieldValue:
    if not isinstance(value, bool):
        raise WrongValue(name, wording.TRUE_OR_FALSE)
    return value


def _object(name: str, value: FieldValue) -> FieldValue:
    if not isinstance(value, dict):
        raise WrongValue(name, wording.AN_OBJECT)
    return _any(name, value)


def _any(name: str, value: FieldValue) -> FieldValue:
    level, depth = [value], 0
    while level := [x for each in level if isinstance(each, dict | list) for x in _values_in(each)]:
        depth += 1
        if depth > MAX_DEPTH:
            raise WrongValue(name, wording.nested_less(MAX_DEPTH))
    return value


def _values_in(value: FieldValue) -> list[FieldValue]:
    return list(value.values()) if isinstance(value, dict) else value


def _time(name: str, value: FieldValue) -> FieldValue:
    """Return Unix seconds; a text is ISO 8601, UTC if it names no zone."""
    seconds = None
    if isinstance(value, str):
        seconds = moment(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        seconds = float(value) if abs(value) <= _MAX_SECONDS else None
    if seconds is None:
        raise WrongValue(name, wording.A_DATE)
    return seconds


def moment(text: str) -> float | None:
    """Return an ISO 8601 date as Unix seconds, UTC if it names no zone; None if it is none."""
    try:
        at = datetime.fromisoformat(text.strip())
        return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _value_of(name: str) -> Callable[[str, FieldValue], FieldValue]:
    for names, convert in (
        (LISTS, _list),
        (SHARES, _share),
        (_COUNTS, _count),
        (TIMES, _time),
        (("pinned",), _flag),
        (("extra",), _object),
        (("value",), _any),
    ):
        if name in names:
            return convert
    return _text


_VALUES = {name: _value_of(name) for name in RECORD_FIELDS}
