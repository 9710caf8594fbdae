"""MEMORY.md: lines that point to memory files, and free text between them, each a memory."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import unquote

from memtui.formats.syntax import frontmatter

NAME = "MEMORY.md"
READ_LINES, READ_UNITS = 200, 25_000  # what an agent reads of it: lines, and UTF-16 code units


@dataclass(frozen=True, slots=True)
class Entry:
    """An index line, `- [Title](file.md) — hook`; data[label[0]:label[1]] spells its title."""

    title: str
    target: str
    start: int
    end: int
    number: int
    label: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """One memory of free text: data[start:end] with its line ends.

    `spans` are the bytes of its lines without bullet mark and indent, `hang` is that indent."""

    text: str
    start: int
    end: int
    number: int
    spans: tuple[tuple[int, int], ...]
    hang: str = ""


@dataclass(slots=True)
class Index:
    """What a MEMORY.md holds."""

    entries: list[Entry] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    targets: dict[str, list[Entry]] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)  # where nothing that stands above can go on

    def to(self, name: str) -> list[Entry]:
        """The lines that point to the file."""
        return self.targets.get(name, [])


class Shrinking:
    """A MEMORY.md that loses lines one after the other, which are found without reading it anew each time:
    `data` are the bytes as they are by now."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.whole = True  # nothing else was cut out of it
        self._index = read(data)
        self._ends = {entry.end: entry for entry in self._index.entries}
        self._cut: list[int] = []  # where cut lines began, in the bytes as they were read
        self._lengths: dict[int, int] = {}

    def to(self, name: str) -> list[Entry]:
        """The lines that point to the file; their places are those at the beginning."""
        return [entry for entry in self._index.to(name) if entry.start not in self._lengths]

    def place(self, entry: Entry) -> tuple[int, int]:
        """Where a line stands now."""
        gone = sum(self._lengths[start] for start in self._cut[: bisect_left(self._cut, entry.start)])
        return entry.start - gone, entry.end - gone

    def stands_apart(self, entry: Entry) -> bool:
        """Whether nothing grows together where it is cut out: above it is left another such line, or what
        cannot go on."""
        at = entry.start
        while at not in self._index.closed:
            before = self._ends.get(at)
            if before is None or before.start not in self._lengths:
                return before is not None
            at = before.start
        return True

    def cut(self, entry: Entry, data: bytes) -> None:
        """A line was cut out, which left these bytes."""
        insort(self._cut, entry.start)
        self._lengths[entry.start] = entry.end - entry.start
        self.data = data


@lru_cache(maxsize=4)
def read(data: bytes) -> Index:
    """What the bytes say. Never raises."""
    out = Index()
    lines = _lines(data)
    head = frontmatter.read(data)
    at = 0
    while head is not None and at < len(lines) and lines[at].start < head.body:
        at += 1
    if at < len(lines):
        out.closed.add(lines[at].start)
    while at < len(lines):
        at = _take(lines, at, out)
    for entry in out.entries:
        out.targets.setdefault(entry.target, []).append(entry)
    return out


def is_long(data: bytes) -> bool:
    """Whether a MEMORY.md is longer than what an agent reads of it; the program counts as JavaScript does."""
    if len(data.splitlines()) > READ_LINES:
        return True
    text = data.decode(errors="replace") if len(data) > READ_UNITS else ""
    return len(text) + sum(char > "\uffff" for char in text) > READ_UNITS


def label(title: str) -> str:
    """A title as it stands between the brackets of an index line."""
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
        """The bytes of the text behind its first `skip` characters."""
        start = self.start + len(self.text[:skip].encode())
        return start, start + len(self.text[skip:].encode())


