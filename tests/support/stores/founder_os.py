"""Founder OS databases, built from the facts of the schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.support.stores.databases import insert, new_database

SEED_COLUMNS = {
    "id": "TEXT PRIMARY KEY",
    "key": "TEXT NOT NULL UNIQUE",
    "category": "TEXT NOT NULL CHECK (category IN ('preference','pattern','fact','contact','workflow'))",
    "content": "TEXT NOT NULL",
    "source_plugin": "TEXT",
    "confidence": "INTEGER DEFAULT 0 CHECK (confidence BETWEEN 0 AND 100)",
    "status": "TEXT DEFAULT 'candidate' CHECK (status IN ('candidate','confirmed','applied','dismissed'))",
    "company_id": "TEXT",
    "tags": "TEXT",
    "embedding": "TEXT",
    "times_used": "INTEGER DEFAULT 0",
    "times_confirmed": "INTEGER DEFAULT 0",
    "created_at": "INTEGER NOT NULL",
    "updated_at": "INTEGER NOT NULL",
    "last_used_at": "INTEGER",
}
SHIPPED_COLUMNS = SEED_COLUMNS | {
    "expires_at": "INTEGER",
    "notion_page_id": "TEXT",
    "last_synced_at": "INTEGER",
    "deleted_at": "INTEGER",
}
# The same columns without types or constraints, as other tools create them.
UNTYPED_COLUMNS = dict.fromkeys(SHIPPED_COLUMNS, "")

ACME = "0a" * 16
NEWS = "0b" * 16
FRIDAY = "0c" * 16
JOHN = "0d" * 16
REVIEW = "0e" * 16

MEMORIES: tuple[dict[str, Any], ...] = (
    {
        "id": ACME,
        "key": "acme-payment-terms",
        "category": "fact",
        "content": "Acme Corp pays invoices on net-30 terms.",
        "source_plugin": "P11",
        "confidence": 85,
        "status": "applied",
        "company_id": "notion-acme",
        "tags": '["invoices","payment"]',
        "embedding": "[0.021, -0.134, 0.876]",
        "times_used": 7,
        "times_confirmed": 3,
        "created_at": 1_760_000_000,
        "updated_at": 1_761_000_000,
        "last_used_at": 1_762_000_000,
    },
    {
        "id": NEWS,
        "key": "user-pref-newsletter-archive",
        "category": "preference",
        "content": "Always archive newsletters.",
        "source_plugin": "User",
        "confidence": 50,
        "status": "candidate",
        "created_at": 1_760_500_000,
        "updated_at": 1_760_500_000,
    },
    {
        "id": FRIDAY,
        "key": "friday-follow-ups",
        "category": "pattern",
        "content": "Sends follow-ups on Friday afternoons.",
        "source_plugin": "pattern-detection",
        "confidence": 65,
        "status": "confirmed",
        "tags": '["email", "rhythm"]',
        "embedding": "[0.5, 0.5, 0.5]",
        "times_confirmed": 1,
        "created_at": 1_760_600_000,
        "updated_at": 1_760_600_000,
    },
    {
        "id": JOHN,
        "key": "john-prefers-slack",
        "category": "contact",
        "content": "John prefers Slack over email.",
        "source_plugin": "P21",
        "confidence": 20,
        "status": "dismissed",
        "created_at": 1_760_700_000,
        "updated_at": 1_760_700_000,
    },
    {
        "id": REVIEW,
        "key": "weekly-review",
        "category": "workflow",
        "content": "Weekly review always starts with email triage.",
        "source_plugin": "System",
        "confidence": 40,
        "status": "candidate",
        "created_at": 1_760_800_000,
        "updated_at": 1_760_800_000,
    },
)
ADAPTATION = {
    "id": "ad01",
    "memory_id": ACME,
    "plugin": "P11",
    "description": "Now drafting reminders on day 31.",
    "applied_at": 1_761_500_000,
    "reverted_at": None,
}
OBSERVATION = {
    "id": "ob01",
    "plugin": "P21",
    "action": "archived a newsletter",
    "context": '{"from": "tech-daily"}',
    "observed_at": 1_760_400_000,
}


def make(
    path: Path,
    memories: Iterable[Mapping[str, Any]] = MEMORIES,
    *,
    columns: Mapping[str, str] = SHIPPED_COLUMNS,
    adaptations: Iterable[Mapping[str, Any]] = (ADAPTATION,),
    side_tables: bool = True,
    journal: str = "wal",
) -> Path:
    """Make a Founder OS database at `path`; without `side_tables` it has the table of memories alone."""
    with new_database(path, "memories", columns, journal) as connection:
        connection.execute("CREATE INDEX idx_memories_status ON memories (status)")
        if side_tables:
            connection.execute(
                "CREATE TABLE observations (id TEXT PRIMARY KEY, plugin, action, context, observed_at)"
            )
            connection.execute(
                "CREATE TABLE adaptations (id TEXT PRIMARY KEY, memory_id TEXT REFERENCES memories (id),"
                " plugin, description, applied_at, reverted_at)"
            )
            insert(connection, "observations", OBSERVATION)
            for adaptation in adaptations:
                insert(connection, "adaptations", adaptation)
        for memory in memories:
            insert(connection, "memories", memory)
    return path
