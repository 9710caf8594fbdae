"""MEMORY.md: lines that point to memory files, and blocks of free text, each of which is a memory."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import unquote

from memtui.formats.syntax import frontmatter

INDEX_FILE = "MEMORY.md"


@dataclass(frozen=True, slots=True)
class Entry:
    """An index line, `- [Title](file.md) — hook`; data[label[0]:label[1]] is its title, escaped."""

    title: str
    target: str
    start: int
    end: int
    number: int
    label: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """A memory of free text: data[start:end] with its line endings.

    `spans` are the bytes of its lines without bullet mark and indent; `hanging_indent` is the indent of those
    after the first."""

    text: str
    start: int
    end: int
    number: int
    spans: tuple[tuple[int, int], ...]
    hanging_indent: str = ""


@dataclass(slots=True)
class Index:
    """The content of a MEMORY.md."""

    entries: list[Entry] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    targets: dict[str, list[Entry]] = field(default_factory=dict)
    breaks: set[int] = field(default_factory=set)  # offsets at which no text from above can continue

    def entries_for(self, file: str) -> list[Entry]:
        """Return the lines that point to the file."""
        return self.targets.get(file, [])


class ShrinkingIndex:
    """A MEMORY.md from which lines are removed one by one without parsing it again each time.

    `data` is its current content; entries keep the offsets of the content that was parsed."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.is_exact = True  # nothing but entries was removed, so that offsets can be worked out
        self._index = read(data)
        self._ends = {entry.end: entry for entry in self._index.entries}
        self._removed: list[int] = []  # where removed lines began in the parsed content, sorted
        self._lengths: dict[int, int] = {}

    def entries_for(self, file: str) -> list[Entry]:
        """Return the remaining lines that point to the file."""
        return [entry for entry in self._index.entries_for(file) if entry.start not in self._lengths]

    def span(self, entry: Entry) -> tuple[int, int]:
        """Return the current offsets of a line."""
        gone = sum(self._lengths[start] for start in self._removed[: bisect_left(self._removed, entry.start)])
        return entry.start - gone, entry.end - gone

    def is_separate(self, entry: Entry) -> bool:
        """Return whether removing the line joins no texts: what is left above it is another index line, or
        cannot continue below."""
        at = entry.start
        while at not in self._index.breaks:
            before = self._ends.get(at)
            if before is None or before.start not in self._lengths:
                return before is not None
            at = before.start
        return True

    def remove(self, entry: Entry, data: bytes) -> None:
        """Record that a line was removed, which left the content `data`."""
        insort(self._removed, entry.start)
        self._lengths[entry.start] = entry.end - entry.start
        self.data = data


@lru_cache(maxsize=4)
def read(data: bytes) -> Index:
    """Parse the content of a MEMORY.md. Never raises."""
    out = Index()
    lines = _lines(data)
    head = frontmatter.read(data)
    at = 0
    while head is not None and at < len(lines) and lines[at].start < head.body:
        at += 1
    if at < len(lines):
        out.breaks.add(lines[at].start)
    while at < len(lines):
        at = _read_at(lines, at, out)
    for entry in out.entries:
        out.targets.setdefault(entry.target, []).append(entry)
    return out


def escape_title(title: str) -> str:
    """Return a title as it is written between the brackets of an index line."""
    return re.sub(r"([\[\]\\])", r"\\\1", title)


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    start: int
    end: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" \t"))

    def span(self, skip: int) -> tuple[int, int]:
        """Return the offsets of its text after the first `skip` characters."""
        start = self.start + len(self.text[:skip].encode())
        return start, start + len(self.text[skip:].encode())


