"""Moving a memory's file, and what leads to it (FORMATS 5): links in other memories, in edges and in
the generated files. Episodes are append-only and stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from memtui.errors import NotSaved
from memtui.formats.cognitive import document, links
from memtui.formats.cognitive.paths import GENERATED, is_edge, is_memory, renamed_edge
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import damage


def move(draft: Draft, folder: Path, name: str, new: str) -> None:
    """Give a memory's file another name; its own links go on leading where they led."""
    if name == new:
        return
    taken = any(each.casefold() == new.casefold() for each in draft.files if each != name)
    if taken or (os.path.lexists(folder / new) and name.casefold() != new.casefold()):
        raise NotSaved("exists", f"{new} is there already.", "Nothing was changed.")
    if any((folder / parent).is_symlink() for parent in PurePosixPath(new).parents):
        raise NotSaved("link", "the folder is a link; links inside a store are read-only.")
    draft.move(name, new)
    links.rebase(draft, new, name)


def mend(
    draft: Draft,
    folder: Path,
    now: Mapping[str, str],
    labels: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Have every link to a moved file lead to where it stands `now`; `labels` are titles that the
    generated files show."""
    last = [PurePosixPath(name).name.encode() for name in now]
    for name in list(draft.files):
        if not (is_memory(name) or is_edge(name) or name in GENERATED):
            continue
        data = draft.files[name]
        if not any(each in data for each in last) or not may_write(draft, folder, name):
            continue
        id = document.id_of(data) or name
        if links.mend(draft, name, now, labels or {} if name in GENERATED else {}) and is_memory(name):
            draft.also.add(id)


def retitle_edges(draft: Draft, folder: Path, id: str, old: str, new: str) -> None:
    """Have the edge files of a memory say its new title, in their heads and in their names."""
    for name in [each for each in draft.files if is_edge(each)]:
        found = document.read(draft.files[name])
        if found.head is None or found.head.odd or not may_write(draft, folder, name):
            continue
        at = name
        for end in ("from", "to"):
            if found.says(f"{end}_id") != id:
                continue
            if found.says(f"{end}_title") == old:
                head = document.read(draft.files[at]).head
                assert head is not None
                draft.splice(at, *head.put(f"{end}_title", new))
            better = renamed_edge(at, old, new, first=end == "from")
            if better not in draft.files and not os.path.lexists(folder / better):
                draft.move(at, better)
                at = better


def may_write(draft: Draft, folder: Path, name: str) -> bool:
    """Whether a file that goes along with a change may be written; else it stays as it is."""
    path = folder / name
    writable = not os.path.lexists(path) or (not path.is_symlink() and os.access(path, os.W_OK))
    return writable and not damage(draft.files[name])
