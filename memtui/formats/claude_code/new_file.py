"""The file of a new memory: a free name, and the mode and dialect of the others in the folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from memtui.formats.claude_code import document, reader, writer
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.plans import Write
from memtui.formats.media.files import tally
from memtui.formats.media.files.commit import NEW_MODE
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tally import folded, mode_of

_FILE = re.compile(r"[\w-][\w.-]*\.md")  # the name of a file in the folder itself


def name_for(folder: Path, draft: Draft, write: Write, category: str, title: str, text: str) -> str:
    """Return a name for a new memory's file: its earlier one if that is free, else one of its title."""
    ref = str(write.fields.get("ref") or "")
    taken = draft.tally(folded)
    if _FILE.fullmatch(ref) and ref.casefold() not in taken and not os.path.lexists(folder / ref):
        return ref
    words = writer.slug(title) or writer.slug(text) or reader.text_digest(text)
    return free_name(folder, draft, f"{category}_{words}")


def free_name(folder: Path, draft: Draft, stem: str) -> str:
    """Return a name for a file that is not taken: the stem, with a number where it has to be."""
    return tally.free_name(draft, folder, lambda n: f"{stem}.md" if n == 1 else f"{stem}_{n}.md")


def usual_mode(draft: Draft) -> int:
    """Return the mode that most files have."""
    mode = draft.most_common(mode_of)
    return mode if isinstance(mode, int) else NEW_MODE


def is_mostly_nested(draft: Draft) -> bool:
    """Return whether most notes with a type have it in the nested dialect."""
    counts = draft.tally(_dialect)
    nested = counts[_NESTED, True] + counts[_NESTED, False]
    typed = counts[_NESTED, True] + counts[_FLAT, True]
    return nested * 2 > typed


_NESTED, _FLAT = "nested", "flat"


def _dialect(name: str, data: bytes, mode: int) -> tuple[str, bool] | None:
    """Return the dialect of a note, and whether it has a type; None for the index."""
    if name == INDEX_FILE:
        return None
    note = document.read(data)
    return _NESTED if note.nested else _FLAT, bool(note.text("type"))
