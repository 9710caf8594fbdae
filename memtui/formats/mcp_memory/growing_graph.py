"""An MCP memory file to which observations, entities and relations are added one by one, without reading it
again after each."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from memtui.formats.contract.records import Link, clean
from memtui.formats.mcp_memory.lines import BOM, Line, parse_line, raw_lines
from memtui.formats.syntax.json_spans import elements

Relation = tuple[str, str, str]


@dataclass(slots=True)
class Entity:
    """An entity's line, and what a further observation of it needs to know: `end` is where the last one ends
    in the line, counted in bytes; None where the line has no list of observations."""

    number: int
    type: str
    end: int | None
    is_empty: bool = True
    is_spaced: bool = False  # there is a blank between observations
    is_dated: bool = False  # observations are objects with a time
    is_ascii: bool = True
    has_escapes: bool = False  # of the kind that ASCII needs


@dataclass(slots=True)
class GrowingGraph:
    """What a file has: the last line of each entity by name, the relations, and the lengths of its lines.

    `key` is the member by which lines say what they are, None if they do not."""

    newline: bytes
    key: str | None = "type"
    entities: dict[str, Entity] = field(default_factory=dict)
    relations: set[Relation] = field(default_factory=set)
    _start: int = 0  # of the first line
    _count: int = 0  # lines
    _sums: list[int] = field(default_factory=lambda: [0])  # of the lengths of lines, as a Fenwick tree

    @classmethod
    def read(cls, data: bytes) -> GrowingGraph:
        """Return the content of a file."""
        out = cls(newline_of(data), _start=len(BOM) if data.startswith(BOM) else 0)
        starts = []
        has_entity = False
        for start, raw in raw_lines(data):
            starts.append(start)
            line, _ = parse_line(start, raw)
            if line is not None and line.kind == "entity" and not has_entity:
                has_entity = True
                out.key = next((key for key in ("type", "_type") if key in line.members), None)
            if line is not None:
                out._take(line, len(starts) - 1)
        for start, end in pairwise([*starts, len(data)]):
            out._append_length(end - start)
        return out

    def start_of(self, number: int) -> int:
        """Return the offset of a line."""
        out = self._start
        while number:
            out += self._sums[number]
            number &= number - 1
        return out

    def add_line(self, raw: bytes, length: int, before: int) -> None:
        """Take a new last line into account, which has this `length` with its line break; `before` bytes of
        it were added to the line above."""
        if before:
            self._lengthen(self._count - 1, before)
        line, _ = parse_line(0, raw)
        if line is not None:
            self._take(line, self._count)
        self._append_length(length)

    def add_observation(self, entity: Entity, token: str, added: bytes) -> None:
        """Take an observation into account, spelled `token`; all that was `added` to the line."""
        assert entity.end is not None
        entity.end += len(added)
        entity.is_empty = False
        entity.is_spaced |= b", " in added or '": "' in token
        entity.is_ascii &= token.isascii()
        entity.has_escapes |= "\\u" in token
        self._lengthen(entity.number, len(added))

    def _take(self, line: Line, number: int) -> None:
        if line.kind == "entity":
            self.entities[line.string("name")] = _entity(line, number)
        else:
            self.relations.add(
                (clean(line.string("from")), clean(line.string("relationType")), clean(line.string("to")))
            )

    def _append_length(self, length: int) -> None:
        self._count += 1
        node, other = length, self._count - 1
        while other > (self._count & (self._count - 1)):
            node += self._sums[other]
            other &= other - 1
        self._sums.append(node)

    def _lengthen(self, number: int, by: int) -> None:
        at = number + 1
        while at <= self._count:
            self._sums[at] += by
            at += at & -at


def newline_of(data: bytes) -> bytes:
    """Return how the lines of a file end."""
    return b"\r\n" if b"\r\n" in data else b"\n"


def relation_of(link: Link) -> Relation:
    """Return a relation as it is in `GrowingGraph.relations`."""
    return link.source, link.kind, link.target


def _entity(line: Line, number: int) -> Entity:
    type, array = line.string("entityType"), line.members.get("observations")
    if array is None or not isinstance(array.value, list):
        return Entity(number, type, None)
    spans = elements(line.text, array.start)
    last = spans[-1].value if spans else None
    at = spans[-1].end if spans else array.start + 1
    return Entity(
        number,
        type,
        line.byte_offset(at) - line.start,
        not spans,
        ", " in line.text[array.start : array.end] or '": "' in line.text,
        isinstance(last, dict) and isinstance(last.get("text"), str),
        line.text.isascii(),
        "\\u" in line.text,
    )
