"""One file of Base Coat's shared memory: a head, and a body of sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from memtui.formats.contract.records import clean
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.frontmatter import FrontMatter
from memtui.formats.syntax.markdown import with_lf

PATTERN, EVIDENCE = "pattern", "evidence"  # names of sections, in lower case
_HEADING = re.compile(rb" {0,3}(#{1,2})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text below it: the heading's line ends at the byte offset `head`, the text without
    the blank lines around it is data[start:end]."""

    level: int
    name: str
    head: int
    start: int
    end: int


@dataclass(frozen=True)
class Document:
    """A file as it was read. Nothing here raises."""

    data: bytes

    @cached_property
    def head(self) -> FrontMatter | None:
        return frontmatter.read(self.data)

    @cached_property
    def sections(self) -> list[Section]:
        """The sections below headings of the first two levels."""
        headings = list(self._headings())
        out = []
        for number, (_, head, level, name) in enumerate(headings):
            stop = headings[number + 1][0] if number + 1 < len(headings) else len(self.data)
            text = self.data[head:stop]
            blank = re.match(rb"(?:[ \t]*\r?\n)*", text)
            end = head + len(text.rstrip(b" \t\r\n"))
            start = min(head + (blank.end() if blank else 0), end)
            out.append(Section(level, name, head, max(start, head), max(end, head)))
        return out

    def section(self, name: str) -> Section | None:
        """Return the first second-level section of this name, in any case."""
        named = (each for each in self.sections if each.level == 2 and each.name.casefold() == name)
        return next(named, None)

    def text(self, name: str) -> str:
        """Return a section's text with LF line ends; "" where there is none."""
        found = self.section(name)
        if found is None:
            return ""
        return clean(with_lf(self.data[found.start : found.end].decode(errors="replace")))

    @property
    def title(self) -> str:
        """The first first-level heading; "" where there is none."""
        return next((clean(each.name) for each in self.sections if each.level == 1), "")

    def head_text(self, key: str) -> str:
        """Return a value of the head; "" where there is none."""
        return clean(self.head.text(key)) if self.head is not None else ""

    @property
    def newline(self) -> bytes:
        return b"\r\n" if b"\r\n" in self.data else b"\n"

    @property
    def is_shared(self) -> bool:
        """Whether it is plainly a shared memory: the head names a domain and a subject, and there is a
        pattern."""
        domain, colon, subject = self.head_text("subject").partition(":")
        return bool(domain.strip() and colon and subject.strip() and self.section(PATTERN))

    def _headings(self) -> Iterator[tuple[int, int, int, str]]:
        """Yield start, end, level and text of each heading outside of fenced code."""
        at = self.head.body if self.head is not None else 0
        if self.head is None and self.data.startswith(frontmatter.BOM):
            at = len(frontmatter.BOM)
        fence = b""
        for line in self.data[at:].splitlines(keepends=True):
            mark = _FENCE.match(line)
            if fence:
                ended = mark is not None and mark[1].startswith(fence) and not line[mark.end() :].strip()
                fence = b"" if ended else fence
            elif mark is not None:
                fence = mark[1]
            elif found := _HEADING.fullmatch(line.rstrip(b"\r\n")):
                yield at, at + len(line), len(found[1]), found[2].decode(errors="replace")
            at += len(line)
