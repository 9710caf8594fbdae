"""Relations, edges and links of a Cognitive Memory tree that are spelled otherwise than what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memtui.formats.checkup.similar_names import Names
from memtui.formats.cognitive import document, links, paths
from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.reader import Tree, by_digits
from memtui.formats.contract.adapter import clean
from memtui.formats.media.files.tree import LIMIT, damage
from memtui.formats.slips import Slip
from memtui.formats.syntax.frontmatter import spell

_TARGET = re.compile(rb"^[ ]*(?:-[ ]+)?target:[ \t]*(?P<said>[^\r\n#]*[^\s#])", re.MULTILINE)


def slips(tree: Tree) -> Iterator[Slip]:
    """Where a name stands that no memory has, and that is near to one that is there."""
    names = _names(tree)
    for name, data in sorted(tree.items()):
        if not name.endswith(".md") or len(data) > LIMIT or damage(data):
            continue
        found = document.read(data)
        if found.head is not None and found.head.odd:
            continue
        if paths.is_memory(name):
            yield from _targets(name, found, names, tree)
            yield from _links(name, found, tree)
        elif paths.is_edge(name):
            yield from _ends(name, found, names, tree)


def _names(tree: Tree) -> Names:
    """Whatever a relation may call a memory: its id, the digits of it, its title, its file."""
    called = []
    for id, name in tree.names.items():
        title, digits = paths.parted(name)
        all = {id, document.read(tree[name]).title, title, PurePosixPath(name).stem, digits}
        called += [(each, id) for each in all if each]
    return Names(called)


def _targets(name: str, found: Note, names: Names, tree: Tree) -> Iterator[Slip]:
    for entry in found.relations:
        id = names.meant(entry.target) if entry.target not in tree.names and entry.start >= 0 else ""
        match = _TARGET.search(found.data, entry.start, entry.end) if id and id != found.id else None
        if match:
            mine = found.id or clean(name)
            at = match.span("said")
            yield Slip("dangling", clean(name), entry.target, id, mine, name, *at, spell(id).encode())


def _ends(name: str, edge: Note, names: Names, tree: Tree) -> Iterator[Slip]:
    ends = [edge.says("from_id"), edge.says("to_id")]
    for key, said, other in (("from_id", *ends), ("to_id", *reversed(ends))):
        id = names.meant(said) if said and said not in tree.names else ""
        if id and id != other and edge.head is not None:
            start, end, new = edge.head.put(key, id)
            yield Slip("dangling-edge", clean(name), said, id, id, name, start, end, new)


def _links(name: str, found: Note, tree: Tree) -> Iterator[Slip]:
    """Links in a text whose file has another name by now, as its digits tell."""
    for way in links.ways(name, found.data):
        id = by_digits(way, tree) if way.target not in tree else ""
        if not id:
            continue
        target = tree.names[id]
        place = f"{clean(name)}, line {found.data.count(bytes([10]), 0, way.start) + 1}"
        ref, new = found.id or clean(name), links.path_to(target, name)
        yield Slip("dangling-link", place, way.target, clean(target), ref, name, way.start, way.end, new)
