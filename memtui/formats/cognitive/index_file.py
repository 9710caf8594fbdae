"""Keeping `_index.json` right where it was right: only what a change alters is patched (FORMATS 5).

It is derived: what it says goes along softly, and never stands in the way of taking a change back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from memtui.formats.cognitive import document, index_entries, json_edit
from memtui.formats.cognitive.json_edit import Patch
from memtui.formats.cognitive.paths import INDEX
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import json_spans
from memtui.formats.syntax.json_spans import Span

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Index:
    """An index that was read: its text, and the spans of its two parts by id."""

    text: str
    top: Mapping[str, Span]
    parts: Mapping[str, Mapping[str, Span]]


@lru_cache(4)
def read(data: bytes) -> Index | None:
    """The index; None where it is none that could be patched."""
    try:
        text = data.decode()
        top = json_spans.whole(text.removeprefix(_BOM))
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


def follow(draft: Draft, before: Mapping[str, bytes]) -> None:
    """Have the index say what the files say now where it said rightly what they said `before`."""
    if INDEX not in draft.files:
        return
    old, new = _told(before, draft.files), _told(draft.files, before)
    first, now = read(before.get(INDEX, b"")), read(draft.files[INDEX])
    if first is None or now is None:
        return
    whole = "count" in first.top and first.top["count"].value == len(first.parts["entries"])
    if whole and "count" in now.top:
        _recount(draft, now)
    for part, id in dict.fromkeys((*old, *new)):
        if old.get((part, id)) == new.get((part, id)):
            continue
        found = read(draft.files[INDEX])
        if found is None or part not in found.parts:
            continue
        spans, key = found.parts[part], (part, id)
        said = spans.get(id)
        patches: list[Patch] = []
        if key in old:
            if said is None or not index_entries.is_right(said.value, old[key]):
                continue
            if key in new:
                patches = _changed(found.text, said, old[key], new[key])
            else:
                patches = [json_edit.cut(found.text, found.top[part].start, spans, id)]
        elif said is None and whole:
            patches = [json_edit.added(found.text, found.top[part], spans, id, new[key])]
        _splice(draft, found.text, patches)
        if whole and (now := read(draft.files[INDEX])) is not None and "count" in now.top:
            _recount(draft, now)


def _recount(draft: Draft, now: Index) -> None:
    count, there = now.top["count"], len(now.parts["entries"])
    if count.value != there:
        _splice(draft, now.text, [(count.start, count.end, str(there))])


def _splice(draft: Draft, text: str, patches: list[Patch]) -> None:
    for start, end, new in sorted(patches, reverse=True):
        first = len(text[:start].encode())
        last = first + len(text[start:end].encode())
        draft.splice(INDEX, first, last, new.encode(), soft=True)


def _told(files: Mapping[str, bytes], others: Mapping[str, bytes]) -> dict[tuple[str, str], dict[str, Any]]:
    """What the index must say of the files that are not as in `others`, by part and id."""
    out: dict[tuple[str, str], dict[str, Any]] = {}
    for name, data in files.items():
        if name.endswith(".md") and others.get(name) is not data and others.get(name) != data:
            read = document.read(data)
            told = index_entries.of(name, read)
            if told is not None:
                out[told[0], read.id] = told[1]
    return out


def _changed(text: str, said: Span, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Patch]:
    spans = json_spans.members(text, said.start)
    out: list[Patch] = []
    for key in dict.fromkeys((*old, *new)):
        if key in spans and key in new and new[key] != old.get(key):
            span = spans[key]
            spelled = _spelled(new[key], text, span, "\n" in text[said.start : said.end])
            out.append((span.start, span.end, spelled))
        elif key in spans and key not in new:
            out.append(json_edit.cut(text, said.start, spans, key))
        elif key not in spans and key not in old:
            out.append(json_edit.added(text, said, spans, key, new[key]))
    return out


def _spelled(value: Any, text: str, span: Span, lines: bool) -> str:
    """A value in the manner of the one in whose place it comes."""
    was = text[span.start : span.end]
    ascii_only = text.isascii() and "\\u" in text
    if isinstance(value, list) and value and ("\n" in was or (was.strip("[] ") == "" and lines)):
        start = text.rfind("\n", 0, span.start) + 1
        line = text[start : span.start]
        unit = json_edit.unit(text)
        out = json.dumps(value, ensure_ascii=ascii_only, indent=unit)
        return out.replace("\n", "\n" + line[: len(line) - len(line.lstrip())])
    return json.dumps(value, ensure_ascii=ascii_only)
