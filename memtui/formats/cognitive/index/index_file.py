"""Keep `_index.json` up to date: only the entries that a change affects are patched, and only those that were
right before it (FORMATS 5).

The file is derived: its hunks are best effort, and never prevent an undo.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from memtui.formats.cognitive import document, json_edit
from memtui.formats.cognitive.index import index_entries
from memtui.formats.cognitive.json_edit import Patch
from memtui.formats.cognitive.paths import INDEX
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import json_spans
from memtui.formats.syntax.json_spans import Span
from memtui.values import Json, JsonObject

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Index:
    """An index as it was read: its text, the spans of its members, and those of its two parts by id."""

    text: str
    top: Mapping[str, Span]
    parts: Mapping[str, Mapping[str, Span]]


@lru_cache(4)
def read(data: bytes) -> Index | None:
    """Return the index; None if it has no entries that could be patched."""
    try:
        text = data.decode()
        top = json_spans.parse_object(text.removeprefix(_BOM))
        if text.startswith(_BOM):
            top = json_spans.members(text, len(_BOM))
        parts: dict[str, Mapping[str, Span]] = {
            part: json_spans.members(text, top[part].start)
            for part in ("entries", "edges")
            if part in top and isinstance(top[part].value, dict)
        }
    except (ValueError, RecursionError):
        return None
    return Index(text, top, parts) if "entries" in parts else None


def update(draft: Draft, *, best_effort: bool = True) -> None:
    """Update the entries of the files with pending changes; an entry that was wrong before is kept. A
    redaction is no `best_effort`: its undo must not bring back what an entry had."""
    if INDEX not in draft.files:
        return
    before = draft.originals()
    after = {name: draft.files.get(name) for name in before}
    old, new = _changed_entries(before, after), _changed_entries(after, before)
    first, now = read(before.get(INDEX, draft.files[INDEX]) or b""), read(draft.files[INDEX])
    if first is None or now is None:
        return
    complete = "count" in first.top and first.top["count"].value == len(first.parts["entries"])
    if complete and "count" in now.top:
        _update_count(draft, now, best_effort)
    for part, id in dict.fromkeys((*old, *new)):
        key = part, id
        if old.get(key) == new.get(key):
            continue
        index = read(draft.files[INDEX])
        if index is None or part not in index.parts:
            continue
        patches = _patches(index, part, id, old.get(key), new.get(key), complete=complete)
        if patches is None:
            continue
        _apply(draft, index.text, patches, best_effort)
        if complete and (now := read(draft.files[INDEX])) is not None and "count" in now.top:
            _update_count(draft, now, best_effort)


def _patches(
    index: Index, part: str, id: str, old: JsonObject | None, new: JsonObject | None, *, complete: bool
) -> list[Patch] | None:
    """Return the patches that change an entry from `old` to `new`, where None is no entry; None if the entry
    was not as `old`. One is added only to a complete index."""
    spans = index.parts[part]
    stored = spans.get(id)
    if old is None:
        if stored is None and complete:
            return [json_edit.add_member(index.text, index.top[part], spans, id, new)]
        return []
    if stored is None or not index_entries.is_right(stored.value, old):
        return None
    if new is None:
        return [json_edit.remove_member(index.text, index.top[part].start, spans, id)]
    return _changed_members(index.text, stored, old, new)


def _update_count(draft: Draft, now: Index, best_effort: bool) -> None:
    count, length = now.top["count"], len(now.parts["entries"])
    if count.value != length:
        _apply(draft, now.text, [(count.start, count.end, str(length))], best_effort)


def _apply(draft: Draft, text: str, patches: list[Patch], best_effort: bool) -> None:
    for start, end, new in sorted(patches, reverse=True):
        first = len(text[:start].encode())
        last = first + len(text[start:end].encode())
        draft.splice(INDEX, first, last, new.encode(), best_effort=best_effort)


def _changed_entries(
    files: Mapping[str, bytes | None], others: Mapping[str, bytes | None]
) -> dict[tuple[str, str], JsonObject]:
    """Return the entries, by part and id, of the files that are not the same in `others`."""
    out: dict[tuple[str, str], JsonObject] = {}
    for name, data in files.items():
        if data is not None and name.endswith(".md") and others.get(name) != data:
            note = document.read(data)
            entry = index_entries.entry_of(name, note)
            if entry is not None:
                out[entry[0], note.id] = entry[1]
    return out


def _changed_members(text: str, entry: Span, old: JsonObject, new: JsonObject) -> list[Patch]:
    spans = json_spans.members(text, entry.start)
    out: list[Patch] = []
    for key in dict.fromkeys((*old, *new)):
        if key in spans and key in new and new[key] != old.get(key):
            span = spans[key]
            spelled = _spelled(new[key], text, span, "\n" in text[entry.start : entry.end])
            out.append((span.start, span.end, spelled))
        elif key in spans and key not in new:
            out.append(json_edit.remove_member(text, entry.start, spans, key))
        elif key not in spans and key not in old:
            out.append(json_edit.add_member(text, entry, spans, key, new[key]))
    return out


def _spelled(value: Json, text: str, span: Span, multiline: bool) -> str:
    """Return a value as JSON in the formatting of the one that it replaces."""
    replaced = text[span.start : span.end]
    ascii_only = text.isascii() and "\\u" in text
    empty = replaced.strip("[] ") == ""
    if isinstance(value, list) and value and ("\n" in replaced or (empty and multiline)):
        start = text.rfind("\n", 0, span.start) + 1
        line = text[start : span.start]
        out = json.dumps(value, ensure_ascii=ascii_only, indent=json_edit.indent_width(text))
        return out.replace("\n", "\n" + line[: len(line) - len(line.lstrip())])
    return json.dumps(value, ensure_ascii=ascii_only)
