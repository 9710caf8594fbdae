"""Problems to plant in a mem-skill database."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.plants import SECRET, Plant, run_sql
from tests.support.stores import mem_skill
from tests.support.stores.mem_skill import CITY, NUTS, OLD_CITY, TABS


def healthy_store(folder: Path) -> Path:
    return mem_skill.make(folder / "mem.db", columns=mem_skill.UNTYPED_COLUMNS, journal="delete")


def _set(column: str, value: object, id: str = NUTS) -> Plant:
    return run_sql(f"UPDATE facts SET {column} = ? WHERE fact_id = ?", value, id)


CASES = {
    ("a value that is not JSON", "odd-json"): _set("value_json", '{"city":', CITY),
    ("a value with NaN", "no-number"): _set("value_json", '{"weight": NaN}', CITY),
    ("a value with a lone surrogate", "surrogate"): _set("value_json", '{"city": "\\ud83d"}', CITY),
    ("a value with a duplicate key", "double-key"): _set("value_json", '{"city": 1, "city": 2}', CITY),
    ("a value nested too deeply", "odd-json"): _set("value_json", "[" * 100_000 + "]" * 100_000, CITY),
    ("an invalid time", "odd-time"): _set("valid_from", "once"),
    ("a time years in the future", "future-time"): _set("updated_at", "2091-01-01T00:00:00Z"),
    ("epoch seconds among text times", "mixed-times"): _set("updated_at", 1_761_000_000),
    ("a validity that ends before it starts", "odd-validity"): _set("valid_to", "2024-01-01T00:00:00Z"),
    ("an expired validity", "past-expiry"): _set("valid_to", "2026-01-01T00:00:00Z"),
    ("superseded without an end of validity", "no-end"): _set("valid_to", None, OLD_CITY),
    ("a confidence above 1", "odd-confidence"): _set("confidence", 95),
    ("a confidence in words", "odd-confidence"): _set("confidence", "certain"),
    ("an unknown status", "odd-status"): _set("status", "parked"),
    ("a confidence stored as text", "no-plain-number"): _set("confidence", "0.9"),
    ("a secret in the history", "secret"): run_sql(f"UPDATE fact_history SET reason = '{SECRET}'"),
    ("an unknown category", "odd-category"): _set("category", "gossip"),
    ("two values of one key", "two-values"): _set("key", "allergy", TABS),
    ("no key", "no-key"): _set("key", ""),
    ("no id", "no-id"): _set("fact_id", None),
    ("a duplicate id", "doubled-id"): _set("fact_id", CITY, TABS),
    ("no owner", "no-owner"): _set("user_id", ""),
    ("a duplicate fact", "double-fact"): run_sql(
        "UPDATE facts SET key = 'allergy', value_text = 'Allergic to hazelnuts.' WHERE fact_id = ?", TABS
    ),
    ("a blank text", "blank"): _set("value_text", "   "),
    ("a secret", "secret"): _set("value_text", SECRET),
    ("bytes that are not UTF-8", "bad-utf8"): run_sql(
        "UPDATE facts SET value_text = CAST(x'636166e9' AS TEXT) WHERE fact_id = ?", NUTS
    ),
    ("history of missing facts", "dangling-history"): run_sql("UPDATE fact_history SET fact_id = 'gone'"),
    ("no history", "no-history"): run_sql("DROP TABLE fact_history"),
    ("an outdated search index", "search-behind"): run_sql(
        "INSERT INTO facts_fts(facts_fts, rowid, key, value_text)"
        " VALUES ('delete', 3, 'allergy', 'Allergic to hazelnuts.')"
    ),
    ("no search index", "no-search"): run_sql("DROP TABLE facts_fts"),
    ("a newer schema", "newer-schema"): run_sql("PRAGMA user_version = 12"),
    ("an unknown trigger", "trigger"): run_sql(
        "CREATE TRIGGER spy AFTER UPDATE ON facts BEGIN DELETE FROM facts_archive; END"
    ),
}
