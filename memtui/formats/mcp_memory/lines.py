"""The lines of an MCP memory file, and the records that one line holds (FORMATS 7)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memtui.formats.contract.adapter import Link, Reading, Record, clean
from memtui.formats.media.files.store import numbered
from memtui.formats.syntax.json_spans import Doubled, Span, elements, is_deep, whole
from memtui.formats.syntax.timestamps import seconds_of

BOM = b"\xef\xbb\xbf"
BARE = "entity:"  # how the ref of an entity without observations begins


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its text, where it starts in bytes, and what it turned out to be."""

    start: int
    text: str
    kind: str  # entity, relation
    parts: Mapping[str, Span]

    def byte(self, char: int) -> int:
        """The byte offset in the file of a character of this line."""
        if self.text.isascii():
            return self.start + char
        return self.start + len(self.text[:char].encode())

    def said(self, key: str) -> str:
        """The text under `key`, empty where there is none."""
        span = self.parts.get(key)
        return span.value if span is not None and isinstance(span.value, str) else ""


def loads(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def kind_of(said: Any) -> str:
    """entity, relation, or nothing, in any dialect."""
    if not isinstance(said, Mapping):
        return ""
    kind = said.get("type", said.get("_type"))
    if {"from", "to", "relationType"} <= said.keys() and kind in (None, "relation"):
        return "relation"
    if "name" in said and ("entityType" in said or "observations" in said) and kind in (None, "entity"):
        return "entity"
    return ""


def raw_lines(data: bytes, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Where each line starts, and its bytes without the line break."""
    start = start or (len(BOM) if data.startswith(BOM) else 0)
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            yield start, data[start:].removesuffix(b"\r")
            return
        yield start, data[start:end].removesuffix(b"\r")
        start = end + 1


def unit_of(raw: bytes, seen: Counter[bytes]) -> str:
    """The unit that a line is: named by what it says, so that it may move in the file."""
    mark = hashlib.blake2b(raw, digest_size=8).digest()
    seen[mark] += 1
    return mark.hex() if seen[mark] == 1 else f"{mark.hex()}#{seen[mark]}"


def lines_of(data: bytes) -> Iterator[Line]:
    """The lines that can be read, in order."""
    for start, raw in raw_lines(data):
        line, _ = line_of(start, raw)
        if line is not None:
            yield line


def line_of(start: int, raw: bytes) -> tuple[Line | None, str]:
    if not raw.strip():
        return None, ""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None, "not UTF-8"
    try:
        parts = whole(text)
    except (ValueError, RecursionError):
        return None, "no JSON"
    if is_deep(text, [span.value for span in parts.values()]):
        return None, "nested too deep"
    kind = kind_of({key: span.value for key, span in parts.items()})
    if not kind:
        return None, "neither entity nor relation"
    return Line(start, text, kind, parts), ""


def tell(line: Line, name: str, number: int, seen: Counter[str], out: Reading, unit: str) -> None:
    """Add to `out` what a line says."""
    if isinstance(line.parts, Doubled):
        out.odd("double-key", f"{name}, line {number}", "A key stands twice in it; the last one counts.")
    if line.kind == "relation":
        ends = clean(line.said("from")), clean(line.said("to"))
        out.links.append(Link(ends[0], clean(line.said("relationType")), ends[1], unit=unit))
    else:
        out.records += records_of(line, name, number, seen, out, unit)


def observations_of(line: Line) -> list[Span]:
    array = line.parts.get("observations")
    if array is None or not isinstance(array.value, list):
        return []
    return [span for span in elements(line.text, array.start) if said_of(span.value) is not None]


def said_of(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("text", value.get("content"))
    return value if isinstance(value, str) else None


def records_of(
    line: Line, name: str, number: int, seen: Counter[str], out: Reading, unit: str
) -> list[Record]:
    """The records of an entity's line; refs are numbered where an entity says the same twice.

    Their place is the entity, not the line: the server writes its lines anew at each save."""
    place = f"{name}, {clean(line.said('name'))}"
    entity = line.said("name")
    spans = observations_of(line)
    array = line.parts.get("observations")
    if array is not None and isinstance(array.value, list) and len(array.value) > len(spans):
        out.odd(
            "odd-observation", f"{name}, line {number}", "An observation is no text; it is left as it is."
        )
    base: dict[str, Any] = {"subject": clean(entity), "category": clean(line.said("entityType")) or None}
    known = {"type", "_type", "name", "entityType", "observations"}
    extra = {key: span.value for key, span in line.parts.items() if key not in known}
    if extra:
        base["extra"] = extra
    if not spans:
        ref = numbered(f"{BARE}{clean(entity)}", seen)
        return [
            Record(
                ref, base | {"content": ""}, clean(entity), place, (name, line.start), unit=unit, bare=True
            )
        ]
    records = []
    for span in spans:
        text = clean(said_of(span.value) or "")
        mark = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
        ref = numbered(f"{clean(entity)}#{mark}", seen)
        fields = base | {"content": text}
        if isinstance(span.value, dict):
            at = seconds_of(span.value.get("timestamp"))
            fields |= {"created_at": at, "updated_at": at}
        records.append(Record(ref, fields, clean(entity), place, (name, line.byte(span.start)), unit=unit))
    return records
