"""The MCP `memory` server's JSONL file (FORMATS 7): one observation is one memory.

The server rewrites the whole file at each save and keeps only its own fields, so nothing
of ours is ever put there, and one bad line would make it fail: none is ever written.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from memtui.errors import NotSaved, Refused
from memtui.formats.checkup import records
from memtui.formats.checkup.similar_names import Names
from memtui.formats.contract.adapter import (
    Fitted,
    How,
    Link,
    Planned,
    Reading,
    Record,
    RelationFate,
    Support,
    Write,
    clean,
)
from memtui.formats.contract.incremental import Look, mark_of, stamp_of
from memtui.formats.mcp_memory import checks
from memtui.formats.mcp_memory.incremental import McpLook
from memtui.formats.mcp_memory.lines import (
    BARE,
    BOM,
    Line,
    kind_of,
    line_of,
    lines_of,
    loads,
    observations_of,
    raw_lines,
    said_of,
    tell,
    unit_of,
)
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft, Hunk, changed_since
from memtui.formats.media.files.store import FileStore
from memtui.formats.slips import Slip
from memtui.formats.syntax.json_spans import Span, elements, members, spell
from memtui.memory.records import Finding, iso

_LOOK_AT = 50  # lines that decide whether a file is of this format
_PART = 2_000  # records that are read at once
_SMALL = 1 << 20  # bytes up to which what was read is remembered
_TRIES, _PAUSE = 40, 0.025  # of reading a file that is being written; seconds
_AT_REST = 0.5  # seconds after which a file is as its writer means it, torn or empty

_HEAD, _LONGEST = 1 << 20, 1 << 26  # bytes that tell whether a file is of this format; of a first line
_MEANINGS = {
    "double-key": "The server takes the last one, and drops the others when it next saves.",
    "bad-line": "The server fails on such a line, so agents may get no memory at all until it is mended.",
    "dangling": "Agents see a relation that leads nowhere; the server keeps it.",
    "odd-observation": "Agents may be handed something that is no sentence; memtui leaves it as it is.",
}


class McpMemory(FileStore):
    """An MCP memory file, attached; `root` is the file."""

    format = "mcp-memory"
    title = "MCP memory server"
    looked_for = "lines of JSON with entities (name, entityType, observations) or relations"
    inside = ("memory.jsonl", "memory.json")
    known_places = (
        "$MEMORY_FILE_PATH",
        "./memory.jsonl",
        "~/.local/share/mcp/memory.json*",
        "~/memory.json*",
    )
    fields = frozenset({"content", "category", "subject"})
    entity = ("subject", "category")
    restorable_fields = frozenset({"created_at"})
    meanings = _MEANINGS
    _newest: tuple[tuple[bytes, list[Reading]], ...] = ()  # what was read last, before and after a change
    grave = frozenset({"bad-line"})

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        if not path.is_file():
            return None
        with path.open("rb") as handle:
            head = handle.read(_HEAD)
            if len(head) == _HEAD and b"\n" not in head:
                head += handle.readline(_LONGEST)
        if not head.removeprefix(BOM).strip():
            named = path.name in cls.inside or str(path) == os.environ.get("MEMORY_FILE_PATH")
            return path if named else None
        lines = [line for line in head.removeprefix(BOM).splitlines() if line.strip()]
        if len(head) >= _HEAD:  # the last one may be cut off
            lines = lines[:-1] or lines
        known = sum(1 for line in lines[:_LOOK_AT] if kind_of(loads(line)))
        return path if known and known * 2 >= min(len(lines), _LOOK_AT) else None

    @classmethod
    def create(cls, path: Path) -> Path:
        if path.is_dir():
            path /= cls.inside[0]
        # An empty file is one by its name alone.
        if path.name not in cls.inside:
            raise Refused(
                "name",
                f"An empty MCP memory must be named {' or '.join(cls.inside)}.",
                "Nothing was made.",
            )
        atomic_write.make_file(path)
        return path

    # -- read

    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        status = self.root.stat()
        return {self.root.name: self._whole()}, {self.root.name: stat.S_IMODE(status.st_mode)}

    def _whole(self) -> bytes:
        """The bytes of the file, not of one that is just being written: the server empties it first
        and then writes it anew. Raises Refused where it does not come to rest."""
        for _ in range(_TRIES):
            before = os.stat(self.root)
            if not stat.S_ISREG(before.st_mode):  # a pipe would keep its reader waiting
                raise OSError(errno.EINVAL, "It is no regular file", self.root.name)
            data = self.root.read_bytes()
            after = os.stat(self.root)
            if (before.st_ino, before.st_size, before.st_mtime_ns) == (
                *(after.st_ino, after.st_size, after.st_mtime_ns),
            ) and (_is_whole(data) or time.time() - after.st_mtime > _AT_REST):
                return data
            time.sleep(_PAUSE)
        raise Refused("busy", f"{self.root.name} is just being written.", "Try again in a moment.")

    def parse(self, files: Mapping[str, bytes]) -> Reading:
        data = files.get(self.root.name, b"")
        out = Reading()
        for part in self._remembered(data):
            out.records += part.records
            out.links += part.links
            out.findings += part.findings
        return out

    def _remembered(self, data: bytes) -> list[Reading]:
        """The parts of a file. One change asks for the same bytes several times, while an agent goes on
        writing: the sooner it is planned, the less likely it comes too late."""
        known = self._newest
        parts = next((parts for each, parts in known if each == data), None)
        if parts is None:
            parts = list(self._parts(data))
            if len(data) <= _SMALL:
                self._newest = ((data, parts), *known[:1])
        return parts

    def _parts(self, data: bytes) -> Iterator[Reading]:
        """All that the file says, some lines at a time, and last what is odd about it as a whole."""
        name = self.root.name
        seen: Counter[str] = Counter()
        units: Counter[bytes] = Counter()
        ends: dict[str, None] = {}
        entities: set[str] = set()
        part = Reading()
        for number, (start, raw) in enumerate(raw_lines(data), 1):
            line, trouble = line_of(start, raw)
            if trouble:
                last = start + len(raw) >= len(data)
                where = "the last line is torn" if last and trouble == "no JSON" else trouble
                words = f"Left as it is: {where}. The server cannot read it."
                part.odd("bad-line", f"{name}, line {number}", words)
            if line is not None:
                tell(line, name, number, seen, part, unit_of(raw, units))
            if len(part.records) + len(part.links) >= _PART:
                entities.update(record.anchor for record in part.records)
                ends.update(dict.fromkeys(end for link in part.links for end in (link.source, link.target)))
                yield part
                part = Reading()
        entities.update(record.anchor for record in part.records)
        ends.update(dict.fromkeys(end for link in part.links for end in (link.source, link.target)))
        for end in ends:
            if end not in entities:
                part.odd("dangling", name, f"A relation names “{end}”, which is no entity.", end, end)
        yield part

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        yield from checks.look(self.root.name, self.load()[0][self.root.name])

    def texts(self, reading: Reading) -> Iterator[tuple[str, str]]:
        return records.texts(reading)  # an entity says more than the one file

    def stamp(self) -> str:
        return stamp_of([(self.root.name, mark_of(os.stat(self.root)))])

    @classmethod
    def named_by_text(cls, ref: str) -> bool:
        return not ref.startswith(BARE)

    @contextmanager
    def look(self) -> Iterator[Look]:
        yield McpLook(self.root.name, self._whole(), self._parts)

    # -- write

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            self._add(draft, write)
            return
        if write.link is not None and write.action in ("relate", "unrelate"):
            self._relate(draft, write.link, there=write.action == "relate")
            return
        if write.action == "retie" and write.link is not None and write.was is not None:
            self._retie(draft, write.was, write.link)
            return
        line, span = self._find(draft, record)
        if write.action == "dismiss":
            if span is None:
                self._remove_entity(draft, line)
            else:
                self._remove_observation(draft, line, span)
            return
        if "content" in write.fields:
            self._set_content(draft, line, span, str(write.fields["content"] or ""), write.now)
        if "category" in write.fields:
            line, _ = self._find(draft, record)
            token = line.parts.get("entityType")
            if token is None:
                raise NotSaved("no-field", "this entity's line has no entityType.")
            if not str(write.fields["category"] or "").strip():
                raise NotSaved("empty", "an entity needs a type.")
            self._put(draft, line, token, str(write.fields["category"]))
            draft.also.add(clean(line.said("name")))
        if "subject" in write.fields:
            line, _ = self._find(draft, record)
            self._rename(draft, line.said("name"), str(write.fields["subject"] or ""))

    def slips(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Slip]:
        name, data = self.root.name, files[self.root.name]
        refs: dict[str, str] = {}
        for record in reading.records:
            refs.setdefault(record.anchor, record.ref)
        names = Names((entity, entity) for entity in refs)
        for line in lines_of(data) if refs else ():
            for key, other in (("from", "to"), ("to", "from")) if line.kind == "relation" else ():
                said = clean(line.said(key))
                meant = names.meant(said) if said not in refs else ""
                if meant and meant != clean(line.said(other)):
                    span = line.parts[key]
                    new = spell(meant, line.text).encode()
                    at = line.byte(span.start), line.byte(span.end)
                    yield Slip("dangling", name, said, meant, refs[meant], name, *at, new)

    def with_current_names(self, plan: Planned, now: Callable[[str], str]) -> Planned:
        own = (plan.removed or {}).get("subject")

        def called(hunk: Hunk) -> Hunk:
            text = hunk.old.strip()
            line, _ = line_of(hunk.old.find(text), text)
            if line is None or line.kind != "relation":
                return hunk
            old = hunk.old
            for key in sorted(("from", "to"), key=lambda key: -line.parts[key].start):
                name, span = line.said(key), line.parts[key]
                if clean(name) != own and (new := now(clean(name))) != clean(name):
                    token = spell(new, line.text).encode()
                    old = old[: line.byte(span.start)] + token + old[line.byte(span.end) :]
            return replace(hunk, old=old)

        edits = (replace(edit, hunks=tuple(map(called, edit.hunks))) for edit in plan.edits)
        return replace(plan, edits=tuple(edits))

    def stands_for(self, ref: str) -> str:
        return ref.removeprefix(BARE).partition("\x1f")[0] if ref.startswith(BARE) else ""

    def clash(self, before: Reading, after: Reading, back: Set[str]) -> str:
        """A second entity of one name or relation of one kind, which the server never makes; those that an
        agent made may stay, and come back."""
        earlier, later = _relations(before), _relations(after)
        if any(count > earlier[each] > 0 for each, count in later.items()):
            return "they are related so already"
        was, now = _entities(before), _entities(after)
        if now.total() - len(now) <= was.total() - len(was):
            return ""
        again = [name for name, count in now.items() if count > max(1, was[name]) and name not in back]
        return f"there is an entity “{again[0]}” already" if again else ""

    def _find(self, draft: Draft, record: Record) -> tuple[Line, Span | None]:
        """The record's line as it is now, and its observation (None for a bare entity)."""
        data = draft.files[self.root.name]
        at = record.at[1]
        start = data.rfind(b"\n", 0, at) + 1
        if start == 0 and data.startswith(BOM):
            start = len(BOM)
        end = data.find(b"\n", at)
        line, _ = line_of(start, data[start : len(data) if end < 0 else end].removesuffix(b"\r"))
        if line is not None and line.kind == "entity":
            if record.bare:
                return line, None
            for span in observations_of(line):
                if line.byte(span.start) == at:
                    return line, span
        raise NotSaved("gone", "the observation is no longer where it was.")

    def _put(self, draft: Draft, line: Line, span: Span, value: Any) -> None:
        token = spell(value, line.text).encode()
        draft.splice(self.root.name, line.byte(span.start), line.byte(span.end), token)

    def _set_content(self, draft: Draft, line: Line, span: Span | None, text: str, now: float) -> None:
        if not text.strip():
            raise NotSaved("empty", "an observation cannot be empty.", "Dismiss it instead.")
        if span is None:
            self._append(draft, line, text, now)
            return
        if isinstance(span.value, dict):
            inner = members(line.text, span.start)
            span = inner["text" if "text" in inner else "content"]
        self._put(draft, line, span, text)

    def _append(self, draft: Draft, line: Line, text: str, now: float) -> None:
        array = line.parts.get("observations")
        if array is None or not isinstance(array.value, list):
            raise NotSaved("no-field", "this entity's line has no list of observations.")
        spans = elements(line.text, array.start)
        like = spans[-1].value if spans else None
        token = spell(text, line.text)
        if isinstance(like, dict) and isinstance(like.get("text"), str):  # the dialect with times
            token = spell({"text": text, "timestamp": iso(now)}, line.text)
        self._append_token(draft, line, token)

    def _append_token(self, draft: Draft, line: Line, token: str) -> None:
        array = line.parts["observations"]
        spans = elements(line.text, array.start)
        at = spans[-1].end if spans else array.start + 1
        gap = ", " if ", " in line.text[array.start : array.end] or '": "' in line.text else ","
        new = (gap + token if spans else token).encode()
        draft.splice(self.root.name, line.byte(at), line.byte(at), new)

    def _remove_observation(self, draft: Draft, line: Line, span: Span) -> None:
        spans = elements(line.text, line.parts["observations"].start)
        here = next(i for i, s in enumerate(spans) if s.start == span.start)
        if here > 0:
            start, end = spans[here - 1].end, span.end
        elif len(spans) > 1:
            start, end = span.start, spans[1].start
        else:
            start, end = span.start, span.end
        draft.splice(self.root.name, line.byte(start), line.byte(end), b"")

    def _remove_entity(self, draft: Draft, line: Line) -> None:
        name = line.said("name")
        data = draft.files[self.root.name]
        named, ends = self._counted(draft)
        doomed = [line]
        if named[name] == 1 and ends[name]:
            doomed += [
                other
                for other in lines_of(data)
                if other.kind == "relation" and name in (other.said("from"), other.said("to"))
            ]
        for dead in sorted(doomed, key=lambda each: -each.start):
            self._cut_line(draft, dead)
        if named[name] > 1:  # so that undo may bring it back beside the other (`clash`)
            draft.also.add(clean(name))
        named[name] -= 1
        for dead in doomed[1:]:
            ends.subtract((dead.said("from"), dead.said("to")))
        draft.counted = draft.files[self.root.name], (named, ends)

    def _counted(self, draft: Draft) -> tuple[Counter[str], Counter[str]]:
        """How many entities have each name, and how many relations go by it."""
        data = draft.files[self.root.name]
        if draft.counted[0] is not data:
            named: Counter[str] = Counter()
            ends: Counter[str] = Counter()
            for line in lines_of(data):
                if line.kind == "entity":
                    named[line.said("name")] += 1
                else:
                    ends.update((line.said("from"), line.said("to")))
            draft.counted = data, (named, ends)
        named, ends = draft.counted[1]
        return named, ends

    def _cut_line(self, draft: Draft, line: Line) -> None:
        data = draft.files[self.root.name]
        start, end = line.start, line.start + len(line.text.encode())
        if data[end : end + 2] == b"\r\n":
            end += 2
        elif data[end : end + 1] == b"\n":
            end += 1
        elif data[start - 2 : start] == b"\r\n":
            start -= 2
        elif data[start - 1 : start] == b"\n":
            start -= 1
        draft.splice(self.root.name, start, end, b"")

    def _rename(self, draft: Draft, old: str, name: str) -> None:
        if not name.strip() or not old:
            raise NotSaved("empty", "an entity needs a name.")
        if name == old:
            return
        found = list(lines_of(draft.files[self.root.name]))
        if any(line.kind == "entity" and line.said("name") == name for line in found):
            raise NotSaved("exists", f"there is an entity “{name}” already.")
        for line in reversed(found):
            keys = ("name",) if line.kind == "entity" else ("from", "to")
            tokens = [line.parts[key] for key in keys if line.said(key) == old]
            for token in sorted(tokens, key=lambda span: -span.start):
                self._put(draft, line, token, name)
        draft.also |= {clean(old), clean(name)}

    def _add(self, draft: Draft, write: Write) -> None:
        subject = str(write.fields.get("subject") or "").strip()
        text = str(write.fields.get("content") or "")
        if not subject:
            raise NotSaved(
                "no-subject",
                "an observation belongs to an entity.",
                "Say which with a subject (--subject NAME).",
            )
        data = draft.files[self.root.name]
        found = list(lines_of(data))
        entities = [line for line in found if line.kind == "entity"]
        mine = [line for line in entities if line.said("name") == subject]
        category = write.fields.get("category")
        if mine and write.action == "add" and category not in (None, mine[-1].said("entityType")):
            raise Refused(
                "category",
                f"The entity “{subject}” is a {mine[-1].said('entityType')};"
                " its category is not changed by adding.",
                "Nothing was changed.",
            )
        if mine and text:
            made = write.fields.get("created_at") or write.now
            self._append(draft, mine[-1], text, float(made))
            return
        if mine:
            raise NotSaved("exists", f"there is an entity “{subject}” already.")
        self._put_line(
            draft,
            "entity",
            {"name": subject, "entityType": category or "general", "observations": [text] if text else []},
        )

    def _put_line(self, draft: Draft, kind: str, said: Mapping[str, Any]) -> None:
        """Add a line at the end, in the dialect of the others."""
        data = draft.files[self.root.name]
        entities = [line for line in lines_of(data) if line.kind == "entity"]
        key = next((k for k in ("type", "_type") if not entities or k in entities[0].parts), None)
        line = ({key: kind} if key else {}) | dict(said)
        self._append_line(draft, json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode())

    def _append_line(self, draft: Draft, new: bytes) -> None:
        data = draft.files[self.root.name]
        end = b"\r\n" if b"\r\n" in data else b"\n"
        if data.endswith(b"\n"):
            new += end
        elif data.removeprefix(BOM):
            new = end + new
        draft.splice(self.root.name, len(data), len(data), new)

    def _relate(self, draft: Draft, link: Link, *, there: bool) -> None:
        """Add a relation between two entities, or take it away."""
        if there and link.source == link.target:
            raise Refused("same", "Both are observations of one entity, which has no relation to itself.")
        same = self._lines_of(draft, link)
        if there and same:
            raise Refused("exists", "They are related so already.", "Nothing was changed.")
        if there:
            self._put_line(draft, "relation", _spelled(link))
            return
        if not same:
            raise NotSaved("gone", "the relation is no longer in the file.")
        for line in reversed(same):
            self._cut_line(draft, line)

    def _retie(self, draft: Draft, was: Link, link: Link) -> None:
        """Have the line of a relation say another one, in its place."""
        if link.source == link.target:
            raise Refused("same", "Both are observations of one entity, which has no relation to itself.")
        if self._lines_of(draft, link):
            raise Refused("exists", "They are related so already.", "Nothing was changed.")
        found = self._lines_of(draft, was)
        if not found:
            raise NotSaved("gone", "the relation is no longer in the file.")
        new = _spelled(link)
        for line in reversed(found):
            tokens = [(line.parts[key], key) for key in new if clean(line.said(key)) != new[key]]
            for token, key in sorted(tokens, key=lambda each: -each[0].start):
                self._put(draft, line, token, new[key])

    def _lines_of(self, draft: Draft, link: Link) -> list[Line]:
        """The lines that tell a relation; more than one may."""
        said = _spelled(link)
        return [
            line
            for line in lines_of(draft.files[self.root.name])
            if line.kind == "relation" and all(clean(line.said(key)) == text for key, text in said.items())
        ]

    def put_anew(self, draft: Draft, plan: Planned) -> None:
        """As it was spelled, at the end of its entity; where that is gone, with a new one."""
        removed = plan.removed or {}
        entities = [
            line
            for line in lines_of(draft.files[self.root.name])
            if line.kind == "entity" and clean(line.said("name")) == removed.get("subject")
        ]
        for hunk in (hunk for edit in plan.edits for hunk in edit.hunks):
            token = hunk.old.decode(errors="replace").strip().strip(",").strip()
            text = said_of(loads(token.encode()))
            array = entities[-1].parts.get("observations") if entities else None
            if text is None or clean(text) != removed.get("content") or array is None:
                continue
            if isinstance(array.value, list):
                self._append_token(draft, entities[-1], token)
                return
        super().put_anew(draft, plan)

    def take_back_by_text(self, draft: Draft, plan: Planned, came: Record | None) -> None:
        """Added lines are found by their text and removed, removed ones appended; an added observation is
        removed from its list, whatever its neighbours are now."""
        for hunk in (hunk for edit in reversed(plan.edits) for hunk in reversed(edit.hunks)):
            old, new = hunk.old.strip(), hunk.new.strip()
            gone, _ = line_of(0, old)
            if gone is not None and not new:
                self._put_relation(draft, gone)
                continue
            if old or not new:
                raise changed_since(self.root.name)
            lines = list(lines_of(draft.files[self.root.name]))
            same = [line for line in lines if line.text.encode() == new]
            if same:
                self._cut_line(draft, same[-1])
                continue
            line, span = self._find(draft, came) if came is not None else (None, None)
            # An entity that came with it stays only where others said something of it.
            alone = line_of(0, new)[0] is not None and line is not None and len(observations_of(line)) < 2
            if line is None or span is None or alone:
                raise changed_since(self.root.name)
            if plan.ref is not None and said_of(loads(new.strip(b", "))) != said_of(span.value):
                raise changed_since(self.root.name)  # it was reworded since
            self._remove_observation(draft, line, span)

    def _put_relation(self, draft: Draft, line: Line) -> None:
        """Append a removed relation again, with its original spelling."""
        source, kind, target = (clean(line.said(key)) for key in ("from", "relationType", "to"))
        if line.kind != "relation" or self._lines_of(draft, Link(source, kind, target)):
            raise changed_since(self.root.name)
        self._append_line(draft, line.text.encode())

    def fit(self, fields: Mapping[str, Any]) -> Fitted:
        out = super().fit(fields)
        subject = fields.get("subject") or fields.get("title") or fields.get("key")
        if not fields.get("subject"):
            subject = str(subject or "memory")
            out.fields["subject"] = subject
            out.changed["subject"] = (None, subject)
        kind = self._types.get(str(subject))
        if kind is not None and kind != fields.get("category"):
            out.fields.pop("category", None)  # it belongs to the entity
            out.changed["category"] = (fields.get("category"), kind)
        return out

    @cached_property
    def _types(self) -> dict[str, str]:
        """What the entities are, by name."""
        return {
            line.said("name"): line.said("entityType")
            for line in lines_of(self._whole())
            if line.kind == "entity"
        }

    # -- in words

    def parts_with(self, content: str) -> RelationFate:
        return (
            RelationFate.STAY if content else RelationFate.GO
        )  # an entity takes them along, an observation none

    def supports(self, action: str, name: str = "") -> Support:
        file = self.root.name
        if action == "add":
            return Support(How.NATIVE, f"adds an observation to {file}")
        if action == "dismiss":
            return Support(How.MOVED, f"takes it out of {file} and keeps it in memtui")
        if action == "restore":
            return Support(How.MOVED, f"puts it back into {file} at its old place")
        if action == "edit" and name in ("", "content"):
            return Support(How.NATIVE, f"changes the observation in {file}")
        if action == "edit" and name in ("category", "subject"):
            return Support(How.NATIVE, f"changes the entity in {file}, for all its observations")
        if action in ("relate", "unrelate", "retie"):
            what = {"relate": "adds a relation between", "unrelate": "takes away the relation of"}
            verb = what.get(action, "changes the relation of")
            return Support(How.NATIVE, f"{verb} the two entities in {file}")
        field = name or {"pin": "pin", "unpin": "pin", "confirm": "confirmation"}.get(action, "such field")
        return Support(How.WORKSPACE, f"is kept in memtui: an MCP memory file has no {field}")

    def locked(self) -> str:
        if not os.access(self.root.parent, os.W_OK) or not os.access(self.root, os.W_OK):
            return f"{self.root.name} may not be written by this user."
        return ""


def _entities(reading: Reading) -> Counter[str]:
    """How many entities have each name."""
    return Counter(name for name, _ in {(record.anchor, record.unit) for record in reading.records})


def _relations(reading: Reading) -> Counter[tuple[str, str, str]]:
    """How often each relation occurs."""
    return Counter((link.source, link.kind, link.target) for link in reading.links)


def _spelled(link: Link) -> dict[str, str]:
    return {"from": link.source, "to": link.target, "relationType": link.kind}


def _is_whole(data: bytes) -> bool:
    """Whether a file ends as its server ends it: with a line that can be read."""
    last = data.rstrip().rpartition(b"\n")[2]
    return bool(last) and isinstance(loads(last), dict)
