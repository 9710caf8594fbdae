"""Secret values and the words that take their place in texts (S-62)."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from memtui.memory import secrets
from memtui.memory.secrets.wording import name_of
from memtui.values import Json, JsonObject

_NAMED = 12  # characters of a value that is recognised within a longer name
_FRAGMENT = 6  # characters of a value, cut off at the edge of a context, that say something of it


def placeholder(kind: str) -> str:
    """Return what stands in the place of a redacted secret: "[redacted: AWS key]"."""
    return f"[redacted: {name_of(kind)}]"


def values_in(texts: Iterable[str]) -> dict[str, str]:
    """Return the secrets in these texts, each with what takes its place."""
    return {
        text[each.start : each.end]: placeholder(each.kind) for text in texts for each in secrets.find(text)
    }


@dataclass(frozen=True)
class Replacements:
    """Secret values, each with what takes its place."""

    values: Mapping[str, str]

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """The values as they are and as JSON spells them, the longest first."""
        found = {
            spelling: new
            for value, new in self.values.items()
            for spelling in (value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])
        }
        return {old: found[old] for old in sorted(found, key=len, reverse=True)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # Not within a longer word: a short password may be part of one. JSON writes a line break as \n.
        any_of = "|".join(map(re.escape, self._spellings))
        return re.compile(rf"(?:(?<!\w)|(?<=\\[nrt]))(?:{any_of})(?!\w)")

    @cached_property
    def needles(self) -> tuple[bytes, ...]:
        """The bytes that a file with one of the values has."""
        return tuple(each.encode("utf-8", "surrogatepass") for each in self._spellings)

    def __bool__(self) -> bool:
        return bool(self.values)

    def held_by(self, data: bytes) -> int:
        """Return how often the values are in the bytes of a file."""
        return sum(data.count(each) for each in self.needles)

    def found_in(self, text: str) -> bool:
        """Return whether one of the values is in a text."""
        return bool(self._spans(text))

    def text(self, text: str) -> str:
        """Return a text without the values."""
        return self._replaced(text, self._spellings.__getitem__)

    def name(self, text: str) -> str:
        """Return a name without the values and without what is left of them in the words of a name, as where
        it was made of a text: small letters, other characters replaced."""
        loose = {re.sub(r"[^a-z0-9]+", "[^a-z0-9]+", old.casefold()): new for old, new in self.values.items()}
        for pattern, new in loose.items():
            if len(pattern) >= _NAMED:
                text = re.sub(pattern, new, text, flags=re.IGNORECASE)
        return self.text(text)

    def covered(self, text: str) -> str:
        """Return a text of the same length in which the values cannot be read."""
        return self._replaced(text, lambda value: secrets.MASK * len(value))

    def value(self, value: Json) -> Json:
        """Return a JSON value without the values: in strings, in JSON or base64 within strings, in the names
        of members. A number that is one of them becomes a string."""
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, Mapping):
            members: JsonObject = {}
            for name, each in value.items():
                members[_unused(self.text(str(name)), members)] = self.value(each)
            return members
        if isinstance(value, (list, tuple)):
            return type(value)(self.value(each) for each in value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self.values.get(str(value), value)
        return value

    def _string(self, text: str) -> str:
        if text[:1] in ("{", "[") and self.found_in(text):
            try:
                return json.dumps(self.value(json.loads(text)), ensure_ascii=text.isascii())
            except (ValueError, RecursionError):
                pass
        return self.text(text)

    def in_value(self, value: Json) -> bool:
        """Return whether one of the values is in a JSON value."""
        return bool(self.value(value) != value) or any(map(self.found_in, _decoded(value)))

    def before(self, text: str) -> str:
        """Return a context that ends at its right edge anywhere, without the values and without the beginning
        of one at that edge."""
        text = self.text(text)
        for value in self._spellings:
            for length in range(min(len(value), len(text)), _FRAGMENT - 1, -1):
                if text.endswith(value[:length]):
                    text = text[:-length]
                    break
        return text

    def behind(self, text: str) -> str:
        """Return a context that begins anywhere, without the values and without the end of one there."""
        text = self.text(text)
        for value in self._spellings:
            for length in range(min(len(value), len(text)), _FRAGMENT - 1, -1):
                if text.startswith(value[-length:]):
                    text = text[length:]
                    break
        return text

    def _replaced(self, text: str, new: Callable[[str], str]) -> str:
        pieces, end = [], 0
        for start, stop in self._spans(text):
            pieces += [text[end:start], new(text[start:stop])]
            end = stop
        return "".join((*pieces, text[end:]))

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the values are: as words, and within a word where a detector tells them from it, as
        behind the -p of a command."""
        if not any(each in text for each in self._spellings):
            return []
        spans = {match.span() for match in self._pattern.finditer(text)}
        spans |= {
            (each.start, each.end)
            for each in secrets.find(text)
            if text[each.start : each.end] in self._spellings
        }
        apart: list[tuple[int, int]] = []
        for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
            if not apart or start >= apart[-1][1]:
                apart.append((start, stop))
        return apart


def _unused(name: str, members: JsonObject) -> str:
    """Return a name that no member has: two secrets of a kind may be names in one object."""
    number, free = 1, name
    while free in members:
        number += 1
        free = f"{name} {number}"
    return free


def strings_of(value: Json) -> Iterable[str]:
    """Yield all strings and numbers in a JSON value, and the names of members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name)
            yield from strings_of(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from strings_of(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)


def _decoded(value: Json) -> Iterable[str]:
    """Yield the texts that are kept as base64 in a JSON value."""
    if isinstance(value, Mapping) and isinstance(value.get("base64"), str):
        try:
            yield base64.b64decode(value["base64"], validate=True).decode(errors="replace")
        except binascii.Error:
            return
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _decoded(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _decoded(each)
