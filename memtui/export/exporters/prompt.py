"""A block of Markdown for a prompt: the memories as bullets, under a heading for each category."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export import wording
from memtui.export.bullets import bullet
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.gathered import gathered
from memtui.export.inert_text import encoded
from memtui.export.statement import contradiction_mark, statement
from memtui.memory.memory import Memory
from memtui.memory.selection.candidate import Priority


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the block. Pinned memories come first, under a heading of their own."""
    sections: dict[str, list[str]] = {}
    for entry in gathered(entries):
        memory = entry.candidate.memory
        text = bullet(statement(memory), contradiction_mark(entry))
        sections.setdefault(_heading(memory, entry.candidate.priority), []).append(text)
    parts = [f"## {heading}\n" + "\n".join(bullets) + "\n" for heading, bullets in sections.items()]
    return Rendered("\n".join(parts))


def _heading(memory: Memory, priority: Priority) -> str:
    if memory.pinned:
        return wording.PINNED_HEADING
    category = encoded(" ".join((memory.category or "").replace("_", " ").split()))
    return wording.category_heading(category) if category else wording.OTHER_HEADING


EXPORTER = Exporter("prompt", "Markdown for a prompt", "text/markdown", ".md", render)
