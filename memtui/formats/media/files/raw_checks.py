"""Checks of the bytes of files: Markdown with front matter, JSON, lines of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from memtui.formats.checkup.findings import make_finding
from memtui.memory.stores import Finding
from memtui.values import Json, JsonObject

BOM = b"\xef\xbb\xbf"
DEPTH = 20  # levels of front matter
_LONGEST_LINE = 20_000  # bytes of a line of prose
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_TAG = re.compile(rb"^[ ]*(?:- +)*(?:[\w.-]+:[ \t]+)?(![^\s,\]}]*)", re.MULTILINE)
# Below the first level only: those of the first are reported when the front matter is read.
_ANCHOR = re.compile(
    rb"^(?:[ ]+(?:- +)*(?:[\w.-]+:[ \t]+)?|- +|[\w.-]+:[ \t]*[\[{][^\n]*?[\[{,][ ]*)([&*]\w[^\s,\]}]*)",
    re.MULTILINE,
)
# An unclosed string extends to the end: else each of its quotes would be tried, and all text behind it.
_STRINGS = re.compile(rb"\"(?:[^\"\\]|\\[\s\S]?)*+(?:\"|\Z)|'[^'\n]*'")


def plain(place: str, data: bytes, longest_line: int = _LONGEST_LINE) -> Iterator[Finding]:
    """Yield findings about any text; `longest_line` is in bytes."""
    if b"\0" in data:
        yield make_finding("nul", place, count=data.count(0))
    if data.startswith(BOM):
        yield make_finding("bom", place)
    if (ends := data.count(b"\r\n")) and ends != (lines := data.count(b"\n")):
        yield make_finding("mixed-newlines", place, some=ends, count=lines)
    if len(data) > longest_line:
        longest = max(map(len, data.splitlines()), default=0)
        if longest > longest_line:
            yield make_finding("long-line", place, count=longest)


def markdown(place: str, data: bytes) -> Iterator[Finding]:
    """Yield findings about a Markdown file."""
    yield from plain(place, data)
    head = _HEAD.match(data, 0, 1 << 16) if data[:6].lstrip(BOM).startswith(b"---") else None
    if head is None:
        return
    if tag := _TAG.search(head[1]):
        yield make_finding("tag", place, value=tag[1].decode(errors="replace"))
    if anchor := _ANCHOR.search(_STRINGS.sub(b"", head[1])):
        yield make_finding("alias", place, value=anchor[1].decode(errors="replace"))
    if _depth(head[1]) > DEPTH:
        yield make_finding("deep-head", place, depth=DEPTH)


def _depth(head: bytes) -> int:
    """Return how deep front matter is nested, by its brackets or by the indentation of its lines."""
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


# Every finding about JSON but a duplicate key needs one of these in the text.
_SUSPECT = ("NaN", "Infinity", "\\u0000", "\\ud", "\\uD")


class _Violations:
    """Collects what a JSON text contains that JSON, or a reader of it, does not allow."""

    def __init__(self) -> None:
        self.duplicate_keys: dict[str, None] = {}
        self.constants: dict[str, None] = {}

    def object(self, pairs: list[tuple[str, Json]]) -> JsonObject:
        out = dict(pairs)
        if len(out) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.duplicate_keys[key] = None
                seen.add(key)
        return out

    def constant(self, name: str) -> float:
        self.constants[name] = None
        return 0.0


def json_text(place: str, text: str, *, keys: bool = True) -> Iterator[Finding]:
    """Yield findings about a JSON text, with `keys` also about duplicate keys. Unreadable JSON yields none:
    the format's reader reports it."""
    if not keys and not any(sign in text for sign in _SUSPECT):
        return
    violations = _Violations()
    hook = violations.object if keys else None
    try:
        value = json.loads(text, object_pairs_hook=hook, parse_constant=violations.constant)
    except (ValueError, RecursionError):
        return
    for key in violations.duplicate_keys:
        yield make_finding("double-key", place, name=key)
    if violations.constants:
        yield make_finding("no-number", place, value=" and ".join(violations.constants))
    if "\\u" in text:
        yield from _characters(place, value)


def _characters(place: str, value: Json) -> Iterator[Finding]:
    try:
        whole = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return
    if nuls := whole.count("\\u0000"):
        yield make_finding("nul", place, count=nuls)
    try:
        whole.encode()
    except UnicodeEncodeError:
        yield make_finding("surrogate", place)
