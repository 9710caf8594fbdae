"""What is put into a settings file, and what is known of it afterwards (S-87)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Protocol

from memtui.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Insertion:
    """An entry: the keys that lead to it, its own name last, and its value.

    The value is that of an MCP server: `command` is a program with `args`, or a list with both.
    """

    path: tuple[str, ...]
    value: JsonObject

    def owns(self, found: Json) -> bool:
        """Return whether an entry that is there was made by memtui: it runs the same program with the same
        verb, whatever the other arguments."""
        mine, others = words_of(self.value), words_of(found)
        return bool(mine) and mine[:2] == others[:2]


def words_of(value: Json) -> list[str]:
    """Return the name of the program and the arguments that an entry runs; none if it is no such entry."""
    if not isinstance(value, Mapping):
        return []
    command, args = value.get("command"), value.get("args", [])
    words = [*command] if isinstance(command, list) else [command, *(args if isinstance(args, list) else [])]
    if not words or not all(isinstance(each, str) for each in words):
        return []
    return [PurePath(words[0]).name, *words[1:]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that was inserted, and before which character of the text that was there."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Inserted:
    """What inserting did to a text: the pieces, each in the text that those before it led to, and the paths
    of the objects that had to be made, () for the outermost."""

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

    def remove(self, text: str, path: tuple[str, ...], made: tuple[tuple[str, ...], ...]) -> str:
        """Return the text without the entry at `path`, and without those of the objects `made` that hold
        nothing else; raise Unfit if that is impossible."""


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


def value_at(whole: JsonObject, path: tuple[str, ...]) -> Json:
    """Return what is at a path; None if there is nothing. Raises Unfit if something on it is no object."""
    level: Json = whole
    for key in path:
        if not isinstance(level, dict):
            raise Unfit
        if key not in level:
            return None
        level = level[key]
    return level
