"""What is planted in a Base Coat database."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from tests.support.planted.harm import SECRET, Plant, run
from tests.support.stores import base_coat
from tests.support.stores.base_coat import FEED, SQLITE, TABS, TESTS


def sound(folder: Path) -> Path:
    vector = struct.pack("<4f", 0.1, 0.2, 0.3, 0.4)
    memories = [{**each, "embedding": vector} for each in base_coat.MEMORIES]
    # One kind of times, as one program writes them.
    for each in memories:
        for name in ("created_at", "last_accessed", "expires_at", "last_promoted_at"):
            if name in each:
                each[name] = str(each[name])[:19].replace(" ", "T") + "Z"
    path = folder / "memory.db"
    return base_coat.make(path, memories, columns=base_coat.ODD_COLUMNS, journal="delete")


def _set(what: str, value: object, id: str = FEED) -> Plant:
    return run(f"UPDATE memories SET {what} = ? WHERE id = ?", value, id)


def _relation(*values: Any) -> Plant:
    return run("INSERT INTO memory_relations VALUES (?, ?, ?)", *values)


CASES = {
    ("a time that is none", "odd-time"): _set("created_at", "in spring"),
    ("a time years ahead", "future-time"): _set("last_accessed", "2077-01-01T00:00:00Z"),
    ("seconds among texts", "mixed-times"): _set("created_at", 1_770_000_000),
    ("an expiry that is over", "past-expiry"): _set("expires_at", "2026-02-20T00:00:00Z"),
    ("an expiry before it was made", "odd-validity"): _set("expires_at", "2025-01-01T00:00:00Z"),
    ("a confidence beyond 1", "odd-confidence"): _set("confidence", 1.4),
    ("a confidence of words", "odd-confidence"): _set("confidence", "much"),
    ("a confidence that is a text", "no-plain-number"): _set("confidence", "0.65"),
    ("a NUL in a source", "nul"): _set("source", "Post\0Tool"),
    ("a category that nobody knows", "odd-category"): _set("category", "hunch"),
    ("a tier that nobody knows", "odd-tier"): _set("tier", "l9"),
    ("a heat that nobody knows", "odd-heat"): _set("heat", "boiling"),
    ("a heat that its use belies", "odd-heat"): _set("heat", "cold", TESTS),
    ("a pin that is no pin", "odd-pinned"): _set("pinned", "maybe"),
    ("a count below nothing", "odd-count"): _set("promotion_count", -2),
    ("a count of words", "odd-count"): _set("access_count", "three"),
    ("a text without an end", "long-text"): _set("content", "word " * 30_000),
    ("a secret in a subject", "secret"): _set("subject", SECRET),
    ("a text of blanks", "blank"): _set("content", " "),
    ("no subject", "no-subject"): _set("subject", "", SQLITE),
    ("a secret", "secret"): _set("content", SECRET),
    ("a NUL in a text", "odd-content"): _set("content", "do\0net"),
    ("bytes that are no UTF-8", "bad-utf8"): run(
        "UPDATE memories SET content = CAST(x'636166e9' AS TEXT) WHERE id = ?", FEED
    ),
    ("no id", "no-id"): _set("id", None),
    ("an id that stands twice", "doubled-id"): _set("id", TESTS, TABS),
    ("a vector cut off", "odd-embedding"): _set("embedding", b"\0\0\x80"),
    ("a vector with NaN", "odd-embedding"): _set("embedding", struct.pack("<4f", 0.1, float("nan"), 0, 0)),
    ("a vector of another length", "other-dimension"): _set("embedding", struct.pack("<3f", 0.1, 0.2, 0.3)),
    ("a relation to nothing", "dangling"): _relation(FEED, "gone", "supports"),
    ("a relation of a memory to itself", "self-relation"): _relation(FEED, FEED, "supports"),
    ("a relation of no known kind", "odd-relation"): _relation(FEED, TABS, "admires"),
    ("a schema of the future", "newer-schema"): run("PRAGMA user_version = 40"),
    ("a trigger that nobody knows", "trigger"): run(
        "CREATE TRIGGER spy AFTER UPDATE ON memories BEGIN SELECT 1; END"
    ),
}
