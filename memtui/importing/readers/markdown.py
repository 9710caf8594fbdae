"""Markdown: each bullet is a memory, and so is the text below a heading, of which the heading is the title.

Headings above bullets are their category. So reads what `memtui export` writes, notes, and the lists in which
assistants show what they remember. What is indented below a bullet is of that bullet, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memtui.export.bullets import DATE
from memtui.importing.reader import Found, Reader, lines
from memtui.importing.statements import (
    BULLET,
    FENCE,
    LEAD_IN,
    RULE,
    heading_of,
    statement_fields,
    under_heading,
)
from memtui.memory.imported import Imported

_TEXT_OF_RULE = re.compile(r"[-*+] (?:-{3,}|={3,}|\*{3,}|_{3,})")  # not "- - -", a rule
_ESCAPED_TAG = re.compile(r"\\<(?=[A-Za-z/!?])")
_SIGNS = re.compile(r"^ ?(?:#{1,6} |[-*+] |\d{1,3}[.)] |\*\*[^*\n]+\*\*:?$)", re.MULTILINE)


def recognise(path: Path, head: str) -> bool:
    """Return whether it has the suffix, or headings or bullets."""
    return path.suffix.lower() in (".md", ".markdown") or _SIGNS.search(head) is not None


def read(text: str) -> Iterator[Found]:
    """Yield a memory for each bullet and for the text of each heading."""
    yield from _Reading().read(text)


class _Reading:
    """The block that is being read: a bullet, or the text below a heading."""

    def __init__(self) -> None:
        self._heading = ""
        self._start = 0  # the line of the block, 0 for none
        self._lines: list[str] = []
        self._fences: list[int] = []  # which of them are fences that are no part of a bullet
        self._gap = -1  # the line below which an export says where the memory is from
        self._indent = 0  # columns of a bullet's mark; 0 for a paragraph
        self._fenced = False

    def read(self, text: str) -> Iterator[Found]:
        for number, line in self._body(text):
            if not line or line.isspace():
                yield from self._blank(line)
            elif self._indent and not self._fenced and line.startswith(("  ", "\t")):
                self._add(number, line)
            elif FENCE.match(line):
                self._fenced = not self._fenced
                self._fences.append(len(self._lines))
                self._add(number, line)
            elif DATE.match(line) or (not self._fenced and BULLET.match(line.removeprefix(" "))):
                if RULE.fullmatch(line) and not _TEXT_OF_RULE.fullmatch(line):
                    yield from self._end()
                    continue
                yield from self._end(introduces=True)
                mark = BULLET.match(line.removeprefix(" "))
                self._indent = mark.end() if mark is not None else 2
                self._start, self._lines = number, [line.removeprefix(" ")]
            elif self._fenced or not (heading := heading_of(line)):
                yield from self._continue(number, line)
            else:
                yield from self._end()
                self._heading = heading
        yield from self._end()

    def _body(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the lines below the front matter, if there is one."""
        end = text.find("\n---", 3) if text.startswith(("---\n", "---\r\n")) else -1
        last = text.count("\n", 0, end) + 2 if end > 0 else 0
        for number, line in lines(text):
            if number > last:
                yield number, line

    def _continue(self, number: int, line: str) -> Iterator[Found]:
        """Take a line that begins nothing: it belongs to the block, or ends it."""
        if RULE.fullmatch(line) and not self._fenced:
            yield from self._end()
            return
        if self._indent and not self._lines[-1].strip() and not line[0].isspace() and not self._fenced:
            yield from self._end()
        self._add(number, line)

    def _blank(self, line: str) -> Iterator[Found]:
        """Take an empty line, which ends a paragraph that has no heading."""
        if not self._lines:
            return
        if not (self._fenced or self._indent or self._heading):
            yield from self._end()
        else:
            self._gap = len(self._lines) if line == "  " else self._gap
            self._lines.append(line[2:] if self._indent else "")

    def _add(self, number: int, line: str) -> None:
        if not self._lines:
            self._start = number
        if self._indent:  # of a bullet, whose further lines are indented
            margin = len(line) - len(line.lstrip(" "))
            line = line[min(margin, self._indent, 2) :]
        self._lines.append(line)

    def _end(self, *, introduces: bool = False) -> Iterator[Found]:
        """Yield the memory of the block, if it says something. A line that `introduces` a list does not."""
        block, start, indent, fences, gap = self._lines, self._start, self._indent, self._fences, self._gap
        self._lines, self._start, self._indent, self._fences, self._gap = [], 0, 0, [], -1
        while introduces and not indent and block and FENCE.match(block[-1]):
            block = block[:-1]
            fences = fences[:-1]
        if indent and (listed := _without_origin(block, gap)) is not None:
            block = listed
        if introduces and not indent and block and len(block[-1]) <= LEAD_IN and block[-1].endswith(":"):
            block = block[:-1]
        text = _without_open_fence(block, fences)
        if not text:
            return
        above = under_heading(self._heading) if indent else {"title": self._heading} if self._heading else {}
        fields = statement_fields(text)
        if fields["content"]:
            yield Imported(start, {**above, **fields})


def _without_origin(block: list[str], gap: int) -> list[str] | None:
    """Return the lines of a memory that `memtui export --as markdown` wrote, None for other bullets: below a
    gap, in italics, stands where it is from; HTML in its text is escaped."""
    below = [line for line in block[gap + 1 :] if line.strip()] if gap > 0 else []
    if len(below) != 1 or not (below[0].startswith("*") and below[0].endswith("*")):
        return None
    return [_ESCAPED_TAG.sub("<", line) for line in block[:gap]]


def _without_open_fence(block: list[str], fences: list[int]) -> str:
    """Return the text of a block without a fence that is opened or closed in another; "" for fences alone."""
    if len(fences) % 2:
        block = block[: fences[-1]] + block[fences[-1] + 1 :]
    return (
        "\n".join(block).strip("\n") if any(not FENCE.match(line) and line.strip() for line in block) else ""
    )


READER = Reader("markdown", "Markdown", recognise, read, rank=1)
