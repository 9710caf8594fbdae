"""The bytes of an MCP memory file, and the records and links in them (FORMATS 7)."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from memtui.formats.contract.records import Link, Reading, Record, clean, numbered
from memtui.formats.mcp_memory import wording
from memtui.formats.mcp_memory.lines import (
    Line,
    LineError,
    observation_text,
    observations,
    parse_json,
    parse_line,
    raw_lines,
    unit_of,
)
from memtui.formats.syntax.json_spans import DuplicateKeys
from memtui.formats.syntax.timestamps import seconds_of
from memtui.values import Fields

ENTITY_REF = "entity:"  # begins the ref of an entity without observations
SETTLED_AFTER = 0.5  # seconds without a write after which a torn or empty file is taken as it is
_PART = 2_000  # records and links of one part
_TRIES, _PAUSE = 40, 0.025  # attempts to read a file that is being written; seconds between them
KNOWN = frozenset({"type", "_type", "name", "entityType", "observations"})  # members of an entity's line


def read_settled(path: Path) -> bytes:
    """Return the bytes of the file once no write is under way: the server empties the file before it writes
    it again. Raise Refused where the writes do not end."""
    for _ in range(_TRIES):
        before = os.stat(path)
        if not stat.S_ISREG(before.st_mode):  # a pipe would keep its reader waiting
            raise OSError(errno.EINVAL, wording.NO_REGULAR_FILE, path.name)
        data = path.read_bytes()
        after = os.stat(path)
        unchanged = (before.st_ino, before.st_size, before.st_mtime_ns) == (
            *(after.st_ino, after.st_size, after.st_mtime_ns),
        )
        if unchanged and (_is_complete(data) or time.time() - after.st_mtime > SETTLED_AFTER):
            return data
        time.sleep(_PAUSE)
    raise wording.being_written(path.name)


def _is_complete(data: bytes) -> bool:
    """Return whether the file ends as the server ends it: with a readable line."""
    last = data.rstrip().rpartition(b"\n")[2]
    return bool(last) and isinstance(parse_json(last), dict)


def read_parts(name: str, data: bytes) -> Iterator[Reading]:
    """Yield everything in the file, some lines at a time; findings about the file as a whole come last."""
    seen: Counter[str] = Counter()
    units: Counter[bytes] = Counter()
    ends: dict[str, None] = {}
    entities: set[str] = set()
    part = Reading()
    for number, (start, raw) in enumerate(raw_lines(data), 1):
        line, error = parse_line(start, raw)
        if error is not None:
            torn = error is LineError.NO_JSON and start + len(raw) >= len(data)
            part.add_finding("bad-line", _place(name, number), wording.bad_line(error, torn=torn))
        if line is not None:
            read_line(line, name, number, seen, part, unit_of(raw, units))
        if len(part.records) + len(part.links) >= _PART:
            _collect_names(part, entities, ends)
            yield part
            part = Reading()
    _collect_names(part, entities, ends)
    for end in ends:
        if end not in entities:
            part.add_finding("dangling", name, wording.DANGLING.format(name=end), end, end)
    yield part


def _collect_names(part: Reading, entities: set[str], ends: dict[str, None]) -> None:
    """Add the names of the part's entities, and those that its relations lead from and to."""
    entities.update(record.anchor for record in part.records)
    ends.update(dict.fromkeys(end for link in part.links for end in (link.source, link.target)))


def read_line(line: Line, name: str, number: int, seen: Counter[str], out: Reading, unit: str) -> None:
    """Add the records or the link of a line to `out`. `seen` counts refs in the whole file."""
    if isinstance(line.members, DuplicateKeys):
        out.add_finding("double-key", _place(name, number), wording.DOUBLE_KEY)
    if line.kind == "relation":
        source, kind, target = (clean(line.string(key)) for key in ("from", "relationType", "to"))
        out.links.append(Link(source, kind, target, unit=unit))
    else:
        _read_entity(line, name, number, seen, out, unit)


def _read_entity(line: Line, name: str, number: int, seen: Counter[str], out: Reading, unit: str) -> None:
    """Add the records of an entity's line; refs are numbered where an entity has equal observations.

    Their place is the entity, not the line: the server rewrites all lines at each save."""
    entity = clean(line.string("name"))
    place = f"{name}, {entity}"
    spans = observations(line)
    array = line.members.get("observations")
    if array is not None and isinstance(array.value, list) and len(array.value) > len(spans):
        out.add_finding("odd-observation", _place(name, number), wording.OBSERVATION_IS_NO_TEXT)
    shared: Fields = {"subject": entity, "category": clean(line.string("entityType")) or None}
    if extra := {key: span.value for key, span in line.members.items() if key not in KNOWN}:
        shared["extra"] = extra
    if not spans:
        ref, fields = numbered(f"{ENTITY_REF}{entity}", seen), shared | {"content": ""}
        out.records.append(
            Record(ref, fields, entity, place, (name, line.start), unit=unit, placeholder=True)
        )
    for span in spans:
        text = clean(observation_text(span.value) or "")
        mark = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
        ref = numbered(f"{entity}#{mark}", seen)
        fields = shared | {"content": text}
        if isinstance(span.value, dict):
            at = seconds_of(span.value.get("timestamp"))
            fields |= {"created_at": at, "updated_at": at}
        out.records.append(
            Record(ref, fields, entity, place, (name, line.byte_offset(span.start)), unit=unit)
        )


def _place(name: str, number: int) -> str:
    return f"{name}, line {number}"
