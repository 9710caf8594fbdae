"""What each finding of the reader means (S-91)."""

from __future__ import annotations

_LOST = "Agents can't read this memory, and memtui won't change the file; fix it by hand."
_ONE_WINS = "Readers use the last value; memtui shows it and doesn't write to the file."
MEANINGS = {
    "bad-json": _LOST,
    "no-object": _LOST,
    "no-minion": "The file is skipped: a minion needs an id, a minionTypeId and fields.",
    "no-fields": "The content is missing, so agents learn nothing from it.",
    "unknown-type": "memtui skips minions of other toolboxes; they are not memories.",
    "odd-place": "An agent that looks it up by id searches elsewhere and doesn't find it.",
    "odd-id": "Looking it up by file name and by id leads to different minions.",
    "odd-confidence": "Agents rank memories by confidence, so this one may be ranked too high or too low.",
    "odd-time": "Its age is unknown, so it may be out of order in lists sorted by time.",
    "odd-text": "Agents may read it differently from what is shown here; editing it makes it plain text.",
    "odd-tags": "Agents that search by tag don't find it.",
    "double-key": _ONE_WINS,
    "no-index": "Agents that recall through the index don't find this memory; "
    "editing it here adds an index entry.",
    "stale-index": "Agents may find this memory by its old text but not by its new one.",
    "dangling-index": "Agents may find this index entry, but the memory behind it is gone.",
    "dangling": "Harmless: nothing uses it anymore. It is kept unchanged.",
    "doubled-key": "Agents get two memories under the same key; one of them is probably out of date.",
    "leftover": "A write was interrupted: the memory still has its old content, or was never created.",
}
GRAVE = frozenset({"bad-json", "no-object", "no-fields", "leftover"})
