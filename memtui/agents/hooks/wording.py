"""Every sentence that an agent reads at an event of its session."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.text import listed

RELEVANT = "## Relevant Memories"
PREFERENCES = "## Preferences"


def memory_line(category: str, content: str, confidence: float | None, others: Sequence[str]) -> str:
    kind = f"[{category}] " if category else ""
    sure = "" if confidence is None else f" (confidence: {round(100 * confidence)})"
    opposed = f" (contradicted by {listed(list(others))}: don't rely on it)" if others else ""
    return f"- {kind}{content}{sure}{opposed}"


def before_command(name: str) -> str:
    return f"## Before `{name}`"


def failed(command: str, code: int | None, message: str) -> str:
    how = "failed" if code is None else f"failed with exit code {code}"
    return f"`{command}` {how}: {message}"


def fix(changes: Sequence[str]) -> str:
    return "; ".join(changes)


def edited(file: str) -> str:
    return f"edit {file}"


def replaced(file: str, old: str, new: str) -> str:
    return f"edit {file}, “{old}” to “{new}”"


def ran(command: str) -> str:
    return f"run `{command}`"


KNOWN_FIX = "## This failed before"

_STATED = {"discovery": "Discovered: ", "blocker": "Blocker: "}


def stated(kind: str, text: str) -> str:
    return _STATED.get(kind, "") + text
