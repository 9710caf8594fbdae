"""What the files of a Cognitive Memory tree say: records, links, and what stands beside (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from memtui.formats.cognitive import document, episodes, index_entries, state_file
from memtui.formats.cognitive.document import Note
from memtui.formats.cognitive.links import Way
from memtui.formats.cognitive.paths import STATE, is_edge, is_episodes, is_memory, is_pinned, parted, slug
from memtui.formats.cognitive.relation_list import Entry, number, plain
from memtui.formats.cognitive.state_file import Uses
from memtui.formats.contract.adapter import Link, Reading, Record, SideRecord, clean
from memtui.formats.media.files.tree import LIMIT, unit_of
from memtui.formats.syntax.timestamps import seconds_of

STEPS = ("steps", "preconditions", "postconditions")
_KNOWN = {
    "id",
    "type",
    "title",
    "tags",
    "importance",
    "confidence",
    "created",
    "updated",
    "relations",
    *STEPS,
}


@dataclass(frozen=True, eq=False)
class Tree(Mapping[str, bytes]):
    """All files of a tree at one moment, and where each id stands."""

    files: Mapping[str, bytes]
    names: dict[str, str] = field(default_factory=dict)  # of memories, by id; the first where it is doubled
    edges: dict[str, str] = field(default_factory=dict)  # of edge files, by id
    between: dict[tuple[str, str, str], str] = field(default_factory=dict)  # likewise, by from, kind, to
    uses: Mapping[str, Uses] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Tree:
        if isinstance(files, Tree):
            return files
        tree = cls(files, uses=state_file.read(files.get(STATE, b"")) or {})
        for name in sorted(files):
            if len(files[name]) > LIMIT:
                continue
            if is_memory(name):
                tree.names.setdefault(document.id_of(files[name]) or clean(name), name)
            elif is_edge(name):
                found = document.read(files[name])
                tree.edges.setdefault(found.id or clean(name), name)
                ends = found.says("from_id"), plain(found.says("type")), found.says("to_id")
                tree.between.setdefault(ends, name)
        return tree

    def __getitem__(self, name: str) -> bytes:
        return self.files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def data_of(self, id: str) -> bytes | None:
        """The file of the memory of an id."""
        return self.files[self.names[id]] if id in self.names else None

    def note(self, id: str) -> Note | None:
        """The memory of an id."""
        data = self.data_of(id)
        return document.read(data) if data is not None else None

    def id_at(self, name: str) -> str:
        """What relations call the memory in a file; empty where there is none."""
        return (
            document.id_of(self.files[name]) or clean(name) if name in self.files and is_memory(name) else ""
        )

    def edge(self, source: str, entry: Entry) -> bytes | None:
        """The edge file that describes a relation which the memory `source` tells."""
        if not self.edges:
            return None
        ends = (entry.target, source) if entry.incoming else (source, entry.target)
        between = ends[0], plain(entry.kind), ends[1]
        name = self.edges.get(entry.says("edge_id")) or self.between.get(between)
        return self.files[name] if name else None

    @cached_property
    def by_digits(self) -> Mapping[str, list[str]]:
        """The memories by the six digits that end their files' names."""
        out: dict[str, list[str]] = {}
        for id, name in self.names.items():
            out.setdefault(parted(name)[1], []).append(id)
        return out


def part(name: str, data: bytes, tree: Tree) -> Reading:
    """What one file says."""
    out = Reading()
    if is_memory(name):
        found = document.read(data)
        anchor = found.id or clean(name)
        out.records.append(record(name, found, tree.uses.get(anchor, Uses())))
        out.links += links(name, anchor, found, tree)
    elif is_episodes(name):
        for each in episodes.read(name, data):
            out.records.append(_episode(name, each))
            _tell(name, each, tree, out)
    elif is_edge(name):
        out.links += _edge_alone(name, document.read(data), tree)
    return out


def depends_on_files(name: str, data: bytes, tree: Tree) -> Hashable:
    """All that part() takes from other files."""
    if is_episodes(name):
        days = episodes.read(name, data)
        return tuple(_id_of(way, tree) for each in days for way in each.ways if is_memory(way.target))
    found = document.read(data)
    if is_edge(name):
        return tree.data_of(found.says("from_id")), tree.data_of(found.says("to_id"))
    if not is_memory(name):
        return None
    anchor = found.id or clean(name)
    others = [
        (tree.data_of(entry.target) if entry.incoming else None, tree.edge(anchor, entry))
        for entry in found.relations
    ]
    return tree.uses.get(anchor), tuple(others)


