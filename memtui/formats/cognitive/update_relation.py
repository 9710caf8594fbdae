"""Changing a relation where it stands: its entries and its edge file, and no byte beside (FORMATS 5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from memtui.errors import NotSaved, Refused
from memtui.formats.syntax.markdown import strip_blank_lines
from memtui.formats.claude_code.writer import set_body
from memtui.formats.cognitive import document, move, paths, relate, relation_list, writer
from memtui.formats.cognitive.paths import RELATIONS, is_edge
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.relation_list import INCOMING, OUTGOING, Entry, number, plain, spelled
from memtui.formats.contract.adapter import Link, Write
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import may_write

Ends = tuple[str, str, str]  # from, kind, to
_EDGE_ORDER = ("id", "type", "from_id", "from_title", "to_id", "to_title", "strength")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What of a relation is to be another; None what stays."""

    was: Ends
    now: Ends
    strength: str | None
    context: str | None
    body: str | None

    @classmethod
    def of(cls, was: Link, link: Link) -> _Asked:
        strengths = ["" if each.strength is None else spelled(each.strength) for each in (was, link)]
        # A person is asked for one line and for a text without blank lines around it: what differs only
        # in these nobody touched.
        contexts = [writer.one_line(each.context) for each in (was, link)]
        bodies = [strip_blank_lines(each.body).strip() for each in (was, link)]
        return cls(
            (was.source, plain(was.kind), was.target),
            (link.source, plain(link.kind), link.target),
            *(new if new != old else None for old, new in (strengths, contexts, bodies)),
        )

    @property
    def kind(self) -> str | None:
        return self.now[1] if self.now[1] != self.was[1] else None

    @property
    def turned(self) -> bool:
        return self.now[0] != self.was[0]


def retie(draft: Draft, folder: Path, name: str, write: Write, new_id: Callable[[], str]) -> None:
    """Have the entries and the edge file of a relation that leads from the memory in the file `name` say
    another one. Raises Refused."""
    link, was = write.link, write.was
    if link is None or was is None:
        raise NotSaved("relation", "no relation is named.")
    asked = _Asked.of(was, link)
    _check(asked)
    tree = Tree.of(dict(draft.files))
    told = _told(tree, name, tree.names.get(was.target, ""), was)
    edges = _edges(tree, told, was)
    if not edges and not any(told.values()):
        raise NotSaved("gone", "they are no longer related so in the store.")
    if _are_shared(tree, told, edges):  # it describes another relation, too, which stays as it is
        if asked.body is not None:
            raise NotSaved("shared", "another relation has the same text, in the same edge file.")
        edges = []
    if asked.was != asked.now and _stands(tree, asked.now, edges):
        raise Refused("exists", "They are related so already.", "Nothing was changed.")
    alone = not any(told.values())
    if alone and asked.context is not None:
        words = "only an edge file tells this relation, and such a file has no place for the words"
        raise NotSaved("no-field", f"{words}.", "Leave them out; nothing was changed.")
    edge_id = None  # to be named by its entries; "" no longer
    if asked.body == "" and edges and not alone:
        edge_id = ""
        for each in edges:
            may_write(folder, draft, each)
            draft.remove(each)
    else:
        for each in edges:
            _redescribe(draft, folder, each, asked, write.now)
        if asked.body and not edges:
            edge_id = _described(draft, folder, tree, told, write, new_id)
    for each, entries in told.items():
        for entry in reversed(entries):
            _retell(draft, folder, each, entry, asked, edge_id)


def _check(asked: _Asked) -> None:
    if asked.now[1] not in RELATIONS:
        raise Refused("kind", f"A relation must be one of {', '.join(RELATIONS)}.", "Nothing was changed.")
    if {asked.was[0], asked.was[2]} != {asked.now[0], asked.now[2]}:
        raise NotSaved("relation", "it would be a relation between other memories.")


# -- which ones


def _told(tree: Tree, name: str, other: str, was: Link) -> dict[str, list[Entry]]:
    """The entries that tell a relation, by file: those of its source, and what faces them at its target.
    Several only where all say the same."""
    ends = {name: (was.target, False), **({other: (was.source, True)} if other else {})}
    every = {
        each: [x for x in document.read(tree[each]).relations if x.is_(end, was.kind, incoming)]
        for each, (end, incoming) in ends.items()
    }
    out = {each: _likest(tree, tree.id_at(each), entries, was) for each, entries in every.items()}
    if out[name] and other:
        mine, others = out[name][0], [x for x in every[name] if x not in out[name]]
        facing = [x for x in every[other] if _faces(x, mine)]
        free = [x for x in every[other] if not any(_faces(x, each) for each in others)]
        out[other] = _likest(tree, was.target, facing or free, was)
    return out


def _likest(tree: Tree, id: str, entries: Sequence[Entry], was: Link) -> list[Entry]:
    """Those of these entries that say all that the relation does, else those like the nearest."""

    def away(entry: Entry) -> tuple[bool, ...]:
        edge = tree.edge(id, entry)
        body = document.read(edge).content if edge is not None else ""
        return entry.says("context") != was.context, body != was.body, entry.strength != was.strength

    def said(entry: Entry) -> tuple[str, str, str]:
        return entry.says("context"), entry.says("edge_id"), entry.says("strength")

    nearest = min(entries, key=away, default=None)
    return [entry for entry in entries if nearest is not None and said(entry) == said(nearest)]


def _faces(entry: Entry, other: Entry) -> bool:
    """Whether the entries at both ends of a pair mean one relation."""
    edges = entry.says("edge_id"), other.says("edge_id")
    if any(edges):
        return edges[0] == edges[1]
    return entry.says("context") == other.says("context")


