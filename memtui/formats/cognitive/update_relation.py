"""Update a relation in place: its entries in both heads and its edge file; every other byte stays
(FORMATS 5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from memtui.formats.claude_code.writer import set_body
from memtui.formats.cognitive import document, move, paths, relate, relation_list, wording, writer
from memtui.formats.cognitive.paths import RELATION_KINDS, is_edge
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.relation_list import (
    INCOMING,
    OUTGOING,
    Entry,
    normalize_kind,
    parse_number,
    spell_number,
)
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Link
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable
from memtui.formats.syntax.frontmatter import FrontMatter
from memtui.formats.syntax.markdown import strip_blank_lines

Ends = tuple[str, str, str]  # from, kind, to
Entries = dict[str, list[Entry]]  # by file
_EDGE_ORDER = ("id", "type", "from_id", "from_title", "to_id", "to_title", "strength")


@dataclass(frozen=True, slots=True)
class _Update:
    """The changes to a relation; None is what stays."""

    old: Ends
    new: Ends
    strength: str | None
    context: str | None
    body: str | None

    @classmethod
    def of(cls, old: Link, new: Link) -> _Update:
        strengths = ["" if each.strength is None else spell_number(each.strength) for each in (old, new)]
        # The user edits the context as one line and the body without blank lines around it, so that a
        # difference in these is no change.
        contexts = [writer.one_line(each.context) for each in (old, new)]
        bodies = [strip_blank_lines(each.body).strip() for each in (old, new)]
        return cls(
            _ends_of(old),
            _ends_of(new),
            *(after if after != before else None for before, after in (strengths, contexts, bodies)),
        )

    @property
    def kind(self) -> str | None:
        return self.new[1] if self.new[1] != self.old[1] else None

    @property
    def is_reversal(self) -> bool:
        return self.new[0] != self.old[0]


def update_relation(draft: Draft, folder: Path, name: str, write: Write, new_id: Callable[[], str]) -> None:
    """Update the entries and the edge file of a relation that leads from the memory in the file `name`. Raise
    Refused if it is gone or cannot become what is asked."""
    link, old = write.link, write.previous_link
    if link is None or old is None:
        raise wording.relation_missing()
    update = _Update.of(old, link)
    if update.new[1] not in RELATION_KINDS:
        raise wording.unknown_kind(RELATION_KINDS)
    if {update.old[0], update.old[2]} != {update.new[0], update.new[2]}:
        raise wording.other_ends()
    tree = Tree.of(dict(draft.files))
    entries = _find_entries(tree, name, tree.memories.get(old.target, ""), old)
    edges = _find_edges(tree, entries, old)
    if not edges and not any(entries.values()):
        raise wording.relation_gone()
    if _is_shared(tree, entries, edges):  # the edge file describes another relation, which must stay
        if update.body is not None:
            raise wording.description_shared()
        edges = []
    if update.old != update.new and _exists(tree, update.new, edges):
        raise wording.related_already()
    edge_only = not any(entries.values())
    if edge_only and update.context is not None:
        raise wording.no_place_for_context()
    edge_id = None  # to be set in the entries; "" to be removed from them
    if update.body == "" and edges and not edge_only:
        edge_id = ""
        for edge in edges:
            ensure_writable(folder, draft, edge)
            draft.remove(edge)
    else:
        for edge in edges:
            _update_edge(draft, folder, edge, update, write.now)
        if update.body and not edges:
            edge_id = _create_edge(draft, folder, tree, entries, write, new_id)
    for file, file_entries in entries.items():
        for entry in reversed(file_entries):
            _update_entry(draft, folder, file, entry, update, edge_id)


# -- find its entries and edge files


def _find_entries(tree: Tree, source: str, target: str, old: Link) -> Entries:
    """Return the entries of a relation in the file of its source and, unless that is "", of its target.

    There are several in a file only where all of them are equal."""
    ends = {source: (old.target, False), **({target: (old.source, True)} if target else {})}
    candidates = {
        file: [x for x in document.read(tree[file]).relations if x.matches(end, old.kind, incoming)]
        for file, (end, incoming) in ends.items()
    }
    out = {file: _closest(tree, tree.id_at(file), entries, old) for file, entries in candidates.items()}
    if out[source] and target:
        own, others = out[source][0], [x for x in candidates[source] if x not in out[source]]
        paired = [x for x in candidates[target] if _are_paired(x, own)]
        free = [x for x in candidates[target] if not any(_are_paired(x, each) for each in others)]
        out[target] = _closest(tree, old.target, paired or free, old)
    return out


def _closest(tree: Tree, id: str, entries: Sequence[Entry], old: Link) -> list[Entry]:
    """Return the entry of the memory `id` that is most like the relation, and those equal to it."""

    def distance(entry: Entry) -> tuple[bool, ...]:
        edge = tree.edge(id, entry)
        body = document.read(edge).content if edge is not None else ""
        return entry.text("context") != old.context, body != old.body, entry.strength != old.strength

    def values(entry: Entry) -> tuple[str, str, str]:
        return entry.text("context"), entry.text("edge_id"), entry.text("strength")

    nearest = min(entries, key=distance, default=None)
    return [entry for entry in entries if nearest is not None and values(entry) == values(nearest)]


def _are_paired(a: Entry, b: Entry) -> bool:
    """Return whether entries at both ends of a relation mean the same one."""
    edges = a.text("edge_id"), b.text("edge_id")
    if any(edges):
        return edges[0] == edges[1]
    return a.text("context") == b.text("context")


def _find_edges(tree: Tree, entries: Entries, old: Link) -> list[str]:
    """Return the edge file that describes a relation; if no entry has the relation, all equal ones."""
    own = [entry for file_entries in entries.values() for entry in file_entries]
    named = [tree.edges[x.text("edge_id")] for x in own if x.text("edge_id") in tree.edges]
    if named:
        return named[:1]
    edges = [name for name in sorted(tree) if is_edge(name) and _edge_ends(tree[name]) == _ends_of(old)]
    if own:
        taken = [entry.text("edge_id") for entry in _other_entries(tree, entries)]
        return [name for name in edges if document.id_of(tree[name]) not in taken][:1]

    def distance(name: str) -> tuple[bool, bool, str]:
        edge = document.read(tree[name])
        strength = parse_number(edge.text("strength"))
        return edge.content != old.body, strength != old.strength, f"{edge.content}\n{strength}"

    nearest = min(map(distance, edges), default=None)
    return [name for name in edges if distance(name) == nearest]


def _is_shared(tree: Tree, entries: Entries, edges: Sequence[str]) -> bool:
    """Return whether another relation of one of the ends names one of these edge files."""
    ids = [document.id_of(tree[name]) for name in edges]
    return any(entry.text("edge_id") in ids for entry in _other_entries(tree, entries))


def _other_entries(tree: Tree, entries: Entries) -> list[Entry]:
    """Return the entries of other relations in these files."""
    return [x for name, own in entries.items() for x in document.read(tree[name]).relations if x not in own]


def _exists(tree: Tree, ends: Ends, edges: Collection[str]) -> bool:
    """Return whether such a relation exists, other than in these edge files."""
    source, kind, target = ends
    source_note, target_note = tree.note(source), tree.note(target)
    return (
        (source_note is not None and source_note.find_relation(target, kind, False) is not None)
        or (target_note is not None and target_note.find_relation(source, kind, True) is not None)
        or any(is_edge(name) and name not in edges and _edge_ends(tree[name]) == ends for name in tree)
    )


def _edge_ends(data: bytes) -> Ends:
    edge = document.read(data)
    return edge.text("from_id"), normalize_kind(edge.type), edge.text("to_id")


def _ends_of(link: Link) -> Ends:
    return link.source, normalize_kind(link.kind), link.target


# -- change them


def _update_entry(
    draft: Draft, folder: Path, name: str, entry: Entry, update: _Update, edge_id: str | None
) -> None:
    values: dict[str, str | None] = {
        "type": update.kind,
        "direction": (OUTGOING if entry.incoming else INCOMING) if update.is_reversal else None,
        "strength": update.strength,
        "context": update.context,
        "edge_id": edge_id,
    }
    new = {key: text for key, text in values.items() if text is not None and text != entry.text(key)}
    head = document.read(draft.files[name]).head
    if new and head is not None:
        ensure_writable(folder, draft, name)
        for start, end, put in relation_list.update_entry(draft.files[name], head, entry, new):
            draft.splice(name, start, end, put)


def _update_edge(draft: Draft, folder: Path, name: str, update: _Update, now: float) -> None:
    """Update an edge file, and rename it where its name is made of what changed."""
    before = draft.files[name]
    ends = _edge_ends(before)
    reverse = update.is_reversal and (ends[0], ends[2]) == (update.old[0], update.old[2])
    values = {"type": update.kind, "strength": update.strength}
    new = {key: text for key, text in values.items() if text is not None}
    edge = document.read(before)
    if edge.head is None or not (new or reverse or update.body is not None):
        return
    ensure_writable(folder, draft, name)
    relation_list.ensure_writable(edge.head)
    if update.body:
        set_body(draft, name, update.body)
    elif update.body is not None:
        draft.splice(name, edge.start, edge.end, b"")
    if reverse:
        new |= _swap_ends(draft, name, edge.head)
    head = document.read(draft.files[name]).head
    assert head is not None
    for start, end, put in relation_list.update_head(head, new, _EDGE_ORDER, head.newline):
        draft.splice(name, start, end, put)
    if draft.files[name] == before:
        return
    writer.touch(draft, name, now)
    renamed = paths.updated_edge(name, update.old[1], update.new[1], reverse=reverse)
    taken = any(each.casefold() == renamed.casefold() for each in draft.files if each != name)
    if renamed != name and not taken and not os.path.lexists(folder / renamed):
        draft.move(name, renamed)
        move.update_links(draft, folder, {name: renamed})


def _swap_ends(draft: Draft, name: str, head: FrontMatter) -> dict[str, str]:
    """Return the ids and titles of an edge's ends, swapped. Where only one end has a line, rename its key."""
    swapped: dict[str, str] = {}
    for part in ("id", "title"):
        keys = f"from_{part}", f"to_{part}"
        existing = [key for key in keys if key in head.values]
        if len(existing) == 2:
            swapped |= {key: head.values[of].text for key, of in zip(keys, reversed(keys), strict=True)}
        elif existing:
            (key,) = existing
            line = head.values[key].line_start
            other = next(each for each in keys if each != key)
            draft.splice(name, line, line + len(key), other.encode())
    return swapped


def _create_edge(
    draft: Draft, folder: Path, tree: Tree, entries: Entries, write: Write, new_id: Callable[[], str]
) -> str:
    """Create the edge file that describes the relation, and return its id. Raise Refused."""
    assert write.link is not None
    ends = tree.note(write.link.source), tree.note(write.link.target)
    if ends[0] is None or ends[1] is None or not (ends[0].id and ends[1].id):
        raise wording.description_needs_ids()
    ids = {document.id_of(data) for data in tree.values()}
    named = [entry.text("edge_id") for file_entries in entries.values() for entry in file_entries]
    # An id that the entries name already, though no file has it, need not be written into them.
    free = [
        id
        for id in named
        if id and id not in ids and len(paths.short_id(id)) == paths.SHORT_ID and paths.is_plain_id(id)
    ]
    id = free[0] if free else new_id()
    relate.create_edge(draft, folder, id, (ends[0].id, ends[0].title), (ends[1].id, ends[1].title), write)
    return id
