"""What each finding of the reader means for the user or the agent (S-91)."""

from __future__ import annotations

_HEAD = "Claude Code may read the front matter differently than shown here. memtui never rewrites it."
MEANINGS = {
    "long-index": "At session start, agents get a warning instead of the remaining lines and never see them.",
    "dangling-line": "At session start, agents are pointed to a memory that they can't open.",
    "no-line": "Agents find this memory only if they happen to open the file.",
    "no-type": "Agents can't tell whether it is about you, the project or how to work.",
    "odd-type": "Claude Code's types are user, feedback, project and reference; it may ignore others.",
    "double-name": "A link to this name reaches only one of the two files.",
    "dangling": "Agents that follow the link find nothing. A memory with this name may still be added.",
    "other-index": "memtui doesn't read its lines as memories here. Attach its folder to see them.",
    "list-head": _HEAD,
    "odd-head": _HEAD,
    "double-key": _HEAD,
    "alias": _HEAD,
    "tabs": _HEAD,
    "big-head": _HEAD,
    "unclosed-head": "The whole file counts as front matter, so agents may find no memory in it.",
}
