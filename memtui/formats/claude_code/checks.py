"""What the doctor looks for in a Claude Code memory beside what its reader notes: heads that lack something,
and lines of MEMORY.md that lead out of it or say too much."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from memtui.formats.checkup import found
from memtui.formats.checkup.similar_names import folded
from memtui.formats.claude_code import document, memory_index, reader
from memtui.formats.claude_code.memory_index import NAME
from memtui.formats.contract.adapter import clean
from memtui.formats.media.files.tree import LIMIT
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.records import Finding

_HOOK = 300  # characters of an index line; Claude Code asks for about 200
_LINE = re.compile(r"^[ \t]*[-*+][ \t]+(?:\*\*|__)?\[[^\n]*?\]\((?P<target>[^()\n]+\.md)\)", re.MULTILINE)


def look(root: Path, files: Mapping[str, bytes]) -> Iterator[Finding]:
    """What is odd about the files and the index."""
    for name, data in sorted(files.items()):
        if PurePosixPath(name).name != NAME and len(data) <= LIMIT:
            yield from _head(clean(name), document.read(data))
    yield from _index(root, files.get(NAME, b"")[:LIMIT])


def _head(place: str, found_note: document.Note) -> Iterator[Finding]:
    if found_note.head is None:
        yield found("no-head", place)
        return
    if found_note.head.odd:
        return  # what it says cannot be told for sure
    for key in ("name", "description"):
        if not found_note.says(key):
            yield found(f"no-{key}", place)
    name, stem = folded(found_note.says("name")), folded(PurePosixPath(place).stem)
    if found_note.nested and name and not (name in stem or stem in name):
        yield found("odd-slug", place, name=found_note.says("name"))
    said = found_note.says("modified")
    if said and seconds_of(said) is None:
        yield found("odd-time", place, name="modified", said=said)


def _index(root: Path, data: bytes) -> Iterator[Finding]:
    lines = memory_index.read(data)
    for target, entries in lines.targets.items():
        if len(entries) > 1:
            place = f"{NAME}, line {entries[1].number}"
            yield found("double-line", place, count=len(entries), name=clean(target))
    text = data.decode(errors="replace")
    away = {clean(name) for name, _, trouble in reader.walk(root) if trouble == "elsewhere"}
    for match in _LINE.finditer(text):
        target = unquote(match["target"].strip().strip("<>"))
        leaves = target.startswith(("/", "~")) or ".." in PurePosixPath(target).parts
        if leaves or str(PurePosixPath(target)) in away:
            number = text.count("\n", 0, match.start("target")) + 1
            yield found("outside", f"{NAME}, line {number}", name=clean(target))
    for entry in lines.entries:
        long = len(data[entry.start : entry.end].decode(errors="replace").rstrip())
        if long > _HOOK:
            yield found("long-hook", f"{NAME}, line {entry.number}", count=long)
