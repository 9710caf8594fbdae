"""Why something is in the Inbox, as a sentence (S-52)."""

from __future__ import annotations

from collections import Counter

from memtui.memory.contradictions.pairs import kind_label
from memtui.memory.inbox.items import (
    BREACH,
    CANDIDATES,
    LEAVING,
    PAIRS,
    PENDING,
    RULE,
    SECRET,
    STORE,
    InboxItem,
)
from memtui.memory.secrets.wording import name_of
from memtui.text import counted, listed

_LEAVES = {
    "was-pinned": "was pinned once",
    "important": "is important",
    "much-used": "is among the most used of its store",
}


def reason(item: InboxItem) -> str:
    """Return why an item needs the person."""
    if item.kind == SECRET:
        return f"contains {secrets(item)}"
    if item.kind == RULE:
        return f"is here by the rule “{item.data['rule']}”"
    if item.kind == PENDING:
        return "waits for your confirmation"
    if item.kind == CANDIDATES:
        return candidates(item.count) if item.id is None else "is a candidate"
    if item.kind == LEAVING:
        return f"{_LEAVES[item.code]} and leaves soon (rule: {item.data['rule']})"
    if item.kind in PAIRS:
        return kind_label(item.code)
    if item.kind == BREACH:
        return item.label
    if item.kind == STORE:
        return item.label if item.count == 1 else f"{item.label} And {item.count - 1:,} more like it."
    raise ValueError(item.kind)


def secrets(item: InboxItem) -> str:
    """Return which secrets a memory has: "an AWS key and 2 web tokens"."""
    kinds = item.data["kinds"]
    counts = Counter(map(name_of, kinds if isinstance(kinds, list) else ()))
    return listed([_one(name) if count == 1 else f"{count} × {name}" for name, count in counts.items()])


def candidates(count: int) -> str:
    return counted(count, "candidate")


def _one(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"
