"""Taking secrets out of a part of a file: no byte beside them is touched (S-62)."""

from __future__ import annotations

from memtui.formats.media.files.draft import Draft
from memtui.memory.secrets.redaction import Replacements


def redact_part(draft: Draft, name: str, start: int, end: int, redacted: Replacements) -> None:
    """Replace each value between two offsets of a file, from the last on."""
    text = draft.files[name][start:end].decode("utf-8", "surrogateescape")
    for first, last, new in reversed(list(redacted.spans(text))):
        at = start + len(text[:first].encode("utf-8", "surrogateescape"))
        old = text[first:last].encode("utf-8", "surrogateescape")
        draft.splice(name, at, at + len(old), new.encode())
