"""Relations, edges and links of a Cognitive Memory tree that misspell the name of the memory they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memtui.formats.checkup.similar_names import Names
from memtui.formats.cognitive import document, links, paths
from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.reader import Tree, find_moved
from memtui.formats.contract.records import clean
from memtui.formats.media.files.tree import LIMIT, damage
from memtui.formats.misspellings import Misspelling
from memtui.formats.syntax.yaml_scalars import format_scalar

_TARGET = re.compile(rb"^[ ]*(?:-[ ]+)?target:[ \t]*(?P<target>[^\r\n#]*[^\s#])", re.MULTILINE)


def misspellings(tree: Tree) -> Iterator[Misspelling]:
    """Yield each place whose target does not exist and is similar to the name of one memory."""
    names = _names(tree)
    for name, data in sorted(tree.items()):
        if not name.endswith(".md") or len(data) > LIMIT or damage(data):
            continue
        note = document.read(data)
        if note.head is not None and note.head.problems:
            continue
        if paths.is_memory(name):
            yield from _relations(name, note, names, tree)
            yield from _links(name, note, tree)
        elif paths.is_edge(name):
            yield from _edge_ends(name, note, names, tree)


def _names(tree: Tree) -> Names:
    """Return all that a relation may call a memory: its id, its short id, its title, its file."""
    pairs = []
    for id, name in tree.memories.items():
        title_slug, short_id = paths.split_name(name)
        names = {id, document.read(tree[name]).title, title_slug, PurePosixPath(name).stem, short_id}
        pairs += [(each, id) for each in names if each]
    return Names(pairs)


def _relations(name: str, note: Note, names: Names, tree: Tree) -> Iterator[Misspelling]:
    for entry in note.relations:
        id = names.best_match(entry.target) if entry.target not in tree.memories and entry.start >= 0 else ""
        match = _TARGET.search(note.data, entry.start, entry.end) if id and id != note.id else None
        if match:
            ref, span = note.id or clean(name), match.span("target")
            yield Misspelling(
                "dangling", clean(name), entry.target, id, ref, name, *span, format_scalar(id).encode()
            )


def _edge_ends(name: str, edge: Note, names: Names, tree: Tree) -> Iterator[Misspelling]:
    ends = [edge.text("from_id"), edge.text("to_id")]
    for key, end, opposite in (("from_id", *ends), ("to_id", *reversed(ends))):
        id = names.best_match(end) if end and end not in tree.memories else ""
        if id and id != opposite and edge.head is not None:
            start, stop, new = edge.head.put(key, id)
            yield Misspelling("dangling-edge", clean(name), end, id, id, name, start, stop, new)


def _links(name: str, note: Note, tree: Tree) -> Iterator[Misspelling]:
    """Yield the links to a file that was renamed since, which its short id tells."""
    for link in links.find_links(name, note.data):
        id = find_moved(link, tree) if link.target not in tree else ""
        if not id:
            continue
        target = tree.memories[id]
        place = f"{clean(name)}, line {note.data.count(bytes([10]), 0, link.start) + 1}"
        ref, new = note.id or clean(name), links.path_to(target, name)
        yield Misspelling(
            "dangling-link", place, link.target, clean(target), ref, name, link.start, link.end, new
        )
