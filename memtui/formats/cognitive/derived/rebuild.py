"""Rebuild the derived files (FORMATS 5, S-83): `_index.json` and the scores in `_state.json` here, CORE.md in
`core.py`, REFLECTION.md in `reflection.py`.

Pure functions from the bytes of files and a time to bytes. Where only a time stamp would change, the existing
bytes are returned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memtui.formats.cognitive import document, state_file, wording
from memtui.formats.cognitive.derived import core, reflection
from memtui.formats.cognitive.derived.scores import scored_memories
from memtui.formats.cognitive.index import index_entries
from memtui.formats.cognitive.paths import CORE, INDEX, REFLECTION, STATE, is_edge, is_memory
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.state_file import TIME_SAMPLE
from memtui.formats.syntax.timestamps import format_like
from memtui.values import JsonObject

_STAMPS = re.compile(r"(?:Last updated|Last reflection): [\d-]+|Total reflections: \d+")


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived file: its name, and the function that returns its bytes.

    The function takes the files of the tree, the time (Unix seconds) and the tags that are projects."""

    name: str
    build: Callable[[Mapping[str, bytes], float, tuple[str, ...]], bytes]


def index(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """Return `_index.json`."""
    parts: dict[str, JsonObject] = {"edges": {}, "entries": {}}
    for name in sorted(files):
        if is_memory(name) or is_edge(name):
            note = document.read(files[name])
            if (entry := index_entries.entry_of(name, note)) is not None:
                parts[entry[0]].setdefault(note.id, entry[1])
    out = {"version": 2, "updated": _time(now), "count": len(parts["entries"]), **parts}
    return _json_unless_same(out, files.get(INDEX))


def scores(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """Return `_state.json` with the score of every memory at `now`; counts and times of use stay.

    Raise Refused if the file exists and cannot be read."""
    old = files.get(STATE)
    if old is not None and state_file.read(old) is None:
        raise wording.state_unreadable(STATE)
    state: JsonObject = json.loads(old.decode("utf-8-sig")) if old is not None else {}
    old_entries: JsonObject = state.get("entries", {})
    entries = {id: dict(entry) if isinstance(entry, dict) else entry for id, entry in old_entries.items()}
    for memory in scored_memories(Tree.of(files), now):
        entry = entries.setdefault(memory.id, {"access_count": 0})
        if isinstance(entry, dict):
            entry["decay_score"] = round(memory.score, 4)
    state = {"version": 1, **state, "updated": _time(now), "entries": entries}
    return _json_unless_same(state, old)


def core_file(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """Return CORE.md."""
    text = core.render(scored_memories(Tree.of(files), now), _time(now)[:10])
    return _text_unless_same(text, files.get(CORE))


def reflection_file(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """Return REFLECTION.md."""
    old = files.get(REFLECTION, b"").decode(errors="replace")
    tree = Tree.of(files)
    text = reflection.render(
        scored_memories(tree, now),
        projects,
        _time(now)[:10],
        total=reflection.count_in(old) + 1,
        merges=reflection.count_merges(tree),
    )
    return _text_unless_same(text, files.get(REFLECTION))


FILES = {
    "index": Derived(INDEX, index),
    "state": Derived(STATE, scores),
    "core": Derived(CORE, core_file),
    "reflection": Derived(REFLECTION, reflection_file),
}


def _time(now: float) -> str:
    return str(format_like(now, TIME_SAMPLE))


def _json_unless_same(new: JsonObject, old: bytes | None) -> bytes:
    """Return JSON as the format's client writes it; the old bytes if only the time differs."""
    if old is not None:
        try:
            existing = json.loads(old.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            existing = None
        if isinstance(existing, dict) and {**existing, "updated": ""} == {**new, "updated": ""}:
            return old
    return json.dumps(new, indent=2, ensure_ascii=False).encode("utf-8", "replace")


def _text_unless_same(text: str, old: bytes | None) -> bytes:
    """Return the text; the old bytes if only its stamps differ."""
    if old is not None and _STAMPS.sub("", old.decode(errors="replace")) == _STAMPS.sub("", text):
        return old
    return text.encode("utf-8", "replace")
