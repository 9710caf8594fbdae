"""What each finding of the reader means (S-91)."""

from __future__ import annotations

_LOST = "Agents cannot read this memory; it is left as it is until it is mended by hand."
_ONE_WINS = "A reader takes the last of them; memtui shows that one and does not write into the file."
MEANINGS = {
    "bad-json": _LOST,
    "no-object": _LOST,
    "no-minion": "It is passed over; only files with id, minionTypeId and fields are minions.",
    "no-fields": "What it was to say is missing, so agents are told nothing by it.",
    "unknown-type": "Minions of other toolboxes are left alone; they are no memories.",
    "odd-place": "An agent that asks for it by its id looks elsewhere and does not find it.",
    "odd-id": "An agent that goes by the file's name and one that goes by its id mean different minions.",
    "odd-confidence": "Agents rank memories by confidence, so they may see this one too early or too late.",
    "odd-time": "Its age is not known, so it may stand at the wrong place in lists by time.",
    "odd-text": "An agent may read it otherwise than you see it here; editing it makes it plain text.",
    "odd-tags": "An agent that asks by tag does not find it.",
    "double-key": _ONE_WINS,
    "no-index": "A recall that goes by the index does not find this memory; editing it here makes one.",
    "stale-index": "A recall may go by words or a vector of what it said before.",
    "dangling-index": "A recall may find this index and then no memory behind it.",
    "dangling": "Nothing acts on it any more; it is kept as it is.",
    "doubled-key": "Agents are told two things under one name; one of them is probably out of date.",
    "leftover": "A write was cut off here; the memory itself stands as it was before, or not at all.",
}
GRAVE = frozenset({"bad-json", "no-object", "no-fields", "leftover"})
