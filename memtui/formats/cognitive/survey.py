"""What is odd about a Cognitive Memory tree, for the doctor (S-91)."""

from __future__ import annotations

import re

from memtui.formats.cognitive import document, index_entries, index_file, links, paths, state_file
from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.paths import EDGES, FOLDERS, GENERATED, GRAPH, INDEX, RELATIONS, STATE
from memtui.formats.cognitive.reader import Tree, by_digits
from memtui.formats.cognitive.relation_list import number, plain
from memtui.formats.contract.adapter import Reading, clean
from memtui.formats.media.files.tree import LIMIT
from memtui.formats.syntax.frontmatter import Style
from memtui.formats.syntax.timestamps import seconds_of
from memtui.text import counted


def survey(tree: Tree, out: Reading) -> None:
    """Note all that is odd."""
    for name, data in sorted(tree.items()):
        if not name.endswith(".md") or len(data) > LIMIT:
            continue
        if paths.is_memory(name) or paths.is_edge(name):
            found = document.read(data)
            _unquoted(name, found, out)
            for code, words in found.head.odd if found.head is not None else ():
                out.odd(code, clean(name), f"Read as well as can be, its head is never written: {words}.")
            if paths.is_memory(name):
                _memory(name, found, out)
                _relations(name, found, tree, out)
            else:
                _edge(name, found, tree, out)
        if b"\0" in data:
            out.odd("nul", clean(name), f"It holds {data.count(0):,} NUL bytes; each is shown as \ufffd.")
        _links(name, data, tree, out)
    _index(tree, out)
    _state(tree, out)


def _unquoted(name: str, found: Note, out: Reading) -> None:
    """Note plain texts that no YAML reader takes: a colon and a blank begin a value of their own."""
    heads = [found.head.values if found.head is not None else {}, *(each.values for each in found.relations)]
    for values in heads:
        for key, value in values.items():
            if value.style is Style.PLAIN and (": " in value.text or value.text.endswith(":")):
                said = clean(value.text)
                out.odd(
                    "unquoted", clean(name), f"Its {clean(key)} has a colon and no quotes: read as “{said}”."
                )


def _memory(name: str, found: Note, out: Reading) -> None:
    place = clean(name)
    if found.head is None:
        out.odd("no-head", place, "The file has no head, so it is no memory to its own client.")
        return
    if not found.id:
        out.odd("no-id", place, "Its head has no id.")
    elif not name.removesuffix(".md").endswith(paths.mark(found.id)):
        out.odd(
            "odd-name", place, f"Its name does not end in {clean(paths.mark(found.id))}, as its id begins."
        )
    if not found.type:
        out.odd("no-type", place, "Its head has no type.")
    elif found.type not in FOLDERS:
        out.odd("odd-type", place, f"“{found.type}” is no type that the format knows.")
    elif name.startswith(GRAPH) and name.rpartition("/")[0] != paths.folder_of(found.type):
        out.odd("odd-folder", place, f"A {found.type} belongs into {paths.folder_of(found.type)}/.")
    if not found.title:
        out.odd("no-title", place, "Its head has no title.")
    for key in ("importance", "confidence"):
        said = number(found.says(key))
        if found.says(key) and (said is None or not 0 <= said <= 1):
            out.odd("odd-number", place, f"Its {key} is “{found.says(key)}”, not a number from 0 to 1.")
    for key in ("created", "updated"):
        if found.says(key) and seconds_of(found.says(key)) is None:
            out.odd("odd-time", place, f"Its {key} is “{found.says(key)}”, not a time.")


