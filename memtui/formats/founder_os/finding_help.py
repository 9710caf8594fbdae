"""What each finding of the reader means for the user or the agent (S-91)."""

from __future__ import annotations

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
