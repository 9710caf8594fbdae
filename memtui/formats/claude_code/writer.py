"""Change lines of memory files and of MEMORY.md; every other byte stays."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from memtui.formats.claude_code import document, memory_index, wording
from memtui.formats.claude_code.memory_index import INDEX_FILE, ShrinkingIndex
from memtui.formats.media.files.draft import Draft

SHRINKING = "shrinking index"  # the cache of a draft for it


def set_body(draft: Draft, name: str, text: str) -> None:
    """Replace the body of a memory file by `text`; the blank lines around it stay. Raise Refused if its head
    has no end."""
    note = document.read(draft.files[name])
    if note.head is not None and any(code == "unclosed-head" for code, _ in note.head.problems):
        raise wording.head_without_end()
    if note.start == note.end:
        before = draft.files[name][: note.start]
        gap = b"" if not before or before.endswith(b"\n") else note.newline
        new = gap + text.replace("\n", note.newline.decode()).encode() + note.newline
        draft.splice(name, note.start, note.end, new)
        return
    spans, at = [], note.start
    for raw in re.findall(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)", note.data[note.start : note.end]):
        spans.append((at, at + len(raw.rstrip(b"\r\n"))))
        at += len(raw)
    replace_lines(draft, name, spans, note.content, text, "", note.newline)


def replace_lines(
    draft: Draft,
    name: str,
    spans: Sequence[tuple[int, int]],
    before: str,
    after: str,
    hanging_indent: str,
    newline: bytes,
) -> None:
    """Replace the text `before`, whose lines are at `spans`, by `after`.

    Only the lines from the first to the last that differ are written; new ones are indented by
    `hanging_indent`."""
    old, new = before.split("\n"), after.split("\n")
    if old == new:
        return
    first = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    rest = min(len(old), len(new)) - first
    same = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    if first + same == min(len(old), len(new)):  # lines were only added or only removed: include a neighbor
        first, same = (first - 1, same) if first else (first, same - 1)
    middle = new[first : len(new) - same]
    lines = [middle[0], *(hanging_indent + line if line else "" for line in middle[1:])]
    start, end = spans[first][0], spans[len(old) - same - 1][1]
    draft.splice(name, start, end, newline.join(line.encode() for line in lines))


def shrinking_index(draft: Draft) -> ShrinkingIndex:
    """Return MEMORY.md as the last removal in this draft left it, without parsing it again."""
    data = draft.files.get(INDEX_FILE, b"")
    cached, known = draft.caches.get(SHRINKING, (b"", None))
    return known if known is not None and cached is data else ShrinkingIndex(data)


def remove_entry(draft: Draft, index: ShrinkingIndex, entry: memory_index.Entry) -> None:
    """Remove an index line from MEMORY.md, with the result of `remove_lines`."""
    start, end = index.span(entry)
    unended = end == len(index.data) and not index.data.endswith((b"\n", b"\r"))
    if unended or not index.is_separate(entry):
        remove_lines(draft, start, end)
        index.is_exact = False
        return
    draft.splice(INDEX_FILE, start, end, b"")
    index.remove(entry, draft.files[INDEX_FILE])
    if index.is_exact:
        draft.caches[SHRINKING] = index.data, index


def remove_lines(draft: Draft, start: int, end: int) -> None:
    """Remove whole lines from MEMORY.md; a blank one stays where two texts would become one."""
    data = draft.files[INDEX_FILE]
    stay = [block.text for block in memory_index.read(data).blocks if not start <= block.start < end]
    if end == len(data) and not data.endswith((b"\n", b"\r")):
        start = len(data[:start].removesuffix(b"\n").removesuffix(b"\r"))
    left = [block.text for block in memory_index.read(data[:start] + data[end:]).blocks]
    blank = b"\r\n" if b"\r\n" in data else b"\n"
    draft.splice(INDEX_FILE, start, end, b"" if left == stay else blank)


def append_text(draft: Draft, text: bytes) -> None:
    """Append free text to MEMORY.md; create it if missing."""
    data = draft.files.get(INDEX_FILE)
    if data is None:
        draft.create(INDEX_FILE, text + b"\n")
        return
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    gap = b"" if not data or data.endswith(newline * 2) else newline
    gap += b"" if not data or data.endswith(b"\n") else newline
    draft.splice(INDEX_FILE, len(data), len(data), gap + text + newline)


def slug(text: str) -> str:
    """Return the words of a text as a file name; "" where it has no Latin letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "_", plain)[:48].strip("_")