def _relations(name: str, found: Note, tree: Tree, out: Reading) -> None:
    place, anchor = clean(name), found.id or clean(name)
    for entry in found.relations:
        said = f"{entry.kind or 'A relation'} → {entry.target}"
        if not entry.target or plain(entry.kind) not in RELATIONS or entry.odd:
            out.odd(
                "odd-relation",
                place,
                f"{said}: it lacks its target or is of no kind that is known.",
                "",
                entry.target,
            )
        if not entry.target:
            continue
        other = tree.note(entry.target)
        if other is None:
            out.odd("dangling", place, f"{said}: there is no such memory.", entry.target)
        elif other.tells(anchor, entry.kind, not entry.incoming) is None:
            out.odd("one-sided", place, f"{said}: the other memory does not tell it.")
        edge = entry.says("edge_id")
        if edge and edge not in tree.edges:
            out.odd("dangling", place, f"{said}: there is no edge file {edge}.", "", entry.target)


def _edge(name: str, found: Note, tree: Tree, out: Reading) -> None:
    place = clean(name)
    source, target = found.says("from_id"), found.says("to_id")
    ends = tree.note(source), tree.note(target)
    gone = [each or "(none)" for each, end in zip((source, target), ends, strict=True) if end is None]
    if gone:
        out.odd("dangling-edge", place, f"There is no memory {' nor '.join(gone)}.", *gone)
        return
    told = [
        end is not None and _tells(end, other, found)
        for end, other in zip(ends, (target, source), strict=True)
    ]
    if not any(told):
        out.odd("stray-edge", place, "Neither of its two memories tells this relation.")


def _tells(end: Note, other: str, edge: Note) -> bool:
    return any(
        entry.says("edge_id") == edge.id or (entry.target == other and plain(entry.kind) == plain(edge.type))
        for entry in end.relations
    )


def _links(name: str, data: bytes, tree: Tree, out: Reading) -> None:
    code = "stale-core" if name in GENERATED else "dangling-link"
    for way in links.ways(name, data):
        line = data.count(b"\n", 0, way.start) + 1
        if way.target in tree or way.target.startswith(EDGES):
            if name in GENERATED and paths.is_memory(way.target) and not _shows(way, tree):
                out.odd(code, f"{name}, line {line}", f"{clean(way.target)} has another title by now.")
            continue
        id = by_digits(way, tree)
        moved = f"; it is {clean(tree.names[id])} now" if id else ""
        out.odd(
            code,
            f"{clean(name)}, line {line}",
            f"There is no file {clean(way.target)}{moved}.",
            way.target,
            clean(way.target),
        )


def _shows(way: links.Way, tree: Tree) -> bool:
    """Whether a link in a generated file shows the title that the memory has."""
    title = document.read(tree[way.target]).title
    plain_label = re.sub(r"[\[\](){}\\\s]", "", way.label)
    return not title or plain_label == re.sub(r"[\[\](){}\\\s]", "", title)


def _index(tree: Tree, out: Reading) -> None:
    if INDEX not in tree:
        return
    found = index_file.read(tree[INDEX])
    if found is None:
        out.odd("broken-index", INDEX, "It is no index that can be read.")
        return
    told = {(part, id): span.value for part, spans in found.parts.items() for id, span in spans.items()}
    here = {}
    for name in (*tree.names.values(), *tree.edges.values()):
        read = document.read(tree[name])
        if (said := index_entries.of(name, read)) is not None:
            here[said[0], read.id] = said[1]
    wrong = sum(key in told and not index_entries.is_right(told[key], here[key]) for key in here)
    lacking = sum(key not in told for key in here if key[0] == "entries")
    gone = sum(key not in here for key in told)
    parts = [(lacking, "lacking"), (gone, "of what is no longer there"), (wrong, "not what the file says")]
    if said_so := [f"{count:,} {words}" for count, words in parts if count]:
        out.odd("stale-index", INDEX, f"Its entries are not right: {', '.join(said_so)}.")


def _state(tree: Tree, out: Reading) -> None:
    if STATE not in tree:
        return
    uses = state_file.read(tree[STATE])
    if uses is None:
        out.odd("broken-state", STATE, "It cannot be read, so all uses count as none.")
    elif stray := len(uses.keys() - tree.names.keys()):
        out.odd("stray-state", STATE, f"It counts uses of {counted(stray, 'memory')} not there.")
