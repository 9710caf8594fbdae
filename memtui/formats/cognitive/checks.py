"""What the doctor looks for in a Cognitive Memory tree beside what its survey notes (FORMATS 5)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from memtui.formats.checkup import found, timestamps
from memtui.formats.cognitive import document, index_file, paths
from memtui.formats.cognitive.paths import INDEX, STATE
from memtui.formats.cognitive.reader import STEPS, Tree
from memtui.formats.cognitive.relation_list import number
from memtui.formats.contract.adapter import clean
from memtui.formats.media.files import raw_checks
from memtui.formats.media.files.tree import LIMIT, bytes_of
from memtui.formats.media.sqlite import table_checks
from memtui.formats.syntax.frontmatter import Style
from memtui.memory.stores import Finding

_KNOWN = {INDEX: 2, STATE: 1}  # the version of each derived file
_SCHEMA = 3  # of the whole format, where a file names that
_VERSION = re.compile(
    rb'\A(?:\xef\xbb\xbf)?\s*\{[^{}\[\]]*?"(version|schema|schema_version)"\s*:\s*"?(\d{1,9})(\.\d+)*'
)
_VECTORS = "_embeddings.json"


def newer(root: Path) -> str:
    """Why the tree is of a later version than this program knows; empty if it is not."""
    for name, known in _KNOWN.items():
        match = _VERSION.match(bytes_of(root / name, 4096) or b"")
        whole = match is not None and (match[1] != b"version" or match[3] is not None)
        limit = _SCHEMA if whole else known
        if match and int(match[2]) > limit:
            return f"{name} has version {int(match[2])}; this memtui supports up to {limit}."
    return ""


def look(tree: Tree, vectors: bytes) -> Iterator[Finding]:
    """What is odd about each file and what is derived from them."""
    for name, data in sorted(tree.items()):
        if len(data) > LIMIT:
            continue
        if paths.is_memory(name):
            yield from _memory(name, document.read(data))
        elif paths.is_edge(name):
            yield from _edge(name, document.read(data), tree)
    heads = [(name, document.read(data)) for name, data in sorted(tree.items()) if paths.is_memory(name)]
    yield from timestamps.mixed(
        (clean(name), key, head.says(key)) for name, head in heads for key in ("created", "updated")
    )
    titles = Counter(head.title for _, head in heads if head.title)
    for title, count in titles.items():
        if count > 1:
            place = next(name for name, head in reversed(heads) if head.title == title)
            yield found("double-title", clean(place), name=title, count=count)
    for name in (INDEX, STATE):
        yield from raw_checks.json_text(name, tree.files.get(name, b"").decode("utf-8-sig", "replace"))
    yield from _count(tree)
    yield from _uses(tree)
    yield from _embeddings(tree, vectors)


def _memory(name: str, found_note: document.Note) -> Iterator[Finding]:
    place = clean(name)
    title = found_note.title
    said = paths.parted(name)[0]
    if title.isascii() and said and not _alike(said, title):  # others are spelled in many ways
        yield found("odd-slug", place, name=title)
    values = found_note.head.values if found_note.head is not None else {}
    for key in STEPS:
        if key in values and values[key].style not in (Style.LIST, Style.EMPTY):
            yield found("odd-list", place, name=key.capitalize())
    for entry in found_note.relations:
        strength = entry.says("strength")
        if strength and not _is_share(strength):
            yield found("odd-number", place, name=f"Strength of {entry.kind}", said=strength)


def _alike(said: str, title: str) -> bool:
    """Whether a file is named for a title; the one may be cut off where the other goes on."""
    one, other = (re.sub(r"[^a-z0-9]", "", each.lower()) for each in (said, title))
    return one.startswith(other) or other.startswith(one)


def _is_share(text: str) -> bool:
    value = number(text)
    return value is not None and 0 <= value <= 1


def _edge(name: str, edge: document.Note, tree: Tree) -> Iterator[Finding]:
    for end in ("from", "to"):
        said, other = edge.says(f"{end}_title"), tree.note(edge.says(f"{end}_id"))
        if said and other is not None and other.title and said != other.title:
            yield found("stale-edge", clean(name), name=said, other=other.title)


def _count(tree: Tree) -> Iterator[Finding]:
    read = index_file.read(tree.files.get(INDEX, b"{}"))
    if read is not None and "count" in read.top and read.top["count"].value != len(read.parts["entries"]):
        said = str(read.top["count"].value)
        yield found("stale-index", INDEX, said=said, count=len(read.parts["entries"]))


def _uses(tree: Tree) -> Iterator[Finding]:
    try:
        entries = json.loads(tree.files.get(STATE, b"{}").decode("utf-8-sig")).get("entries", {})
        told = [(id, entry.get("access_count")) for id, entry in entries.items() if isinstance(entry, dict)]
    except (ValueError, AttributeError, RecursionError):
        return  # told as broken
    for _, count in told:
        if count is not None and not (isinstance(count, int | float) and count >= 0):
            yield found("odd-count", STATE, name="An access_count", said=str(count))


def _embeddings(tree: Tree, data: bytes) -> Iterator[Finding]:
    if not data:
        return
    try:
        entries = json.loads(data.decode("utf-8-sig"))["entries"]
        vectors = {
            id: entry["embedding"] if isinstance(entry, dict) else entry for id, entry in entries.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return  # cut off, or made in another way than is known here
    if gone := len(vectors.keys() - tree.names.keys()):
        yield found("stray-vectors", _VECTORS, count=gone)
    where = {id: clean(tree.names.get(id, _VECTORS)) for id in vectors}
    yield from table_checks.lengths(
        (where[id], *table_checks.number_list(vector)) for id, vector in vectors.items()
    )
