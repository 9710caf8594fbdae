"""JSON as settings files have it, with comments and trailing commas, and where each member of it stands.

Every standard JSON text is read the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from json.decoder import JSONDecodeError

from memtui.values import Json

_BLANK = re.compile(r"[\ufeff \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_PLAIN = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_DEEPEST = 200  # levels of nesting


def _no_constant(name: str) -> Json:
    raise ValueError(name)  # NaN and the like, which are no JSON


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


@dataclass(slots=True)
class Member:
    """A member of an object: its key, which starts at `start`, its value, and the place of the comma after
    it, None if there is none. An item of an array has its index as key, and starts with its value."""

    key: str | int
    start: int
    node: Node
    comma: int | None = None


@dataclass(slots=True)
class Node:
    """A value, which is text[start:end]. An object or array of the levels that were asked for has its members
    and the ends of the comments that are between them; those inside may have only their value."""

    value: Json
    start: int
    end: int = 0
    members: list[Member] = field(default_factory=list)
    comments: list[int] = field(default_factory=list)

    def member(self, key: str | int) -> Member | None:
        """Return the member with a key, the last one if there are several."""
        return next((each for each in reversed(self.members) if each.key == key), None)


def parse(text: str, levels: int = 0) -> Node | None:
    """Return the value that is all of a text; None if there are only spaces and comments. The objects and
    arrays of so many `levels` have their members.

    Raises JSONDecodeError, which has the place, for anything else.
    """
    reader = _Reader(text, levels)
    at = reader.skip(0)
    if at == len(text):
        return None
    node = reader.value(at, 0)
    at = reader.skip(node.end)
    if at < len(text):
        raise JSONDecodeError("nothing more is expected", text, at)
    return node


class _Reader:
    def __init__(self, text: str, levels: int) -> None:
        self.text, self.levels = text, levels
        self.is_plain = True  # no comment or trailing comma was met yet on an inner level

    def skip(self, at: int, comments: list[int] | None = None) -> int:
        """Return where spaces and comments end; note the ends of the comments."""
        while True:
            if blank := _BLANK.match(self.text, at):
                at = blank.end()
            found = _COMMENT.match(self.text, at)
            if found is None:
                return at
            at = found.end()
            if comments is not None:
                comments.append(at)

    def value(self, at: int, depth: int) -> Node:
        char = self.text[at : at + 1]
        if depth > _DEEPEST:
            raise JSONDecodeError("nested too deep", self.text, at)
        if depth >= self.levels and self.is_plain and char in ("{", "["):  # files may have megabytes of these
            try:
                value, end = _DECODER.raw_decode(self.text, at)
                return Node(value, at, end)
            except (ValueError, RecursionError):
                self.is_plain = False
        if char == "{":
            return self._object(at, depth)
        if char == "[":
            return self._array(at, depth)
        if char == '"':
            value, end = _DECODER.raw_decode(self.text, at)
            return Node(value, at, end)
        found = _PLAIN.match(self.text, at)
        if found is None:
            raise JSONDecodeError("a value is expected", self.text, at)
        try:
            return Node(json.loads(found[0]), at, found.end())
        except ValueError:  # of a number that is too long as well
            raise JSONDecodeError("a number is expected", self.text, at) from None

    def _object(self, start: int, depth: int) -> Node:
        node = Node({}, start)
        at = self.skip(start + 1, node.comments)
        while self.text[at : at + 1] != "}":
            if node.members and node.members[-1].comma is None:
                raise JSONDecodeError("a comma is expected", self.text, at)
            if self.text[at : at + 1] != '"':
                raise JSONDecodeError("a key is expected", self.text, at)
            key, end = _DECODER.raw_decode(self.text, at)
            colon = self.skip(end)
            if self.text[colon : colon + 1] != ":":
                raise JSONDecodeError("a colon is expected", self.text, colon)
            member = Member(key, at, self.value(self.skip(colon + 1), depth + 1))
            node.members.append(member)
            node.value[key] = member.node.value
            at = self.skip(member.node.end, node.comments)
            if self.text[at : at + 1] == ",":
                member.comma = at
                at = self.skip(at + 1, node.comments)
        node.end = at + 1
        return node

    def _array(self, start: int, depth: int) -> Node:
        node = Node([], start)
        at = self.skip(start + 1, node.comments)
        while self.text[at : at + 1] != "]":
            if node.members and node.members[-1].comma is None:
                raise JSONDecodeError("a comma is expected", self.text, at)
            item = Member(len(node.members), at, self.value(at, depth + 1))
            node.members.append(item)
            node.value.append(item.node.value)
            at = self.skip(item.node.end, node.comments)
            if self.text[at : at + 1] == ",":
                item.comma = at
                at = self.skip(at + 1, node.comments)
        node.end = at + 1
        return node


def cut(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """Return a text without some ranges, which do not overlap."""
    for start, end in sorted(ranges, reverse=True):
        text = text[:start] + text[end:]
    return text
