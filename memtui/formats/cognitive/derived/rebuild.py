"""The files that are rebuilt from the others (FORMATS 5, S-83): `_index.json` and the scores in
`_state.json` here, CORE.md in `core.py`, REFLECTION.md in `reflection.py`.

Pure: bytes of files and a time in, bytes out. Where nothing but a stamp would change, the bytes that are
there come back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memtui.errors import Refused
from memtui.formats.cognitive import document, index_entries, state_file
from memtui.formats.cognitive.derived import core, reflection
from memtui.formats.cognitive.derived.scores import standings
from memtui.formats.cognitive.paths import CORE, INDEX, REFLECTION, STATE, is_edge, is_memory
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.state_file import NEW_TIME
from memtui.formats.syntax.timestamps import in_the_form_of

_STAMPS = re.compile(r"(?:Last updated|Last reflection): [\d-]+|Total reflections: \d+")


@dataclass(frozen=True, slots=True)
class Derived:
    """One derived file: its name, and how its bytes are made."""

    name: str
    make: Callable[[Mapping[str, bytes], float, tuple[str, ...]], bytes]


def index(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """`_index.json` of what the files say."""
    told: dict[str, dict[str, Any]] = {"edges": {}, "entries": {}}
    for name in sorted(files):
        if is_memory(name) or is_edge(name):
            found = document.read(files[name])
            if (said := index_entries.of(name, found)) is not None:
                told[said[0]].setdefault(found.id, said[1])
    out = {"version": 2, "updated": _time(now), "count": len(told["entries"]), **told}
    return _unless_same(out, files.get(INDEX))


def scores(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """`_state.json` with every memory's score as of now; counts and times of use stay as they stand."""
    old = files.get(STATE)
    if old is not None and state_file.read(old) is None:
        raise Refused(
            "broken-state",
            f"{STATE} cannot be read; rebuilt, it would have lost how often each memory was used.",
            "Nothing was changed. Mend it by hand, or bring it back from a backup.",
        )
    said: dict[str, Any] = json.loads(old.decode("utf-8-sig")) if old is not None else {}
    kept: dict[str, Any] = said.get("entries", {})
    told = {id: dict(entry) if isinstance(entry, dict) else entry for id, entry in kept.items()}
    for each in standings(Tree.of(files), now):
        entry = told.setdefault(each.id, {"access_count": 0})
        if isinstance(entry, dict):
            entry["decay_score"] = round(each.score, 4)
    said = {"version": 1, **said, "updated": _time(now), "entries": told}
    return _unless_same(said, old)


def core_file(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """`CORE.md`."""
    return _unless_stamped(core.text(standings(Tree.of(files), now), _time(now)[:10]), files.get(CORE))


def reflection_file(files: Mapping[str, bytes], now: float, projects: tuple[str, ...] = ()) -> bytes:
    """`REFLECTION.md`; `projects` are tags that stand for projects."""
    old = files.get(REFLECTION, b"").decode(errors="replace")
    tree = Tree.of(files)
    text = reflection.text(standings(tree, now), tree, projects, _time(now)[:10], old)
    return _unless_stamped(text, files.get(REFLECTION))


FILES = {
    "index": Derived(INDEX, index),
    "state": Derived(STATE, scores),
    "core": Derived(CORE, core_file),
    "reflection": Derived(REFLECTION, reflection_file),
}


def _time(now: float) -> str:
    return str(in_the_form_of(now, NEW_TIME))


def _unless_same(said: Mapping[str, Any], old: bytes | None) -> bytes:
    """JSON as the format's client writes it; the old bytes where only the time is another."""
    if old is not None:
        try:
            there = json.loads(old.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            there = None
        if isinstance(there, dict) and {**there, "updated": ""} == {**said, "updated": ""}:
            return old
    return json.dumps(said, indent=2, ensure_ascii=False).encode("utf-8", "replace")


def _unless_stamped(text: str, old: bytes | None) -> bytes:
    was = (old or b"").decode(errors="replace")
    if old is not None and _STAMPS.sub("", was) == _STAMPS.sub("", text):
        return old
    return text.encode("utf-8", "replace")
