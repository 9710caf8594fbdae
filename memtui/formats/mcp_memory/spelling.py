"""Ends of relations in an MCP memory file that are spelled otherwise than the entity they mean."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.formats.checkup.similar_names import Names
from memtui.formats.contract.records import Reading, clean
from memtui.formats.mcp_memory.lines import parse_lines
from memtui.formats.misspellings import Misspelling
from memtui.formats.syntax.json_spans import encode_like


def misspellings(name: str, data: bytes, reading: Reading) -> Iterator[Misspelling]:
    """Yield the ends that name no entity, but nearly one that exists."""
    refs: dict[str, str] = {}
    for record in reading.records:
        refs.setdefault(record.anchor, record.ref)
    names = Names((entity, entity) for entity in refs)
    for line in parse_lines(data) if refs else ():
        if line.kind != "relation":
            continue
        for key, opposite in (("from", "to"), ("to", "from")):
            written = clean(line.string(key))
            meant = names.best_match(written) if written not in refs else ""
            if meant and meant != clean(line.string(opposite)):
                span = line.members[key]
                place = line.byte_offset(span.start), line.byte_offset(span.end)
                new = encode_like(meant, line.text).encode()
                yield Misspelling("dangling", name, written, meant, refs[meant], name, *place, new)
