"""Taking secrets out of what repeats a memory: the head of its file, and its line in MEMORY.md (S-62)."""

from __future__ import annotations

from memtui.formats.claude_code import document, memory_index
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.media.files.draft import Draft
from memtui.memory.secrets.redaction import Replacements


def redact_head(draft: Draft, name: str, redacted: Replacements) -> None:
    """Replace the values in the description and all other texts of the head. Raise Refused where the head
    cannot be written."""
    note = document.read(draft.files[name])
    if note.head is None:
        return
    # From the last on, so that the places of the others stay.
    for key, value in sorted(note.head.values.items(), key=lambda each: -each[1].start):
        if redacted.found_in(value.text) and key not in (note.key_of("name"), note.key_of("type")):
            draft.splice(name, *note.head.put(key, redacted.text(value.text)))


def redact_index(draft: Draft, name: str, redacted: Replacements) -> None:
    """Replace the values in the lines of MEMORY.md that point to the file."""
    data = draft.files.get(INDEX_FILE, b"")
    for entry in reversed(memory_index.read(data).entries_for(name)):
        line = data[entry.start : entry.end]
        new = redacted.text(line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        draft.splice(INDEX_FILE, entry.start, entry.end, new)
