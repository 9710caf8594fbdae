"""What is planted in a mem-skill database."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.harm import SECRET, Plant, run
from tests.support.stores import mem_skill
from tests.support.stores.mem_skill import CITY, NUTS, OLD_CITY, TABS


def sound(folder: Path) -> Path:
    return mem_skill.make(folder / "mem.db", columns=mem_skill.ODD_COLUMNS, journal="delete")


def _set(what: str, value: object, id: str = NUTS) -> Plant:
    return run(f"UPDATE facts SET {what} = ? WHERE fact_id = ?", value, id)


CASES = {
    ("a value that is no JSON", "odd-json"): _set("value_json", '{"city":', CITY),
    ("a value with NaN", "no-number"): _set("value_json", '{"weight": NaN}', CITY),
    ("a value with half a letter", "surrogate"): _set("value_json", '{"city": "\\ud83d"}', CITY),
    ("a value with a key twice", "double-key"): _set("value_json", '{"city": 1, "city": 2}', CITY),
    ("a value nested too deep", "odd-json"): _set("value_json", "[" * 100_000 + "]" * 100_000, CITY),
    ("a time that is none", "odd-time"): _set("valid_from", "once"),
    ("a time years ahead", "future-time"): _set("updated_at", "2091-01-01T00:00:00Z"),
    ("seconds among texts", "mixed-times"): _set("updated_at", 1_761_000_000),
    ("a validity that ends before it begins", "odd-validity"): _set("valid_to", "2024-01-01T00:00:00Z"),
    ("a validity that is over", "past-expiry"): _set("valid_to", "2026-01-01T00:00:00Z"),
    ("superseded without an end", "no-end"): _set("valid_to", None, OLD_CITY),
    ("a confidence beyond 1", "odd-confidence"): _set("confidence", 95),
    ("a confidence of words", "odd-confidence"): _set("confidence", "certain"),
    ("a status that nobody knows", "odd-status"): _set("status", "parked"),
    ("a confidence that is a text", "no-plain-number"): _set("confidence", "0.9"),
    ("a secret in the history", "secret"): run(f"UPDATE fact_history SET reason = '{SECRET}'"),
    ("a category that nobody knows", "odd-category"): _set("category", "gossip"),
    ("two values of one key", "two-values"): _set("key", "allergy", TABS),
    ("no key", "no-key"): _set("key", ""),
    ("no id", "no-id"): _set("fact_id", None),
    ("an id that stands twice", "doubled-id"): _set("fact_id", CITY, TABS),
    ("nobody whom it is about", "no-owner"): _set("user_id", ""),
    ("a fact that stands twice", "double-fact"): run(
        "UPDATE facts SET key = 'allergy', value_text = 'Allergic to hazelnuts.' WHERE fact_id = ?", TABS
    ),
    ("a text of blanks", "blank"): _set("value_text", "   "),
    ("a secret", "secret"): _set("value_text", SECRET),
    ("bytes that are no UTF-8", "bad-utf8"): run(
        "UPDATE facts SET value_text = CAST(x'636166e9' AS TEXT) WHERE fact_id = ?", NUTS
    ),
    ("history of facts that are gone", "dangling-history"): run("UPDATE fact_history SET fact_id = 'gone'"),
    ("no history", "no-history"): run("DROP TABLE fact_history"),
    ("a search out of step", "search-behind"): run(
        "INSERT INTO facts_fts(facts_fts, rowid, key, value_text)"
        " VALUES ('delete', 3, 'allergy', 'Allergic to hazelnuts.')"
    ),
    ("no search", "no-search"): run("DROP TABLE facts_fts"),
    ("a schema of the future", "newer-schema"): run("PRAGMA user_version = 12"),
    ("a trigger that nobody knows", "trigger"): run(
        "CREATE TRIGGER spy AFTER UPDATE ON facts BEGIN DELETE FROM facts_archive; END"
    ),
}
