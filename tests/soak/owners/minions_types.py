"""The types of memory that the PyPI package minions-memory lacks, as its documentation lists their fields."""

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
    """The types, as `MinionType.from_dict` takes them."""
    return [
        {
            "id": f"memory-memory-{name}",
            "name": name,
            "slug": f"memory-{name}",
            "schema": [_field(said, _REQUIRED[name]) for said in fields.split()],
        }
        for name, fields in _FIELDS.items()
    ]


def _field(said: str, required: set[str]) -> dict[str, Any]:
    name, _, kind = said.partition(":")
    field: dict[str, Any] = {"name": name, "required": name in required}
    if "|" in kind:
        return field | {"type": "select", "options": kind.split("|")}
    return field | {"type": kind or "string"}
