"""What each finding of the reader means (S-91)."""

from __future__ import annotations

MEANINGS = {
    "double-key": "The server uses the last value and drops the others when it next saves.",
    "bad-line": "The server fails on such a line, so agents may get no memories at all until it is fixed.",
    "dangling": "Agents see a relation that leads nowhere; the server keeps it.",
    "odd-observation": "Agents may get a value that isn't text.",
}
GRAVE = frozenset({"bad-line"})
