"""What each finding of the reader means for the user or the agent (S-91)."""

from __future__ import annotations

_HEAD = "Cognitive Memory may read different values; memtui never edits such front matter."
_DERIVED = "Searches in Cognitive Memory use this file; memtui cognitive reindex rebuilds it."
MEANINGS = {
    "no-head": "Cognitive Memory skips the file, so agents don't get this memory.",
    "no-id": "Other memories can't be related to it, and its uses can't be counted.",
    "no-type": "Agents can't tell what kind of memory it is, and it decays like one of type general.",
    "no-title": "Lists and CORE.md have no title to show for it.",
    "odd-type": "Cognitive Memory has eleven types and leaves memories of any other type out of its lists.",
    "odd-folder": "Agents that look in the folder of its type don't find it.",
    "odd-name": "The file can't be found by its short id, and links from episodes may break.",
    "doubled": "Cognitive Memory keeps one of the two and loses the other.",
    "odd-number": "The nearest number from 0 to 1 is used, or the default.",
    "odd-time": "Its time is unknown, so the memory may be out of order and decay at the wrong time.",
    "dangling": "Agents that follow the relation find nothing.",
    "one-sided": "Agents that read the other memory don't see this relation.",
    "odd-relation": "The relation is kept unchanged, but Cognitive Memory may not understand it.",
    "dangling-edge": "It describes a relation to a memory that no longer exists.",
    "stray-edge": "No memory lists this relation, so agents never see its description.",
    "dangling-link": "Agents that follow the link find nothing; links in episodes are never changed.",
    "stale-index": _DERIVED,
    "broken-index": _DERIVED,
    "stale-core": "Agents start with outdated content; rebuild it with memtui cognitive core or reflect.",
    "broken-state": "Use counts are unknown, so memories decay as if they had never been used.",
    "stray-state": "Harmless: it only counts uses of memories that no longer exist.",
    "list-head": _HEAD,
    "odd-head": _HEAD,
    "double-key": _HEAD,
    "alias": _HEAD,
    "tabs": _HEAD,
    "unquoted": "The front matter is not valid YAML, so Cognitive Memory may read only part of it or none;"
    " editing it here adds the quotes.",
    "nul": "Cognitive Memory and search tools may treat the file as binary; fix it by hand.",
    "big-head": _HEAD,
    "unclosed-head": "The file may be truncated: all of it is front matter, so the memory has no text.",
}
GRAVE = frozenset({"no-head", "doubled", "unclosed-head", "broken-state"})
