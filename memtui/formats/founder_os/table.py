"""The columns of Founder OS's `memories`, and what they may hold (FORMATS 1)."""

from __future__ import annotations

from memtui.formats.rows import Rows

CATEGORIES = ("preference", "pattern", "fact", "contact", "workflow")
STATUSES = ("candidate", "confirmed", "applied", "dismissed")
KEY_LENGTH = 60
ROWS = Rows("memories", "id")
MARKS = frozenset({"id", "key", "category", "content", "source_plugin", "confidence", "status"})
KNOWN = tuple(
    "id key category content source_plugin confidence status company_id tags times_used times_confirmed"
    " created_at updated_at last_used_at expires_at notion_page_id last_synced_at deleted_at".split()
)
ASIDE = frozenset({"embedding"})  # neither shown nor kept
SET = tuple("content category key tags company_id expires_at confidence times_confirmed status".split())
LOOSE = ("times_used", "last_used_at", "updated_at")  # agents change these as they go
# What each finding of the reader means.
MEANINGS = {
    "bad-utf8": "Founder OS may show this text with wrong characters; editing it here writes it cleanly.",
    "doubled-key": "Founder OS looks memories up by key and finds only one of the two.",
    "missing-table": "memtui needs nothing of it; memories are read and written all the same.",
    "dangling": "Nothing acts on them any more; Founder OS passes over them.",
    "odd-time": "Its age is not known, so it may stand at the wrong place in lists by time.",
    "odd-content": "An agent may read it otherwise than you see it here; editing it makes it plain text.",
    "no-key": "Founder OS cannot look it up, so agents meet it only by a search for its meaning.",
    "odd-category": "A plugin that asks by category does not find it.",
    "odd-status": "Founder OS gives agents only confirmed and applied memories, so they do not see this one.",
    "odd-tags": "A plugin that asks by tag does not find it.",
    "odd-confidence": "Founder OS orders memories by confidence, so agents may see it too late or too early.",
}

# What a store that memtui makes begins with.
SCHEMA = (
    """CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL CHECK (category IN ('preference', 'pattern', 'fact', 'contact', 'workflow')),
    content TEXT NOT NULL,
    source_plugin TEXT NOT NULL,
    company_id TEXT,
    tags TEXT,
    embedding TEXT,
    confidence INTEGER NOT NULL DEFAULT 50 CHECK (confidence >= 0 AND confidence <= 100),
    status TEXT NOT NULL DEFAULT 'candidate'
        CHECK (status IN ('candidate', 'confirmed', 'applied', 'dismissed')),
    times_used INTEGER NOT NULL DEFAULT 0,
    times_confirmed INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    notion_page_id TEXT,
    last_synced_at INTEGER,
    deleted_at INTEGER
)""",
    """CREATE TABLE observations (
    id TEXT PRIMARY KEY, plugin TEXT NOT NULL, action TEXT NOT NULL, context TEXT,
    observed_at INTEGER NOT NULL
)""",
    """CREATE TABLE adaptations (
    id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories (id), plugin TEXT NOT NULL,
    description TEXT NOT NULL, applied_at INTEGER NOT NULL, reverted_at INTEGER
)""",
    "CREATE INDEX idx_memories_status ON memories (status)",
    "CREATE INDEX idx_memories_company ON memories (company_id)",
    "CREATE INDEX idx_adaptations_memory ON adaptations (memory_id)",
)
