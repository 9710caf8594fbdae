"""`_state.json`: how often and when each memory was used, which stands nowhere else (FORMATS 5)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from memtui.formats.cognitive import json_edit
from memtui.formats.syntax import json_spans
from memtui.formats.syntax.timestamps import in_the_form_of, seconds_of

NEW_TIME = "2026-01-01T00:00:00+00:00"  # the form of a time that memtui writes where none stood
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Uses:
    """How often a memory was used, and when last (Unix seconds)."""

    count: int = 0
    last: float | None = None


@lru_cache(8)
def read(data: bytes) -> Mapping[str, Uses] | None:
    """The uses of memories by id; None where the file cannot be read."""
    try:
        said = json.loads(data.decode("utf-8-sig"))
        found = said["entries"]
        return {id: _uses(entry) for id, entry in found.items() if isinstance(entry, dict)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def counted(data: bytes, ids: Sequence[str], now: float) -> bytes:
    """The file with one more use of each of these, now; nothing else in it changes. Raises ValueError
    where it cannot be read."""
    text = data.decode()
    for id in ids:
        top = json_spans.members(text, len(_BOM) * text.startswith(_BOM))
        entries = json_spans.members(text, top["entries"].start)
        if id not in entries:
            first = {"access_count": 1, "last_accessed": in_the_form_of(now, NEW_TIME)}
            start, end, new = json_edit.added(text, top["entries"], entries, id, first)
            text = text[:start] + new + text[end:]
            continue
        for key in ("access_count", "last_accessed"):
            said = json_spans.members(text, entries[id].start)
            old = said[key].value if key in said else None
            count = _uses(entries[id].value).count + 1
            value: Any = count if key == "access_count" else in_the_form_of(now, old or NEW_TIME)
            if key in said:
                text = text[: said[key].start] + json.dumps(value) + text[said[key].end :]
            else:
                start, end, put = json_edit.added(text, entries[id], said, key, value)
                text = text[:start] + put + text[end:]
    return text.encode()


def _uses(entry: Mapping[str, Any]) -> Uses:
    count = entry.get("access_count")
    if isinstance(count, str) and count.strip().isdecimal():
        count = int(count.strip()[:12])
    sound = isinstance(count, int | float) and not isinstance(count, bool) and 0 <= count < 1e12
    return Uses(int(count) if sound and count is not None else 0, seconds_of(entry.get("last_accessed")))
