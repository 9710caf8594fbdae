"""The file of a new memory: a free name, and the mode and dialect of the others in the folder."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

from memtui.formats.claude_code import document, reader, writer
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.plans import Write
from memtui.formats.media.files.draft import Draft

_FILE = re.compile(r"[\w-][\w.-]*\.md")  # the name of a file in the folder itself


def name_for(folder: Path, draft: Draft, write: Write, category: str, title: str, text: str) -> str:
    """Return a name for a new memory's file: its earlier one if that is free, else one of its title."""
    taken = {each.casefold() for each in draft.files}
    ref = str(write.fields.get("ref") or "")
    if _FILE.fullmatch(ref) and ref.casefold() not in taken and not os.path.lexists(folder / ref):
        return ref
    words = writer.slug(title) or writer.slug(text) or reader.text_digest(text)
    return free_name(folder, taken, f"{category}_{words}")


def free_name(folder: Path, taken: set[str], stem: str) -> str:
    """Return a name for a file that is not taken: the stem, with a number where it has to be."""
    number = 1
    while True:
        name = f"{stem}.md" if number == 1 else f"{stem}_{number}.md"
        if name.casefold() not in taken and not os.path.lexists(folder / name):
            return name
        number += 1


def usual_mode(draft: Draft) -> int:
    """Return the mode that most files have."""
    modes = Counter(draft.modes.get(each, 0o600) for each in draft.files)
    return modes.most_common(1)[0][0] if modes else 0o600


def is_mostly_nested(draft: Draft) -> bool:
    """Return whether most notes with a type have it in the nested dialect; each is parsed once for all
    additions of a batch."""
    known: dict[str, tuple[bytes, bool, bool]]
    _, known = draft.caches.setdefault("dialects", (b"", {}))
    nested = typed = 0
    for name, data in draft.files.items():
        if name == INDEX_FILE:
            continue
        if name not in known or known[name][0] is not data:
            note = document.read(data)
            known[name] = data, note.nested, bool(note.text("type"))
        nested += known[name][1]
        typed += known[name][2]
    return nested * 2 > typed
