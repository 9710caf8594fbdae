"""The columns of mem-skill's `facts`, what they may hold, and the tables beside it (FORMATS 3)."""

from __future__ import annotations

from memtui.formats.media.sqlite.row_reader import Rows

FACTS, HISTORY = "facts", "fact_history"
ROWS = Rows(FACTS, "fact_id")
CATEGORIES = ("identity", "hard_preference", "soft_preference", "task_context", "health", "other")
# What a status of the format means here.
STATUSES = {
    "active": "confirmed",
    "superseded": "superseded",
    "expired": "expired",
    "pending_confirmation": "pending",
}
# And back: what a memory's status is called there.
CALLED = {
    "candidate": "active",
    "confirmed": "active",
    "applied": "active",
    "pending": "pending_confirmation",
    "superseded": "superseded",
    "expired": "expired",
    "dismissed": "expired",
}
RETRIEVED = ("active", "pending_confirmation")  # what its agents are given
FIRST_MENTION = 0.40
MARKS = frozenset({"fact_id", "user_id", "key", "value_text", "category", "confidence", "status"})
KNOWN = tuple(
    "fact_id user_id key value_text value_json category confidence event_time valid_from valid_to status"
    " source_turn_id source_excerpt created_at updated_at".split()
)
# The fields that a change sets, and their columns.
SET = {
    "content": "value_text",
    "value": "value_json",
    "key": "key",
    "category": "category",
    "confidence": "confidence",
    "status": "status",
    "valid_from": "valid_from",
    "valid_to": "valid_to",
}
TIMES = ("event_time", "valid_from", "valid_to", "created_at", "updated_at")
# What holds a person's words in a row.
WORDS = ("value_text", "value_json", "source_excerpt")
# Names under which an archive is usually kept; any table with the same marks is one.
ARCHIVES = ("archive", "facts_archive", "archived_facts", "fact_archive")
ARCHIVE_MARKS = frozenset({"fact_id", "key", "value_text"})

# What each finding of the reader means.
MEANINGS = {
    "bad-utf8": "mem-skill may show this text with wrong characters; editing it here writes it cleanly.",
    "no-id": "mem-skill names facts by their id, so it cannot update, supersede or expire this one alone.",
    "no-key": "An agent that upserts by key does not meet it and may store the same fact again.",
    "odd-content": "An agent may read it otherwise than you see it here; editing it makes it plain text.",
    "odd-category": "The profile that agents are given has no slice for it, so they may not see it.",
    "odd-status": "Agents are given only active and pending facts, so they do not see this one.",
    "odd-confidence": "Agents weigh facts by confidence, so this one may count too much or too little.",
    "odd-time": "Its age or validity is not known, so it may stand at the wrong place in lists by time.",
    "odd-json": "An agent that reads the value as data fails on it or passes over it; its text still counts.",
    "odd-validity": "No moment lies within its validity, so an agent that checks it never uses the fact.",
    "two-values": "Agents are given both values and may believe either; supersede the one that is wrong.",
    "no-history": "Changes are made all the same, but the store itself keeps no line of them; memtui does.",
    "dangling-history": "Nothing is lost; only the audit still speaks of these facts.",
    "no-search": "An agent's search by words finds nothing here; its search by meaning may still work.",
    "search-behind": "An agent's search by words misses facts or finds old texts until its index is"
    " rebuilt by mem-skill's own job.",
    "search-trap": "memtui changes no text here, since the store's own trigger would damage its search.",
}

# What a store that memtui makes begins with.
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
