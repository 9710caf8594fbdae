"""What `_index.json` says of a memory and of an edge: a mirror of their heads (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.paths import is_edge, is_memory
from memtui.formats.cognitive.relation_list import INCOMING, OUTGOING, Entry, number
from memtui.formats.contract.adapter import clean

CONFIDENCE = 0.8  # of a memory whose head tells none
IMPORTANCE = 0.5


def of_memory(name: str, note: Note) -> dict[str, Any]:
    """The entry of a memory."""
    out: dict[str, Any] = {
        "title": note.title,
        "type": note.type,
        "tags": list(note.list_of("tags")),
        "importance": _number(note.says("importance"), IMPORTANCE),
        "confidence": _number(note.says("confidence"), CONFIDENCE),
        "created": note.says("created"),
        "updated": note.says("updated"),
        "path": clean(name),
    }
    out["relations"] = [_relation(entry) for entry in note.relations]
    return out


def of_edge(name: str, note: Note) -> dict[str, Any]:
    """The entry of an edge."""
    out: dict[str, Any] = {key: note.says(key) for key in ("type", "from_id", "to_id")}
    out["strength"] = _number(note.says("strength"), None)
    return {**{key: value for key, value in out.items() if value is not None}, "path": clean(name)}


def of(name: str, note: Note) -> tuple[str, dict[str, Any]] | None:
    """In which part of the index a file is told, and how; None where it is not."""
    if not note.id:
        return None
    if is_edge(name):
        return "edges", of_edge(name, note)
    return ("entries", of_memory(name, note)) if is_memory(name) else None


def is_right(said: Any, entry: Mapping[str, Any]) -> bool:
    """Whether the index says what it must of a memory; keys that it leaves out are no mistake, but for
    the path and the title."""
    if not isinstance(said, dict) or "path" not in said:
        return False
    return all(key not in said or _same(said[key], value) for key, value in entry.items())


def _relation(entry: Entry) -> dict[str, Any]:
    out: dict[str, Any] = {
        "target": entry.target,
        "type": entry.kind,
        "direction": INCOMING if entry.incoming else OUTGOING,
    }
    if entry.strength is not None:
        out["strength"] = _whole(entry.strength)
    return out | {key: entry.says(key) for key in ("context", "edge_id") if entry.says(key)}


def _number(text: str, default: float | None) -> Any:
    said = number(text)
    return default if said is None else _whole(said)


def _whole(value: float) -> float:
    return float(value)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.get("target") == other.get("target") and all(
            _same(one.get(key), value)
            for key, value in other.items()
            if key in one or value not in ("", None)
        )
    return bool(one == other)
