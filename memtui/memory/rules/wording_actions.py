"""Actions in words, for lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.text import counted

if TYPE_CHECKING:
    from memtui.memory.rules.rule import Action

_DONE: dict[str, Callable[[Action], str]] = {
    "pin": lambda action: "pin",
    "tag": lambda action: f"tag {action.value}",
    "scope": lambda action: f"scope {action.value}",
    "category": lambda action: f"category {action.value}",
    "importance": lambda action: f"importance {action.value:g}",
    "expire": lambda action: f"expire after {counted(int(action.value or 0), 'day')}",
    "inbox": lambda action: "to the Inbox",
    "dismiss": lambda action: "dismiss",
    "redact": lambda action: "redact secrets",
    "refuse": lambda action: "refuse",
}


def done(action: Action) -> str:
    """Return what an action does: “tag security”."""
    return _DONE[action.kind](action) if action.kind in _DONE else action.text
