"""What the doctor checks in a Claude Code memory besides what its reader finds: heads that lack a value, and
lines of MEMORY.md that lead out of the folder, are doubled or too long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from memtui.formats.checkup import make_finding
from memtui.formats.checkup.similar_names import fold
from memtui.formats.claude_code import document, memory_index, reader
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.records import clean
from memtui.formats.media.files.tree import LIMIT
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.stores import Finding

_MAX_LINE = 300  # characters of an index line; Claude Code asks for about 200
_LINE = re.compile(r"^[ \t]*[-*+][ \t]+(?:\*\*|__)?\[[^\n]*?\]\((?P<target>[^()\n]+\.md)\)", re.MULTILINE)


def check(root: Path, files: Mapping[str, bytes]) -> Iterator[Finding]:
    """Yield the findings about the files and the index."""
    for name, data in sorted(files.items()):
        if PurePosixPath(name).name != INDEX_FILE and len(data) <= LIMIT:
            yield from _check_head(clean(name), document.read(data))
    yield from _check_index(root, files.get(INDEX_FILE, b"")[:LIMIT])


def _check_head(place: str, note: document.Note) -> Iterator[Finding]:
    if note.head is None:
        yield make_finding("no-head", place)
        return
    if note.head.problems:
        return  # its values are uncertain
    for key in ("name", "description"):
        if not note.text(key):
            yield make_finding(f"no-{key}", place)
    name, stem = fold(note.text("name")), fold(PurePosixPath(place).stem)
    if note.nested and name and not (name in stem or stem in name):
        yield make_finding("odd-slug", place, name=note.text("name"))
    modified = note.text("modified")
    if modified and seconds_of(modified) is None:
        yield make_finding("odd-time", place, name="modified", value=modified)


def _check_index(root: Path, data: bytes) -> Iterator[Finding]:
    index = memory_index.read(data)
    for target, entries in index.targets.items():
        if len(entries) > 1:
            place = f"{INDEX_FILE}, line {entries[1].number}"
            yield make_finding("double-line", place, count=len(entries), name=clean(target))
    text = data.decode(errors="replace")
    outside = {clean(name) for name, _, problem in reader.walk(root) if problem == "elsewhere"}
    for match in _LINE.finditer(text):
        target = unquote(match["target"].strip().strip("<>"))
        leaves = target.startswith(("/", "~")) or ".." in PurePosixPath(target).parts
        if leaves or str(PurePosixPath(target)) in outside:
            number = text.count("\n", 0, match.start("target")) + 1
            yield make_finding("outside", f"{INDEX_FILE}, line {number}", name=clean(target))
    for entry in index.entries:
        length = len(data[entry.start : entry.end].decode(errors="replace").rstrip())
        if length > _MAX_LINE:
            yield make_finding("long-hook", f"{INDEX_FILE}, line {entry.number}", count=length)
