"""What each finding of the reader means (S-91)."""

from __future__ import annotations

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