def record(name: str, found: Note, uses: Uses) -> Record:
    """One memory's file as a record."""
    values = found.head.values if found.head is not None else {}
    extra = {
        clean(key): clean(value.text) for key, value in values.items() if key.partition(".")[0] not in _KNOWN
    }
    fields = {
        "kind": "procedure" if found.type == "procedure" else "item",
        "category": found.type or None,
        "title": found.title or None,
        "content": found.content,
        "tags": found.list_of("tags"),
        "importance": _share(found.says("importance"), None),
        "confidence": _share(found.says("confidence"), index_entries.CONFIDENCE),
        **{key: found.list_of(key) if key in values else () for key in STEPS},
        "created_at": seconds_of(found.says("created") or None),
        "updated_at": seconds_of(found.says("updated") or None),
        "pinned": is_pinned(name),
        "times_used": uses.count,
        "last_used_at": uses.last,
        "extra": extra,
    }
    anchor = found.id or clean(name)
    return Record(anchor, fields, anchor, clean(name), (name, -1), unit=unit_of(name))


def links(name: str, anchor: str, found: Note, tree: Tree) -> Iterator[Link]:
    """The relations that a memory tells: outgoing ones, and incoming ones that the other end does not."""
    told: set[tuple[str, str, bool]] = set()
    for entry in found.relations:
        key = entry.target, plain(entry.kind), entry.incoming
        if not entry.target or key in told:
            continue
        told.add(key)
        other = tree.note(entry.target) if entry.incoming else None
        if other is not None and other.tells(anchor, entry.kind, False) is not None:
            continue
        ends = (entry.target, anchor) if entry.incoming else (anchor, entry.target)
        edge = tree.edge(anchor, entry)
        strength = _share(entry.says("strength"), None)
        body = document.read(edge).content if edge is not None else ""
        yield Link(ends[0], entry.kind, ends[1], strength, entry.says("context"), body, unit_of(name))


def _edge_alone(name: str, edge: Note, tree: Tree) -> Iterator[Link]:
    """The relation that an edge file tells, where neither memory does."""
    source, target, kind = edge.says("from_id"), edge.says("to_id"), edge.type
    if not (source and target and kind):
        return
    ends = tree.note(source), tree.note(target)
    if (ends[0] is not None and ends[0].tells(target, kind, False)) or (
        ends[1] is not None and ends[1].tells(source, kind, True)
    ):
        return
    yield Link(source, kind, target, _share(edge.says("strength"), None), "", edge.content, unit_of(name))


def _episode(name: str, each: episodes.Episode) -> Record:
    fields = {
        "kind": "episode",
        "title": each.title or None,
        "category": each.type or None,
        "content": each.content,
        "tags": each.tags,
        "event_time": each.at,
        "created_at": each.at,
    }
    place = f"{clean(name)}, {each.time} {each.title}".replace(",  ", ", ").strip()
    return Record(each.ref, fields, each.ref, place, (name, each.start), unit=unit_of(name))


def _tell(name: str, each: episodes.Episode, tree: Tree, out: Reading) -> None:
    """Have the memories that an episode links to say so."""
    for way in each.ways:
        if not is_memory(way.target):
            continue
        id = _id_of(way, tree)
        out.links.append(Link(each.ref, "episode_of", id or clean(way.target), unit=unit_of(name)))
        if id:
            words = f"{PurePosixPath(name).stem} {each.time} {each.title}".replace("  ", " ")
            out.asides.append(SideRecord("episode", id, clean(words), each.at, unit=unit_of(name)))


def _id_of(way: Way, tree: Tree) -> str:
    return tree.id_at(way.target) or by_digits(way, tree)


def by_digits(way: Way, tree: Tree) -> str:
    """The memory to whose file a link led before that was moved: the one that ends in the same six digits,
    and whose name begins alike or whose title the link shows."""
    called = parted(way.target)[0]
    found = [id for id in ending_alike(way.target, tree) if _is_called(id, called, way.label, tree)]
    return found[0] if len(found) == 1 else ""


def ending_alike(target: str, tree: Tree) -> Sequence[str]:
    """The memories whose files end in the same six digits."""
    digits = parted(target)[1]
    return tree.by_digits.get(digits, ()) if len(digits) == 6 else ()


def _is_called(id: str, called: str, label: str, tree: Tree) -> bool:
    first, here = called.partition("-")[0], parted(tree.names[id])[0]
    if first and first == here.partition("-")[0]:
        return True
    end = tree.note(id)
    return end is not None and bool(end.title) and slug(end.title) in (called, slug(label))


def _share(text: str, default: float | None) -> float | None:
    """A number from 0 to 1; one beyond is brought there, what is none counts as not told."""
    said = number(text)
    return default if said is None or said != said else min(1.0, max(0.0, said))
