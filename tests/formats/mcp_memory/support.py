"""Files and readings of an MCP memory in tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memtui.formats.contract.records import Reading
from memtui.formats.mcp_memory.adapter import McpMemory
from tests.support.stores.mcp_memory import lines, make


def make_store(tmp_path: Path, *objects: dict[str, Any]) -> McpMemory:
    return make(tmp_path / "memory.jsonl", "\n".join(lines(*objects)).encode())


def objects(store: McpMemory) -> list[Any]:
    """Return the file as the server reads it, which fails as a whole if one line is bad."""
    return [json.loads(line) for line in store.root.read_text().splitlines() if line.strip()]


def parse(data: bytes) -> Reading:
    return McpMemory(Path("/none/memory.jsonl")).parse({"memory.jsonl": data})
