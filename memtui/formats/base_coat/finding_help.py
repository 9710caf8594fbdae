"""What each finding of the reader means (S-91)."""

from __future__ import annotations

MEANINGS = {
    "bad-utf8": "Base Coat may show this text with wrong characters. Editing it here fixes the encoding.",
    "no-id": "Agents update and forget memories by id, so they can't change this one.",
    "doubled-id": "An agent that updates or forgets one of them also changes the other.",
    "odd-content": "Agents may read it differently than shown here. Editing it makes it plain text.",
    "odd-category": "Agents that filter by category don't find it.",
    "odd-tier": "Base Coat never promotes or demotes it.",
    "odd-heat": "Heat shows how often a memory is used, so agents may rank this one too low or too high.",
    "odd-pinned": "Base Coat may treat it as pinned when it isn't, or the other way around.",
    "odd-confidence": "Base Coat ranks memories by confidence, so this one may rank too low or too high.",
    "odd-time": "Its age is unknown, so it may be out of order when sorted by date.",
    "dangling": "They no longer have any effect; recall ignores them.",
    "odd-relation": "Base Coat ignores relations of this kind. memtui shows them unchanged.",
    "self-relation": "Usually harmless, but agents may not be given a memory that contradicts itself.",
}
