"""A JSON array of objects, as `memtui list --json` prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memtui.importing import wording
from memtui.importing.reader import Found, Reader
from memtui.importing.readers.jsonl import DECODER, LINES, memory_of
from memtui.memory.imported import Unreadable

_ARRAY = re.compile(r'\s*\[\s*(?:[{"\]]|$)')  # not the date of a line: [2026-01-31]
_OBJECT = re.compile(r"\s*\{[ \t]*\r?\n")  # over several lines, which JSONL has none of
_SPACE = re.compile(r"[ \t\r\n]*")
_SEPARATOR = re.compile(r"[ \t\r\n]*([,\]]?)")


def recognise(path: Path, head: str) -> bool:
    """Return whether it has the suffix, or begins as an array of objects or texts, or as one object over
    several lines."""
    if path.suffix.lower() in LINES:
        return False
    return path.suffix.lower() == ".json" or bool(_ARRAY.match(head) or _OBJECT.match(head))


def read(text: str) -> Iterator[Found]:
    """Yield a memory for each element, one at a time; without an array, for each object. Where an element
    that is not valid JSON ends is unknown, so nothing after it is read."""
    at = _after_space(text, 0)
    if text.startswith("{", at):
        yield from _objects(text, at)
        return
    if not text.startswith("[", at):
        yield Unreadable(1, "no-array", wording.NO_ARRAY)
        return
    number, counted = 1, 0
    at = _after_space(text, at + 1)
    while not text.startswith("]", at):
        number, counted = number + text.count("\n", counted, at), at
        found, end = _element(text, at, number)
        yield found
        separator = _SEPARATOR.match(text, end) if end is not None else None
        if separator is None:
            return
        number, counted = number + text.count("\n", counted, separator.end()), separator.end()
        if separator[1] == "]":
            yield from _objects(text, separator.end())
            return
        if not separator[1]:
            yield Unreadable(number, "not-json", wording.ARRAY_CUT_OFF)
            return
        at = _after_space(text, separator.end())


def _objects(text: str, at: int) -> Iterator[Found]:
    """Yield a memory for each object from here on, one after the other; anything else is none."""
    number, counted = 1, 0
    end: int | None = at
    while end is not None and (at := _after_space(text, end)) < len(text):
        number, counted = number + text.count("\n", counted, at), at
        if not text.startswith("{", at):
            yield Unreadable(number, "not-json", wording.NOT_JSON)
            return
        found, end = _element(text, at, number)
        yield found


def _element(text: str, at: int, number: int) -> tuple[Found, int | None]:
    """Return the memory of the element that begins here, and where it ends, if it does."""
    try:
        value, end = DECODER.raw_decode(text, at)
    except RecursionError:
        return Unreadable(number, "too-deep", wording.TOO_DEEP), None
    except ValueError:
        reason = wording.NOT_JSON if at < len(text) else wording.ARRAY_CUT_OFF
        return Unreadable(number, "not-json", reason), None
    return memory_of(number, value), end


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at


READER = Reader("json", "JSON array", recognise, read)
