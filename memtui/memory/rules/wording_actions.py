"""Actions in words, for lists."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING

from memtui.memory.field_text import field_name
from memtui.memory.rules.trial import READ_ONLY
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
    "half-life": lambda action: f"half-life {counted(int(action.value or 0), 'day')}",
    "settle": lambda action: f"settle: {_winner(str(action.value))} wins",
    "inbox": lambda action: "to the Inbox",
    "dismiss": lambda action: "dismiss",
    "redact": lambda action: "redact secrets",
    "refuse": lambda action: "refuse",
}


def _winner(value: str) -> str:
    """Return which of two memories stays: “newer”, “higher confidence”, or a store's name."""
    return "higher confidence" if value == "confidence" else value.removeprefix("store:")


def done(action: Action) -> str:
    """Return what an action does: “tag security”."""
    return _DONE[action.kind](action) if action.kind in _DONE else action.text


_ACTED = {"dismiss": "dismissed", "settle": "settled", "redact": "redacted"}


def stays(kinds: Container[str]) -> str:
    """Return that what a rule did by such actions stays when it is switched off; "" if nothing does."""
    done = [_ACTED[kind] for kind in _ACTED if kind in kinds]
    return f"; what it {' or '.join(done)} stays" if done else ""


# What trying a rule tells of one memory.
_FIELDS = {"expires_at": "expires", "inbox": "in the Inbox", "dismiss": "dismissed", "redact": "secrets"}
_CANNOT = {
    "half-life": "no half-life: the lifecycle of its store has none",
    "settle": "no contradiction that it can settle",
    READ_ONLY: "its store is read-only",
}


def field(name: str) -> str:
    """Return what a field is called that a rule changes; some of them only stand for an act."""
    return _FIELDS.get(name) or field_name(name)


def cannot(kind: str) -> str:
    """Return why an action does nothing with a memory."""
    return _CANNOT.get(kind) or f"{kind} can't be set there"


def settled(other: str, *, stays: bool) -> str:
    """Return what becomes of a memory in a contradiction that is settled."""
    return f"stays, replaces “{other}”" if stays else f"is replaced by “{other}”"
