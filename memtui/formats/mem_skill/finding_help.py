"""What each finding of the reader means (S-91)."""

from __future__ import annotations

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
GRAVE = frozenset({"search-behind"})
