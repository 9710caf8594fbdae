"""What is put into a settings file, and what is known of it afterwards (S-87)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Protocol

from memtui.values import Json, JsonObject

Keys = tuple[str | int, ...]  # keys of objects and indices of arrays


@dataclass(frozen=True, slots=True)
class Insertion:
    """An entry: the keys that lead to it, its own name last, and its value; with `in_list`, the keys that
    lead to an array, of which it is an item.

    The value is that of an MCP server: `command` is a program with `args`, or a list with both. As an item it
    is a group of hooks with one that runs a command line.
    """

    path: tuple[str, ...]
    value: JsonObject
    in_list: bool = False

    def owns(self, found: Json) -> bool:
        """Return whether an entry that is there was made by memtui: it runs the same program with the same
        verb, whatever the other arguments."""
        mine, others = words_of(self.value), words_of(found)
        return bool(mine) and mine[:2] == others[:2]

    def found(self, whole: JsonObject) -> Json:
        """Return the value of the entry in settings, None if there is none; of an item, as if its group had
        no other hook. Raises Unfit if something on the path is of another form."""
        if not self.in_list:
            return value_at(whole, self.path)
        place = self.place(whole)
        if not place:
            return None
        group, hook = value_at(whole, self.path)[place[len(self.path)]], value_at(whole, place)
        return group if group is hook else {**group, _HOOKS: [hook]}

    def place(self, whole: JsonObject) -> Keys:
        """Return the path of the entry in settings, () if there is none: of an item that of its group, or of
        its hook where a client has put others into the group."""
        if not self.in_list:
            return self.path if value_at(whole, self.path) is not None else ()
        groups = value_at(whole, self.path)
        if groups is not None and not isinstance(groups, list):
            raise Unfit
        for index, group in enumerate(groups or ()):
            found = group.get(_HOOKS) if isinstance(group, dict) else None
            hooks = found if isinstance(found, list) else []
            for number, hook in enumerate(hooks):
                if self.owns({_HOOKS: [hook]}):
                    inner = () if len(hooks) == 1 else (_HOOKS, number)
                    return (*self.path, index, *inner)
        return ()


_HOOKS = "hooks"  # of a group


def words_of(value: Json) -> list[str]:
    """Return the name of the program and the arguments that an entry runs; none if it is no such entry."""
    if not isinstance(value, Mapping):
        return []
    if isinstance(hooks := value.get(_HOOKS), list):
        return _words_of_hook(hooks[0]) if len(hooks) == 1 else []
    command, args = value.get("command"), value.get("args", [])
    words = [*command] if isinstance(command, list) else [command, *(args if isinstance(args, list) else [])]
    if not words or not all(isinstance(each, str) for each in words):
        return []
    return [PurePath(words[0]).name, *words[1:]]


def _words_of_hook(hook: Json) -> list[str]:
    command = hook.get("command") if isinstance(hook, Mapping) else None
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:  # a quote is open
        return []
    return [PurePath(words[0]).name, *words[1:]] if words else []


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that was inserted, and before which character of the text that was there."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Inserted:
    """What inserting did to a text: the pieces, each in the text that those before it led to, and the paths
    of the objects and arrays that had to be made, () for the outermost."""

    pieces: tuple[Piece, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What is known of a file that was written: the digests of its bytes before (None: no file) and after,
    what was inserted, and the folders that were made for it."""

    before: str | None
    after: str
    inserted: Inserted
    folders: tuple[str, ...] = ()


class Unparsable(Exception):
    """A text that the syntax does not allow, with the line and column of what is wrong, from 1."""

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        super().__init__(line, column)


class Unfit(Exception):
    """A text in which an entry cannot be put or taken out without changing more."""


class Syntax(Protocol):
    """How settings are written. All functions raise Unparsable for a text of another syntax."""

    def read(self, text: str) -> JsonObject:
        """Return the whole; {} if there is nothing."""

    def insert(self, text: str, insertion: Insertion) -> Inserted:
        """Return how to insert an entry that is not there; raise Unfit if that is impossible."""

    def remove(self, text: str, path: Keys, made: tuple[tuple[str, ...], ...]) -> str:
        """Return the text without the entry at `path`, and without those of the objects and arrays `made`
        that hold nothing else; raise Unfit if that is impossible."""


def apply_pieces(text: str, pieces: tuple[Piece, ...]) -> str:
    """Return a text with pieces inserted."""
    for each in pieces:
        text = text[: each.at] + each.text + text[each.at :]
    return text


def take_out_pieces(text: str, pieces: tuple[Piece, ...]) -> str:
    """Return the text that pieces were inserted into."""
    for each in reversed(pieces):
        text = text[: each.at] + text[each.at + len(each.text) :]
    return text


def value_at(whole: JsonObject, path: Keys) -> Json:
    """Return what is at a path; None if there is nothing. Raises Unfit if something on it has no members."""
    level: Json = whole
    for key in path:
        if isinstance(key, int) and isinstance(level, list):
            level = level[key]
            continue
        if not isinstance(level, dict):
            raise Unfit
        if key not in level:
            return None
        level = level[key]
    return level
