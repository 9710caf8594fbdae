"""Add and remove relations between memories: entries in both heads, and an edge file with a description
(FORMATS 5)."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.cognitive import document, move, paths, wording, writer
from memtui.formats.cognitive.paths import EDGES, RELATION_KINDS, is_edge, is_memory
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.relation_list import NewEntry, normalize_kind, parse_number, spell_number
from memtui.formats.cognitive.state_file import TIME_SAMPLE
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Link
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable
from memtui.formats.syntax.markdown import strip_blank_lines
from memtui.formats.syntax.timestamps import format_like


def relate(draft: Draft, folder: Path, name: str, write: Write, new_id: Callable[[], str]) -> None:
    """Add a relation that leads from the memory in the file `name` to both ends. Raise Refused."""
    link = _link_of(write)
    tree = Tree.of(draft.files)
    source, kind = document.id_of(draft.files[name]), normalize_kind(link.kind)
    target_name = tree.memories.get(link.target, "")
    if kind not in RELATION_KINDS:
        raise wording.unknown_kind(RELATION_KINDS)
    if not source or not target_name or not document.id_of(draft.files[target_name]):
        raise wording.ends_need_ids()
    if source == link.target:
        raise wording.related_to_itself()
    ensure_writable(folder, draft, target_name)
    ends = document.read(draft.files[name]), document.read(draft.files[target_name])
    existing = ends[0].find_relation(link.target, kind, False), ends[1].find_relation(source, kind, True)
    if existing[0] is not None and existing[1] is not None:
        raise wording.related_already()
    body = strip_blank_lines(link.body)
    edge_id = new_id() if body else ""
    values = link.strength, writer.one_line(link.context), edge_id
    if existing[0] is None:
        writer.add_relation(draft, name, NewEntry(link.target, kind, False, *values))
    if existing[1] is None:
        writer.add_relation(draft, target_name, NewEntry(source, kind, True, *values))
    if body:
        create_edge(draft, folder, edge_id, (source, ends[0].title), (link.target, ends[1].title), write)


def unrelate(draft: Draft, folder: Path, name: str, write: Write) -> None:
    """Remove a relation that leads from the memory in the file `name` from both ends, with its edge files.
    Raise Refused."""
    link = _link_of(write)
    tree = Tree.of(draft.files)
    source = document.id_of(draft.files[name]) or name
    target_name = tree.memories.get(link.target, "")
    edges = _edges_between(draft, source, link.kind, link.target)
    found = False
    for file, opposite, incoming in ((name, link.target, False), (target_name, source, True)):
        if not file:
            continue
        relations = document.read(draft.files[file]).relations
        entries = [entry for entry in relations if entry.matches(opposite, link.kind, incoming)]
        if entries:
            ensure_writable(folder, draft, file)
            edge_ids = [entry.text("edge_id") for entry in entries]
            edges |= {tree.edges[id] for id in edge_ids if id in tree.edges}
            writer.remove_relations(draft, file, entries)
            found = True
    for file in edges:
        ensure_writable(folder, draft, file)
        draft.remove(file)
        found = True
    if not found:
        raise wording.relation_gone()


def remove_memory(draft: Draft, folder: Path, name: str) -> None:
    """Remove a memory's file, its edge files, and the entries of other memories that relate to it."""
    id = document.id_of(draft.files[name])
    draft.remove(name)
    if not id or any(document.id_of(data) == id for each, data in draft.files.items() if is_memory(each)):
        return
    encoded = id.encode()
    for file in list(draft.files):
        data = draft.files[file]
        if encoded not in data or not move.can_write(draft, folder, file):
            continue
        note = document.read(data)
        if is_edge(file) and id in (note.text("from_id"), note.text("to_id")):
            draft.remove(file)
        elif is_memory(file) and note.head is not None and not note.head.problems:
            entries = [entry for entry in note.relations if entry.target == id and entry.start >= 0]
            if entries:
                writer.remove_relations(draft, file, entries, best_effort=True)


def restore_relations(draft: Draft, name: str, tree: Tree) -> None:
    """Add the relations that other memories of `tree` have to a restored memory to its head."""
    id = document.id_of(draft.files[name])
    encoded = id.encode()
    for other, file in tree.memories.items():
        if other == id or encoded not in tree[file]:
            continue
        for entry in document.read(tree[file]).relations:
            if entry.target == id:
                texts = entry.text("context"), entry.text("edge_id")
                restored = NewEntry(other, entry.kind, not entry.incoming, entry.strength, *texts)
                _add_if_missing(draft, name, restored)


def restore_edge_relations(draft: Draft, name: str, tree: Tree) -> None:
    """Add the relations that edge files describe between a restored memory and others to its head."""
    id = document.id_of(draft.files[name])
    for edge_id, file in tree.edges.items():
        edge = document.read(tree[file])
        source, target = edge.text("from_id"), edge.text("to_id")
        other = target if source == id else source
        if id in (source, target) and other != id and other in tree.memories and edge.type:
            strength = parse_number(edge.text("strength"))
            _add_if_missing(draft, name, NewEntry(other, edge.type, target == id, strength, "", edge_id))


def _add_if_missing(draft: Draft, name: str, entry: NewEntry) -> None:
    note = document.read(draft.files[name])
    if note.find_relation(entry.target, entry.kind, entry.incoming) is None:
        with suppress(Refused):
            writer.add_relation(draft, name, entry)


def create_edge(
    draft: Draft, folder: Path, id: str, source: tuple[str, str], target: tuple[str, str], write: Write
) -> None:
    """Create the edge file of a relation between two memories, each given by id and title. Raise Refused if
    its name is taken."""
    link = _link_of(write)
    kind = normalize_kind(link.kind)
    now = str(format_like(write.now, TIME_SAMPLE))
    lines = [f"id: {id}", f"type: {kind}"]
    for end, (memory_id, title) in (("from", source), ("to", target)):
        lines += [f"{end}_id: {memory_id}", f"{end}_title: {writer.quoted(title)}"]
    if link.strength is not None:
        lines.append(f"strength: {spell_number(link.strength)}")
    lines += [f"created: {now}", f"updated: {now}"]
    name = EDGES + paths.edge_file_name(source[1], kind, target[1], id)
    if name in draft.files or os.path.lexists(folder / name):
        raise wording.file_exists(name)
    mode = draft.modes.get(next(each for each in draft.files if is_memory(each)), 0o600)
    text = "\n".join(["---", *lines, "---", "", strip_blank_lines(link.body), ""])
    draft.create(name, text.encode(), mode)


def _edges_between(draft: Draft, source: str, kind: str, target: str) -> set[str]:
    """Return the edge files from one memory to another of this kind."""
    out = set()
    for name in draft.files:
        if is_edge(name):
            edge = document.read(draft.files[name])
            ends = edge.text("from_id"), normalize_kind(edge.type), edge.text("to_id")
            if ends == (source, normalize_kind(kind), target):
                out.add(name)
    return out


def _link_of(write: Write) -> Link:
    if write.link is None:
        raise wording.relation_missing()
    return write.link
