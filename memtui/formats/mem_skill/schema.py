"""The columns of mem-skill's `facts`, their values, and its other tables (FORMATS 3)."""

from __future__ import annotations

from memtui.formats.media.sqlite.row_reader import Rows

FACTS, HISTORY = "facts", "fact_history"
ROWS = Rows(FACTS, "fact_id")
CATEGORIES = ("identity", "hard_preference", "soft_preference", "task_context", "health", "other")
# memtui's status for each status of the format.
STATUSES = {
    "active": "confirmed",
    "superseded": "superseded",
    "expired": "expired",
    "pending_confirmation": "pending",
}
# The format's status for each of memtui's.
STORED_STATUSES = {
    "candidate": "active",
    "confirmed": "active",
    "applied": "active",
    "pending": "pending_confirmation",
    "superseded": "superseded",
    "expired": "expired",
    "dismissed": "expired",
}
RETRIEVED = ("active", "pending_confirmation")  # statuses of the facts that agents are given
INITIAL_CONFIDENCE = 0.40  # of a fact that was mentioned once
REQUIRED_COLUMNS = frozenset({"fact_id", "user_id", "key", "value_text", "category", "confidence", "status"})
KNOWN_COLUMNS = tuple(
    "fact_id user_id key value_text value_json category confidence event_time valid_from valid_to status"
    " source_turn_id source_excerpt created_at updated_at".split()
)
# Field → column: what a change may set.
COLUMN_OF = {
    "content": "value_text",
    "value": "value_json",
    "key": "key",
    "category": "category",
    "confidence": "confidence",
    "status": "status",
    "valid_from": "valid_from",
    "valid_to": "valid_to",
}
TIME_COLUMNS = ("event_time", "valid_from", "valid_to", "created_at", "updated_at")
TEXT_COLUMNS = ("value_text", "value_json", "source_excerpt")  # what a purge erases
# Usual names of archives; any table with the columns below is one.
USUAL_ARCHIVES = ("archive", "facts_archive", "archived_facts", "fact_archive")
ARCHIVE_COLUMNS = frozenset({"fact_id", "key", "value_text"})

# The statements that create a new store.
SCHEMA = (
    """CREATE TABLE facts (
    fact_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    value_text TEXT NOT NULL,
    value_json TEXT,
    category TEXT NOT NULL CHECK (category IN
        ('identity', 'hard_preference', 'soft_preference', 'task_context', 'health', 'other')),
    confidence REAL NOT NULL CHECK (confidence >= 0.0 AND confidence <= 1.0),
    event_time TEXT,
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'superseded', 'expired', 'pending_confirmation')),
    source_turn_id TEXT NOT NULL,
    source_excerpt TEXT NOT NULL,
    embedding_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
)""",
    """CREATE TABLE fact_history (
    history_id TEXT PRIMARY KEY,
    fact_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    action TEXT NOT NULL,
    old_value TEXT,
    new_value TEXT,
    reason TEXT,
    turn_id TEXT,
    created_at TEXT NOT NULL
)""",
    """CREATE TABLE facts_archive (
    fact_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    value_text TEXT NOT NULL,
    value_json TEXT,
    category TEXT NOT NULL,
    confidence REAL NOT NULL,
    event_time TEXT,
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    status TEXT NOT NULL,
    source_turn_id TEXT NOT NULL,
    source_excerpt TEXT NOT NULL,
    embedding_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    archived_at TEXT NOT NULL
)""",
    "CREATE VIRTUAL TABLE facts_fts USING fts5"
    " (key, value_text, source_excerpt, content='facts', content_rowid='rowid')",
    """CREATE TRIGGER facts_fts_insert AFTER INSERT ON facts BEGIN
    INSERT INTO facts_fts (rowid, key, value_text, source_excerpt)
    VALUES (new.rowid, new.key, new.value_text, new.source_excerpt);
END""",
    """CREATE TRIGGER facts_fts_delete AFTER DELETE ON facts BEGIN
    INSERT INTO facts_fts (facts_fts, rowid, key, value_text, source_excerpt)
    VALUES ('delete', old.rowid, old.key, old.value_text, old.source_excerpt);
END""",
    """CREATE TRIGGER facts_fts_update AFTER UPDATE ON facts BEGIN
    INSERT INTO facts_fts (facts_fts, rowid, key, value_text, source_excerpt)
    VALUES ('delete', old.rowid, old.key, old.value_text, old.source_excerpt);
    INSERT INTO facts_fts (rowid, key, value_text, source_excerpt)
    VALUES (new.rowid, new.key, new.value_text, new.source_excerpt);
END""",
    "CREATE INDEX idx_facts_user_id ON facts (user_id)",
    "CREATE INDEX idx_facts_key ON facts (key)",
    "CREATE INDEX idx_facts_status ON facts (status)",
    "CREATE INDEX idx_facts_valid_to ON facts (valid_to)",
    "CREATE INDEX idx_facts_updated_at ON facts (updated_at)",
)
