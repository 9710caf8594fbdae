"""Memories to export, made up."""

from __future__ import annotations

from typing import Any

from memtui.export.exporter import Entry
from memtui.memory.memory import Memory
from memtui.memory.selection.candidate import Candidate

NOW = 1_790_000_000.0
DAY = 86_400.0


def candidate(uid: str, content: str = "", *, strength: float | None = None, **fields: Any) -> Candidate:
    """Return a memory that an export may contain."""
    memory = Memory(uid=uid, store="native", ref=f"r-{uid}", content=content or f"Text of {uid}.", **fields)
    return Candidate(memory, strength=strength)


def entry(uid: str, content: str = "", *, contradicts: tuple[str, ...] = (), **fields: Any) -> Entry:
    """Return a memory in an export."""
    return Entry(candidate(uid, content, **fields), contradicts)
