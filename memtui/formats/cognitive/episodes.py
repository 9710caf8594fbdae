"""A day's episodes: entries that are only ever appended, and their links to memories (FORMATS 5)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from memtui.formats.cognitive.links import FileLink, find_links
from memtui.formats.contract.records import clean
from memtui.formats.syntax.markdown import with_lf
from memtui.formats.syntax.timestamps import seconds_of

_ENTRY = re.compile(
    rb"^##[ \t]+(?P<time>\d{1,2}:\d{2}(?::\d{2})?)?[ \t]*(?:[-\xe2\x80\x93\x94:]+[ \t]+)?(?P<title>[^\r\n]*)",
    re.MULTILINE,
)
_FIELD = re.compile(r"^\s*[-*]\s+\*\*(?P<key>[^*:]+):?\*\*:?\s*(?P<value>.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Episode:
    """An entry; its first byte is data[start]. `at` is in Unix seconds, `links` has one link per file."""

    ref: str
    title: str
    time: str
    at: float | None
    start: int
    type: str
    tags: tuple[str, ...]
    content: str
    links: tuple[FileLink, ...]


@lru_cache(1024)
def read(name: str, data: bytes) -> tuple[Episode, ...]:
    """Return the entries of a day's file. Never raises."""
    day = PurePosixPath(name).stem
    headings = list(_ENTRY.finditer(data))
    links = list(find_links(name, data))
    seen: Counter[str] = Counter()
    out: list[Episode] = []
    for number, match in enumerate(headings):
        start = match.start()
        end = headings[number + 1].start() if number + 1 < len(headings) else len(data)
        time = (match["time"] or b"").decode()
        title = clean(match["title"].decode(errors="replace")).strip()
        body = clean(with_lf(data[match.end() : end].decode(errors="replace"))).strip()
        fields = {each["key"].strip().casefold(): each["value"].strip() for each in _FIELD.finditer(body)}
        tags = (tag.strip() for tag in fields.get("tags", "").split(","))
        first_links = {link.target: link for link in reversed(links) if start <= link.start < end}
        ref = f"{name}#{' '.join(filter(None, (time, title)))}"
        seen[ref] += 1
        episode = Episode(
            ref=clean(ref if seen[ref] == 1 else f"{ref} ({seen[ref]})"),
            title=title,
            time=time,
            at=seconds_of(f"{day}T{time:0>5}" if time else day),
            start=start,
            type=fields.get("type", ""),
            tags=tuple(filter(None, tags)),
            content=body or title,
            links=tuple(first_links.values()),
        )
        out.append(episode)
    return tuple(out)