_ENTRY = re.compile(
    r"\s*[-*+][ \t]+(?:\*\*|__)?\[(?P<title>(?:\\.|\[[^\[\]\\]*\]|[^\[\]\\])*)\]"
    r"\((?P<target>[^()]+)\)(?:\*\*|__)?\s*(?:[—–:-]\s*.*)?"
)
_SIMPLE = re.compile(r"[\w-][\w.-]*\.md")  # a file's name as most are
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(?:#{1,6}(?:[ \t].*)?|={3,}|(?:[-*_][ \t]*){3,})\s*")
_MARKS = "-*+#`~<=_0123456789"  # what bullets, headings, fences and comments begin with
_COMMENT = re.compile(r"\s*<!--")


def _lines(data: bytes) -> list[_Line]:
    start = len(frontmatter.BOM) if data.startswith(frontmatter.BOM) else 0
    out = []
    for number, raw in enumerate(data[start:].splitlines(keepends=True), 1):
        text = raw.rstrip(b"\r\n").decode(errors="replace")
        out.append(_Line(number, start, start + len(raw), text))
        start += len(raw)
    return out


def _take(lines: list[_Line], at: int, out: Index) -> int:
    """Read what begins at line `at`; the line after it."""
    line = lines[at]
    entry = _entry(line)
    if line.blank or _HEADING.fullmatch(line.text):
        out.closed.add(line.end)
        return at + 1
    if _COMMENT.match(line.text):
        return next((i + 1 for i in range(at, len(lines)) if "-->" in lines[i].text), len(lines))
    if entry is not None:
        end = at + 1
        while end < len(lines) and lines[end].indent >= 2 and not _begins(lines[end]):
            end += 1
        out.entries.append(_until(entry, lines[end - 1]))
        return end
    fence, bullet = _FENCE.match(line.text), _BULLET.match(line.text)
    if fence:
        end = _past_fence(lines, at)
    else:
        end = at + 1
        while end < len(lines) and not _stops(lines[end], line.indent if bullet else -1):
            inner = bullet and lines[end].indent > line.indent and _FENCE.match(lines[end].text)
            end = _past_fence(lines, end) if inner else end + 1
    if not bullet and end < len(lines) and re.fullmatch(r"=+\s*", lines[end].text):
        return end + 1  # a heading that is underlined
    _keep(lines[at:end], bullet.end() if bullet and not fence else 0, out)
    return end


def _keep(lines: list[_Line], hang: int, out: Index) -> None:
    spans = [lines[0].span(hang)]
    texts = [lines[0].text[hang:]]
    for line in lines[1:]:
        skip = min(hang, line.indent)
        spans.append(line.span(skip))
        texts.append(line.text[skip:])
    text = "\n".join(texts)
    if text.strip():
        out.blocks.append(
            Block(text, lines[0].start, lines[-1].end, lines[0].number, tuple(spans), " " * hang)
        )


def _begins(line: _Line) -> bool:
    """Whether a line begins something of its own, however far it is indented."""
    return line.blank or bool(
        _BULLET.match(line.text) or _FENCE.match(line.text) or _COMMENT.match(line.text)
    )


def _stops(line: _Line, indent: int) -> bool:
    """Whether a line ends the text before it: a bullet indented by `indent`, or a paragraph (-1)."""
    if line.blank or _entry(line) is not None:
        return True
    if indent >= 0 and line.indent > indent:
        return False
    plain = line.text[line.indent] not in _MARKS
    return not plain and (_begins(line) or bool(_HEADING.fullmatch(line.text)))


def _past_fence(lines: list[_Line], at: int) -> int:
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


def _until(entry: Entry, last: _Line) -> Entry:
    return Entry(entry.title, entry.target, entry.start, last.end, entry.number, entry.label)


def _target(said: str) -> str:
    """The file of this folder that a link means; empty where it leads elsewhere."""
    path = unquote(said.strip().removeprefix("<").removesuffix(">")).split("#")[0]
    if _SIMPLE.fullmatch(path):
        return path
    inside = not path.startswith("/") and ".." not in PurePosixPath(path).parts and "://" not in path
    return str(PurePosixPath(path)) if inside and path.casefold().endswith(".md") else ""
