"""What each finding of the reader means for the user or the agent (S-91)."""

from __future__ import annotations

_HEAD = "Its own client may read the head otherwise than you see it; memtui never rewrites such a head."
_DERIVED = "Searches of its own client go by this file; memtui cognitive reindex rebuilds it."
MEANINGS = {
    "no-head": "Its own client passes over the file: agents do not get this memory.",
    "no-id": "Relations cannot lead to it, and its uses cannot be counted.",
    "no-type": "Agents cannot tell what kind of memory it is, and it fades as a general one.",
    "no-title": "Lists and CORE.md have nothing to show for it.",
    "odd-type": "Its own client knows eleven types; one of another type is left out of its lists.",
    "odd-folder": "Its type says that it belongs into another folder; agents that look there miss it.",
    "odd-name": "Its file is not found by the digits of its id, and links from episodes may go astray.",
    "doubled": "Its own client keeps one of the two and forgets the other.",
    "odd-number": "It counts as the nearest number from 0 to 1, or as not told.",
    "odd-time": "It cannot be told when this was, so sorting and fading go wrong.",
    "dangling": "Agents that follow the relation find nothing there.",
    "one-sided": "From the other end agents do not see this relation.",
    "odd-relation": "The relation is kept as it stands; its own client may not understand it.",
    "dangling-edge": "The description belongs to a relation of which a memory is gone.",
    "stray-edge": "No memory tells of this relation, so agents do not meet its description.",
    "dangling-link": "Agents that follow the link find nothing; an episode's stays as it is.",
    "stale-index": _DERIVED,
    "broken-index": _DERIVED,
    "stale-core": "Agents start from what is no longer so; memtui cognitive core and reflect rebuild it.",
    "broken-state": "How often memories were used is unknown, so they fade as new ones.",
    "stray-state": "Uses are counted for memories that are no longer there; it does no harm.",
    "list-head": _HEAD,
    "odd-head": _HEAD,
    "double-key": _HEAD,
    "alias": _HEAD,
    "tabs": _HEAD,
    "unquoted": "The head is no valid YAML: its own client may read less or none of it; an edit adds quotes.",
    "nul": "Its own client and searches take such a file for no text; mend it by hand.",
    "big-head": _HEAD,
    "unclosed-head": "The file was cut off, perhaps: all of it is taken for its head, and it has no text.",
}
GRAVE = frozenset({"no-head", "doubled", "unclosed-head", "broken-state"})
