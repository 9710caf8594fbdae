"""Reading an MCP memory file again: only new lines are parsed (S-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from memtui.formats.contract.incremental import KnownUnits, Snapshot
from memtui.formats.contract.records import Reading, clean
from memtui.formats.mcp_memory.lines import parse_line, raw_lines, unit_of
from memtui.formats.mcp_memory.reader import read_line

SMALL = 300  # lines up to which a file is read as a whole


class McpSnapshot(Snapshot):
    """A unit is a line, named by its own bytes, so that it stays the same where it moves in the file.

    An entity may have several lines, and equal observations are numbered through all of them. So the
    lines of one entity are always read together, and where some are numbered, even if the lines only
    changed places."""

    def __init__(self, name: str, data: bytes, read_whole: Callable[[bytes], Iterator[Reading]]) -> None:
        self._name, self._data, self._read_whole = name, data, read_whole
        seen: Counter[bytes] = Counter()
        self._lines = {unit_of(raw, seen): (start, raw) for start, raw in raw_lines(data) if raw.strip()}
        self.fingerprints = dict.fromkeys(self._lines, "=")

    def units_to_read(
        self, changed: Collection[str], lost: Collection[str], known: KnownUnits
    ) -> Collection[str]:
        if len(self.fingerprints) <= SMALL:
            return self.fingerprints.keys() if changed or lost else ()
        names = known.anchors_in([*lost, *changed]) | known.duplicate_anchors()
        for unit in changed:
            line, _ = parse_line(*self._lines[unit])
            if line is not None and line.kind == "entity":
                names.add(clean(line.string("name")))
        return {*changed, *(known.units_of(names) & self.fingerprints.keys())}

    def read(self, units: Collection[str]) -> Iterator[Reading]:
        if len(units) == len(self.fingerprints):
            yield from self._read_whole(self._data)
            return
        out = Reading()
        seen: Counter[str] = Counter()
        wanted = set(units)
        for number, (unit, (start, raw)) in enumerate(self._lines.items(), 1):
            if unit in wanted:
                line, _ = parse_line(start, raw)
                if line is not None:
                    read_line(line, self._name, number, seen, out, unit)
        yield out
