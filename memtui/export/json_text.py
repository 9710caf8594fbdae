"""Memories as JSON text that no terminal obeys (S-70, S-82)."""

from __future__ import annotations

import json

from memtui.memory.memory import Memory
from memtui.values import Json

_ENCODE = json.JSONEncoder(ensure_ascii=True).encode
_INDENTED = json.JSONEncoder(ensure_ascii=True, indent=2).encode


def json_text(value: Json, *, indent: bool = False) -> str:
    """Return a value as JSON in ASCII without control characters."""
    return (_INDENTED if indent else _ENCODE)(value).replace("\x7f", "\\u007f")


def memory_line(memory: Memory) -> str:
    """Return a memory with all keys of SPEC section 3 as one line of JSON."""
    return json_text(memory.to_json())
