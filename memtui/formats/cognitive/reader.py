"""Read the files of a Cognitive Memory tree: records, links and side records (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from memtui.formats.cognitive import document, episodes, state_file
from memtui.formats.cognitive.document import PROCEDURE_KEYS, Note
from memtui.formats.cognitive.episodes import Episode
from memtui.formats.cognitive.index import index_entries
from memtui.formats.cognitive.links import FileLink
from memtui.formats.cognitive.paths import (
    SHORT_ID,
    STATE,
    is_edge,
    is_episodes,
    is_memory,
    is_pinned,
    slug,
    split_name,
)
from memtui.formats.cognitive.relation_list import Entry, normalize_kind, parse_number
from memtui.formats.cognitive.state_file import Usage
from memtui.formats.contract.records import Link, Reading, Record, SideRecord, clean
from memtui.formats.media.files.tree import LIMIT, unit_of
from memtui.formats.syntax.timestamps import seconds_of

_KNOWN_KEYS = {
    "id",
    "type",
    "title",
    "tags",
    "importance",
    "confidence",
    "created",
    "updated",
    "relations",
    *PROCEDURE_KEYS,
}


@dataclass(frozen=True, eq=False)
class Tree(Mapping[str, bytes]):
    """All files of a tree at one moment, by name; memories and edges also by id.

    Where several files have one id, or several edges the same ends and kind, the first by name counts."""

    files: Mapping[str, bytes]
    memories: dict[str, str] = field(default_factory=dict)  # file names by id
    edges: dict[str, str] = field(default_factory=dict)  # likewise
    edges_by_ends: dict[tuple[str, str, str], str] = field(default_factory=dict)  # by from, kind, to
    usage: Mapping[str, Usage] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Tree:
        """Return files as a tree; a tree is returned as it is."""
        if isinstance(files, Tree):
            return files
        tree = cls(files, usage=state_file.read(files.get(STATE, b"")) or {})
        for name in sorted(files):
            if len(files[name]) > LIMIT:
                continue
            if is_memory(name):
                tree.memories.setdefault(document.id_of(files[name]) or clean(name), name)
            elif is_edge(name):
                edge = document.read(files[name])
                tree.edges.setdefault(edge.id or clean(name), name)
                ends = edge.text("from_id"), normalize_kind(edge.type), edge.text("to_id")
                tree.edges_by_ends.setdefault(ends, name)
        return tree

    def __getitem__(self, name: str) -> bytes:
        return self.files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def data_of(self, id: str) -> bytes | None:
        """Return the content of the memory with this id."""
        return self.files[self.memories[id]] if id in self.memories else None

    def note(self, id: str) -> Note | None:
        """Return the memory with this id."""
        data = self.data_of(id)
        return document.read(data) if data is not None else None

    def id_at(self, name: str) -> str:
        """Return the id by which relations mean the memory in a file; "" if there is none."""
        if name not in self.files or not is_memory(name):
            return ""
        return document.id_of(self.files[name]) or clean(name)

    def edge(self, source: str, entry: Entry) -> bytes | None:
        """Return the edge file that describes the relation `entry` of the memory `source`."""
        if not self.edges:
            return None
        ends = (entry.target, source) if entry.incoming else (source, entry.target)
        key = ends[0], normalize_kind(entry.kind), ends[1]
        name = self.edges.get(entry.text("edge_id")) or self.edges_by_ends.get(key)
        return self.files[name] if name else None

    @cached_property
    def by_short_id(self) -> Mapping[str, list[str]]:
        """The ids of memories by the short id in their files' names."""
        out: dict[str, list[str]] = {}
        for id, name in self.memories.items():
            out.setdefault(split_name(name)[1], []).append(id)
        return out


def read_file(name: str, data: bytes, tree: Tree) -> Reading:
    """Return the records, links and side records of one file."""
    out = Reading()
    if is_memory(name):
        note = document.read(data)
        anchor = note.id or clean(name)
        out.records.append(record(name, note, tree.usage.get(anchor, Usage())))
        out.links += relations(name, anchor, note, tree)
    elif is_episodes(name):
        for each in episodes.read(name, data):
            out.records.append(_episode(name, each))
            _add_episode_links(name, each, tree, out)
    elif is_edge(name):
        out.links += _edge_relation(name, document.read(data), tree)
    return out


def dependencies(name: str, data: bytes, tree: Tree) -> Hashable:
    """Return all that `read_file` takes from other files."""
    if is_episodes(name):
        links = [link for each in episodes.read(name, data) for link in each.links]
        return tuple(_target_id(link, tree) for link in links if is_memory(link.target))
    note = document.read(data)
    if is_edge(name):
        return tree.data_of(note.text("from_id")), tree.data_of(note.text("to_id"))
    if not is_memory(name):
        return None
    anchor = note.id or clean(name)
    others = [
        (tree.data_of(entry.target) if entry.incoming else None, tree.edge(anchor, entry))
        for entry in note.relations
    ]
    return tree.usage.get(anchor), tuple(others)


