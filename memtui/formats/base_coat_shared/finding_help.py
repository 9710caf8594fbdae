"""What each finding of the reader means (S-91)."""

from __future__ import annotations

MEANINGS = {
    "no-memory": "Agents that read the folder skip it.",
    "no-pattern": "Agents only get the pattern, so they get nothing from this memory.",
    "long-pattern": "Base Coat allows at most 200 characters, so agents may get a truncated pattern.",
    "no-subject": "Agents look up shared memories by subject, so they don't find this one.",
    "odd-subject": "Agents that look it up by subject look in the wrong place.",
    "doubled-subject": "Agents that look up this subject find only one of them.",
    "odd-category": "Agents that filter by category don't find it.",
    "low-confidence": "Base Coat shares memories with at least 0.75 confidence; a sync may skip this one.",
    "odd-confidence": "Base Coat can't tell whether it is reliable enough to share.",
    "odd-time": "Its age is unknown, so it is never reported as stale.",
    "too-deep": "Agents only read domain/subject.md. memtui neither shows nor changes anything deeper.",
    "stale": "Base Coat calls a memory stale after 180 days. If it still holds, confirm it here.",
    "link": "memtui may read the link's target but never writes to it.",
    "unreadable": "Neither you nor agents that run as you can read it.",
    "read-only": "memtui shows it but never changes it; agents may fail to read it.",
    "doubled": "memtui numbers them to tell them apart; agents may mix them up.",
    "unclosed-head": "Agents may read the whole file as front matter, or all of it as text.",
    "big-head": "Agents may skip the front matter and not know what the memory is about.",
    "tabs": "YAML doesn't allow tabs, so agents may fail to read the front matter.",
    "list-head": "Agents find no subject, category or confidence in it.",
    "odd-head": "Agents may fail to read the front matter. memtui never rewrites it.",
    "double-key": "Agents may use either of the two values.",
    "alias": "Agents may read a different value than you see here.",
}
GRAVE = frozenset({"no-pattern", "unclosed-head"})
