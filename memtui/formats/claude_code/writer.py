"""Changing lines of memory files and of MEMORY.md, and no byte beside them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from memtui.errors import NotSaved
from memtui.formats.claude_code import document, memory_index
from memtui.formats.claude_code.memory_index import NAME
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import frontmatter
from memtui.memory.records import first_line


def set_body(draft: Draft, name: str, text: str) -> None:
    """Bring the body of a memory file to `text`; the blank lines around it stay."""
    found = document.read(draft.files[name])
    if found.head is not None and any(code == "unclosed-head" for code, _ in found.head.odd):
        raise NotSaved("head", "the file's head has no end, so its text has no beginning.")
    if found.start == found.end:
        last = draft.files[name][: found.start]
        gap = b"" if not last or last.endswith(b"\n") else found.newline
        new = gap + text.replace("\n", found.newline.decode()).encode() + found.newline
        draft.splice(name, found.start, found.end, new)
        return
    spans, at = [], found.start
    for raw in re.findall(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)", found.data[found.start : found.end]):
        spans.append((at, at + len(raw.rstrip(b"\r\n"))))
        at += len(raw)
    put_lines(draft, name, spans, found.content, text, "", found.newline)


def put_lines(
    draft: Draft,
    name: str,
    spans: Sequence[tuple[int, int]],
    before: str,
    after: str,
    hang: str,
    newline: bytes,
) -> None:
    """Bring a text whose lines stand at `spans` from `before` to `after`, touching only the lines
    from the first to the last that differ; new ones are indented by `hang`."""
    old, new = before.split("\n"), after.split("\n")
    if old == new:
        return
    first = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    rest = min(len(old), len(new)) - first
    same = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    if first + same == min(len(old), len(new)):  # lines only came or only went: take a neighbour along
        first, same = (first - 1, same) if first else (first, same - 1)
    middle = new[first : len(new) - same]
    lines = [middle[0], *(hang + line if line else "" for line in middle[1:])]
    start, end = spans[first][0], spans[len(old) - same - 1][1]
    draft.splice(name, start, end, newline.join(line.encode() for line in lines))


def lines_of(draft: Draft) -> memory_index.Shrinking:
    """The lines of MEMORY.md, read once for many that are cut out."""
    data, known = draft.files.get(NAME, b""), draft.counted[1]
    return (
        known
        if isinstance(known, memory_index.Shrinking) and known.data is data
        else memory_index.Shrinking(data)
    )


def cut_line(draft: Draft, lines: memory_index.Shrinking, entry: memory_index.Entry) -> None:
    """Cut a line out of MEMORY.md, as `cut` does."""
    start, end = lines.place(entry)
    torn = end == len(lines.data) and not lines.data.endswith((b"\n", b"\r"))
    if torn or not lines.stands_apart(entry):
        cut(draft, start, end)
        lines.whole = False
        return
    draft.splice(NAME, start, end, b"")
    lines.cut(entry, draft.files[NAME])
    if lines.whole:
        draft.counted = lines.data, lines


def cut(draft: Draft, start: int, end: int) -> None:
    """Cut whole lines out of MEMORY.md; an empty one stays where texts would grow together."""
    data = draft.files[NAME]
    stay = [block.text for block in memory_index.read(data).blocks if not start <= block.start < end]
    if end == len(data) and not data.endswith((b"\n", b"\r")):
        start = len(data[:start].removesuffix(b"\n").removesuffix(b"\r"))
    left = [block.text for block in memory_index.read(data[:start] + data[end:]).blocks]
    draft.splice(NAME, start, end, b"" if left == stay else (b"\r\n" if b"\r\n" in data else b"\n"))


def put_line(draft: Draft, line: str, mode: int) -> None:
    """Add a line to MEMORY.md behind the last one that points to a file; make it if there is none."""
    if NAME not in draft.files:
        draft.create(NAME, line.encode() + b"\n", mode)
        return
    data = draft.files[NAME]
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    entries = memory_index.read(data).entries
    at = entries[-1].end if entries else len(data)
    ended = at == 0 or data[:at].endswith((b"\n", b"\r", frontmatter.BOM))
    text = line.encode()
    if not ended:
        new = newline + text
    elif entries or not data.strip(b" \t\r\n"):
        new = text + newline
    else:  # behind free text: a bullet would go on from the line above
        new = newline + text + newline
    draft.splice(NAME, at, at, new)


def put_text(draft: Draft, text: bytes) -> None:
    """Add free text at the end of MEMORY.md; make it if there is none."""
    data = draft.files.get(NAME)
    if data is None:
        draft.create(NAME, text + b"\n")
        return
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    gap = b"" if not data or data.endswith(newline * 2) else newline
    gap += b"" if not data or data.endswith(b"\n") else newline
    draft.splice(NAME, len(data), len(data), gap + text + newline)


def slug(text: str) -> str:
    """Words of a text as a file name; empty where it has no Latin letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "_", plain)[:48].strip("_")


def first_words(text: str, limit: int = 60) -> str:
    """The beginning of the first line that says something, cut between words."""
    line = " ".join(first_line(text).lstrip("#-*> ").split()) or " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[:limit].rsplit(" ", 1)[0] + "…"
