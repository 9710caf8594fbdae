"""What a change put into a field or took out of it, in words: pure functions (S-50)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memtui.memory.encoding import iso
from memtui.memory.memory import TIMES

Names = Mapping[str, str]
"""What the memories that a change names are called: by uid, by row (#12) in a verdict; "" if erased."""

ERASED = "an erased memory"
FIELDS = {"beside": "kept in memtui", "superseded_by": "replaced by", "relations": "relations"}
_SAID = {"strength": "strength", "context": "why", "body": "text"}  # of a relation
_VERDICTS = {
    "keep-a": "kept A",
    "keep-b": "kept B",
    "merge": "merged into A",
    "both-true": "both true",
    "later": "later",
    "discard-both": "discarded both",
    "not-so": "not a match",
}


def field_name(name: str) -> str:
    """A field as a person reads it."""
    return FIELDS.get(name) or name.replace("_", " ")


def named_in(fields: Mapping[str, Any] | None) -> Iterator[str]:
    """Which memories the values of a change name."""
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


def value_words(name: str, value: Any, names: Names) -> str:
    """A value as a person reads it, "" for none."""
    if value is None or value == "" or value == [] or value == ():
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return _moment(value) if name in TIMES else f"{value:.4g}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return _called(value, names) if name == "superseded_by" else value
    if isinstance(value, (list, tuple)):
        told = [value_words(name, each, names) for each in value]
        lines = any(isinstance(each, Mapping) for each in value)
        return ("; " if lines else ", ").join(each for each in told if each)
    if isinstance(value, Mapping):
        return _mapping(name, value, names)
    return str(value)


def _mapping(name: str, value: Mapping[str, Any], names: Names) -> str:
    if {"kind", "to"} <= value.keys():
        source = _called(value["from"], names) + " " if value.get("from") else ""
        return _joined(f"{source}{value['kind']} → {_called(value['to'], names)}", _said(value))
    if {"source", "kind", "target"} <= value.keys():
        said = list(_said(value))
        tie = f"“{value['source']}” {value['kind']} → “{value['target']}”"
        return _joined(tie, said) if said else ""
    if {"verdict", "judged"} <= value.keys():
        said_so = _VERDICTS.get(str(value["verdict"]), str(value["verdict"]).replace("-", " "))
        sides = [_called(f"#{value[side]}", names) for side in ("a", "b") if f"#{value.get(side)}" in names]
        until = f"until {_moment(value['until'])}" if value.get("until") else ""
        return _joined(said_so, [str(value.get("note") or ""), until, " / ".join(sides)])
    rest = ((field_name(str(key)), value_words(str(key), each, names)) for key, each in value.items())
    return " · ".join(f"{key}: {told}" for key, told in rest if told)


def _said(value: Mapping[str, Any]) -> Iterator[str]:
    """What a relation says beside its kind."""
    for key, word in _SAID.items():
        if told := value_words(key, value.get(key), {}):
            yield f"{word}: {told}"


def _joined(first: str, rest: Iterable[str]) -> str:
    return " · ".join(part for part in (first, *rest) if part)


def _called(key: Any, names: Names) -> str:
    name = names.get(str(key))
    if name is None:
        return str(key)
    return f"“{name}”" if name else ERASED


def _moment(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return iso(seconds) or str(seconds)
