"""What each finding of the reader means (S-91)."""

from __future__ import annotations

MEANINGS = {
    "no-memory": "It is no memory, and agents that look through the folder pass over it.",
    "no-pattern": "Agents are given the pattern alone, so they get nothing of this memory.",
    "long-pattern": "Base Coat takes patterns of 200 characters at most, so agents may get it cut off.",
    "no-subject": "Agents look shared memories up by subject and do not find this one.",
    "odd-subject": "Agents that go by its subject look for it in another place.",
    "doubled-subject": "Agents that go by this subject find only one of them.",
    "odd-category": "Agents that ask by category do not find it.",
    "low-confidence": "Base Coat shares memories from a confidence of 0.75; a sync may leave this one out.",
    "odd-confidence": "Base Coat cannot tell whether it is sure enough to be shared.",
    "odd-time": "Its age is not known, so nobody is told when it gets stale.",
    "too-deep": "Agents look for domain/subject.md and pass over it; memtui neither shows nor changes it.",
    "stale": "Base Coat takes what nobody validated for 180 days as stale; confirming it here says that it"
    " still holds.",
    "link": "memtui reads what it leads to at most, and writes nothing there.",
    "unreadable": "Neither you nor agents that run as you are told what it says.",
    "read-only": "memtui shows it and changes nothing in it; agents may fail to read it.",
    "doubled": "memtui tells them apart by number; agents may take the one for the other.",
    "unclosed-head": "Agents take the whole file for its head, or for its text.",
    "big-head": "Agents may not read the head, and so not know what the memory is about.",
    "tabs": "YAML knows no tabs, so agents may not read the head at all.",
    "list-head": "Agents find no subject, category or confidence in it.",
    "odd-head": "Agents may not read the head at all.",
    "double-key": "Agents take the one or the other of the two values.",
    "alias": "Agents may read another value than you see here.",
}
GRAVE = frozenset({"no-pattern", "unclosed-head"})
