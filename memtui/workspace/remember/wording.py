"""Every sentence about what an agent's write did beside itself."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.text import counted

OTHER_VALUE = "Both are of one key, and say different things."
EPISODE = "added to the episodes of the day"


def no_episode(reason: str) -> str:
    return f"not added to the episodes of the day ({reason})"


def promoted(count: int) -> str:
    return f"promoted {counted(count, 'other memory')}, whose numbers have earned it"


def superseded(count: int) -> str:
    return f"superseded {counted(count, 'memory')} of the same key"


def joined(summary: str, parts: Sequence[str]) -> str:
    return "; ".join((summary, *parts))
