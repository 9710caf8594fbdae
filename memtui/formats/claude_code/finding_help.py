"""What each finding of the reader means for the user or the agent (S-91)."""

from __future__ import annotations

_HEAD = "Claude Code may read its head otherwise than you see it; memtui never rewrites such a head."
MEANINGS = {
    "long-index": "At session start agents get a warning in place of the lines beyond, and never see these.",
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
