"""A JSON array of the memories with all their fields, as `memtui list --json` prints it."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.json_text import memory_line


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the array, a memory a line."""
    lines = ",\n".join(memory_line(each.candidate.memory) for each in entries)
    return Rendered(f"[\n{lines}\n]\n" if lines else "[]\n")


EXPORTER = Exporter("json", "JSON", "application/json", ".json", render, is_data=True)
