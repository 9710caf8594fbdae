"""The fields of a change and their values as text: pure functions (S-50)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

from memtui.memory import wording
from memtui.memory.encoding import iso
from memtui.memory.memory import TIMES
from memtui.values import FieldValue

Names = Mapping[str, str]
"""The labels of the memories that a change refers to: by uid, by row (#12) in a verdict; "" if erased."""


def field_name(name: str) -> str:
    """Return the name of a field as it is shown."""
    return wording.FIELD_NAMES.get(name) or name.replace("_", " ")


def referenced_memories(fields: Mapping[str, FieldValue] | None) -> Iterator[str]:
    """Yield the keys (as in Names) of the memories that the values of a change refer to."""
    for name, value in (fields or {}).items():
        if name == "superseded_by" and isinstance(value, str):
            yield value
        for each in value if isinstance(value, (list, tuple)) else (value,):
            if not isinstance(each, Mapping):
                continue
            if "kind" in each:
                yield from (each[end] for end in ("from", "to") if isinstance(each.get(end), str))
            if "verdict" in each:
                yield from (f"#{each[side]}" for side in ("a", "b") if side in each)


def value_text(name: str, value: FieldValue, names: Names) -> str:
    """Return a value as it is shown, "" for none."""
    if value is None or value == "" or value == [] or value == ():
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return (
            _time_text(value) if name in TIMES else f"{value:.4g}" if isinstance(value, float) else str(value)
        )
    if isinstance(value, str):
        return _memory_name(value, names) if name == "superseded_by" else value
    if isinstance(value, (list, tuple)):
        texts = [value_text(name, each, names) for each in value]
        separator = "; " if any(isinstance(each, Mapping) for each in value) else ", "
        return separator.join(text for text in texts if text)
    if isinstance(value, Mapping):
        return _mapping_text(value, names)
    return str(value)


def _mapping_text(value: Mapping[str, FieldValue], names: Names) -> str:
    if {"kind", "to"} <= value.keys():
        source = _memory_name(value["from"], names) + " " if value.get("from") else ""
        return _join(f"{source}{value['kind']} → {_memory_name(value['to'], names)}", _relation_values(value))
    if {"source", "kind", "target"} <= value.keys():
        values = list(_relation_values(value))
        relation = wording.relation(value["source"], value["kind"], value["target"])
        return _join(relation, values) if values else ""
    if {"verdict", "judged"} <= value.keys():
        return _verdict_text(value, names)
    rest = ((field_name(str(key)), value_text(str(key), each, names)) for key, each in value.items())
    return " · ".join(f"{key}: {text}" for key, text in rest if text)


def _verdict_text(value: Mapping[str, FieldValue], names: Names) -> str:
    verdict = wording.VERDICTS.get(str(value["verdict"]), str(value["verdict"]).replace("-", " "))
    sides = [_memory_name(f"#{value[side]}", names) for side in ("a", "b") if f"#{value.get(side)}" in names]
    until = wording.until(_time_text(value["until"])) if value.get("until") else ""
    return _join(verdict, [str(value.get("note") or ""), until, " / ".join(sides)])


def _relation_values(value: Mapping[str, FieldValue]) -> Iterator[str]:
    """Yield the values of a relation besides its kind, each with its name."""
    for key, name in wording.RELATION_VALUES.items():
        if text := value_text(key, value.get(key), {}):
            yield f"{name}: {text}"


def _join(first: str, rest: Iterable[str]) -> str:
    return " · ".join(part for part in (first, *rest) if part)


def _memory_name(key: FieldValue, names: Names) -> str:
    name = names.get(str(key))
    if name is None:
        return str(key)
    return wording.quoted(name) if name else wording.PURGED_MEMORY


def _time_text(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return iso(seconds) or str(seconds)
