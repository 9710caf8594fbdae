"""Changes to an MCP memory file in a draft: observations, entities and relations (FORMATS 7).

The server rewrites the whole file at each save and keeps only its own fields, so no member of memtui's own
is ever added; one bad line would make the server fail, so only complete JSON lines are written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Link, Record, clean
from memtui.formats.mcp_memory import wording
from memtui.formats.mcp_memory.growing_graph import GrowingGraph, newline_of, relation_of
from memtui.formats.mcp_memory.lines import BOM, Line, lines_with, observations, parse_line, parse_lines
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax.json_spans import Span, elements, encode_like, members
from memtui.memory.encoding import iso
from memtui.values import Json

_GRAPH = "graph"  # the file, to which lines are added
_NAMES = "names"  # how many entities and relations have each name
_NONE: tuple[bytes | None, None] = (None, None)


class GraphWriter:
    """Changes to the file `name` in `draft`. Every method raises Refused where the change cannot be made."""

    def __init__(self, draft: Draft, name: str) -> None:
        self.draft = draft
        self.name = name

    @property
    def data(self) -> bytes:
        """The file as it is now."""
        return self.draft.files[self.name]

    # -- observations

    def find(self, record: Record) -> tuple[Line, Span | None]:
        """Return the record's line as it is now, and its observation; None for an entity without
        observations."""
        data, at = self.data, record.position[1]
        start = data.rfind(b"\n", 0, at) + 1
        if start == 0 and data.startswith(BOM):
            start = len(BOM)
        end = data.find(b"\n", at)
        line, _ = parse_line(start, data[start : len(data) if end < 0 else end].removesuffix(b"\r"))
        if line is not None and line.kind == "entity":
            if record.placeholder:
                return line, None
            for span in observations(line):
                if line.byte_offset(span.start) == at:
                    return line, span
        raise wording.observation_gone()

    def set_content(self, line: Line, span: Span | None, text: str, now: float) -> None:
        """Change an observation's text; without `span`, give the entity its first observation."""
        if not text.strip():
            raise wording.empty_observation()
        if span is None:
            self.append_observation(line, text, now)
            return
        if isinstance(span.value, dict):
            inner = members(line.text, span.start)
            span = inner["text" if "text" in inner else "content"]
        self.replace_value(line, span, text)

    def append_observation(self, line: Line, text: str, now: float) -> None:
        """Add an observation to an entity's line, in the dialect of those before it."""
        array = line.members.get("observations")
        if array is None or not isinstance(array.value, list):
            raise wording.no_observations_member()
        spans = elements(line.text, array.start)
        last = spans[-1].value if spans else None
        token = encode_like(text, line.text)
        if isinstance(last, dict) and isinstance(last.get("text"), str):  # the dialect with times
            token = encode_like({"text": text, "timestamp": iso(now)}, line.text)
        self.append_token(line, token)

    def append_token(self, line: Line, token: str) -> None:
        """Add an observation that is spelled already, spaced as the line is."""
        array = line.members["observations"]
        spans = elements(line.text, array.start)
        at = spans[-1].end if spans else array.start + 1
        gap = ", " if ", " in line.text[array.start : array.end] or '": "' in line.text else ","
        self._splice(line, at, at, gap + token if spans else token)

    def remove_observation(self, line: Line, span: Span) -> None:
        """Take an observation out of its list, with one comma."""
        spans = elements(line.text, line.members["observations"].start)
        index = next(i for i, s in enumerate(spans) if s.start == span.start)
        if index > 0:
            start, end = spans[index - 1].end, span.end
        elif len(spans) > 1:
            start, end = span.start, spans[1].start
        else:
            start, end = span.start, span.end
        counted, counts = self.draft.caches.get(_NAMES, _NONE)
        is_known = counted is self.data
        self._splice(line, start, end, "")
        if is_known:  # names and relations are the same
            self.draft.caches[_NAMES] = self.data, counts

    def is_last(self, line: Line) -> bool:
        """Return whether an entity has no more than one observation, readable or not."""
        array = line.members.get("observations")
        return array is not None and len(elements(line.text, array.start)) == 1

    # -- entities

    def add(self, write: Write) -> None:
        """Add an observation to the entity named by the subject, or a new entity."""
        subject = str(write.fields.get("subject") or "").strip()
        text = str(write.fields.get("content") or "")
        if not subject:
            raise wording.no_entity_named()
        category = write.fields.get("category")
        graph = self._growing()
        entity = graph.entities.get(subject)
        if entity is None:
            fields = {
                "name": subject,
                "entityType": category or "general",
                "observations": [text] if text else [],
            }
            self._append_line(graph, "entity", fields)
            return
        if write.action == "add" and category not in (None, entity.type):
            raise wording.entity_has_other_type(subject, entity.type)
        if not text:
            raise wording.entity_taken(subject)
        if entity.end is None:
            raise wording.no_observations_member()
        at = float(write.fields.get("created_at") or write.now)
        value: Json = {"text": text, "timestamp": iso(at)} if entity.is_dated else text
        token = json.dumps(value, ensure_ascii=entity.is_ascii and entity.has_escapes)
        gap = "" if entity.is_empty else ", " if entity.is_spaced else ","
        place, new = graph.start_of(entity.number) + entity.end, (gap + token).encode()
        self.draft.splice(self.name, place, place, new)
        graph.add_observation(entity, token, new)
        self.draft.caches[_GRAPH] = self.data, graph

    def _growing(self) -> GrowingGraph:
        """Return what the file has, read once for all additions of a batch."""
        data = self.data
        if _GRAPH not in self.draft.caches or self.draft.caches[_GRAPH][0] is not data:
            self.draft.caches[_GRAPH] = data, GrowingGraph.read(data)
        graph = self.draft.caches[_GRAPH][1]
        assert isinstance(graph, GrowingGraph)
        return graph

    def set_type(self, line: Line, type: str) -> None:
        """Change the type of an entity, which all its observations share."""
        token = line.members.get("entityType")
        if token is None:
            raise wording.no_type_member()
        if not type.strip():
            raise wording.no_entity_type()
        self.replace_value(line, token, type)
        self.draft.affected_anchors.add(clean(line.string("name")))

    def rename(self, old: str, new: str) -> None:
        """Rename an entity on all its lines, and in its relations."""
        if not new.strip() or not old:
            raise wording.no_entity_name()
        if new == old:
            return
        lines = list(parse_lines(self.data))
        if any(line.kind == "entity" and line.string("name") == new for line in lines):
            raise wording.entity_taken(new)
        for line in reversed(lines):
            keys = ("name",) if line.kind == "entity" else ("from", "to")
            tokens = [line.members[key] for key in keys if line.string(key) == old]
            for token in sorted(tokens, key=lambda span: -span.start):
                self.replace_value(line, token, new)
        self.draft.affected_anchors |= {clean(old), clean(new)}

    def remove_entity(self, line: Line) -> None:
        """Remove an entity's line, and its relations if it is the only one of its name."""
        name = line.string("name")
        data = self.data
        entities, ends = self._name_counts()
        removed = [line]
        if entities[name] == 1 and ends[name]:
            removed += [
                other
                for other in lines_with(data, name)
                if other.kind == "relation" and name in (other.string("from"), other.string("to"))
            ]
        for each in sorted(removed, key=lambda each: -each.start):
            self.cut_line(each)
        if entities[name] > 1:  # so that undo may restore it next to the other
            self.draft.affected_anchors.add(clean(name))
        entities[name] -= 1
        for relation in removed[1:]:
            ends.subtract((relation.string("from"), relation.string("to")))
        self.draft.caches[_NAMES] = self.data, (entities, ends)

    def _name_counts(self) -> tuple[Counter[str], Counter[str]]:
        """Return how many entities have each name, and how many relations lead from or to it: counted once
        for all removals of a batch."""
        data = self.data
        if self.draft.caches.get(_NAMES, _NONE)[0] is not data:
            entities: Counter[str] = Counter()
            ends: Counter[str] = Counter()
            for line in parse_lines(data):
                if line.kind == "entity":
                    entities[line.string("name")] += 1
                else:
                    ends.update((line.string("from"), line.string("to")))
            self.draft.caches[_NAMES] = data, (entities, ends)
        entities, ends = self.draft.caches[_NAMES][1]
        return entities, ends

    # -- relations

    def relate(self, link: Link) -> None:
        """Add a relation between two entities."""
        if link.source == link.target:
            raise wording.relation_to_itself()
        graph = self._growing()
        if relation_of(link) in graph.relations:
            raise wording.relation_exists()
        self._append_line(graph, "relation", _relation(link))

    def unrelate(self, link: Link) -> None:
        """Remove a relation, on all lines that state it."""
        lines = self.relation_lines(link)
        if not lines:
            raise wording.relation_gone()
        for line in reversed(lines):
            self.cut_line(line)

    def update_relation(self, old: Link, new: Link) -> None:
        """Change a relation in its own line."""
        if new.source == new.target:
            raise wording.relation_to_itself()
        if self.relation_lines(new):
            raise wording.relation_exists()
        lines = self.relation_lines(old)
        if not lines:
            raise wording.relation_gone()
        wanted = _relation(new)
        for line in reversed(lines):
            changed = [(line.members[key], key) for key in wanted if clean(line.string(key)) != wanted[key]]
            for token, key in sorted(changed, key=lambda each: -each[0].start):
                self.replace_value(line, token, wanted[key])

    def relation_lines(self, link: Link) -> list[Line]:
        """Return the lines that state a relation; there may be several."""
        wanted = _relation(link)
        return [
            line
            for line in parse_lines(self.data)
            if line.kind == "relation" and all(clean(line.string(key)) == wanted[key] for key in wanted)
        ]

    # -- lines and values

    def _append_line(self, graph: GrowingGraph, kind: str, fields: Mapping[str, Json]) -> None:
        """Add an object as a line at the end, in the dialect of the others."""
        line = ({graph.key: kind} if graph.key else {}) | dict(fields)
        raw = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
        before = len(self.data)
        unended = not self.data.endswith(b"\n") and before > len(BOM) * self.data.startswith(BOM)
        self.append_raw_line(raw, graph.newline)
        added = len(self.data) - before
        moved = len(graph.newline) if unended else 0
        graph.add_line(raw, added - moved, moved)
        self.draft.caches[_GRAPH] = self.data, graph

    def append_raw_line(self, new: bytes, newline: bytes = b"") -> None:
        """Add a line that is spelled already; `newline` is how lines of the file end, if that is known."""
        data = self.data
        newline = newline or newline_of(data)
        if data.endswith(b"\n"):
            new += newline
        elif len(data) > len(BOM) * data.startswith(BOM):
            new = newline + new
        self.draft.splice(self.name, len(data), len(data), new)

    def cut_line(self, line: Line) -> None:
        """Remove a line with one line break."""
        data = self.data
        start, end = line.start, line.start + len(line.text.encode())
        if data[end : end + 2] == b"\r\n":
            end += 2
        elif data[end : end + 1] == b"\n":
            end += 1
        elif data[start - 2 : start] == b"\r\n":
            start -= 2
        elif data[start - 1 : start] == b"\n":
            start -= 1
        self.draft.splice(self.name, start, end, b"")

    def replace_value(self, line: Line, span: Span, value: Json) -> None:
        """Put a value in the place of another one, spelled as the line is."""
        self._splice(line, span.start, span.end, encode_like(value, line.text))

    def _splice(self, line: Line, start: int, end: int, new: str) -> None:
        self.draft.splice(self.name, line.byte_offset(start), line.byte_offset(end), new.encode())


def _relation(link: Link) -> Mapping[str, str]:
    """Return a relation's members as the server names them."""
    return {"from": link.source, "to": link.target, "relationType": link.kind}
