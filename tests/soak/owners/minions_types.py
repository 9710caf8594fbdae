"""The memory types that the PyPI package minions-memory lacks, with the fields that its documentation
lists."""

from __future__ import annotations

from typing import Any

_FIELDS = {
    "lesson": "sourceType sourceId lesson domain confidence:number reinforcedCount:number createdAt:date"
    " lastReinforcedAt:date",
    "reinforcement": "memoryId memoryType reinforcedBy previousConfidence:number newConfidence:number"
    " reinforcedAt:date reason",
    "expiry": "memoryId memoryType reason:ttl-elapsed|manual-delete|policy-violation|contradiction-detected"
    " expiredAt:date expiredBy",
    "contradiction": "memoryIdA memoryIdB description detectedAt:date detectedBy"
    " resolution:keep-a|keep-b|merge|discard-both|unresolved resolvedAt:date",
}
_REQUIRED = {
    "lesson": {"lesson", "confidence"},
    "reinforcement": {"memoryId", "memoryType", "previousConfidence", "newConfidence", "reinforcedAt"},
    "expiry": {"memoryId", "memoryType", "reason", "expiredAt"},
    "contradiction": {"memoryIdA", "memoryIdB", "detectedAt", "resolution"},
}


def types() -> list[dict[str, Any]]:
    """Return the types, as `MinionType.from_dict` takes them."""
    return [
        {
            "id": f"memory-memory-{name}",
            "name": name,
            "slug": f"memory-{name}",
            "schema": [_field(spec, _REQUIRED[name]) for spec in fields.split()],
        }
        for name, fields in _FIELDS.items()
    ]


def _field(spec: str, required: set[str]) -> dict[str, Any]:
    name, _, kind = spec.partition(":")
    field: dict[str, Any] = {"name": name, "required": name in required}
    if "|" in kind:
        return field | {"type": "select", "options": kind.split("|")}
    return field | {"type": kind or "string"}
