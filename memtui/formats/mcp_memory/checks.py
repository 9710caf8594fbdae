"""What the doctor checks in an MCP memory file beyond what its reader notes, and duplicates that a change
may not make (FORMATS 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from memtui.formats.checkup import make_finding
from memtui.formats.checkup.similar_names import fold
from memtui.formats.contract.records import Reading, clean
from memtui.formats.mcp_memory import wording
from memtui.formats.mcp_memory.lines import Line, observation_text, observations, parse_line, raw_lines
from memtui.formats.media.files import raw_checks
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.stores import Finding

_LONG = 1 << 18  # bytes of a line; an entity with many observations is one


def check(name: str, data: bytes) -> Iterator[Finding]:
    """Yield findings about single lines, then about the entities together."""
    yield from raw_checks.plain(name, data, _LONG)
    entities: Counter[str] = Counter()
    for number, (start, raw) in enumerate(raw_lines(data), 1):
        line, _ = parse_line(start, raw)
        if line is None:
            continue
        place = f"{name}, line {number}"
        yield from raw_checks.json_text(place, line.text)
        if line.kind == "entity":
            entities[clean(line.string("name"))] += 1
            yield from _check_entity(place, line)
    first: dict[str, str] = {}
    for entity, count in entities.items():
        if count > 1:
            yield make_finding("double-entity", name, name=entity, count=count)
        similar = first.setdefault(fold(entity), entity)
        if similar != entity:
            yield make_finding("near-entity", name, name=entity, other=similar)


def _check_entity(place: str, line: Line) -> Iterator[Finding]:
    for key, code in (("name", "no-name"), ("entityType", "no-type")):
        if not line.string(key).strip():
            yield make_finding(code, place)
    array = line.members.get("observations")
    if array is not None and not isinstance(array.value, list):
        yield make_finding("odd-observation", place)
    spans = observations(line)
    for count in Counter(observation_text(span.value) for span in spans).values():
        if count > 1:
            yield make_finding("double-observation", place, name=clean(line.string("name")), count=count)
    for span in spans:
        at = span.value.get("timestamp") if isinstance(span.value, dict) else None
        if at not in (None, "") and seconds_of(at) is None:
            yield make_finding("odd-time", place, name="timestamp", value=clean(str(at)))


def new_duplicate(before: Reading, after: Reading, restored: Set[str]) -> str:
    """Return what a change would duplicate: an entity's name or a relation; "" where nothing. The server
    makes neither, but those that an agent made may stay, and entities that are `restored` may come back."""
    relations_before, relations_after = _relation_counts(before), _relation_counts(after)
    if any(count > relations_before[each] > 0 for each, count in relations_after.items()):
        return wording.ALREADY_RELATED
    entities_before, entities_after = _entity_counts(before), _entity_counts(after)
    surplus_before = entities_before.total() - len(entities_before)
    if entities_after.total() - len(entities_after) <= surplus_before:
        return ""
    for name, count in entities_after.items():
        if count > max(1, entities_before[name]) and name not in restored:
            return wording.entity_exists(name)
    return ""


def _entity_counts(reading: Reading) -> Counter[str]:
    """Return how many entities have each name."""
    return Counter(name for name, _ in {(record.anchor, record.unit) for record in reading.records})


def _relation_counts(reading: Reading) -> Counter[tuple[str, str, str]]:
    """Return how often each relation is stated."""
    return Counter((link.source, link.kind, link.target) for link in reading.links)
