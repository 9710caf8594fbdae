"""The hooks that an agent's program gets, and for which tools (FORMATS 13, S-87)."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from memtui.agents.hooks.names import NAMES
from memtui.formats.insertions.insertion import Insertion
from memtui.values import JsonObject

_MATCHERS = {
    "pre-tool-use": "Bash",
    "post-tool-use": "Bash|Edit|MultiEdit|Write|NotebookEdit",
    "post-tool-use-failure": "Bash",
}
_TIMEOUT = 5  # seconds after which the program ends it; it ends itself long before


def entries(command: str, args: Sequence[str]) -> tuple[Insertion, ...]:
    """Return the entry of each event: it runs `command hook EVENT` with these arguments."""
    return tuple(
        Insertion(
            ("hooks", their_name), _group(name, shlex.join([command, "hook", name, *args])), in_list=True
        )
        for name, their_name in NAMES.items()
    )


def _group(event: str, line: str) -> JsonObject:
    hook = {"type": "command", "command": line, "timeout": _TIMEOUT}
    matcher = {"matcher": _MATCHERS[event]} if event in _MATCHERS else {}
    return {**matcher, "hooks": [hook]}
