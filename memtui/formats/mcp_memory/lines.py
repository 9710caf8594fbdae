"""The lines of an MCP memory file: JSON objects with the places of their values (FORMATS 7)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from memtui.formats.syntax.json_spans import Span, elements, is_too_deep, parse_object
from memtui.values import Json

BOM = b"\xef\xbb\xbf"


class LineError(StrEnum):
    """Why a line cannot be read."""

    NOT_UTF8 = "not-utf8"
    NO_JSON = "no-json"
    TOO_DEEP = "too-deep"
    UNKNOWN_KIND = "unknown-kind"


@dataclass(frozen=True, slots=True)
class Line:
    """One parsed line: the byte offset of its start, its text, and the spans of its members' values."""

    start: int
    text: str
    kind: str  # entity or relation
    members: Mapping[str, Span]

    def byte_offset(self, char: int) -> int:
        """Return the byte offset in the file of a character of this line."""
        if self.text.isascii():
            return self.start + char
        return self.start + len(self.text[:char].encode())

    def string(self, key: str) -> str:
        """Return the text of a member; "" where it is missing or no text."""
        span = self.members.get(key)
        return span.value if span is not None and isinstance(span.value, str) else ""


def parse_json(data: bytes) -> Json:
    """Return the value; None where it is no JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def kind_of(value: Json) -> str:
    """Return "entity" or "relation" in any dialect; "" for anything else."""
    if not isinstance(value, Mapping):
        return ""
    kind = value.get("type", value.get("_type"))
    if {"from", "to", "relationType"} <= value.keys() and kind in (None, "relation"):
        return "relation"
    if "name" in value and ("entityType" in value or "observations" in value) and kind in (None, "entity"):
        return "entity"
    return ""


def raw_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the byte offset of each line's start, and its bytes without the line break."""
    start = len(BOM) if data.startswith(BOM) else 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            yield start, data[start:].removesuffix(b"\r")
            return
        yield start, data[start:end].removesuffix(b"\r")
        start = end + 1


def unit_of(raw: bytes, seen: Counter[bytes]) -> str:
    """Return the name of a line's unit: a hash of its bytes, so that the line may move in the file, numbered
    where equal lines were `seen` before."""
    mark = hashlib.blake2b(raw, digest_size=8).digest()
    seen[mark] += 1
    return mark.hex() if seen[mark] == 1 else f"{mark.hex()}#{seen[mark]}"


def parse_lines(data: bytes) -> Iterator[Line]:
    """Yield the readable lines, in order."""
    for start, raw in raw_lines(data):
        line, _ = parse_line(start, raw)
        if line is not None:
            yield line


def lines_with(data: bytes, string: str) -> Iterator[Line]:
    """Yield the readable lines that may have this string, in order: those without it are not parsed, since a
    change of many memories looks for a name once for each."""
    encoded = string.encode("utf-8", "surrogatepass")
    for start, raw in raw_lines(data):
        if encoded in raw or b"\\" in raw:  # written as it is, or perhaps with escapes
            line, _ = parse_line(start, raw)
            if line is not None:
                yield line


def parse_line(start: int, raw: bytes) -> tuple[Line | None, LineError | None]:
    """Return the line, or why it cannot be read; neither for a blank one."""
    if not raw.strip():
        return None, None
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None, LineError.NOT_UTF8
    try:
        members = parse_object(text)
    except (ValueError, RecursionError):
        return None, LineError.NO_JSON
    if is_too_deep(text, [span.value for span in members.values()]):
        return None, LineError.TOO_DEEP
    kind = kind_of({key: span.value for key, span in members.items()})
    if not kind:
        return None, LineError.UNKNOWN_KIND
    return Line(start, text, kind, members), None


def observations(line: Line) -> list[Span]:
    """Return the observations of an entity's line that have a text."""
    array = line.members.get("observations")
    if array is None or not isinstance(array.value, list):
        return []
    return [span for span in elements(line.text, array.start) if observation_text(span.value) is not None]


def observation_text(value: Json) -> str | None:
    """Return the text of an observation, which some dialects wrap in an object; None where it has none."""
    if isinstance(value, dict):
        value = value.get("text", value.get("content"))
    return value if isinstance(value, str) else None
