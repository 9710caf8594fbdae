"""What Claude Code loads of MEMORY.md at the start of a session, as version 2.1.332 was observed to do it
(FORMATS 6).

Offsets are those of characters in the decoded file; the limit is counted as JavaScript counts.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from operator import attrgetter

from memtui.formats.claude_code import wording
from memtui.formats.syntax.html_comments import comment_spans

MAX_LINES, MAX_UNITS = 200, 25_000  # lines, and UTF-16 code units
# Code units of the first line that is missing: at most, and those before a space at which it is cut.
_EXCERPT, _EXCERPT_WORDS = 80, 40
_HEAD = re.compile(r"---(?>\s*\n).*?---\s*\n?", re.DOTALL)  # atomic: blank lines are many ways to begin
_RETURN = re.compile(r"\r(?=\n)")
# What JavaScript's trim() removes.
_WIDTHS = "".join(map(chr, range(0x2000, 0x200B)))
_SPACE = f"\t\n\v\f\r \u00a0\u1680{_WIDTHS}\u2028\u2029\u202f\u205f\u3000\ufeff"
_BREAKS = dict.fromkeys("\r\u2028\u2029", "\n")
_KEPT = frozenset("\t\n\u200c\u200d\ufe0f")
# Characters that are drawn as nothing although their category is not that of a control or format character.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
_REMINDER = re.compile(r"<(?=\s*/?\s*system-reminder)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the file that is not loaded, and why: `head`, `comment`, `lines`, `units` or `long-line`."""

    code: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is loaded: `text`, "" for nothing; `origin` has the offset in the file for each of its characters
    up to the warning; `missing` are the parts that are not loaded."""

    source: str
    text: str
    origin: tuple[int, ...]
    missing: tuple[Span, ...]


def load(data: bytes) -> Loaded:
    """Return what is loaded of a MEMORY.md. A pure function that never raises."""
    source = decoded(data)
    removed = list(_removed(source))
    kept = [
        (a, b)
        for (_, a), (b, _) in pairwise([(0, 0), *((x.start, x.end) for x in removed), (len(source), 0)])
        if a < b
    ]
    text = "".join(source[a:b] for a, b in kept)
    leading = len(text) - len(text.lstrip(_SPACE))
    text = text.strip(_SPACE)
    cut = _cut(text)
    end = len(text) if cut is None else cut.length
    origin = _offsets(kept, leading, leading + end + 1)
    shown, origin_of_shown = _cleaned(text[:end], origin[:end])
    missing = [each for each in removed if each.code]
    if cut is not None:
        missing.append(Span(cut.code, origin[end] + (text[end] == "\n"), len(source.rstrip(_SPACE))))
        shown += f"\n\n{_cleaned(cut.warning, range(len(cut.warning)))[0]}"
    first = len(shown) - len(shown.lstrip(_SPACE))
    shown = shown.strip(_SPACE)
    return Loaded(source, shown, tuple(origin_of_shown[first : first + len(shown)]), tuple(missing))


def decoded(data: bytes) -> str:
    """Return a file as text, of which offsets are counted."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def is_cut(data: bytes) -> bool:
    """Return whether a MEMORY.md is longer than what is loaded of it."""
    if len(data) <= MAX_UNITS and data.count(b"\n") < MAX_LINES:
        return False
    return any(each.code in ("lines", "units", "long-line") for each in load(data).missing)


def _removed(source: str) -> Iterator[Span]:
    """Yield what is removed before anything is counted, in order; carriage returns without a code, as no one
    misses them."""
    head = _HEAD.match(source)
    start = head.end() if head else 0
    if head:
        yield Span("head", 0, start)
    if "<!--" not in source:
        return
    body = source[start:]
    returns = [start + each.start() for each in _RETURN.finditer(body)]
    found = comment_spans(_RETURN.sub("", body).replace("\r", "\n"))
    if not returns:
        yield from (Span("comment", start + a, start + b) for a, b in found)
        return
    dropped = frozenset(returns)
    offsets = [at for at in range(start, len(source)) if at not in dropped]
    comments = [Span("comment", offsets[a], offsets[b - 1] + 1) for a, b in found]
    ends = [each.end for each in comments]
    single = []
    for at in returns:
        near = bisect_right(ends, at)  # the first comment that ends behind it
        if near == len(comments) or at < comments[near].start:
            single.append(Span("", at, at + 1))
    yield from sorted((*comments, *single), key=attrgetter("start"))


def _offsets(kept: Iterable[tuple[int, int]], start: int, stop: int) -> list[int]:
    """Return the offsets in the file of the characters start to stop of what is kept."""
    return list(islice(chain.from_iterable(range(a, b) for a, b in kept), start, stop))


@dataclass(frozen=True, slots=True)
class _End:
    code: str
    length: int  # characters that are loaded
    warning: str


def _cut(text: str) -> _End | None:
    """Return where a trimmed text is cut off, None if it is not."""
    lines = text.split("\n")
    units = _units(text)
    if len(lines) <= MAX_LINES and units <= MAX_UNITS:
        return None
    head = "\n".join(lines[:MAX_LINES])
    code, length = "lines", len(head)
    if _units(head) > MAX_UNITS:
        fitting = _characters(head, MAX_UNITS)
        newline = head.rfind("\n", 0, fitting + 1)
        code, length = ("long-line", fitting) if newline < 0 else ("units", newline)
    if code == "long-line":
        lost = wording.rest_of_line(MAX_UNITS)
    else:
        number = text.count("\n", 0, length) + 1
        lost = wording.lines_lost(len(lines) - number, len(lines), number + 1, _excerpt(lines[number]))
    limits = len(lines) > MAX_LINES, units > MAX_UNITS
    return _End(code, length, wording.index_warning(len(lines), units, limits, MAX_LINES, MAX_UNITS, lost))


def _excerpt(line: str) -> str:
    line = line.strip(_SPACE)
    if _units(line) <= _EXCERPT:
        return line
    line = line[: _characters(line, _EXCERPT - 1)]
    words = line[: max(map(line.rfind, _SPACE)) + 1].rstrip(_SPACE)
    return f"{words if _units(words) > _EXCERPT_WORDS else line}…"


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def _characters(text: str, units: int) -> int:
    """Return how many whole characters fit into so many code units."""
    if text.isascii():
        return min(units, len(text))
    for at, char in enumerate(text):
        units -= 1 + (char > "\uffff")
        if units < 0:
            return at
    return len(text)


def _cleaned(text: str, origin: range | list[int]) -> tuple[str, list[int]]:
    """Return a text as it is put between the program's own marks, and where each character comes from."""
    chars: list[str] = []
    places: list[int] = []
    for index, char in enumerate(text):
        if char == "\r" and text[index + 1 : index + 2] in ("\n", ""):
            continue
        char = _BREAKS.get(char, char)
        is_plain = (char.isascii() and char >= " " and char != "\x7f") or char in _KEPT
        if not is_plain and (unicodedata.category(char)[0] == "C" or _INVISIBLE.match(char)):
            continue
        chars.append(char)
        places.append(origin[index])
    out = "".join(chars)
    for match in reversed(list(_REMINDER.finditer(out))):
        out = f"{out[: match.end()]}\\{out[match.end() :]}"
        places.insert(match.end(), places[match.start()])
    return out, places
