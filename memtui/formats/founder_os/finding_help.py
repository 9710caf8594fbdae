"""What each finding of the reader means for the user or the agent (S-91)."""

from __future__ import annotations

MEANINGS = {
    "bad-utf8": "Founder OS may show this text with wrong characters. Editing it here fixes the encoding.",
    "doubled-key": "Founder OS looks up memories by key and finds only one of them.",
    "missing-table": "memtui doesn't need it and can still read and change the memories.",
    "dangling": "They no longer have any effect; Founder OS ignores them.",
    "odd-time": "Its age is unknown, so it may be out of order when sorted by date.",
    "odd-content": "Agents may read it differently than shown here. Editing it makes it plain text.",
    "no-key": "Founder OS can't look it up, so agents find it only through semantic search.",
    "odd-category": "Plugins that filter by category don't find it.",
    "odd-status": "Founder OS gives agents only confirmed and applied memories, so they don't see this one.",
    "odd-tags": "Plugins that filter by tag don't find it.",
    "odd-confidence": "Founder OS ranks memories by confidence, so this one may rank too low or too high.",
}
