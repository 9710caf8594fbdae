"""Where a text is cut into parts, and how the parts stand in an editor (SPEC 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memtui.memory import secrets, wording_splitting
from memtui.memory.secrets.wording import name_of

CUT = "---8<---"
"""The line between two parts."""
RELATIONS = FIRST, ALL, NONE = "first", "all", "none"
"""Who has the relations of a memory that is split: its first part, each part, or no part."""
MOST = 50  # parts of one memory

_CUT_LINE = re.compile(r"(?m)^[ \t]*-{2,}[ \t]*8<[ \t]*-{2,}[ \t]*$\n?")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_EDGES = re.compile(r"\A(?:[ \t]*\n)+|\s+\Z")
_MOST_PROPOSED = 12  # parts
_HEADING = re.compile(r"(?m)^#{1,6}[ \t]+(?=\S)")
_HEADING_LINE = re.compile(r"(?m)^#{1,6}[ \t]+\S.*$")
# What only explains the text above it: a label in bold, or a heading that names no subject of its own.
_EXPLAINS = re.compile(
    r"(?im)^(?:\*\*[^*\n]{1,40}(?::\*\*|\*\*:)|(?:#{1,6}[ \t]+)?(?:why|how to apply)\b"
    r"|#{1,6}[ \t]+(?:steps|how|reasons?|rationale|details|notes?|examples?|context|background|usage"
    r"|references|see also)[ \t:]*$)"
)
# Where a text without sections evidently consists of parts, the most evident first: its beginnings of parts.
_BEGINNINGS = (
    re.compile(r"(?m)^(?:[-*+]|\d{1,3}[.)])[ \t]+\S"),
    re.compile(r"(?<=\n\n)[^\s]"),
    re.compile(r"(?<=[a-z\d)”\"'][.!?] )[A-Z“\"]"),
)


def cut(text: str, marks: Sequence[str]) -> list[str]:
    """Return the parts of a text that is cut before each of `marks`, searched in this order.

    A mark has to occur once in the rest of the text, or as often as it is given in a row; at the start of
    the text it does not count.

    >>> cut("Likes tea. Lives in Sneek.", ["Lives"])
    ['Likes tea.', 'Lives in Sneek.']
    >>> cut("Rules - one - two", ["- ", "- "])
    ['Rules', '- one', '- two']
    """
    places: list[int] = []
    start = len(text) - len(text.lstrip())
    after = start + 1  # what the text begins with is no place to cut it
    for number, mark in enumerate(marks):
        if not mark.strip():
            raise wording_splitting.empty_mark()
        found = text.count(mark, after)
        if not found and text.startswith(mark, start) and not number:
            raise wording_splitting.mark_at_start(mark)
        if not found:
            raise wording_splitting.mark_not_found(mark, marks[number - 1] if number else "")
        if found > _run_length(marks, number):
            raise wording_splitting.mark_ambiguous(mark, found)
        at = text.index(mark, after)
        places.append(at)
        after = at + len(mark)
    return [tidy(text[start:end]) for start, end in zip([0, *places], [*places, None], strict=True)]


def _run_length(marks: Sequence[str], at: int) -> int:
    """Return how often the mark at this place is given in a row from there."""
    run = 1
    while at + run < len(marks) and marks[at + run] == marks[at]:
        run += 1
    return run


def tidy(part: str) -> str:
    """Return a part without blank lines at its ends."""
    return _EDGES.sub("", part)


def given_parts(text: str) -> list[str]:
    """Return the parts of a text that somebody wrote: divided by cut lines if it has any, else by blank
    lines."""
    text = text.replace("\r\n", "\n")
    if _CUT_LINE.search(text):
        return edited_parts(text)
    return [tidy(part) for part in _BLANK_LINES.split(tidy(text)) if part.strip()]


def edited_parts(text: str) -> list[str]:
    """Return the parts of a text in the editor: divided by cut lines alone."""
    return [tidy(part) for part in _CUT_LINE.split(text.replace("\r\n", "\n"))]


def gap_between(text: str, above: str, below: str) -> str:
    """Return the spaces that a text has between two lines of its parts; "" if they are not next to each
    other in it."""
    if not above or not below:
        return ""
    found = re.search(rf"{re.escape(above)}(\s+){re.escape(below)}", text)
    return found[1] if found else ""


def is_cut(line: str) -> bool:
    """Return whether a line of the editor divides two parts."""
    return _CUT_LINE.fullmatch(line) is not None


def heading_of(part: str) -> str:
    """Return the heading that a part begins with, "" if it begins with none."""
    found = _HEADING_LINE.match(part)
    return found[0].strip("# \t") if found is not None else ""


def has_cut(text: str) -> bool:
    """Return whether a text has a line that would divide it."""
    return _CUT_LINE.search(text) is not None


def proposed(text: str) -> str:
    """Return a text with cut lines where it evidently consists of parts: at headings, list items, paragraphs
    or sentences, whichever it has first.

    What explains a text stays with it: it is not cut from "**Why:**" or a heading such as "## Steps" on, nor
    at its only heading.

    >>> print(proposed("Likes tea. Lives in Sneek."))
    Likes tea.
    ---8<---
    Lives in Sneek.
    """
    if has_cut(text):
        return text
    headings = [match.start() for match in _HEADING.finditer(text)]
    sections = [at for at in headings if not _EXPLAINS.match(text, at)]
    if len(sections) > 1:
        places = _between(text, sections)
        return _cut_at(text, places) if 0 < len(places) < _MOST_PROPOSED else text
    explained = [*headings, *(match.start() for match in _EXPLAINS.finditer(text))]
    end = min((at for at in explained if text[:at].strip()), default=len(text))
    for beginning in _BEGINNINGS:
        places = _between(text[:end], [match.start() for match in beginning.finditer(text[:end])])
        is_list = beginning is _BEGINNINGS[0]
        if is_list and places and not any(beginning.match(line) for line in text[: places[0]].splitlines()):
            places = places[1:]  # what leads to a list stays with its first item
        if 0 < len(places) < _MOST_PROPOSED:
            return _cut_at(text, places)
    return text


def _between(text: str, places: Sequence[int]) -> list[int]:
    """Return the places that have more above them than headings, since the place before."""
    kept = [0]
    for at in places:
        if _HEADING_LINE.sub("", text[kept[-1] : at]).strip():
            kept.append(at)
    return kept[1:]


def _cut_at(text: str, places: Sequence[int]) -> str:
    return joined([text[a:b] for a, b in zip([0, *places], [*places, None], strict=True)])


def joined(parts: Sequence[str]) -> str:
    """Return parts as they stand in the editor."""
    return f"\n{CUT}\n".join(tidy(part) for part in parts)


def is_reworded(text: str, parts: Sequence[str]) -> bool:
    """Return whether parts have other words than the text, or the same in another order."""
    return text.split() != " ".join(parts).split()


def check(text: str, parts: Sequence[str]) -> None:
    """Raise Refused if a memory with this text cannot be split into these parts, whatever its store."""
    if not text.strip():
        raise wording_splitting.no_text()
    if problem := problem_of(parts):
        raise wording_splitting.bad_parts(problem)
    if parts[0] == tidy(text):
        raise wording_splitting.first_unchanged()
    known = {text[secret.start : secret.end] for secret in secrets.find(text)}
    for number, part in enumerate(parts, 1):
        for secret in secrets.find(part):
            if part[secret.start : secret.end] not in known:
                raise wording_splitting.would_be_secret(number, name_of(secret.kind))


def problem_of(parts: Sequence[str]) -> str:
    """Return why these are no parts of a memory, as part of a sentence; "" if they are."""
    empty = next((number for number, part in enumerate(parts, 1) if not part.strip()), 0)
    if empty and len(parts) > 1:
        return wording_splitting.part_empty(empty)
    if len(parts) < 2:
        return wording_splitting.TOO_FEW
    if len(parts) > MOST:
        return wording_splitting.too_many(len(parts), MOST)
    first: dict[str, int] = {}
    for number, part in enumerate(parts, 1):
        if (same := first.setdefault(part, number)) != number:
            return wording_splitting.parts_equal(same, number)
    return ""
