"""What each finding of the reader means (S-91)."""

from __future__ import annotations

MEANINGS = {
    "double-key": "The server takes the last one, and drops the others when it next saves.",
    "bad-line": "The server fails on such a line, so agents may get no memory at all until it is mended.",
    "dangling": "Agents see a relation that leads nowhere; the server keeps it.",
    "odd-observation": "Agents may be handed something that is no sentence; memtui leaves it as it is.",
}
GRAVE = frozenset({"bad-line"})
