"""`_state.json`: how often and when each memory was used, which no other file holds (FORMATS 5)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memtui.formats.cognitive import json_edit
from memtui.formats.syntax import json_spans
from memtui.formats.syntax.timestamps import format_like, seconds_of
from memtui.values import Json

TIME_SAMPLE = "2026-01-01T00:00:00+00:00"  # a time in the form in which new ones are written
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a memory was used, and when last (Unix seconds)."""

    count: int = 0
    last: float | None = None


@lru_cache(8)
def read(data: bytes) -> Mapping[str, Usage] | None:
    """Return the usage of memories by id; None if the file cannot be read."""
    try:
        entries = json.loads(data.decode("utf-8-sig"))["entries"]
        return {id: _usage(entry) for id, entry in entries.items() if isinstance(entry, dict)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def count_uses(data: bytes, ids: Sequence[str], now: float) -> bytes:
    """Return the file with one more use of each of these at `now`; nothing else in it changes.

    Raise ValueError if the file cannot be read."""
    text = data.decode()
    for id in ids:
        top = json_spans.members(text, len(_BOM) * text.startswith(_BOM))
        entries = json_spans.members(text, top["entries"].start)
        if id not in entries:
            first = {"access_count": 1, "last_accessed": format_like(now, TIME_SAMPLE)}
            start, end, new = json_edit.add_member(text, top["entries"], entries, id, first)
            text = text[:start] + new + text[end:]
            continue
        for key in ("access_count", "last_accessed"):
            members = json_spans.members(text, entries[id].start)
            old = members[key].value if key in members else None
            count = _usage(entries[id].value).count + 1
            value: Json = count if key == "access_count" else format_like(now, old or TIME_SAMPLE)
            if key in members:
                text = text[: members[key].start] + json.dumps(value) + text[members[key].end :]
            else:
                start, end, new = json_edit.add_member(text, entries[id], members, key, value)
                text = text[:start] + new + text[end:]
    return text.encode()


def _usage(entry: Mapping[str, Json]) -> Usage:
    count = entry.get("access_count")
    if isinstance(count, str) and count.strip().isdecimal():
        count = int(count.strip()[:12])
    valid = isinstance(count, int | float) and not isinstance(count, bool) and 0 <= count < 1e12
    return Usage(int(count) if valid and count is not None else 0, seconds_of(entry.get("last_accessed")))
