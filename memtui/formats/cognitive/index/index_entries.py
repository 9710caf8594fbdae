"""The entries of `_index.json` for a memory and for an edge, which repeat their heads (FORMATS 5)."""

from __future__ import annotations

from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.paths import is_edge, is_memory
from memtui.formats.cognitive.relation_list import INCOMING, OUTGOING, Entry, parse_number
from memtui.formats.contract.records import clean
from memtui.values import Json, JsonObject

DEFAULT_CONFIDENCE = 0.8  # of a memory whose head has none
DEFAULT_IMPORTANCE = 0.5


def memory_entry(name: str, note: Note) -> JsonObject:
    """Return the entry of a memory."""
    return {
        "title": note.title,
        "type": note.type,
        "tags": list(note.list_of("tags")),
        "importance": _number(note.text("importance"), DEFAULT_IMPORTANCE),
        "confidence": _number(note.text("confidence"), DEFAULT_CONFIDENCE),
        "created": note.text("created"),
        "updated": note.text("updated"),
        "path": clean(name),
        "relations": [_relation(entry) for entry in note.relations],
    }


def edge_entry(name: str, note: Note) -> JsonObject:
    """Return the entry of an edge."""
    out: JsonObject = {key: note.text(key) for key in ("type", "from_id", "to_id")}
    out["strength"] = _number(note.text("strength"), None)
    return {**{key: value for key, value in out.items() if value is not None}, "path": clean(name)}


def entry_of(name: str, note: Note) -> tuple[str, JsonObject] | None:
    """Return the part of the index to which a file belongs, and its entry; None if it has none."""
    if not note.id:
        return None
    if is_edge(name):
        return "edges", edge_entry(name, note)
    return ("entries", memory_entry(name, note)) if is_memory(name) else None


def is_right(stored: Json, entry: JsonObject) -> bool:
    """Return whether a stored value agrees with an entry. It may lack any key but the path."""
    if not isinstance(stored, dict) or "path" not in stored:
        return False
    return all(key not in stored or _agrees(stored[key], value) for key, value in entry.items())


def _relation(entry: Entry) -> JsonObject:
    out: JsonObject = {
        "target": entry.target,
        "type": entry.kind,
        "direction": INCOMING if entry.incoming else OUTGOING,
    }
    if entry.strength is not None:
        out["strength"] = float(entry.strength)
    return out | {key: entry.text(key) for key in ("context", "edge_id") if entry.text(key)}


def _number(text: str, default: float | None) -> float | None:
    number = parse_number(text)
    return default if number is None else number


def _agrees(stored: Json, expected: Json) -> bool:
    if isinstance(stored, list) and isinstance(expected, list):
        return len(stored) == len(expected) and all(
            _agrees(a, b) for a, b in zip(stored, expected, strict=True)
        )
    if isinstance(stored, dict) and isinstance(expected, dict):
        return stored.get("target") == expected.get("target") and all(
            _agrees(stored.get(key), value)
            for key, value in expected.items()
            if key in stored or value not in ("", None)
        )
    return bool(stored == expected)
