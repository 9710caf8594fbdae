"""Entries in TOML settings: a table of its own at the end of the file."""

from __future__ import annotations

import json
import re
import tomllib

from memtui.formats.insertions.insertion import Inserted, Insertion, Keys, Piece, Unfit, Unparsable
from memtui.formats.syntax.json_comments import cut
from memtui.formats.syntax.toml_tables import tables
from memtui.values import JsonObject

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class TomlSyntax:
    """TOML, as a `Syntax`."""

    def read(self, text: str) -> JsonObject:
        """Return the whole document."""
        try:
            return tomllib.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:  # of a number that is too long as well
            raise Unparsable(*_place(text)) from error

    def insert(self, text: str, insertion: Insertion) -> Inserted:
        """Return how to add a table with the entry at the end; raise Unfit for an item of an array."""
        if insertion.in_list:
            raise Unfit
        self.read(text)
        end = "\r\n" if "\r\n" in text else "\n"
        lines = [f"[{'.'.join(map(_key, insertion.path))}]"]
        lines += [f"{_key(key)} = {_toml(value)}" for key, value in insertion.value.items()]
        gap = ""
        if text.strip("\ufeff \t\r\n"):
            gap = "" if text.endswith("\n") else end
            gap += "" if text.endswith(end * 2) else end
        return Inserted((Piece(len(text), gap + "".join(line + end for line in lines)),))

    def remove(self, text: str, path: Keys, made: tuple[tuple[str, ...], ...]) -> str:
        """Return the text without a table and the tables below it, and without the empty line that set it
        off."""
        self.read(text)
        found = [each for each in tables(text) if each.path[: len(path)] == path]
        if not found:
            raise Unfit
        ranges = []
        for each in found:
            start, end = each.start, each.end
            line = "\r\n" if text[:start].endswith("\r\n") else "\n"
            rest = text[end:].lstrip(" \t")
            if text[:start].endswith(line * 2) and (not rest or rest.startswith(line)):
                start -= len(line)
            elif not text[:start].strip("\ufeff") and rest.startswith(line):
                end = text.index(line, end) + len(line)
            ranges.append((start, end))
        return cut(text, ranges)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _toml(key)


def _toml(value: object) -> str:
    """Return a text, flag or list of such as TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _place(text: str) -> tuple[int, int]:
    """Return the line and column of what is wrong; those of the beginning where they are unknown."""
    import tomlkit  # takes long to load, and tomllib says no place before Python 3.14

    try:
        tomlkit.parse(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        return getattr(error, "line", 1), getattr(error, "col", 0) + 1
    return 1, 1
