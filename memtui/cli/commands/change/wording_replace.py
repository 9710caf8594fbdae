"""Every sentence of `memtui replace`."""

from __future__ import annotations

from memtui.text import counted

SEARCHING = "searching"
NO_HITS = "No match. Nothing was changed."
HOW_TO_REPLACE = "Nothing was changed; add --yes to replace (can be undone)."


def kept_in_memtui(field: str) -> str:
    return f"{field} (kept in memtui)"


def in_link(field: str) -> str:
    return f"{field} (in a link)"


def left_out(uid: str, label: str, reason: str) -> str:
    return f"Skipped: {uid}  {label}: {reason}"


def hits_in_store(store: str, hits: int, memories: int) -> str:
    return f"{store}: {counted(hits, 'match', 'matches')} in {counted(memories, 'memory')}"
