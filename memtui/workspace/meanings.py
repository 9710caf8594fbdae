"""What each finding of a store's reader means for the agent or the person, in one plain sentence."""

from __future__ import annotations

_ANY = {
    "unreadable": "What it says is missing in memtui; agents of the same user cannot read it either.",
    "link": "memtui writes through no link, so that nothing outside the store is changed.",
    "read-only": "memtui shows it and changes nothing in it; an agent may still do so.",
    "doubled": "Only one of the two can be changed from here.",
}

_FOUNDER_OS = {
    "bad-utf8": "Founder OS may show this text with wrong characters; editing it here writes it cleanly.",
    "doubled-key": "Founder OS looks memories up by key and finds only one of the two.",
    "missing-table": "memtui needs nothing of it; memories are read and written all the same.",
    "dangling": "Nothing acts on them any more; Founder OS passes over them.",
    "odd-time": "Its age is not known, so it may stand at the wrong place in lists by time.",
    "odd-content": "An agent may read it otherwise than you see it here; editing it makes it plain text.",
    "no-key": "Founder OS cannot look it up, so agents meet it only by a search for its meaning.",
    "odd-category": "A plugin that asks by category does not find it.",
    "odd-status": "Founder OS gives agents only confirmed and applied memories, so they do not see this one.",
    "odd-tags": "A plugin that asks by tag does not find it.",
    "odd-confidence": "Founder OS orders memories by confidence, so agents may see it too late or too early.",
}

_HEAD = "Claude Code may read its head otherwise than you see it; memtui never rewrites such a head."
_CLAUDE_CODE = {
    "long-index": "What stands beyond is dropped without a word: agents never see it at session start.",
    "dangling-line": "Agents are told of a memory at session start that they then cannot open.",
    "no-line": "Agents do not see this memory at session start; they meet it only if they open the file.",
    "no-type": "Agents cannot tell whether it is about you, the project, or how to work.",
    "odd-type": "Claude Code knows user, feedback, project and reference; it may pass over another type.",
    "double-name": "A link by this name leads to only one of the two.",
    "dangling": "Agents that follow the link find nothing; a memory of this name may still be written.",
    "other-index": "Its lines are not read as memories here; attach its folder to see them.",
    "list-head": _HEAD,
    "odd-head": _HEAD,
    "double-key": _HEAD,
    "alias": _HEAD,
    "tabs": _HEAD,
    "big-head": _HEAD,
    "unclosed-head": "The whole file is taken for its head, so agents may read no memory in it.",
}

_MCP_MEMORY = {
    "bad-line": "The server fails on such a line, so agents may get no memory at all until it is mended.",
    "dangling": "Agents see a relation that leads nowhere; the server keeps it.",
    "odd-observation": "Agents may be handed something that is no sentence; memtui leaves it as it is.",
}

_MEANINGS = {"founder-os": _FOUNDER_OS, "claude-code": _CLAUDE_CODE, "mcp-memory": _MCP_MEMORY}
# Codes by which agents get less than they were told to remember.
GRAVE = frozenset({("mcp-memory", "bad-line")})


def meaning(format: str, code: str) -> str:
    """What a finding means; empty for one that says all itself."""
    return _MEANINGS.get(format, {}).get(code) or _ANY.get(code, "")
