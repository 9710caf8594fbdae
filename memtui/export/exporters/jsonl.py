"""JSON Lines: a memory a line, with all its fields."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.json_text import memory_line


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the lines."""
    return Rendered("".join(f"{memory_line(each.candidate.memory)}\n" for each in entries))


EXPORTER = Exporter("jsonl", "JSON Lines", "application/x-ndjson", ".jsonl", render, is_data=True)
