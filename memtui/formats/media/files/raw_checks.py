"""What is odd about the bytes of files: Markdown with a head, JSON, lines of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from memtui.formats.checkup.findings import found
from memtui.memory.stores import Finding

BOM = b"\xef\xbb\xbf"
_LONG = 20_000  # bytes of a line of prose
DEPTH = 20  # levels of a head
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_TAG = re.compile(rb"^[ ]*(?:- +)*(?:[\w.-]+:[ \t]+)?(![^\s,\]}]*)", re.MULTILINE)
# Below the first level; what stands there is told as the head is read.
_ANCHOR = re.compile(
    rb"^(?:[ ]+(?:- +)*(?:[\w.-]+:[ \t]+)?|- +|[\w.-]+:[ \t]*[\[{][^\n]*?[\[{,][ ]*)([&*]\w[^\s,\]}]*)",
    re.MULTILINE,
)
# One that is never closed goes to the end: else each of its quotes would be tried, and all behind it.
_STRINGS = re.compile(rb"\"(?:[^\"\\]|\\[\s\S]?)*+(?:\"|\Z)|'[^'\n]*'")


def plain(place: str, data: bytes, long: int = _LONG) -> Iterator[Finding]:
    """What is odd about any text."""
    if b"\0" in data:
        yield found("nul", place, count=data.count(0))
    if data.startswith(BOM):
        yield found("bom", place)
    if (ends := data.count(b"\r\n")) and ends != (lines := data.count(b"\n")):
        yield found("mixed-newlines", place, some=ends, count=lines)
    if len(data) > long and (longest := max(map(len, data.splitlines()), default=0)) > long:
        yield found("long-line", place, count=longest)


def markdown(place: str, data: bytes) -> Iterator[Finding]:
    """What is odd about a Markdown file."""
    yield from plain(place, data)
    head = _HEAD.match(data, 0, 1 << 16) if data[:6].lstrip(BOM).startswith(b"---") else None
    if head is None:
        return
    if tag := _TAG.search(head[1]):
        yield found("tag", place, said=tag[1].decode(errors="replace"))
    if anchor := _ANCHOR.search(_STRINGS.sub(b"", head[1])):
        yield found("alias", place, said=anchor[1].decode(errors="replace"))
    if _depth(head[1]) > DEPTH:
        yield found("deep-head", place, depth=DEPTH)


def _depth(head: bytes) -> int:
    """How deep a head is nested, by its brackets or by how far its lines are indented."""
    level = deepest = 0
    for sign in re.findall(rb"[\[\]{}]", _STRINGS.sub(b"", head)):
        level += 1 if sign in b"[{" else -1
        deepest = max(deepest, level)
    indents: list[int] = []
    for line in head.splitlines():
        indent = len(line) - len(line.lstrip(b" "))
        if not line.strip():
            continue
        while indents and indents[-1] >= indent:
            indents.pop()
        indents.append(indent)
        deepest = max(deepest, len(indents))
    return deepest


# One of these stands in whatever is odd but for a doubled key.
_SUSPECT = ("NaN", "Infinity", "\\u0000", "\\ud", "\\uD")


class _Odd:
    """What a JSON text holds that JSON, or a reader of it, does not allow."""

    def __init__(self) -> None:
        self.keys: dict[str, None] = {}
        self.constants: dict[str, None] = {}

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(pairs)
        if len(out) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.keys[key] = None
                seen.add(key)
        return out

    def constant(self, name: str) -> float:
        self.constants[name] = None
        return 0.0


def json_text(place: str, text: str, *, keys: bool = True) -> Iterator[Finding]:
    """What is odd about a JSON text; one that cannot be read at all is for others to tell."""
    if not keys and not any(sign in text for sign in _SUSPECT):
        return
    odd = _Odd()
    hook = odd.object if keys else None
    try:
        value = json.loads(text, object_pairs_hook=hook, parse_constant=odd.constant)
    except (ValueError, RecursionError):
        return
    for key in odd.keys:
        yield found("double-key", place, name=key)
    if odd.constants:
        yield found("no-number", place, said=" and ".join(odd.constants))
    if "\\u" in text:
        yield from _letters(place, value)


def _letters(place: str, value: Any) -> Iterator[Finding]:
    try:
        whole = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return
    if nuls := whole.count("\\u0000"):
        yield found("nul", place, count=nuls)
    try:
        whole.encode()
    except UnicodeEncodeError:
        yield found("surrogate", place)
