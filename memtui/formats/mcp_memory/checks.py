"""What the doctor looks for in an MCP memory file beside what its reader notes (FORMATS 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from memtui.formats.checkup import found
from memtui.formats.checkup.similar_names import folded
from memtui.formats.contract.adapter import clean
from memtui.formats.mcp_memory.lines import Line, line_of, observations_of, raw_lines, said_of
from memtui.formats.media.files import raw_checks
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.records import Finding

_LONG = 1 << 18  # bytes of a line; an entity with many observations is one


def look(name: str, data: bytes) -> Iterator[Finding]:
    """What is odd about the lines, and about the entities together."""
    yield from raw_checks.plain(name, data, _LONG)
    named: Counter[str] = Counter()
    for number, (start, bytes) in enumerate(raw_lines(data), 1):
        line, trouble = line_of(start, bytes)
        if line is None or trouble:
            continue
        place = f"{name}, line {number}"
        yield from raw_checks.json_text(place, line.text)
        if line.kind == "entity":
            named[clean(line.said("name"))] += 1
            yield from _entity(place, line)
    alike: dict[str, str] = {}
    for entity, count in named.items():
        if count > 1:
            yield found("double-entity", name, name=entity, count=count)
        other = alike.setdefault(folded(entity), entity)
        if other != entity:
            yield found("near-entity", name, name=entity, other=other)


def _entity(place: str, line: Line) -> Iterator[Finding]:
    for key, code in (("name", "no-name"), ("entityType", "no-type")):
        if not line.said(key).strip():
            yield found(code, place)
    array = line.parts.get("observations")
    if array is not None and not isinstance(array.value, list):
        yield found("odd-observation", place)
    spans = observations_of(line)
    for text, count in Counter(said_of(span.value) for span in spans).items():
        if count > 1:
            yield found("double-observation", place, name=clean(line.said("name")), count=count)
        del text
    for span in spans:
        at = span.value.get("timestamp") if isinstance(span.value, dict) else None
        if at not in (None, "") and seconds_of(at) is None:
            yield found("odd-time", place, name="timestamp", said=clean(str(at)))