def _edges(tree: Tree, told: dict[str, list[Entry]], was: Link) -> list[str]:
    """The edge file that describes a relation; where no memory tells it, all that do alike."""
    mine = [entry for entries in told.values() for entry in entries]
    named = [tree.edges[x.says("edge_id")] for x in mine if x.says("edge_id") in tree.edges]
    if named:
        return named[:1]
    found = [name for name in sorted(tree) if is_edge(name) and _ends(tree[name]) == _key(was)]
    if mine:
        taken = [entry.says("edge_id") for entry in _others(tree, told)]
        return [name for name in found if document.id_of(tree[name]) not in taken][:1]

    def said(name: str) -> tuple[bool, bool, str]:
        edge = document.read(tree[name])
        strength = number(edge.says("strength"))
        return edge.content != was.body, strength != was.strength, f"{edge.content}\n{strength}"

    nearest = min(map(said, found), default=None)
    return [name for name in found if said(name) == nearest]


def _are_shared(tree: Tree, told: dict[str, list[Entry]], edges: Sequence[str]) -> bool:
    """Whether another relation of one of the ends names these edge files, too."""
    ids = [document.id_of(tree[name]) for name in edges]
    return any(entry.says("edge_id") in ids for entry in _others(tree, told))


def _others(tree: Tree, told: dict[str, list[Entry]]) -> list[Entry]:
    """The entries in these files that tell other relations."""
    return [x for name, mine in told.items() for x in document.read(tree[name]).relations if x not in mine]


def _stands(tree: Tree, ends: Ends, edges: Collection[str]) -> bool:
    """Whether such a relation is told already, but for these edge files."""
    source, kind, target = ends
    at, there = tree.note(source), tree.note(target)
    return (
        (at is not None and at.tells(target, kind, False) is not None)
        or (there is not None and there.tells(source, kind, True) is not None)
        or any(is_edge(name) and name not in edges and _ends(tree[name]) == ends for name in tree)
    )


def _ends(data: bytes) -> Ends:
    edge = document.read(data)
    return edge.says("from_id"), plain(edge.type), edge.says("to_id")


def _key(link: Link) -> Ends:
    return link.source, plain(link.kind), link.target


# -- what becomes of them


def _retell(draft: Draft, folder: Path, name: str, entry: Entry, asked: _Asked, edge_id: str | None) -> None:
    said: dict[str, str | None] = {
        "type": asked.kind,
        "direction": (OUTGOING if entry.incoming else INCOMING) if asked.turned else None,
        "strength": asked.strength,
        "context": asked.context,
        "edge_id": edge_id,
    }
    new = {key: text for key, text in said.items() if text is not None and text != entry.says(key)}
    head = document.read(draft.files[name]).head
    if new and head is not None:
        may_write(folder, draft, name)
        for start, end, put in relation_list.changed(draft.files[name], head, entry, new):
            draft.splice(name, start, end, put)


def _redescribe(draft: Draft, folder: Path, name: str, asked: _Asked, now: float) -> None:
    """Have an edge file say what is asked, and be called so."""
    before = draft.files[name]
    turned = asked.turned and (_ends(before)[0], _ends(before)[2]) == (asked.was[0], asked.was[2])
    said = {"type": asked.kind, "strength": asked.strength}
    new = {key: text for key, text in said.items() if text is not None}
    found = document.read(before)
    if found.head is None or not (new or turned or asked.body is not None):
        return
    may_write(folder, draft, name)
    relation_list.writable(found.head)
    if asked.body:
        set_body(draft, name, asked.body)
    elif asked.body is not None:
        draft.splice(name, found.start, found.end, b"")
    for part in ("id", "title") if turned else ():
        ends = f"from_{part}", f"to_{part}"
        there = [each for each in ends if each in found.head.values]
        if len(there) == 2:
            new |= {end: found.head.values[of].text for end, of in zip(ends, reversed(ends), strict=True)}
        for each in there if len(there) == 1 else ():  # the line of the one end is that of the other
            line = found.head.values[each].line
            draft.splice(name, line, line + len(each), next(x for x in ends if x != each).encode())
    head = document.read(draft.files[name]).head
    assert head is not None
    for start, end, put in relation_list.altered(head, new, _EDGE_ORDER, head.newline):
        draft.splice(name, start, end, put)
    if draft.files[name] == before:
        return
    writer.touch(draft, name, now)
    better = paths.retied_edge(name, asked.was[1], asked.now[1], turned=turned)
    taken = any(each.casefold() == better.casefold() for each in draft.files if each != name)
    if better != name and not taken and not os.path.lexists(folder / better):
        draft.move(name, better)
        move.mend(draft, folder, {name: better})


def _described(
    draft: Draft,
    folder: Path,
    tree: Tree,
    told: dict[str, list[Entry]],
    write: Write,
    new_id: Callable[[], str],
) -> str:
    """Make the edge file of a relation that had none; its id."""
    link = write.link
    assert link is not None
    ends = tree.note(link.source), tree.note(link.target)
    if ends[0] is None or ends[1] is None or not (ends[0].id and ends[1].id):
        raise NotSaved("no-id", "a text describes a relation between memories with ids.")
    ids = {document.id_of(data) for data in tree.values()}
    said = [entry.says("edge_id") for entries in told.values() for entry in entries]
    # One that the entries name already, though no file has it, need not be written into them.
    free = [x for x in said if x and x not in ids and len(paths.mark(x)) == 6 and paths.is_id(x)]
    id = free[0] if free else new_id()
    relate.describe(draft, folder, id, (ends[0].id, ends[0].title), (ends[1].id, ends[1].title), write)
    return id
