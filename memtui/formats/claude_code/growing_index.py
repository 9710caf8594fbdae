"""A MEMORY.md to which lines are added one by one, without parsing it again after each."""

from __future__ import annotations

from memtui.formats.claude_code import memory_index
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import frontmatter

_GROWING = "growing index"  # the cache of a draft for it


class GrowingIndex:
    """What adding a line needs to know of a MEMORY.md: `targets` are the files that its lines point to, `end`
    is the offset behind the last of these lines, None without any."""

    def __init__(self, data: bytes) -> None:
        index = memory_index.read(data)
        self.targets = set(index.targets)
        self.end = index.entries[-1].end if index.entries else None
        self.newline = b"\r\n" if b"\r\n" in data else b"\n"


def is_known(draft: Draft) -> bool:
    """Return whether MEMORY.md is as the last addition in this draft left it."""
    return _GROWING in draft.caches and draft.caches[_GROWING][0] is draft.files.get(INDEX_FILE)


def of(draft: Draft) -> GrowingIndex:
    """Return MEMORY.md as it is in the draft."""
    if is_known(draft):
        known = draft.caches[_GROWING][1]
        assert isinstance(known, GrowingIndex)
        return known
    return GrowingIndex(draft.files.get(INDEX_FILE, b""))


def add_line(draft: Draft, line: str, mode: int) -> None:
    """Add a line to MEMORY.md after the last one that points to a file; create it with `mode` if missing."""
    if INDEX_FILE not in draft.files:
        draft.create(INDEX_FILE, line.encode() + b"\n", mode)
        return
    index = of(draft)
    data, end = draft.files[INDEX_FILE], index.end
    at = len(data) if end is None else end
    ended = at == 0 or data.endswith((b"\n", b"\r", frontmatter.BOM), 0, at)
    text = line.encode()
    if not ended:
        new = index.newline + text
    elif end is not None or not data.strip(b" \t\r\n"):
        new = text + index.newline
    else:  # after free text, which a bullet on the next line would continue
        new = index.newline + text + index.newline
    draft.splice(INDEX_FILE, at, at, new)
    # A line of its own behind another one is read as it would be alone: what follows it is no part of either.
    added = memory_index.read(text).entries if end is not None else []
    if len(added) == 1 and added[0].end == len(text):
        index.targets.add(added[0].target)
        index.end = at + len(new)
        draft.caches[_GROWING] = draft.files[INDEX_FILE], index
