"""The MCP `memory` server's JSONL file (FORMATS 7): one observation is one memory."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from memtui.formats.checkup import records
from memtui.formats.contract.adapter import RelationFate, Support, SupportKind
from memtui.formats.contract.incremental import Snapshot, combine_fingerprints, file_fingerprint
from memtui.formats.contract.plans import Fitted, Plan, Write
from memtui.formats.contract.records import Reading, Record, unnumbered
from memtui.formats.mcp_memory import checks, reader, redaction, spelling, undo, wording
from memtui.formats.mcp_memory.finding_help import GRAVE, MEANINGS
from memtui.formats.mcp_memory.incremental import McpSnapshot
from memtui.formats.mcp_memory.lines import BOM, kind_of, parse_json, parse_lines
from memtui.formats.mcp_memory.reader import ENTITY_REF
from memtui.formats.mcp_memory.writer import GraphWriter
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.store import FileStore
from memtui.formats.misspellings import Misspelling
from memtui.memory.stores import Finding
from memtui.values import FieldValue

_SAMPLE = 50  # lines that decide whether a file is of this format
_HEAD, _LONGEST = 1 << 20, 1 << 26  # bytes of the head that is sampled, and of a single first line
_CACHED = 1 << 20  # bytes of a file up to which its parts are cached


class McpMemory(FileStore):
    """An MCP memory file, attached; `root` is the file."""

    format = "mcp-memory"
    title = "MCP memory server"
    recognised_by = wording.RECOGNISED_BY
    at_start = wording.AT_START
    usual_paths = ("memory.jsonl", "memory.json")
    known_places = (
        "$MEMORY_FILE_PATH",
        "./memory.jsonl",
        "~/.local/share/mcp/memory.json*",
        "~/memory.json*",
    )
    fields = frozenset({"content", "category", "subject"})
    entity_fields = ("subject", "category")
    restorable_fields = frozenset({"created_at"})
    redactable_fields = fields | {"extra"}
    finding_help = MEANINGS
    severe_findings = GRAVE
    # The parts of the newest two states of the file: before a change, and after it.
    _cached_parts: tuple[tuple[bytes, list[Reading]], ...] = ()

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
            is_named_so = path.name in cls.usual_paths or str(path) == os.environ.get("MEMORY_FILE_PATH")
            return path if is_named_so else None
        lines = [line for line in head.removeprefix(BOM).splitlines() if line.strip()]
        if len(head) >= _HEAD:  # the last line may be cut off
            lines = lines[:-1] or lines
        known = sum(1 for line in lines[:_SAMPLE] if kind_of(parse_json(line)))
        return path if known and known * 2 >= min(len(lines), _SAMPLE) else None

    @classmethod
    def create(cls, path: Path) -> Path:
        if path.is_dir():
            path /= cls.usual_paths[0]
        if path.name not in cls.usual_paths:  # an empty file is recognised by its name alone
            raise wording.bad_empty_name(cls.usual_paths)
        atomic_write.make_file(path)
        # It is not a file that the server has emptied to write it: nobody has to wait until it settles.
        settled = time.time() - 2 * reader.SETTLED_AFTER
        os.utime(path, (settled, settled))
        return path

    # -- read

    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        mode = stat.S_IMODE(self.root.stat().st_mode)
        return {self.root.name: reader.read_settled(self.root)}, {self.root.name: mode}

    def parse(self, files: Mapping[str, bytes]) -> Reading:
        out = Reading()
        for part in self._parts(files.get(self.root.name, b"")):
            out.records += part.records
            out.links += part.links
            out.findings += part.findings
        return out

    def _parts(self, data: bytes) -> list[Reading]:
        """Return the parts of a file, cached: one change parses the same bytes several times, and the sooner
        it is planned, the less likely an agent has written meanwhile."""
        parts = next((parts for cached, parts in self._cached_parts if cached == data), None)
        if parts is None:
            parts = list(reader.read_parts(self.root.name, data))
            if len(data) <= _CACHED:
                self._cached_parts = ((data, parts), *self._cached_parts[:1])
        return parts

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        yield from checks.check(self.root.name, self.load()[0][self.root.name])

    def texts(self, reading: Reading) -> Iterator[tuple[str, str]]:
        return records.texts(reading)  # an entity is a better place than the one file

    def fingerprint(self) -> str:
        return combine_fingerprints([(self.root.name, file_fingerprint(os.stat(self.root)))])

    @classmethod
    def ref_depends_on_text(cls, ref: str) -> bool:
        return not ref.startswith(ENTITY_REF)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        name = self.root.name
        yield McpSnapshot(name, reader.read_settled(self.root), lambda data: reader.read_parts(name, data))

    # -- write

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Plan:
        plan = super()._plan_one(draft, by_ref, write)
        return replace(plan, changed_fields=(*plan.changed_fields, "extra")) if write.redacted else plan

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        writer = GraphWriter(draft, self.root.name)
        if record is None:
            writer.add(write)
        elif write.action == "relate" and write.link is not None:
            writer.relate(write.link)
        elif write.action == "unrelate" and write.link is not None:
            writer.unrelate(write.link)
        elif write.action == "retie" and write.link is not None and write.previous_link is not None:
            writer.update_relation(write.previous_link, write.link)
        elif write.action == "dismiss":
            line, span = writer.find(record)
            if span is None or (write.with_entity and writer.is_last(line)):
                writer.remove_entity(line)
            else:
                writer.remove_observation(line, span)
        else:
            self._set_fields(writer, record, write)

    def _set_fields(self, writer: GraphWriter, record: Record, write: Write) -> None:
        if write.redacted is not None:
            record = redaction.redact_line(writer, record, write.redacted)
        line, span = writer.find(record)
        if "content" in write.fields:
            writer.set_content(line, span, str(write.fields["content"] or ""), write.now)
        if "category" in write.fields:
            line, _ = writer.find(record)
            writer.set_type(line, str(write.fields["category"] or ""))
        if "subject" in write.fields:
            line, _ = writer.find(record)
            writer.rename(line.string("name"), str(write.fields["subject"] or ""))
        if write.redacted is not None:
            redaction.redact_other_lines(writer, write.redacted)

    def misspellings(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Misspelling]:
        return spelling.misspellings(self.root.name, files[self.root.name], reading)

    def conflict_in(self, before: Reading, after: Reading, restored: Set[str]) -> str:
        return checks.new_duplicate(before, after, restored)

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        out = super().fit(fields)
        subject = fields.get("subject") or fields.get("title") or fields.get("key")
        if not fields.get("subject"):
            subject = str(subject or "memory")
            out.fields["subject"] = subject
            out.changed["subject"] = (None, subject)
        type = self._entity_types.get(str(subject))
        if type is not None and type != fields.get("category"):
            out.fields.pop("category", None)  # it belongs to the entity
            out.changed["category"] = (fields.get("category"), type)
        return out

    @cached_property
    def _entity_types(self) -> dict[str, str]:
        """The type of each entity, by name."""
        lines = parse_lines(reader.read_settled(self.root))
        return {line.string("name"): line.string("entityType") for line in lines if line.kind == "entity"}

    # -- undo

    def recreate(self, draft: Draft, plan: Plan) -> None:
        writer = GraphWriter(draft, self.root.name)
        if not undo.put_back_observation(writer, plan):
            super().recreate(draft, plan)
        undo.put_back_relations(writer, plan)

    def undo_by_text(self, draft: Draft, plan: Plan, added: Record | None) -> None:
        undo.undo_by_text(GraphWriter(draft, self.root.name), plan, added)

    def with_current_names(self, plan: Plan, now: Callable[[str], str]) -> Plan:
        return undo.with_current_names(plan, now)

    def placeholder_entity(self, ref: str) -> str:
        return unnumbered(ref).removeprefix(ENTITY_REF) if ref.startswith(ENTITY_REF) else ""

    # -- what actions do

    def relation_fate(self, content: str) -> RelationFate:
        # An entity takes its relations along; one of its observations does not.
        return RelationFate.STAY if content else RelationFate.GO

    def support_for(self, action: str, name: str = "") -> Support:
        text = _EDITS.get(name) if action == "edit" else _ACTIONS.get(action)
        if text is not None:
            kind = SupportKind.MOVED if action in ("dismiss", "restore") else SupportKind.NATIVE
            return Support(kind, text.format(file=self.root.name))
        field = name or {"pin": "pins", "unpin": "pins", "confirm": "confirmations"}.get(action, "such field")
        return Support.by_memtui(wording.KEPT_IN_MEMTUI.format(field=field))

    def locked_reason(self) -> str:
        if not os.access(self.root.parent, os.W_OK) or not os.access(self.root, os.W_OK):
            return wording.NOT_WRITABLE.format(file=self.root.name)
        return ""


_ACTIONS = {
    "add": wording.ADDS_OBSERVATION,
    "dismiss": wording.REMOVES,
    "restore": wording.PUTS_BACK,
    "relate": wording.ADDS_RELATION,
    "unrelate": wording.REMOVES_RELATION,
    "retie": wording.CHANGES_RELATION,
}
_EDITS = {
    "": wording.CHANGES_OBSERVATION,
    "content": wording.CHANGES_OBSERVATION,
    "category": wording.CHANGES_ENTITY,
    "subject": wording.CHANGES_ENTITY,
}
