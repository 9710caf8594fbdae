"""The tables of Base Coat's database, and what their columns may hold (FORMATS 4)."""

from __future__ import annotations

from memtui.formats.media.sqlite.row_reader import Rows
from memtui.values import SqlValue

CATEGORIES = ("fact", "preference", "decision", "convention")
TIERS = ("l0", "l1", "l2", "l3", "l4")
RELATION_KINDS = ("supports", "contradicts", "refines")
ROWS = Rows("memories", "id")
RELATIONS = "memory_relations"
REQUIRED_COLUMNS = frozenset(
    {"id", "category", "subject", "content", "confidence", "created_at", "access_count"}
)
FOUNDER_OS_COLUMNS = frozenset({"key", "source_plugin", "status"})  # Founder OS has a table of the same name
RELATION_COLUMNS = frozenset({"from_id", "to_id", "relation_type"})
KNOWN_COLUMNS = tuple(
    "id category subject content source confidence created_at updated_at last_accessed access_count"
    " expires_at tier heat pinned promotion_count".split()
)
HIDDEN_COLUMNS = frozenset({"embedding"})  # neither shown nor kept in `extra`
# Field → column: what a change may set, and what else a new row can. Older files lack some columns.
COLUMN_OF = {
    name: name
    for name in "content category subject confidence expires_at tier pinned promotion_count".split()
}
RESTORABLE = {
    "ref": "id",
    "source_ref": "source",
    "created_at": "created_at",
    "last_used_at": "last_accessed",
    "times_used": "access_count",
}
# Columns that agents change as they go.
VOLATILE_COLUMNS = tuple(
    "access_count last_accessed heat updated_at tier promotion_count last_promoted_at embedding".split()
)
INITIAL_CONFIDENCE = 1.0
# The statements that create a new store.
SCHEMA = (
    """CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    category TEXT NOT NULL,
    subject TEXT NOT NULL,
    content TEXT NOT NULL,
    source TEXT,
    confidence REAL DEFAULT 1.0,
    created_at TEXT NOT NULL,
    last_accessed TEXT,
    access_count INTEGER DEFAULT 0,
    expires_at TEXT,
    tier TEXT DEFAULT 'l4',
    heat TEXT DEFAULT 'cold',
    pinned INTEGER DEFAULT 0,
    promotion_count INTEGER DEFAULT 0,
    last_promoted_at TEXT
)""",
    """CREATE TABLE memory_relations (
    from_id TEXT NOT NULL,
    to_id TEXT NOT NULL,
    relation_type TEXT,
    PRIMARY KEY (from_id, to_id)
)""",
    "CREATE INDEX idx_memories_subject ON memories (subject)",
    "CREATE INDEX idx_memories_category ON memories (category)",
    "CREATE INDEX idx_memories_tier ON memories (tier)",
    "CREATE INDEX idx_memories_heat ON memories (heat)",
)


def text_of(value: SqlValue) -> str:
    """Return any value of a column as text; "" for NULL."""
    if value is None:
        return ""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