_ENTRY = re.compile(
    r"\s*[-*+][ \t]+(?:\*\*|__)?\[(?P<title>(?:\\.|\[[^\[\]\\]*\]|[^\[\]\\])*)\]"
    r"\((?P<target>[^()]+)\)(?:\*\*|__)?\s*(?:[—–:-]\s*.*)?"
)
_SIMPLE = re.compile(r"[\w-][\w.-]*\.md")  # matches most file names
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(?:#{1,6}(?:[ \t].*)?|={3,}|(?:[-*_][ \t]*){3,})\s*")
_MARKS = "-*+#`~<=_0123456789"  # first characters of bullets, headings, fences and comments
_COMMENT = re.compile(r"\s*<!--")


def _lines(data: bytes) -> list[_Line]:
    start = len(frontmatter.BOM) if data.startswith(frontmatter.BOM) else 0
    out = []
    for number, raw in enumerate(data[start:].splitlines(keepends=True), 1):
        text = raw.rstrip(b"\r\n").decode(errors="replace")
        out.append(_Line(number, start, start + len(raw), text))
        start += len(raw)
    return out


def _read_at(lines: list[_Line], at: int, out: Index) -> int:
    """Parse what begins at the line with the index `at`, and return the index of the line after it."""
    line = lines[at]
    entry = _entry(line)
    if line.blank or _HEADING.fullmatch(line.text):
        out.breaks.add(line.end)
        return at + 1
    if _COMMENT.match(line.text):
        return next((i + 1 for i in range(at, len(lines)) if "-->" in lines[i].text), len(lines))
    if entry is not None:
        end = at + 1
        while end < len(lines) and lines[end].indent >= 2 and not _starts_block(lines[end]):
            end += 1
        out.entries.append(replace(entry, end=lines[end - 1].end))
        return end
    fence, bullet = _FENCE.match(line.text), _BULLET.match(line.text)
    if fence:
        end = _fence_end(lines, at)
    else:
        end = at + 1
        while end < len(lines) and not _ends_block(lines[end], line.indent if bullet else -1):
            inner = bullet and lines[end].indent > line.indent and _FENCE.match(lines[end].text)
            end = _fence_end(lines, end) if inner else end + 1
    if not bullet and end < len(lines) and re.fullmatch(r"=+\s*", lines[end].text):
        return end + 1  # an underlined heading
    _add_block(lines[at:end], bullet.end() if bullet and not fence else 0, out)
    return end


def _add_block(lines: list[_Line], hanging_indent: int, out: Index) -> None:
    """Add these lines as a block, unless they are empty; `hanging_indent` is the width of the bullet mark."""
    spans = [lines[0].span(hanging_indent)]
    texts = [lines[0].text[hanging_indent:]]
    for line in lines[1:]:
        skip = min(hanging_indent, line.indent)
        spans.append(line.span(skip))
        texts.append(line.text[skip:])
    text = "\n".join(texts)
    if text.strip():
        out.blocks.append(
            Block(text, lines[0].start, lines[-1].end, lines[0].number, tuple(spans), " " * hanging_indent)
        )


def _starts_block(line: _Line) -> bool:
    """Return whether a line starts something new, however far it is indented."""
    return line.blank or bool(
        _BULLET.match(line.text) or _FENCE.match(line.text) or _COMMENT.match(line.text)
    )


def _ends_block(line: _Line, indent: int) -> bool:
    """Return whether a line ends the text before it: a bullet indented by `indent`, or a paragraph (-1)."""
    if line.blank or _entry(line) is not None:
        return True
    if indent >= 0 and line.indent > indent:
        return False
    plain = line.text[line.indent] not in _MARKS
    return not plain and (_starts_block(line) or bool(_HEADING.fullmatch(line.text)))


def _fence_end(lines: list[_Line], at: int) -> int:
    """Return the index of the line after the fenced code that begins at `at`."""
    opening = _FENCE.match(lines[at].text)
    mark = opening["fence"] if opening else "```"
    for index in range(at + 1, len(lines)):
        text = lines[index].text.strip()
        if text.startswith(mark) and not text.strip(mark[0]):
            return index + 1
    return len(lines)


def _entry(line: _Line) -> Entry | None:
    match = _ENTRY.fullmatch(line.text) if "](" in line.text else None
    target = _target(match["target"]) if match else ""
    if match is None or not target:
        return None
    title = re.sub(r"\\([\[\]\\])", r"\1", match["title"]).strip()
    first, _ = line.span(match.start("title"))
    span = first, first + len(match["title"].encode())
    return Entry(title, target, line.start, line.end, line.number, span)


def _target(path: str) -> str:
    """Return the file of this folder to which the path of a link leads; "" where it leads elsewhere."""
    path = unquote(path.strip().removeprefix("<").removesuffix(">")).split("#")[0]
    if _SIMPLE.fullmatch(path):
        return path
    inside = not path.startswith("/") and ".." not in PurePosixPath(path).parts and "://" not in path
    return str(PurePosixPath(path)) if inside and path.casefold().endswith(".md") else ""
