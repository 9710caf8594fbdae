"""Problems to plant in a Founder OS database."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.planted.plants import SECRET, Plant, run_sql
from tests.support.stores import founder_os

ACME, NEWS = founder_os.ACME, founder_os.NEWS


def healthy_store(folder: Path) -> Path:
    return founder_os.make(folder / "memory.db", columns=founder_os.UNTYPED_COLUMNS, journal="delete")


def _set(column: str, value: object, id: str = ACME) -> Plant:
    return run_sql(f"UPDATE memories SET {column} = ? WHERE id = ?", value, id)


CASES = {
    ("tags that are not JSON", "odd-tags"): _set("tags", "[invoices, payment"),
    ("tags that are an object", "odd-tags"): _set("tags", '{"a": 1}'),
    ("an embedding that is not JSON", "odd-embedding"): _set("embedding", "[0.1, 0.2"),
    ("an embedding of strings", "odd-embedding"): _set("embedding", '["a", "b", "c"]'),
    ("an embedding with NaN", "odd-embedding"): _set("embedding", "[0.1, NaN, 0.2]"),
    ("an embedding of another length", "other-dimension"): _set("embedding", "[0.1, 0.2]"),
    ("an invalid time", "odd-time"): _set("created_at", "last spring"),
    ("milliseconds among seconds", "mixed-times"): _set("updated_at", 1_761_000_000_000),
    ("a text time among epoch seconds", "mixed-times"): _set("updated_at", "2025-11-01T10:00:00Z"),
    ("a time years in the future", "future-time"): _set("updated_at", 2_500_000_000),
    ("an expiry before the creation", "odd-validity"): _set("expires_at", 1_700_000_000),
    ("an expiry in the past", "past-expiry"): _set("expires_at", 1_772_000_000),
    ("a confidence above 100", "odd-confidence"): _set("confidence", 140),
    ("a confidence in words", "odd-confidence"): _set("confidence", "high"),
    ("a confidence on a 0 to 1 scale", "odd-confidence"): _set("confidence", 0.8),
    ("a confidence stored as text", "no-plain-number"): _set("confidence", "85"),
    ("a NUL in a key", "nul"): _set("company_id", "acme\0corp"),
    ("a secret in an observation", "secret"): run_sql(f"UPDATE observations SET context = '{SECRET}'"),
    ("an outdated search index", "search-behind"): run_sql(
        "CREATE VIRTUAL TABLE memories_fts USING fts5(content, content='memories', content_rowid='rowid')"
    ),
    ("an unknown status", "odd-status"): _set("status", "maybe"),
    ("an unknown category", "odd-category"): _set("category", "rumour"),
    ("a negative count", "odd-count"): _set("times_used", -4),
    ("a blank text", "blank"): _set("content", "  \n "),
    ("a secret", "secret"): _set("content", SECRET),
    ("a duplicate key", "doubled-key"): _set("key", "weekly-review"),
    ("no key", "no-key"): _set("key", ""),
    ("a key in an unusual style", "odd-key"): _set("key", "Acme Payment Terms!"),
    ("an adaptation of a missing memory", "dangling"): run_sql("UPDATE adaptations SET memory_id = 'gone'"),
    ("no table of observations", "missing-table"): run_sql("DROP TABLE observations"),
    ("an observation that is not JSON", "odd-json"): run_sql("UPDATE observations SET context = '{from'"),
    ("a newer schema", "newer-schema"): run_sql("PRAGMA user_version = 9"),
    ("an unknown trigger", "trigger"): run_sql(
        "CREATE TRIGGER spy AFTER UPDATE ON memories BEGIN SELECT 1; END"
    ),
    ("a NUL in a text", "odd-content"): _set("content", "Acme\0pays"),
    ("bytes that are not UTF-8", "bad-utf8"): run_sql(
        "UPDATE memories SET content = CAST(x'636166e9' AS TEXT) WHERE id = ?", ACME
    ),
    ("bytes instead of a text", "odd-content"): _set("content", b"\x00\x01"),
    ("a duplicate id", "doubled-id"): run_sql("UPDATE memories SET id = ? WHERE id = ?", ACME, NEWS),
    ("tags nested too deeply", "odd-tags"): _set("tags", "[" * 2_000 + "]" * 2_000),
    ("tags with a lone surrogate", "surrogate"): _set("tags", json.dumps(["\ud83d"])),
}
