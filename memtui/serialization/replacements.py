"""The hits of find and replace, as JSON (S-54)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.memory.results import ReplacingMemory
from memtui.values import JsonObject


def replacements_as_json(memories: Sequence[ReplacingMemory]) -> JsonObject:
    """Return every hit, and how many there are in each store."""
    hits = [
        {
            "uid": memory.uid,
            "store": memory.store,
            "field": hit.field,
            "kept": hit.field in memory.kept,
            "part": hit.part,
            "start": hit.start,
            "end": hit.end,
            "left": hit.left,
            "before": hit.before,
            "after": hit.after,
            "right": hit.right,
            "in_link": hit.in_link,
        }
        for memory in memories
        for hit in memory.hits
    ]
    return {"hits": hits, "stores": count_by_store(memories)}


def count_by_store(memories: Iterable[ReplacingMemory]) -> dict[str, dict[str, int]]:
    """Return the numbers of memories and hits in each store."""
    counts: dict[str, dict[str, int]] = {}
    for memory in memories:
        count = counts.setdefault(memory.store, {"memories": 0, "hits": 0})
        count["memories"] += 1
        count["hits"] += len(memory.hits)
    return counts
