"""What is planted in a Founder OS database."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.planted.harm import SECRET, Plant, run
from tests.support.stores import founder_os

ACME, NEWS = founder_os.ACME, founder_os.NEWS


def sound(folder: Path) -> Path:
    return founder_os.make(folder / "memory.db", columns=founder_os.ODD_COLUMNS, journal="delete")


def _set(what: str, value: object, id: str = ACME) -> Plant:
    return run(f"UPDATE memories SET {what} = ? WHERE id = ?", value, id)


CASES = {
    ("tags that are no JSON", "odd-tags"): _set("tags", "[invoices, payment"),
    ("tags that are an object", "odd-tags"): _set("tags", '{"a": 1}'),
    ("an embedding that is no JSON", "odd-embedding"): _set("embedding", "[0.1, 0.2"),
    ("an embedding of words", "odd-embedding"): _set("embedding", '["a", "b", "c"]'),
    ("an embedding with NaN", "odd-embedding"): _set("embedding", "[0.1, NaN, 0.2]"),
    ("an embedding of another length", "other-dimension"): _set("embedding", "[0.1, 0.2]"),
    ("a time that is none", "odd-time"): _set("created_at", "last spring"),
    ("milliseconds among seconds", "mixed-times"): _set("updated_at", 1_761_000_000_000),
    ("a text among numbers of seconds", "mixed-times"): _set("updated_at", "2025-11-01T10:00:00Z"),
    ("a time years ahead", "future-time"): _set("updated_at", 2_500_000_000),
    ("an expiry before it was made", "odd-validity"): _set("expires_at", 1_700_000_000),
    ("an expiry that is over", "past-expiry"): _set("expires_at", 1_772_000_000),
    ("a confidence beyond 100", "odd-confidence"): _set("confidence", 140),
    ("a confidence of words", "odd-confidence"): _set("confidence", "high"),
    ("a confidence of 0 to 1", "odd-confidence"): _set("confidence", 0.8),
    ("a confidence that is a text", "no-plain-number"): _set("confidence", "85"),
    ("a NUL in a key", "nul"): _set("company_id", "acme\0corp"),
    ("a secret in an observation", "secret"): run(f"UPDATE observations SET context = '{SECRET}'"),
    ("a search out of step", "search-behind"): run(
        "CREATE VIRTUAL TABLE memories_fts USING fts5(content, content='memories', content_rowid='rowid')"
    ),
    ("a status that nobody knows", "odd-status"): _set("status", "maybe"),
    ("a category that nobody knows", "odd-category"): _set("category", "rumour"),
    ("a count below nothing", "odd-count"): _set("times_used", -4),
    ("a text of blanks", "blank"): _set("content", "  \n "),
    ("a secret", "secret"): _set("content", SECRET),
    ("a key that stands twice", "doubled-key"): _set("key", "weekly-review"),
    ("no key", "no-key"): _set("key", ""),
    ("a key of another make", "odd-key"): _set("key", "Acme Payment Terms!"),
    ("an adaptation of nothing", "dangling"): run("UPDATE adaptations SET memory_id = 'gone'"),
    ("no table of observations", "missing-table"): run("DROP TABLE observations"),
    ("an observation that is no JSON", "odd-json"): run("UPDATE observations SET context = '{from'"),
    ("a schema of the future", "newer-schema"): run("PRAGMA user_version = 9"),
    ("a trigger that nobody knows", "trigger"): run(
        "CREATE TRIGGER spy AFTER UPDATE ON memories BEGIN SELECT 1; END"
    ),
    ("a NUL in a text", "odd-content"): _set("content", "Acme\0pays"),
    ("bytes that are no UTF-8", "bad-utf8"): run(
        "UPDATE memories SET content = CAST(x'636166e9' AS TEXT) WHERE id = ?", ACME
    ),
    ("bytes in place of a text", "odd-content"): _set("content", b"\x00\x01"),
    ("an id that stands twice", "doubled-id"): run("UPDATE memories SET id = ? WHERE id = ?", ACME, NEWS),
    ("tags nested too deep", "odd-tags"): _set("tags", "[" * 2_000 + "]" * 2_000),
    ("tags that hold half a letter", "surrogate"): _set("tags", json.dumps(["\ud83d"])),
}
