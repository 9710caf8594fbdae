"""Move a memory's file, and update what names it (FORMATS 5): links in other memories, edges and the
generated files. Episodes are append-only and stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from memtui.formats.cognitive import document, links, wording
from memtui.formats.cognitive.paths import GENERATED, is_edge, is_memory, retitled_edge
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import damage


def move(draft: Draft, folder: Path, name: str, new: str) -> None:
    """Rename a memory's file; its own links keep their targets. Raise Refused if the new name is taken or its
    folder is a link."""
    if name == new:
        return
    taken = any(each.casefold() == new.casefold() for each in draft.files if each != name)
    if taken or (os.path.lexists(folder / new) and name.casefold() != new.casefold()):
        raise wording.file_exists(new)
    if any((folder / parent).is_symlink() for parent in PurePosixPath(new).parents):
        raise wording.folder_is_link()
    draft.move(name, new)
    links.rebase(draft, new, name)


def update_links(
    draft: Draft,
    folder: Path,
    moved: Mapping[str, str],
    titles: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Update every link to a moved file; in the generated files also the titles that they show.

    `moved` maps old file names to new ones, `titles` an old file name to its old and its new title."""
    last_parts = [PurePosixPath(name).name.encode() for name in moved]
    for name in list(draft.files):
        if not (is_memory(name) or is_edge(name) or name in GENERATED):
            continue
        data = draft.files[name]
        if not any(each in data for each in last_parts) or not can_write(draft, folder, name):
            continue
        id = document.id_of(data) or name
        labels = titles or {} if name in GENERATED else {}
        if links.update_links(draft, name, moved, labels) and is_memory(name):
            draft.affected_anchors.add(id)


def with_renames(draft: Draft, record: Record | None, write: Write) -> Write:
    """Return a write whose new text links to files as earlier writes of its batch have renamed them."""
    text, renamed = write.fields.get("content"), draft.renamed
    if record is None or not text or not renamed:
        return write
    text = links.with_renames(record.position[0], str(text), renamed)
    return replace(write, fields={**write.fields, "content": text})


def retitle_edges(draft: Draft, folder: Path, id: str, old: str, new: str) -> None:
    """Put a memory's new title into the heads and the names of its edge files."""
    for name in [each for each in draft.files if is_edge(each)]:
        edge = document.read(draft.files[name])
        if edge.head is None or edge.head.problems or not can_write(draft, folder, name):
            continue
        current = name
        for end in ("from", "to"):
            if edge.text(f"{end}_id") != id:
                continue
            if edge.text(f"{end}_title") == old:
                head = document.read(draft.files[current]).head
                assert head is not None
                draft.splice(current, *head.put(f"{end}_title", new))
            renamed = retitled_edge(current, old, new, at_source=end == "from")
            if renamed not in draft.files and not os.path.lexists(folder / renamed):
                draft.move(current, renamed)
                current = renamed


def can_write(draft: Draft, folder: Path, name: str) -> bool:
    """Return whether a file may be written that only needs an update after a change to another one."""
    path = folder / name
    writable = not os.path.lexists(path) or (not path.is_symlink() and os.access(path, os.W_OK))
    return writable and not damage(draft.files[name])