def record(name: str, note: Note, usage: Usage) -> Record:
    """Return a memory's file as a record."""
    values = note.head.values if note.head is not None else {}
    extra = {
        clean(key): clean(value.text)
        for key, value in values.items()
        if key.partition(".")[0] not in _KNOWN_KEYS
    }
    fields = {
        "kind": "procedure" if note.type == "procedure" else "item",
        "category": note.type or None,
        "title": note.title or None,
        "content": note.content,
        "tags": note.list_of("tags"),
        "importance": _ratio(note.text("importance"), None),
        "confidence": _ratio(note.text("confidence"), index_entries.DEFAULT_CONFIDENCE),
        **{key: note.list_of(key) if key in values else () for key in PROCEDURE_KEYS},
        "created_at": seconds_of(note.text("created") or None),
        "updated_at": seconds_of(note.text("updated") or None),
        "pinned": is_pinned(name),
        "times_used": usage.count,
        "last_used_at": usage.last,
        "extra": extra,
    }
    anchor = note.id or clean(name)
    return Record(anchor, fields, anchor, clean(name), (name, -1), unit=unit_of(name))


def relations(name: str, anchor: str, note: Note, tree: Tree) -> Iterator[Link]:
    """Yield the relations in a memory's head: outgoing ones, and incoming ones that their source lacks."""
    seen: set[tuple[str, str, bool]] = set()
    for entry in note.relations:
        key = entry.target, normalize_kind(entry.kind), entry.incoming
        if not entry.target or key in seen:
            continue
        seen.add(key)
        source = tree.note(entry.target) if entry.incoming else None
        if source is not None and source.find_relation(anchor, entry.kind, False) is not None:
            continue
        ends = (entry.target, anchor) if entry.incoming else (anchor, entry.target)
        edge = tree.edge(anchor, entry)
        strength = _ratio(entry.text("strength"), None)
        body = document.read(edge).content if edge is not None else ""
        yield Link(ends[0], entry.kind, ends[1], strength, entry.text("context"), body, unit_of(name))


def _edge_relation(name: str, edge: Note, tree: Tree) -> Iterator[Link]:
    """Yield the relation of an edge file if neither of its memories has it."""
    source, target, kind = edge.text("from_id"), edge.text("to_id"), edge.type
    if not (source and target and kind):
        return
    ends = tree.note(source), tree.note(target)
    if (ends[0] is not None and ends[0].find_relation(target, kind, False)) or (
        ends[1] is not None and ends[1].find_relation(source, kind, True)
    ):
        return
    yield Link(source, kind, target, _ratio(edge.text("strength"), None), "", edge.content, unit_of(name))


def _episode(name: str, episode: Episode) -> Record:
    fields = {
        "kind": "episode",
        "title": episode.title or None,
        "category": episode.type or None,
        "content": episode.content,
        "tags": episode.tags,
        "event_time": episode.at,
        "created_at": episode.at,
    }
    place = f"{clean(name)}, {episode.time} {episode.title}".replace(",  ", ", ").strip()
    return Record(episode.ref, fields, episode.ref, place, (name, episode.start), unit=unit_of(name))


def _add_episode_links(name: str, episode: Episode, tree: Tree, out: Reading) -> None:
    """Add the links of an episode to memories, and a side record to each of these."""
    unit = unit_of(name)
    for link in episode.links:
        if not is_memory(link.target):
            continue
        id = _target_id(link, tree)
        out.links.append(Link(episode.ref, "episode_of", id or clean(link.target), unit=unit))
        if id:
            text = f"{PurePosixPath(name).stem} {episode.time} {episode.title}".replace("  ", " ")
            out.side_records.append(SideRecord("episode", id, clean(text), episode.at, unit=unit))


def _target_id(link: FileLink, tree: Tree) -> str:
    return tree.id_at(link.target) or find_moved(link, tree)


def find_moved(link: FileLink, tree: Tree) -> str:
    """Return the id of the memory whose file was moved since a link to it was written; "" if uncertain.

    Its file has the same short id, and its name begins alike or its title is the link's label."""
    title_slug = split_name(link.target)[0]
    ids = [id for id in same_short_id(link.target, tree) if _is_named(id, title_slug, link.label, tree)]
    return ids[0] if len(ids) == 1 else ""


def same_short_id(target: str, tree: Tree) -> Sequence[str]:
    """Return the ids of the memories whose files have the same short id in their names."""
    short_id = split_name(target)[1]
    return tree.by_short_id.get(short_id, ()) if len(short_id) == SHORT_ID else ()


def _is_named(id: str, title_slug: str, label: str, tree: Tree) -> bool:
    first, own_slug = title_slug.partition("-")[0], split_name(tree.memories[id])[0]
    if first and first == own_slug.partition("-")[0]:
        return True
    note = tree.note(id)
    return note is not None and bool(note.title) and slug(note.title) in (title_slug, slug(label))


def _ratio(text: str, default: float | None) -> float | None:
    """Return a number clamped to 0–1; `default` if the text is none."""
    number = parse_number(text)
    return default if number is None or number != number else min(1.0, max(0.0, number))
