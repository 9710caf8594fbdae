"""Base Coat databases, built from the facts of the schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.support.stores.databases import insert, new_database

OLD_COLUMNS = {
    "id": "TEXT PRIMARY KEY",
    "category": "TEXT NOT NULL",
    "subject": "TEXT NOT NULL",
    "content": "TEXT NOT NULL",
    "source": "TEXT",
    "confidence": "REAL DEFAULT 1.0",
    "created_at": "TEXT NOT NULL",
    "last_accessed": "TEXT",
    "access_count": "INTEGER DEFAULT 0",
    "expires_at": "TEXT",
}
COLUMNS = OLD_COLUMNS | {
    "tier": "TEXT DEFAULT 'l4'",
    "heat": "TEXT DEFAULT 'cold'",
    "pinned": "INTEGER DEFAULT 0",
    "promotion_count": "INTEGER DEFAULT 0",
    "last_promoted_at": "TEXT",
}
EMBEDDED_COLUMNS = COLUMNS | {"embedding": "BLOB", "updated_at": "TEXT"}
# The same columns without types or constraints, as other tools create them.
UNTYPED_COLUMNS = dict.fromkeys(EMBEDDED_COLUMNS, "")

TESTS, FEED, SQLITE, TABS, OLD = "mem-tests", "mem-feed", "mem-sqlite", "mem-tabs", "mem-old"

MEMORIES: tuple[dict[str, Any], ...] = (
    {
        "id": TESTS,
        "category": "convention",
        "subject": "testing",
        "content": "Run pwsh tests/run-tests.ps1 before merge.",
        "source": "docs/CONTRIBUTING.md",
        "confidence": 0.9,
        "created_at": "2026-01-10T08:00:00Z",
        "last_accessed": "2026-03-01T09:30:00Z",
        "access_count": 12,
        "tier": "l1",
        "heat": "hot",
        "pinned": 1,
        "promotion_count": 2,
        "last_promoted_at": "2026-02-20T10:00:00Z",
    },
    {
        "id": FEED,
        "category": "fact",
        "subject": "error-kb",
        "content": "dotnet restore may fail until private feed auth is refreshed.",
        "source": "PostToolUse:powershell",
        "confidence": 0.65,
        "created_at": "2026-02-01T12:00:00+00:00",
        "last_accessed": "2026-02-03T12:00:00+00:00",
        "access_count": 3,
        "expires_at": "2027-02-01T12:00:00+00:00",
        "tier": "l4",
        "heat": "warm",
    },
    {
        "id": SQLITE,
        "category": "decision",
        "subject": "current_project",
        "content": "Adopt SQLite for durable local memory.",
        "source": "session_end",
        "confidence": 1.0,
        "created_at": "2026-02-11 07:15:00",
        "tier": "l2",
        "heat": "cold",
    },
    {
        "id": TABS,
        "category": "preference",
        "subject": "style",
        "content": "Indent with tabs.",
        "confidence": 0.4,
        "created_at": "2026-02-12T07:15:00.250Z",
        "tier": "l4",
        "heat": "cold",
    },
    {
        "id": OLD,
        "category": "preference",
        "subject": "style",
        "content": "Indent with two blanks.",
        "confidence": 0.0,
        "created_at": "2025-02-12T07:15:00Z",
        "tier": "l4",
        "heat": "cold",
    },
)
RELATIONS = (
    (TESTS, FEED, "supports"),
    (SQLITE, TESTS, "refines"),
    (TABS, OLD, "contradicts"),
)


def make(
    path: Path,
    memories: Iterable[Mapping[str, Any]] = MEMORIES,
    *,
    columns: Mapping[str, str] = COLUMNS,
    relations: Iterable[tuple[Any, Any, Any]] | None = RELATIONS,
    journal: str = "wal",
) -> Path:
    """Make a Base Coat database at `path`; `relations=None` leaves out the table of relations."""
    with new_database(path, "memories", columns, journal) as connection:
        connection.execute("CREATE INDEX idx_memories_subject ON memories (subject)")
        connection.execute("BEGIN")
        for memory in memories:
            insert(connection, "memories", {name: value for name, value in memory.items() if name in columns})
        connection.execute("COMMIT")
        if relations is not None:
            connection.execute(
                "CREATE TABLE memory_relations (from_id TEXT NOT NULL, to_id TEXT NOT NULL,"
                " relation_type TEXT, PRIMARY KEY (from_id, to_id))"
            )
            connection.executemany("INSERT INTO memory_relations VALUES (?, ?, ?)", relations)
    return path


def many(count: int) -> list[dict[str, Any]]:
    """Return `count` plain memories."""
    return [
        {
            "id": f"m{number:05}",
            "category": "fact",
            "subject": f"topic-{number % 7}",
            "content": f"Number {number} of the plain things that agents noted.",
            "confidence": 0.5,
            "created_at": "2026-01-10T08:00:00Z",
            "tier": "l4",
            "heat": "cold",
        }
        for number in range(count)
    ]
