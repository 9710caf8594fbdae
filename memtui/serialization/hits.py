"""A memory that a search found, and why, as JSON (S-82)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memtui.memory.records import Why

if TYPE_CHECKING:
    from memtui.memory.records import Memory


def hit_as_json(memory: Memory, related: bool, why: Why) -> dict[str, Any]:
    return {
        **memory.to_json(),
        "related": related,
        "why": {**asdict(why), "matched": list(why.matched), "filters": list(why.filters)},
    }
