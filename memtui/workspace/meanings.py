"""What a finding of a store's reader means for the agent or the person, in one plain sentence."""

from __future__ import annotations

from memtui.formats.base import Adapter

_ANY = {
    "unreadable": "What it says is missing in memtui; agents of the same user cannot read it either.",
    "link": "memtui writes through no link, so that nothing outside the store is changed.",
    "read-only": "memtui shows it and changes nothing in it; an agent may still do so.",
    "past-expiry": "Its own system takes it away when it next runs; until then agents may be given it.",
    "doubled": "Only one of the two can be changed from here.",
    "loop": "None of them is the one that holds, so agents that look for the latest go in a circle.",
    "shared-name": "Agents that follow the relation may be given the one or the other.",
    "self-relation": "Nothing follows from it; agents that follow it come back to where they were.",
    "no-kind": "Agents see that the two are related, and not how.",
    "dangling": "Agents that follow the relation find nothing there.",
    "twice-told": "Agents read it as often as it is told; once would do.",
    "more-tangles": "They are told once those above are mended.",
}


def meaning(adapter: Adapter, code: str) -> str:
    """What a finding means; empty for one that says all itself."""
    return adapter.meanings.get(code) or _ANY.get(code, "")
