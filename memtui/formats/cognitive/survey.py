"""The findings about a Cognitive Memory tree as it is read, for the doctor (S-91)."""

from __future__ import annotations

import re

from memtui.formats.cognitive import document, links, paths, state_file, wording
from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.index import index_entries, index_file
from memtui.formats.cognitive.links import FileLink
from memtui.formats.cognitive.paths import EDGES, FOLDERS, GENERATED, GRAPH, INDEX, RELATION_KINDS, STATE
from memtui.formats.cognitive.reader import Tree, find_moved
from memtui.formats.cognitive.relation_list import normalize_kind, parse_number
from memtui.formats.contract.records import Reading, clean
from memtui.formats.media.files.tree import LIMIT
from memtui.formats.syntax.timestamps import seconds_of
from memtui.formats.syntax.yaml_scalars import Style


def add_findings(tree: Tree, out: Reading) -> None:
    """Add all findings about the files of a tree to `out`."""
    for name, data in sorted(tree.items()):
        if not name.endswith(".md") or len(data) > LIMIT:
            continue
        if paths.is_memory(name) or paths.is_edge(name):
            note = document.read(data)
            _check_quotes(name, note, out)
            for code, problem in note.head.problems if note.head is not None else ():
                out.add_finding(code, clean(name), wording.malformed_head(problem))
            if paths.is_memory(name):
                _check_memory(name, note, out)
                _check_relations(name, note, tree, out)
            else:
                _check_edge(name, note, tree, out)
        if b"\0" in data:
            out.add_finding("nul", clean(name), wording.nul_bytes(data.count(0)))
        _check_links(name, data, tree, out)
    _check_index(tree, out)
    _check_state(tree, out)


def _check_quotes(name: str, note: Note, out: Reading) -> None:
    """Find unquoted texts that no YAML reader takes: a colon and a blank begin a value of their own."""
    heads = [note.head.values if note.head is not None else {}, *(each.values for each in note.relations)]
    for values in heads:
        for key, value in values.items():
            if value.style is Style.PLAIN and (": " in value.text or value.text.endswith(":")):
                text = wording.UNQUOTED.format(key=clean(key), value=clean(value.text))
                out.add_finding("unquoted", clean(name), text)


def _check_memory(name: str, note: Note, out: Reading) -> None:
    place = clean(name)
    if note.head is None:
        out.add_finding("no-head", place, wording.NO_HEAD)
        return
    short_id = paths.short_id(note.id)
    if not note.id:
        out.add_finding("no-id", place, wording.NO_ID)
    elif not name.removesuffix(".md").endswith(short_id):
        out.add_finding("odd-name", place, wording.NAME_WITHOUT_ID.format(short_id=clean(short_id)))
    if not note.type:
        out.add_finding("no-type", place, wording.NO_TYPE)
    elif note.type not in FOLDERS:
        out.add_finding("odd-type", place, wording.UNKNOWN_TYPE.format(type=note.type))
    elif name.startswith(GRAPH) and name.rpartition("/")[0] != paths.folder_of(note.type):
        text = wording.WRONG_FOLDER.format(type=note.type, folder=paths.folder_of(note.type))
        out.add_finding("odd-folder", place, text)
    if not note.title:
        out.add_finding("no-title", place, wording.NO_TITLE)
    for key in ("importance", "confidence"):
        value = note.text(key)
        number = parse_number(value)
        if value and (number is None or not 0 <= number <= 1):
            out.add_finding("odd-number", place, wording.NOT_A_RATIO.format(key=key, value=value))
    for key in ("created", "updated"):
        value = note.text(key)
        if value and seconds_of(value) is None:
            out.add_finding("odd-time", place, wording.NOT_A_TIME.format(key=key, value=value))


