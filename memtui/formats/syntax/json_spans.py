"""Where the parts of a JSON text stand, so that one can change and the rest stay as they are."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from json.decoder import JSONDecodeError
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_DEEP = 200


@dataclass(frozen=True, slots=True)
class Span:
    """A value and the characters that spell it: text[start:end]."""

    value: Any
    start: int
    end: int


class Doubled(dict[str, Span]):
    """The members of an object in which a key stands twice; the last one counts."""


def whole(text: str) -> dict[str, Span]:
    """The members of the object that is all of `text`, Doubled where a key stands twice. Raises ValueError
    where it is not."""
    out, end = _members(text, 0)
    if _skip(text, end) < len(text):
        raise JSONDecodeError("nothing more is expected", text, end)
    return out


def members(text: str, start: int = 0) -> dict[str, Span]:
    """The members of the object that begins at `start`; a doubled key counts once, the last wins.

    Raises ValueError where the text is no JSON object.
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
    return out if len(out) == count else Doubled(out), at + 1


@lru_cache(maxsize=4)  # a change looks for its place, and then at what stands around it
def elements(text: str, start: int) -> tuple[Span, ...]:
    """The elements of the array that begins at `start`."""
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


def is_deep(text: str, value: Any) -> bool:
    """Whether what `text` spells is nested deeper than anything that goes on with it can bear."""
    if text.count("[") + text.count("{") <= _DEEP:
        return False
    level, depth = [value], 0
    while level:
        depth += 1
        inner = [each for each in level if isinstance(each, dict | list)]
        level = [x for each in inner for x in (each.values() if isinstance(each, dict) else each)]
    return depth > _DEEP


def spell(value: Any, like: str) -> str:
    """`value` as JSON in the manner of the text `like`: escaped to ASCII where that one is."""
    ascii_only = like.isascii() and "\\u" in like
    return json.dumps(value, ensure_ascii=ascii_only)


def _skip(text: str, at: int) -> int:
    if text[at : at + 1] > " ":  # mostly there is nothing to skip
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
