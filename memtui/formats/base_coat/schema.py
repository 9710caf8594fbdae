"""The tables of Base Coat's database, and what their columns may hold (FORMATS 4)."""

from __future__ import annotations

from typing import Any

from memtui.formats.media.sqlite.row_reader import Rows

CATEGORIES = ("fact", "preference", "decision", "convention")
TIERS = ("l0", "l1", "l2", "l3", "l4")
KINDS = ("supports", "contradicts", "refines")
ROWS = Rows("memories", "id")
RELATIONS = "memory_relations"
MARKS = frozenset({"id", "category", "subject", "content", "confidence", "created_at", "access_count"})
FOUNDER_OS = frozenset({"key", "source_plugin", "status"})  # whose table has the same name
ENDS = frozenset({"from_id", "to_id", "relation_type"})
KNOWN = tuple(
    "id category subject content source confidence created_at updated_at last_accessed access_count"
    " expires_at tier heat pinned promotion_count".split()
)
ASIDE = frozenset({"embedding"})  # neither shown nor kept
# What a change may set, and what else a new row can: field → column. Older files lack some.
SET = {
    name: name
    for name in "content category subject confidence expires_at tier pinned promotion_count".split()
}
REMADE = {
    "ref": "id",
    "source_ref": "source",
    "created_at": "created_at",
    "last_used_at": "last_accessed",
    "times_used": "access_count",
}
# Agents change these as they go.
LOOSE = tuple(
    "access_count last_accessed heat updated_at tier promotion_count last_promoted_at embedding".split()
)
START = 1.0  # the confidence that a memory begins with
# What each finding of the reader means.
MEANINGS = {
    "bad-utf8": "Base Coat may show this text with wrong characters; editing it here writes it cleanly.",
    "no-id": "Agents cannot update or forget it, since they do that by id.",
    "doubled-id": "An agent that updates or forgets the one does so to the other, too.",
    "odd-content": "An agent may read it otherwise than you see it here; editing it makes it plain text.",
    "odd-category": "A recall that asks by category does not find it.",
    "odd-tier": "Nothing moves it up or down between tiers.",
    "odd-heat": "Agents may look for it too late or too early, since heat is how often it was used.",
    "odd-pinned": "Base Coat may not take it for pinned, or for one that is not.",
    "odd-confidence": "Base Coat ranks memories by confidence, so agents may see it too late or too early.",
    "odd-time": "Its age is not known, so it may stand at the wrong place in lists by time.",
    "dangling": "Nothing follows from them any more; recall passes over them.",
    "odd-relation": "Base Coat acts on no relation of this kind; here it is shown as it is.",
    "self-relation": "Nothing follows from it; one that contradicts itself may be held back from agents.",
}


# What a store that memtui makes begins with.
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


def text_of(value: Any) -> str:
    """Any value of a column as text; empty where there is none."""
    if value is None:
        return ""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
