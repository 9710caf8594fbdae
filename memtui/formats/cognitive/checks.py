"""What the doctor checks in a Cognitive Memory tree besides the findings of its survey (FORMATS 5)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from memtui.formats.checkup import make_finding, timestamps
from memtui.formats.cognitive import document, paths, wording
from memtui.formats.cognitive.document import PROCEDURE_KEYS, Note
from memtui.formats.cognitive.index import index_file
from memtui.formats.cognitive.paths import INDEX, STATE
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.relation_list import parse_number
from memtui.formats.contract.records import clean
from memtui.formats.media.files import raw_checks
from memtui.formats.media.files.tree import LIMIT, bytes_of
from memtui.formats.media.sqlite import table_checks
from memtui.formats.syntax.yaml_scalars import Style
from memtui.memory.stores import Finding

EMBEDDINGS = "_embeddings.json"  # of the format's own client; nothing else reads it
_VERSIONS = {INDEX: 2, STATE: 1}  # the latest known version of each derived file
_FORMAT_VERSION = 3  # of the whole format, which a file may state instead
_VERSION = re.compile(
    rb'\A(?:\xef\xbb\xbf)?\s*\{[^{}\[\]]*?"(version|schema|schema_version)"\s*:\s*"?(\d{1,9})(\.\d+)*'
)


def unsupported_version(root: Path) -> str:
    """Return why the tree is of a later version than is supported; "" if it is not."""
    for name, version in _VERSIONS.items():
        match = _VERSION.match(bytes_of(root / name, 4096) or b"")
        of_format = match is not None and (match[1] != b"version" or match[3] is not None)
        supported = _FORMAT_VERSION if of_format else version
        if match and int(match[2]) > supported:
            return wording.NEWER_VERSION.format(file=name, version=int(match[2]), supported=supported)
    return ""


def check(tree: Tree, embeddings: bytes) -> Iterator[Finding]:
    """Yield the findings about each file and the derived ones; `embeddings` is the content of that file."""
    for name, data in sorted(tree.items()):
        if len(data) > LIMIT:
            continue
        if paths.is_memory(name):
            yield from _check_memory(name, document.read(data))
        elif paths.is_edge(name):
            yield from _check_edge(name, document.read(data), tree)
    notes = [(name, document.read(data)) for name, data in sorted(tree.items()) if paths.is_memory(name)]
    yield from timestamps.mixed(
        (clean(name), key, note.text(key)) for name, note in notes for key in ("created", "updated")
    )
    titles = Counter(note.title for _, note in notes if note.title)
    for title, count in titles.items():
        if count > 1:
            place = next(name for name, note in reversed(notes) if note.title == title)
            yield make_finding("double-title", clean(place), name=title, count=count)
    for name in (INDEX, STATE):
        yield from raw_checks.json_text(name, tree.files.get(name, b"").decode("utf-8-sig", "replace"))
    yield from _check_count(tree)
    yield from _check_uses(tree)
    yield from _check_embeddings(tree, embeddings)


def _check_memory(name: str, note: Note) -> Iterator[Finding]:
    place = clean(name)
    title = note.title
    title_slug = paths.split_name(name)[0]
    if title.isascii() and title_slug and not _fits(title_slug, title):  # others are transliterated variously
        yield make_finding("odd-slug", place, name=title)
    values = note.head.values if note.head is not None else {}
    for key in PROCEDURE_KEYS:
        if key in values and values[key].style not in (Style.LIST, Style.EMPTY):
            yield make_finding("odd-list", place, name=key.capitalize())
    for entry in note.relations:
        strength = entry.text("strength")
        if strength and not _is_ratio(strength):
            name_shown = wording.STRENGTH_OF.format(kind=entry.kind)
            yield make_finding("odd-number", place, name=name_shown, value=strength)


def _fits(title_slug: str, title: str) -> bool:
    """Return whether a file is named for a title; one of the two may be cut off."""
    a, b = (re.sub(r"[^a-z0-9]", "", each.lower()) for each in (title_slug, title))
    return a.startswith(b) or b.startswith(a)


def _is_ratio(text: str) -> bool:
    value = parse_number(text)
    return value is not None and 0 <= value <= 1


def _check_edge(name: str, edge: Note, tree: Tree) -> Iterator[Finding]:
    for end in ("from", "to"):
        title, note = edge.text(f"{end}_title"), tree.note(edge.text(f"{end}_id"))
        if title and note is not None and note.title and title != note.title:
            yield make_finding("stale-edge", clean(name), name=title, other=note.title)


def _check_count(tree: Tree) -> Iterator[Finding]:
    index = index_file.read(tree.files.get(INDEX, b"{}"))
    if index is not None and "count" in index.top and index.top["count"].value != len(index.parts["entries"]):
        count = str(index.top["count"].value)
        yield make_finding("stale-index", INDEX, value=count, count=len(index.parts["entries"]))


def _check_uses(tree: Tree) -> Iterator[Finding]:
    try:
        entries = json.loads(tree.files.get(STATE, b"{}").decode("utf-8-sig")).get("entries", {})
        counts = [entry.get("access_count") for entry in entries.values() if isinstance(entry, dict)]
    except (ValueError, AttributeError, RecursionError):
        return  # the survey has found it broken
    for count in counts:
        if count is not None and not (isinstance(count, int | float) and count >= 0):
            yield make_finding("odd-count", STATE, name=wording.ACCESS_COUNT, value=str(count))


def _check_embeddings(tree: Tree, data: bytes) -> Iterator[Finding]:
    if not data:
        return
    try:
        entries = json.loads(data.decode("utf-8-sig"))["entries"]
        vectors = {
            id: entry["embedding"] if isinstance(entry, dict) else entry for id, entry in entries.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return  # cut off at the limit, or of another form
    if gone := len(vectors.keys() - tree.memories.keys()):
        yield make_finding("stray-vectors", EMBEDDINGS, count=gone)
    places = {id: clean(tree.memories.get(id, EMBEDDINGS)) for id in vectors}
    yield from table_checks.lengths(
        (places[id], *table_checks.number_list(vector)) for id, vector in vectors.items()
    )
