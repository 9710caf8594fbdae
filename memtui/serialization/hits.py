"""A memory that a search found, and why, as JSON (S-82)."""

from __future__ import annotations

from memtui.memory.memory import Memory
from memtui.memory.results import MatchReason
from memtui.values import JsonObject


def hit_as_json(memory: Memory, related: bool, why: MatchReason) -> JsonObject:
    """The memory with all keys of SPEC section 3, "related", and "why" it was found."""
    return {
        **memory.to_json(),
        "related": related,
        "why": {
            "score": why.score,
            "words": why.coverage,
            "matched": list(why.terms),
            "place": why.rank,
            "cosine": why.cosine,
            "recency": why.recency,
            "filters": list(why.filters),
        },
    }
