"""A day's episodes: entries that are only ever appended, and what memories they tell of (FORMATS 5)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from memtui.formats.syntax.markdown import with_lf
from memtui.formats.cognitive import links as ways
from memtui.formats.cognitive.links import Way
from memtui.formats.contract.adapter import clean
from memtui.formats.syntax.timestamps import seconds_of

_ENTRY = re.compile(
    rb"^##[ \t]+(?P<time>\d{1,2}:\d{2}(?::\d{2})?)?[ \t]*(?:[-\xe2\x80\x93\x94:]+[ \t]+)?(?P<title>[^\r\n]*)",
    re.MULTILINE,
)
_FIELD = re.compile(r"^\s*[-*]\s+\*\*(?P<key>[^*:]+):?\*\*:?\s*(?P<said>.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Episode:
    """One entry; its first byte is data[start]. `ways` are its links, one to each file."""

    ref: str
    title: str
    time: str
    at: float | None
    start: int
    type: str
    tags: tuple[str, ...]
    content: str
    ways: tuple[Way, ...]


@lru_cache(1024)
def read(name: str, data: bytes) -> tuple[Episode, ...]:
    """The entries of a day's file. Never raises."""
    day = PurePosixPath(name).stem
    found = list(_ENTRY.finditer(data))
    links = list(ways.ways(name, data))
    seen: Counter[str] = Counter()
    out: list[Episode] = []
    for number, match in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(data)
        time = (match["time"] or b"").decode()
        title = clean(match["title"].decode(errors="replace")).strip()
        body = clean(with_lf(data[match.end() : end].decode(errors="replace"))).strip()
        said = {each["key"].strip().casefold(): each["said"].strip() for each in _FIELD.finditer(body)}
        call = f"{name}#{' '.join(filter(None, (time, title)))}"
        seen[call] += 1
        out.append(
            Episode(
                clean(call if seen[call] == 1 else f"{call} ({seen[call]})"),
                title,
                time,
                seconds_of(f"{day}T{time:0>5}" if time else day),
                match.start(),
                said.get("type", ""),
                tuple(filter(None, (tag.strip() for tag in said.get("tags", "").split(",")))),
                body or title,
                tuple(
                    {way.target: way for way in reversed(links) if match.start() <= way.start < end}.values()
                ),
            )
        )
    return tuple(out)
