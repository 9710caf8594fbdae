"""What a memory says, as a sentence or paragraph of an export that agents read."""

from __future__ import annotations

from memtui.export import wording
from memtui.export.exporter import Entry
from memtui.export.inert_text import encoded
from memtui.memory.memory import Memory


def statement(memory: Memory) -> str:
    """Return the text of a memory; what it is about stands before it unless the text names that itself.

    Control characters are escaped (`inert_text`).
    """
    content = memory.content.strip("\n") or memory.title or ""
    about = memory.subject or memory.title or memory.key or ""
    if about and about.casefold().replace("_", " ") not in content.casefold().replace("_", " "):
        content = f"{about}: {content}"
    return encoded(content)


def contradiction_mark(entry: Entry) -> str:
    """Return the mark of a memory that others in the export contradict, "" if none do."""
    return wording.contradicted_by(len(entry.contradicts)) if entry.contradicts else ""
