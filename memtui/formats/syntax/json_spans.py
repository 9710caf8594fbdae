"""The positions of the parts of a JSON text, so that one can be changed and the rest stays byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from json.decoder import JSONDecodeError

from memtui.values import Json

_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*')
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_DEEPEST = 200  # levels of nesting


@dataclass(frozen=True, slots=True)
class Span:
    """A value and its characters text[start:end]."""

    value: Json
    start: int
    end: int


class DuplicateKeys(dict[str, Span]):
    """The members of an object in which a key occurs twice; the last one counts."""


def parse_object(text: str) -> dict[str, Span]:
    """Return the members of the object that is all of `text`, as DuplicateKeys if a key occurs twice.

    Raises ValueError if the text is anything else.
    """
    out, end = _members(text, 0)
    if _skip(text, end) < len(text):
        raise JSONDecodeError("nothing more is expected", text, end)
    return out


def members(text: str, start: int = 0) -> dict[str, Span]:
    """Return the members of the object that begins at `start`; of a duplicate key, the last one counts.

    Raises ValueError if there is no JSON object.
    """
    return _members(text, start)[0]


def _members(text: str, start: int) -> tuple[dict[str, Span], int]:
    at = _skip(text, start)
    if text[at : at + 1] != "{":
        raise JSONDecodeError("an object is expected", text, at)
    out: dict[str, Span] = {}
    count = 0
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        if text[at : at + 1] != '"':
            raise JSONDecodeError("a key is expected", text, at)
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            raise JSONDecodeError("a colon is expected", text, at)
        out[key], at = _value(text, at + 1)
        count += 1
        at = _after(text, at, "}")
    return out if len(out) == count else DuplicateKeys(out), at + 1


@lru_cache(maxsize=4)  # a change finds its place first, and then reads what is around it
def elements(text: str, start: int) -> tuple[Span, ...]:
    """Return the elements of the array that begins at `start`. Raises ValueError if there is none."""
    at = _skip(text, start)
    if text[at : at + 1] != "[":
        raise JSONDecodeError("an array is expected", text, at)
    out: list[Span] = []
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        span, at = _value(text, at)
        out.append(span)
        at = _after(text, at, "]")
    return tuple(out)


def scalars(text: str) -> Iterator[Span]:
    """Yield all texts and numbers of a JSON text, the names of members among them, in their order."""
    for match in _SCALAR.finditer(text):
        yield Span(_DECODER.decode(match[0]), *match.span())


def is_too_deep(text: str, value: Json) -> bool:
    """Return whether a value, parsed from `text`, is nested deeper than recursive code can handle."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    level, depth = [value], 0
    while level:
        depth += 1
        nested = [each for each in level if isinstance(each, dict | list)]
        level = [x for each in nested for x in (each.values() if isinstance(each, dict) else each)]
    return depth > _DEEPEST


def encode_like(value: Json, like: str) -> str:
    """Return `value` as JSON, escaped to ASCII if the text `like` is."""
    ascii_only = like.isascii() and "\\u" in like
    return json.dumps(value, ensure_ascii=ascii_only)


def _skip(text: str, at: int) -> int:
    if text[at : at + 1] > " ":  # usually there is nothing to skip
        return at
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> tuple[Span, int]:
    at = _skip(text, at)
    value, end = _DECODER.raw_decode(text, at)
    return Span(value, at, end), _skip(text, end)


def _after(text: str, at: int, close: str) -> int:
    if text[at : at + 1] == close:
        return at
    if text[at : at + 1] != ",":
        raise JSONDecodeError("a comma is expected", text, at)
    at = _skip(text, at + 1)
    if text[at : at + 1] == close:
        raise JSONDecodeError("a value is expected", text, at)
    return at
