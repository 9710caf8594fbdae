"""Problems to plant in a Base Coat database."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from tests.support.planted.plants import SECRET, Plant, run_sql
from tests.support.stores import base_coat
from tests.support.stores.base_coat import FEED, SQLITE, TABS, TESTS


def healthy_store(folder: Path) -> Path:
    vector = struct.pack("<4f", 0.1, 0.2, 0.3, 0.4)
    memories = [{**memory, "embedding": vector} for memory in base_coat.MEMORIES]
    # A healthy store has times of one kind.
    for memory in memories:
        for name in ("created_at", "last_accessed", "expires_at", "last_promoted_at"):
            if name in memory:
                memory[name] = str(memory[name])[:19].replace(" ", "T") + "Z"
    path = folder / "memory.db"
    return base_coat.make(path, memories, columns=base_coat.UNTYPED_COLUMNS, journal="delete")


def _set(column: str, value: object, id: str = FEED) -> Plant:
    return run_sql(f"UPDATE memories SET {column} = ? WHERE id = ?", value, id)


def _relation(*values: Any) -> Plant:
    return run_sql("INSERT INTO memory_relations VALUES (?, ?, ?)", *values)


CASES = {
    ("an invalid time", "odd-time"): _set("created_at", "in spring"),
    ("a time years in the future", "future-time"): _set("last_accessed", "2077-01-01T00:00:00Z"),
    ("epoch seconds among text times", "mixed-times"): _set("created_at", 1_770_000_000),
    ("an expiry in the past", "past-expiry"): _set("expires_at", "2026-02-20T00:00:00Z"),
    ("an expiry before the creation", "odd-validity"): _set("expires_at", "2025-01-01T00:00:00Z"),
    ("a confidence above 1", "odd-confidence"): _set("confidence", 1.4),
    ("a confidence in words", "odd-confidence"): _set("confidence", "much"),
    ("a confidence stored as text", "no-plain-number"): _set("confidence", "0.65"),
    ("a NUL in a source", "nul"): _set("source", "Post\0Tool"),
    ("an unknown category", "odd-category"): _set("category", "hunch"),
    ("an unknown tier", "odd-tier"): _set("tier", "l9"),
    ("an unknown heat", "odd-heat"): _set("heat", "boiling"),
    ("a heat that contradicts the use", "odd-heat"): _set("heat", "cold", TESTS),
    ("an invalid pin", "odd-pinned"): _set("pinned", "maybe"),
    ("a negative count", "odd-count"): _set("promotion_count", -2),
    ("a count in words", "odd-count"): _set("access_count", "three"),
    ("a very long text", "long-text"): _set("content", "word " * 30_000),
    ("a secret in a subject", "secret"): _set("subject", SECRET),
    ("a blank text", "blank"): _set("content", " "),
    ("no subject", "no-subject"): _set("subject", "", SQLITE),
    ("a secret", "secret"): _set("content", SECRET),
    ("a NUL in a text", "odd-content"): _set("content", "do\0net"),
    ("bytes that are not UTF-8", "bad-utf8"): run_sql(
        "UPDATE memories SET content = CAST(x'636166e9' AS TEXT) WHERE id = ?", FEED
    ),
    ("no id", "no-id"): _set("id", None),
    ("a duplicate id", "doubled-id"): _set("id", TESTS, TABS),
    ("a truncated vector", "odd-embedding"): _set("embedding", b"\0\0\x80"),
    ("a vector with NaN", "odd-embedding"): _set("embedding", struct.pack("<4f", 0.1, float("nan"), 0, 0)),
    ("a vector of another length", "other-dimension"): _set("embedding", struct.pack("<3f", 0.1, 0.2, 0.3)),
    ("a relation to a missing memory", "dangling"): _relation(FEED, "gone", "supports"),
    ("a relation from a memory to itself", "self-relation"): _relation(FEED, FEED, "supports"),
    ("an unknown kind of relation", "odd-relation"): _relation(FEED, TABS, "admires"),
    ("a newer schema", "newer-schema"): run_sql("PRAGMA user_version = 40"),
    ("an unknown trigger", "trigger"): run_sql(
        "CREATE TRIGGER spy AFTER UPDATE ON memories BEGIN SELECT 1; END"
    ),
}
