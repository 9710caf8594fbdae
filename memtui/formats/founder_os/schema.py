"""The columns of Founder OS's `memories`, the values they may hold (FORMATS 1), and the schema of a new
store."""

from __future__ import annotations

from memtui.formats.media.sqlite.row_reader import Rows

CATEGORIES = ("preference", "pattern", "fact", "contact", "workflow")
STATUSES = ("candidate", "confirmed", "applied", "dismissed")
KEY_LENGTH = 60
ROWS = Rows("memories", "id")
REQUIRED_COLUMNS = frozenset({"id", "key", "category", "content", "source_plugin", "confidence", "status"})
READ_COLUMNS = tuple(
    "id key category content source_plugin confidence status company_id tags times_used times_confirmed"
    " created_at updated_at last_used_at expires_at notion_page_id last_synced_at deleted_at".split()
)
OMITTED_COLUMNS = frozenset({"embedding"})  # neither shown nor kept
EDITABLE_COLUMNS = tuple(
    "content category key tags company_id expires_at confidence times_confirmed status".split()
)
VOLATILE_COLUMNS = ("times_used", "last_used_at", "updated_at")  # agents set these whenever they read

# A new store has the tables and indexes of Founder OS's own SQL, under the same names, so that applying that
# SQL to it changes nothing. Columns that its plugins may leave out have a default, or may be null.
_INDEXES = {
    "idx_memories_category": "memories (category)",
    "idx_memories_status": "memories (status)",
    "idx_memories_company_id": "memories (company_id) WHERE company_id IS NOT NULL",
    "idx_memories_category_status": "memories (category, status)",
    "idx_memories_expires_at": "memories (expires_at) WHERE expires_at IS NOT NULL",
    "idx_memories_last_used_at": "memories (last_used_at) WHERE last_used_at IS NOT NULL",
    "idx_memories_source_plugin": "memories (source_plugin) WHERE source_plugin IS NOT NULL",
    "idx_observations_plugin": "observations (plugin)",
    "idx_observations_plugin_time": "observations (plugin, observed_at)",
    "idx_adaptations_memory_id": "adaptations (memory_id) WHERE memory_id IS NOT NULL",
    "idx_adaptations_active": "adaptations (plugin, reverted_at) WHERE reverted_at IS NULL",
}
SCHEMA = (
    f"""CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL CHECK (category IN {CATEGORIES}),
    content TEXT NOT NULL,
    source_plugin TEXT,
    confidence INTEGER DEFAULT 0 CHECK (confidence >= 0 AND confidence <= 100),
    status TEXT DEFAULT 'candidate' CHECK (status IN {STATUSES}),
    company_id TEXT,
    tags TEXT,
    embedding TEXT,
    times_used INTEGER DEFAULT 0,
    times_confirmed INTEGER DEFAULT 0,
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
    id TEXT PRIMARY KEY, memory_id TEXT REFERENCES memories (id), plugin TEXT NOT NULL,
    description TEXT NOT NULL, applied_at INTEGER NOT NULL, reverted_at INTEGER
)""",
    *(f"CREATE INDEX {name} ON {of}" for name, of in _INDEXES.items()),
)
