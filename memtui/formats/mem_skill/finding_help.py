"""What each finding of the reader means (S-91)."""

from __future__ import annotations

MEANINGS = {
    "bad-utf8": "mem-skill may show this text with wrong characters. Editing it here fixes the encoding.",
    "no-id": "mem-skill identifies facts by id, so it can't update, supersede or expire just this one.",
    "no-key": "Agents that upsert by key miss it and may store the same fact again.",
    "odd-content": "Agents may read it differently than shown here. Editing it makes it plain text.",
    "odd-category": "The profile that agents get has no section for it, so they may not see it.",
    "odd-status": "Agents get only active and pending facts, so they don't see this one.",
    "odd-confidence": "Agents weigh facts by confidence, so this one may count too little or too much.",
    "odd-time": "Its age or validity is unknown, so it may be out of order when sorted by date.",
    "odd-json": "Agents that parse the value fail or skip it; its text is still used.",
    "odd-validity": "It is never valid, so agents that check validity never use it.",
    "two-values": "Agents get all of these values and may believe any of them. Replace the wrong ones.",
    "no-history": "You can still make changes. memtui records them, but the store itself doesn't.",
    "dangling-history": "Nothing is lost; only the audit log still mentions these facts.",
    "no-search": "Agents' text search finds nothing here; their semantic search may still work.",
    "search-behind": "Text search misses facts or finds old text until mem-skill rebuilds the index.",
    "search-trap": "memtui won't change text here: the store's own trigger would damage its search index.",
}
GRAVE = frozenset({"search-behind"})
