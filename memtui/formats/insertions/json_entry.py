"""Entries in JSON settings, with or without comments: in the file's own indentation, after what is there."""

from __future__ import annotations

import json
import re
from json.decoder import JSONDecodeError

from memtui.formats.insertions.insertion import (
    Inserted,
    Insertion,
    Keys,
    Piece,
    Unfit,
    Unparsable,
    value_at,
)
from memtui.formats.syntax.json_comments import Member, Node, cut, parse
from memtui.values import Json, JsonObject

_UNIT = "  "
_OWN_LINE = re.compile(r"\n([ \t]*)(?:/\*[^\n]*?\*/[ \t]*)*\Z")  # comments may stand before it
_LOOK_BACK = 200  # characters; no indentation is longer


class JsonSyntax:
    """JSON, as a `Syntax`."""

    def read(self, text: str) -> JsonObject:
        """Return the outermost object; {} if there is nothing."""
        root = _parse(text)
        return {} if root is None else root.value

    def insert(self, text: str, insertion: Insertion) -> Inserted:
        """Return how to insert an entry as the last member of its object, or the last item of its array."""
        root, end = _parse(text, len(insertion.path) + 1), "\r\n" if "\r\n" in text else "\n"
        path, value = _place(insertion, {} if root is None else root.value)
        lists = (insertion.path,) if insertion.in_list and path == insertion.path else ()
        if root is None:
            whole = _nested(path, value)
            start = end if text.strip("\ufeff \t\r\n") and not text.endswith("\n") else ""
            piece = Piece(len(text), start + _rendered(whole, _UNIT, "", end) + end)
            return Inserted((piece,), tuple(insertion.path[:count] for count in range(len(path))) + lists)
        style = _Style(text, root, end)
        node, depth = root, 0
        while depth < len(path) - 1 and (member := _only(node, path[depth])):
            node, depth = member.node, depth + 1
            if not isinstance(node.value, list if isinstance(path[depth], int) else dict):
                raise Unfit
            style.descend(node)
        if _only(node, path[depth]) is not None:  # the entry is null
            raise Unfit
        value = _nested(path[depth + 1 :], value)
        made = tuple(insertion.path[: count + 1] for count in range(depth, len(path) - 1)) + lists
        return Inserted(_pieces(text, node, path[depth], value, style), made)

    def remove(self, text: str, path: Keys, made: tuple[tuple[str, ...], ...]) -> str:
        """Return the text without a member or item, and without the separators that only it needed."""
        root = _parse(text, len(path))
        if root is None:
            raise Unfit
        nodes, node = [root], root
        for key in path:
            member = _only(node, key)
            if member is None:
                raise Unfit
            node = member.node
            nodes.append(node)
        depth = len(path) - 1
        while path[:depth] in made and len(nodes[depth].members) == 1 and not nodes[depth].comments:
            depth -= 1
            if depth < 0:
                rest = text[root.end :]
                return text[: root.start] + rest.removeprefix("\r\n" if rest.startswith("\r\n") else "\n")
        return cut(text, _without(text, nodes[depth], path[depth]))


class _Style:
    """How the members of an object are laid out: the indentation of their lines, None if they share one."""

    def __init__(self, text: str, root: Node, end: str) -> None:
        self.text, self.end = text, end
        self.outer, self.inner = "", self._of(root)
        self.unit = self.inner or _UNIT
        if not root.members:
            self.inner = self.unit

    def descend(self, node: Node) -> None:
        """Go on with an object inside."""
        if node.members:
            self.outer, self.inner = self.inner or "", self._of(node)
        elif self.inner is not None:
            self.outer, self.inner = self.inner, self.inner + self.unit

    def _of(self, node: Node) -> str | None:
        if not node.members:
            return None
        start = node.members[-1].start
        found = _OWN_LINE.search(self.text[max(0, start - _LOOK_BACK) : start])
        return found[1] if found else None


def _place(insertion: Insertion, whole: JsonObject) -> tuple[Keys, Json]:
    """Return where an entry goes, and what: an item at the end of its array, or the array with it."""
    if not insertion.in_list:
        return insertion.path, insertion.value
    items = value_at(whole, insertion.path)
    if items is None:
        return insertion.path, [insertion.value]
    if not isinstance(items, list):
        raise Unfit
    return (*insertion.path, len(items)), insertion.value


def _pieces(text: str, node: Node, key: str | int, value: Json, style: _Style) -> tuple[Piece, ...]:
    """Return what adds a member to an object, or an item to an array."""
    last = node.members[-1] if node.members else None
    own_line = style.inner is not None
    rendered = _rendered(value, style.unit if own_line else None, style.inner or "", style.end)
    entry = rendered if isinstance(key, int) else f"{json.dumps(key)}: {rendered}"
    if own_line:
        entry = f"{style.end}{style.inner}{entry}"
    start = node.start + 1 if last is None else last.node.end if last.comma is None else last.comma + 1
    at = max([start, *node.comments])
    if not own_line:  # what follows a comment up to the end of its line would be part of it
        separator = "" if last is None else " "
        entry = (style.end if at > start and text[at : at + 1] in "\r\n" else separator) + entry
    if last is None:
        if own_line and "\n" not in text[at : node.end - 1]:
            entry += style.end + style.outer
        return (Piece(at, entry),)
    if last.comma is not None:
        return (Piece(at, entry + ","),)
    if at == last.node.end:
        return (Piece(at, "," + entry),)
    return Piece(last.node.end, ","), Piece(at + 1, entry)


def _without(text: str, node: Node, key: str | int) -> list[tuple[int, int]]:
    """Return the ranges of a text whose absence removes a member of an object or array."""
    member = _only(node, key)
    if member is None:
        raise Unfit
    if len(node.members) == 1 and not node.comments:
        return [(node.start + 1, node.end - 1)]
    index = node.members.index(member)
    before = node.members[index - 1] if index else None
    ends = [node.start + 1, *(each for each in node.comments if each <= member.start)]
    if before is not None:
        ends.append(before.node.end if before.comma is None else before.comma + 1)
    start, ranges = max(ends), list[tuple[int, int]]()
    if member.comma is not None:
        ranges.append((member.comma, member.comma + 1))
    elif before is not None and before.comma is not None:
        ranges.append((before.comma, before.comma + 1))
    return [(start, member.node.end), *ranges]


def _only(node: Node, key: str | int) -> Member | None:
    """Return the member with a key; raise Unfit if there are several."""
    if sum(each.key == key for each in node.members) > 1:
        raise Unfit
    return node.member(key)


def _nested(path: Keys, value: Json) -> Json:
    for key in reversed(path):
        value = {key: value}
    return value


def _rendered(value: Json, unit: str | None, indent: str, end: str) -> str:
    """Return a value as JSON whose lines after the first are indented; with unit None all on one."""
    text = json.dumps(value, ensure_ascii=False, indent=unit)
    return text.replace("\n", end + indent)


def _parse(text: str, levels: int = 0) -> Node | None:
    try:
        root = parse(text, levels)
    except JSONDecodeError as error:
        raise Unparsable(error.lineno, error.colno) from error
    if root is not None and not isinstance(root.value, dict):
        raise Unfit
    return root
