"""Relations between memories: told by both ends' heads, and described by an edge file (FORMATS 5)."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from memtui.errors import NotSaved, Refused
from memtui.formats.syntax.markdown import strip_blank_lines
from memtui.formats.cognitive import document, move, paths, writer
from memtui.formats.cognitive.paths import EDGES, RELATIONS, is_edge, is_memory
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.relation_list import Told, number, plain, spelled
from memtui.formats.cognitive.state_file import NEW_TIME
from memtui.formats.contract.adapter import Link, Write
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import may_write
from memtui.formats.syntax.timestamps import in_the_form_of


def relate(draft: Draft, folder: Path, name: str, write: Write, new_id: Callable[[], str]) -> None:
    """Have both ends tell a relation that leads from the memory in the file `name`."""
    link = _link(write)
    tree = Tree.of(draft.files)
    source, kind = document.id_of(draft.files[name]), plain(link.kind)
    other = tree.names.get(link.target, "")
    if kind not in RELATIONS:
        raise Refused("kind", f"A relation must be one of {', '.join(RELATIONS)}.", "Nothing was changed.")
    if not source or not other or not document.id_of(draft.files[other]):
        raise NotSaved("no-id", "a relation leads from one memory with an id to another.")
    if source == link.target:
        raise NotSaved("itself", "a memory has no relation to itself.")
    may_write(folder, draft, other)
    ends = document.read(draft.files[name]), document.read(draft.files[other])
    told = ends[0].tells(link.target, kind, False), ends[1].tells(source, kind, True)
    if told[0] is not None and told[1] is not None:
        raise Refused("exists", "They are related so already.", "Nothing was changed.")
    body = strip_blank_lines(link.body)
    edge_id = new_id() if body else ""
    if told[0] is None:
        entry = Told(link.target, kind, False, link.strength, writer.one_line(link.context), edge_id)
        writer.tell(draft, name, entry)
    if told[1] is None:
        entry = Told(source, kind, True, link.strength, writer.one_line(link.context), edge_id)
        writer.tell(draft, other, entry)
    if body:
        describe(draft, folder, edge_id, (source, ends[0].title), (link.target, ends[1].title), write)


def unrelate(draft: Draft, folder: Path, name: str, write: Write) -> None:
    """Have neither end tell it any more."""
    link = _link(write)
    tree = Tree.of(draft.files)
    source = document.id_of(draft.files[name]) or name
    other = tree.names.get(link.target, "")
    edges = _edges(draft, source, link.kind, link.target)
    found = False
    for each, target, incoming in ((name, link.target, False), (other, source, True)):
        if not each:
            continue
        entries = [
            x for x in document.read(draft.files[each]).relations if x.is_(target, link.kind, incoming)
        ]
        if entries:
            may_write(folder, draft, each)
            edges |= {tree.edges[x.says("edge_id")] for x in entries if x.says("edge_id") in tree.edges}
            writer.untell(draft, each, entries)
            found = True
    for each in edges:
        may_write(folder, draft, each)
        draft.remove(each)
        found = True
    if not found:
        raise NotSaved("gone", "they are no longer related so in the store.")


def part_from(draft: Draft, folder: Path, name: str) -> None:
    """Take a memory out, and with it what others tell of their relations to it."""
    id = document.id_of(draft.files[name])
    draft.remove(name)
    if not id or any(document.id_of(data) == id for each, data in draft.files.items() if is_memory(each)):
        return
    call = id.encode()
    for each in list(draft.files):
        data = draft.files[each]
        if call not in data or not move.may_write(draft, folder, each):
            continue
        found = document.read(data)
        if is_edge(each) and id in (found.says("from_id"), found.says("to_id")):
            draft.remove(each)
        elif is_memory(each) and found.head is not None and not found.head.odd:
            entries = [entry for entry in found.relations if entry.target == id and entry.start >= 0]
            if entries:
                writer.untell(draft, each, entries, soft=True)


def reunite(draft: Draft, name: str, tree: Tree) -> None:
    """Have a memory that is back tell the relations that others in the tree tell of it."""
    id = document.id_of(draft.files[name])
    call = id.encode()
    for other, at in tree.names.items():
        if other == id or call not in tree[at]:
            continue
        for entry in document.read(tree[at]).relations:
            if entry.target == id:
                said = entry.says("context"), entry.says("edge_id")
                _tell_once(draft, name, Told(other, entry.kind, not entry.incoming, entry.strength, *said))


def tell_edges(draft: Draft, name: str, tree: Tree) -> None:
    """Have a memory that is back tell the relations that edge files between it and others describe."""
    id = document.id_of(draft.files[name])
    for edge_id, at in tree.edges.items():
        edge = document.read(tree[at])
        source, target = edge.says("from_id"), edge.says("to_id")
        other = target if source == id else source
        if id in (source, target) and other != id and other in tree.names and edge.type:
            told = Told(other, edge.type, target == id, number(edge.says("strength")), "", edge_id)
            _tell_once(draft, name, told)


def _tell_once(draft: Draft, name: str, told: Told) -> None:
    if document.read(draft.files[name]).tells(told.target, told.kind, told.incoming) is None:
        with suppress(Refused):
            writer.tell(draft, name, told)


def describe(
    draft: Draft, folder: Path, id: str, source: tuple[str, str], target: tuple[str, str], write: Write
) -> None:
    """Make the edge file of a relation between two memories, each told by its id and title."""
    link = _link(write)
    kind = plain(link.kind)
    at = str(in_the_form_of(write.now, NEW_TIME))
    lines = [f"id: {id}", f"type: {kind}"]
    for end, (each, title) in (("from", source), ("to", target)):
        lines += [f"{end}_id: {each}", f"{end}_title: {writer.quoted(title)}"]
    if link.strength is not None:
        lines.append(f"strength: {spelled(link.strength)}")
    lines += [f"created: {at}", f"updated: {at}"]
    name = EDGES + paths.edge_file(source[1], kind, target[1], id)
    if name in draft.files or os.path.lexists(folder / name):
        raise NotSaved("exists", f"{name} is there already.", "Nothing was changed.")
    mode = draft.modes.get(next(each for each in draft.files if is_memory(each)), 0o600)
    draft.create(name, "\n".join(["---", *lines, "---", "", strip_blank_lines(link.body), ""]).encode(), mode)


def _edges(draft: Draft, source: str, kind: str, target: str) -> set[str]:
    """The edge files between two memories of this kind."""
    out = set()
    for name in draft.files:
        if is_edge(name):
            found = document.read(draft.files[name])
            ends = found.says("from_id"), plain(found.type), found.says("to_id")
            if ends == (source, plain(kind), target):
                out.add(name)
    return out


def _link(write: Write) -> Link:
    if write.link is None:
        raise NotSaved("relation", "no relation is named.")
    return write.link
