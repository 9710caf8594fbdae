"""Taking secrets out of what no memory shows: other members of an entity, other lines (S-62)."""

from __future__ import annotations

from dataclasses import replace

from memtui.formats.contract.records import Record
from memtui.formats.mcp_memory.lines import parse_json, parse_line, raw_lines
from memtui.formats.mcp_memory.reader import KNOWN
from memtui.formats.mcp_memory.writer import GraphWriter
from memtui.formats.media.files import wording
from memtui.formats.media.files.redact_text import place_of, redact_json
from memtui.memory.secrets.redaction import Replacements


def redact_line(writer: GraphWriter, record: Record, redacted: Replacements) -> Record:
    """Redact what the line of a record's entity has besides its name, type and observations; return the
    record where it is then."""
    line, _ = writer.find(record)
    spans = [span for key, span in line.members.items() if key not in KNOWN]
    name, at = record.position
    for span in sorted(spans, key=lambda each: -each.start):
        start, end, size = line.byte_offset(span.start), line.byte_offset(span.end), len(writer.data)
        redact_json(writer.draft, writer.name, start, end, redacted)
        if len(writer.data) != size:
            writer.draft.affected_anchors.add(record.anchor)
        at += len(writer.data) - size if start < at else 0
    return replace(record, position=(name, at))


def redact_other_lines(writer: GraphWriter, redacted: Replacements) -> None:
    """Redact the lines that are neither an entity nor a relation. Raise Refused, with the place, for one that
    is no JSON."""
    for number, (start, raw) in reversed(list(enumerate(raw_lines(writer.data), 1))):
        if not redacted.held_by(raw) or parse_line(start, raw)[0] is not None:
            continue
        if parse_json(raw) is not None:
            redact_json(writer.draft, writer.name, start, start + len(raw), redacted)
        elif (place := place_of(raw, redacted)) is not None:
            raise wording.secret_unparsable(writer.name, number, place[1])