def _check_relations(name: str, note: Note, tree: Tree, out: Reading) -> None:
    place, anchor = clean(name), note.id or clean(name)
    for entry in note.relations:
        kind, target = entry.kind or wording.A_RELATION, entry.target
        relation = wording.RELATION.format(kind=kind, target=target)
        if not target or normalize_kind(entry.kind) not in RELATION_KINDS or entry.is_malformed:
            out.add_finding(
                "odd-relation", place, wording.UNKNOWN_RELATION.format(relation=relation), "", target
            )
        if not target:
            continue
        other = tree.note(target)
        if other is None:
            out.add_finding("dangling", place, wording.TARGET_MISSING.format(relation=relation), target)
        elif other.find_relation(anchor, entry.kind, not entry.incoming) is None:
            out.add_finding("one-sided", place, wording.ONE_SIDED.format(relation=relation))
        edge = entry.text("edge_id")
        if edge and edge not in tree.edges:
            text = wording.EDGE_FILE_MISSING.format(relation=relation, id=edge)
            out.add_finding("dangling", place, text, "", target)


def _check_edge(name: str, edge: Note, tree: Tree, out: Reading) -> None:
    place = clean(name)
    ids = edge.text("from_id"), edge.text("to_id")
    ends = tree.note(ids[0]), tree.note(ids[1])
    missing = [id or wording.NO_END for id, end in zip(ids, ends, strict=True) if end is None]
    if missing:
        out.add_finding("dangling-edge", place, wording.edge_ends_missing(missing), *missing)
        return
    if not any(
        end is not None and _has_relation(end, opposite, edge)
        for end, opposite in zip(ends, reversed(ids), strict=True)
    ):
        out.add_finding("stray-edge", place, wording.EDGE_UNTOLD)


def _has_relation(end: Note, opposite: str, edge: Note) -> bool:
    kind = normalize_kind(edge.type)
    return any(
        entry.text("edge_id") == edge.id or (entry.target == opposite and normalize_kind(entry.kind) == kind)
        for entry in end.relations
    )


def _check_links(name: str, data: bytes, tree: Tree, out: Reading) -> None:
    code = "stale-core" if name in GENERATED else "dangling-link"
    for link in links.find_links(name, data):
        line = data.count(b"\n", 0, link.start) + 1
        target = clean(link.target)
        if link.target in tree or link.target.startswith(EDGES):
            if name in GENERATED and paths.is_memory(link.target) and not _shows_title(link, tree):
                out.add_finding(code, f"{name}, line {line}", wording.OLD_TITLE.format(name=target))
            continue
        id = find_moved(link, tree)
        text = wording.FILE_MISSING.format(name=target)
        if id:
            text = wording.FILE_MOVED.format(name=target, now=clean(tree.memories[id]))
        out.add_finding(code, f"{clean(name)}, line {line}", text, link.target, target)


def _shows_title(link: FileLink, tree: Tree) -> bool:
    """Return whether the label of a link in a generated file is the title of the memory."""
    title = document.read(tree[link.target]).title
    plain_label = re.sub(r"[\[\](){}\\\s]", "", link.label)
    return not title or plain_label == re.sub(r"[\[\](){}\\\s]", "", title)


def _check_index(tree: Tree, out: Reading) -> None:
    if INDEX not in tree:
        return
    index = index_file.read(tree[INDEX])
    if index is None:
        out.add_finding("broken-index", INDEX, wording.INDEX_UNREADABLE)
        return
    stored = {(part, id): span.value for part, spans in index.parts.items() for id, span in spans.items()}
    expected = {}
    for name in (*tree.memories.values(), *tree.edges.values()):
        note = document.read(tree[name])
        if (entry := index_entries.entry_of(name, note)) is not None:
            expected[entry[0], note.id] = entry[1]
    wrong = sum(key in stored and not index_entries.is_right(stored[key], expected[key]) for key in expected)
    missing = sum(key not in stored for key in expected if key[0] == "entries")
    gone = sum(key not in expected for key in stored)
    if missing or gone or wrong:
        out.add_finding("stale-index", INDEX, wording.index_stale(missing, gone, wrong))


def _check_state(tree: Tree, out: Reading) -> None:
    if STATE not in tree:
        return
    usage = state_file.read(tree[STATE])
    if usage is None:
        out.add_finding("broken-state", STATE, wording.STATE_UNREADABLE)
    elif unknown := len(usage.keys() - tree.memories.keys()):
        out.add_finding("stray-state", STATE, wording.unknown_uses(unknown))
