"""mem-skill databases, built from the facts of the schema, in the variants of several makers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import apsw

from tests.support.stores.databases import insert, new_database, query

COLUMNS = {
    "fact_id": "TEXT PRIMARY KEY",
    "user_id": "TEXT NOT NULL",
    "key": "TEXT NOT NULL",
    "value_text": "TEXT NOT NULL",
    "value_json": "TEXT",
    "category": "TEXT NOT NULL CHECK (category IN ('identity','hard_preference','soft_preference',"
    "'task_context','health','other'))",
    "confidence": "REAL NOT NULL",
    "event_time": "TEXT",
    "valid_from": "TEXT NOT NULL",
    "valid_to": "TEXT",
    "status": "TEXT NOT NULL CHECK (status IN ('active','superseded','expired','pending_confirmation'))",
    "source_turn_id": "TEXT NOT NULL",
    "source_excerpt": "TEXT",
    "embedding_id": "TEXT",
    "created_at": "TEXT NOT NULL",
    "updated_at": "TEXT NOT NULL",
}
# The same columns without types or constraints, as other makers create them.
UNTYPED_COLUMNS = dict.fromkeys(COLUMNS, "")

CITY, OLD_CITY, NUTS, TABS, TASK, LANGUAGE = (
    f"{letter * 8}-0000-4000-8000-{letter * 12}" for letter in "abcdef"
)
GONE = "99999999-0000-4000-8000-999999999999"


def fact(id: str, key: str, text: str, **more: Any) -> dict[str, Any]:
    """Return one fact as its agent writes it."""
    return {
        "fact_id": id,
        "user_id": "mira",
        "key": key,
        "value_text": text,
        "value_json": None,
        "category": "other",
        "confidence": 0.4,
        "event_time": None,
        "valid_from": "2025-10-01T08:00:00Z",
        "valid_to": None,
        "status": "active",
        "source_turn_id": "turn-7",
        "source_excerpt": "",
        "embedding_id": None,
        "created_at": "2025-10-01T08:00:00Z",
        "updated_at": "2025-10-01T08:00:00Z",
        **more,
    }


FACTS: tuple[dict[str, Any], ...] = (
    fact(
        CITY,
        "home_city",
        "Lives in Lisbon since the spring.",
        value_json='{"city": "Lisbon", "since": 2025}',
        category="identity",
        confidence=0.92,
        event_time="2025-03-15",
        source_excerpt="I moved to Lisbon \U0001f1f5\U0001f1f9 in \u201cMarch\u201d",
        embedding_id="emb-1",
    ),
    fact(
        OLD_CITY,
        "home_city",
        "Lives in Porto.",
        category="identity",
        confidence=0.8,
        status="superseded",
        valid_from="2024-01-01T00:00:00Z",
        valid_to="2025-03-15T00:00:00Z",
    ),
    fact(NUTS, "allergy", "Allergic to hazelnuts.", category="health", confidence=0.95),
    fact(TABS, "indentation", "Prefers tabs over spaces.", category="hard_preference", confidence=0.55),
    fact(
        TASK,
        "current_task",
        "Is migrating the billing service.",
        category="task_context",
        status="pending_confirmation",
    ),
    fact(
        LANGUAGE,
        "language",
        "Wanted answers in German.",
        category="soft_preference",
        status="expired",
        valid_to="2025-10-05T12:00:00Z",
        updated_at="2025-10-05T12:00:00Z",
    ),
)
ARCHIVED = (
    fact(GONE, "editor", "Used Emacs.", status="superseded", valid_from="2024-01-01"),
    fact(OLD_CITY, "home_city", "Lived in Porto once.", status="superseded"),
)
PLAIN_HISTORY = (
    "CREATE TABLE fact_history (history_id INTEGER PRIMARY KEY AUTOINCREMENT, fact_id TEXT NOT NULL,"
    " user_id TEXT NOT NULL, key TEXT, action TEXT NOT NULL, old_value TEXT, new_value TEXT, reason TEXT,"
    " turn_id TEXT, created_at TEXT NOT NULL)"
)
HISTORY_ROW = {
    "fact_id": OLD_CITY,
    "user_id": "mira",
    "key": "home_city",
    "action": "supersede",
    "old_value": "Lives in Porto.",
    "new_value": "Lives in Lisbon since the spring.",
    "reason": "moved",
    "turn_id": "turn-7",
    "created_at": "2025-10-01T08:00:00Z",
}
# The history table of another maker, whose triggers allow no change.
IMMUTABLE_HISTORY = (
    "CREATE TABLE fact_history (id TEXT PRIMARY KEY, fact_id TEXT NOT NULL, change_type TEXT NOT NULL"
    " CHECK (change_type IN ('UPDATE', 'EXPIRE', 'SUPERSEDE')), old_status TEXT, new_status TEXT,"
    " old_value_text TEXT, new_value_text TEXT, snapshot TEXT NOT NULL, changed_at REAL NOT NULL,"
    " weight INTEGER NOT NULL)"
)
IMMUTABLE_TRIGGERS = (
    "CREATE TRIGGER history_stays BEFORE DELETE ON fact_history BEGIN"
    " SELECT RAISE(ABORT, 'fact_history is immutable'); END",
    "CREATE TRIGGER history_is_fixed BEFORE UPDATE ON fact_history BEGIN"
    " SELECT RAISE(ABORT, 'fact_history is immutable'); END",
)
# The search index: over the table of facts, or with texts of its own that triggers or a job maintain.
EXTERNAL_FTS = (
    "CREATE VIRTUAL TABLE facts_fts USING fts5(key, value_text, content='facts', content_rowid='rowid')",
    "CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN INSERT INTO facts_fts(rowid, key, value_text)"
    " VALUES (new.rowid, new.key, new.value_text); END",
    "CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN INSERT INTO facts_fts(facts_fts, rowid, key,"
    " value_text) VALUES ('delete', old.rowid, old.key, old.value_text); END",
    "CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN INSERT INTO facts_fts(facts_fts, rowid, key,"
    " value_text) VALUES ('delete', old.rowid, old.key, old.value_text);"
    " INSERT INTO facts_fts(rowid, key, value_text) VALUES (new.rowid, new.key, new.value_text); END",
)
OWN_FTS = (
    "CREATE VIRTUAL TABLE facts_fts USING fts5(fact_id UNINDEXED, user_id UNINDEXED, key, value_text)",
    "CREATE TRIGGER f1 AFTER INSERT ON facts BEGIN INSERT INTO facts_fts VALUES (new.fact_id, new.user_id,"
    " new.key, new.value_text); END",
    "CREATE TRIGGER f2 AFTER DELETE ON facts BEGIN DELETE FROM facts_fts WHERE fact_id = old.fact_id; END",
    "CREATE TRIGGER f3 AFTER UPDATE ON facts BEGIN UPDATE facts_fts SET key = new.key,"
    " value_text = new.value_text WHERE fact_id = old.fact_id; END",
)
JOB_FTS = (OWN_FTS[0],)


def make(
    path: Path,
    facts: Iterable[Mapping[str, Any]] = FACTS,
    *,
    columns: Mapping[str, str] = COLUMNS,
    search: Iterable[str] = EXTERNAL_FTS,
    history: str = PLAIN_HISTORY,
    history_rows: Iterable[Mapping[str, Any]] = (HISTORY_ROW,),
    archive: str = "facts_archive",
    archived: Iterable[Mapping[str, Any]] = ARCHIVED,
    statements: Iterable[str] = (),
    journal: str = "wal",
    options: str = "",
) -> Path:
    """Make a mem-skill database at `path`; with an empty `history` or `archive` it lacks that table."""
    with new_database(path, "facts", columns, journal, options) as connection:
        for name in ("user_id", "key", "status", "valid_to", "updated_at"):
            if name in columns:
                connection.execute(f"CREATE INDEX idx_{name} ON facts ({name})")
        for statement in search:
            connection.execute(statement)
        for row in facts:
            insert(connection, "facts", row)
        if history:
            connection.execute(history)
            for row in history_rows:
                insert(connection, "fact_history", row)
        if archive:
            names = ", ".join(f'"{name}"' for name in (*COLUMNS, "archived_at"))
            connection.execute(f"CREATE TABLE {archive} ({names})")
            for row in archived:
                insert(connection, archive, {**row, "archived_at": "2025-10-02T00:00:00Z"})
        for statement in statements:
            connection.execute(statement)
    return path


def fts_keys(path: Path, word: str) -> set[str]:
    """Return the keys of the facts that the store's own search index finds."""
    rows = query(path, "SELECT key FROM facts_fts WHERE facts_fts MATCH ?", word)
    return {str(key) for (key,) in rows}


def rows_in(path: Path) -> dict[str, dict[Any, dict[str, tuple[str, Any]]]]:
    """Return every value of every table with its type, as `stores.rows_in` does, full-text tables included.

    Rows of tables without a rowid are keyed by their position.
    """
    connection = apsw.Connection(str(path))
    out: dict[str, dict[Any, dict[str, tuple[str, Any]]]] = {}
    try:
        tables: list[tuple[Any, ...]] = connection.execute(
            "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')"
            " AND name <> 'sqlite_schema'"
        ).fetchall()
        for table, without_rowid in tables:
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            selected = ", ".join(f'typeof("{name}"), "{name}"' for name in columns)
            key = "row_number() OVER ()" if without_rowid else "rowid"
            out[table] = {
                rowid: dict(zip(columns, zip(values[::2], values[1::2], strict=True), strict=True))
                for rowid, *values in connection.execute(f'SELECT {key}, {selected} FROM "{table}"')
            }
    finally:
        connection.close()
    return out
