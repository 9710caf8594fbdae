"""Where the parts of a rules file stand, which no TOML parser tells: for errors, and to keep its comments.

The text is valid TOML already, so that a few patterns suffice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

RULE, POLICY = "rule", "policy"  # the tables: [[rule]], [[policy]]
TABLES = (RULE, POLICY)
# Where a quote is missing, a string ends with its line or the text: else a search could take for ever.
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)' r"|'''.*?(?:'{3,5}|\Z)" r'|"(?:\\.|[^"\\\n])*+"?' r"|'[^'\n]*+'?",
    re.DOTALL,
)
_TEXTS = re.compile(rf"{_STRING.pattern}|#[^\n]*", re.DOTALL)
_NAME = re.compile(r"""[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))""")
_ONE = re.compile(rf"""\[\[[ \t]*(["']?)({"|".join(TABLES)})\1[ \t]*\]\]""")


@dataclass(slots=True)
class Block:
    """A `[[rule]]` or `[[policy]]`, which its `table` says: where it begins, with the comments directly above
    it, where its header is, and where the value of each key begins, of a list also its elements."""

    table: str
    start: int
    header: int
    values: dict[str, list[int]] = field(default_factory=dict)


@dataclass(slots=True)
class Places:
    """The rules and policies of a file in its order, and what else it has at its top, by name."""

    blocks: list[Block] = field(default_factory=list)
    others: list[tuple[str, int]] = field(default_factory=list)

    def of(self, table: str) -> list[Block]:
        """Return the blocks of one table."""
        return [each for each in self.blocks if each.table == table]


def dots(text: str) -> int:
    """Return how many dots there are outside of strings and comments: a rules file needs none, and keys with
    very many parts take a parser very long."""
    return _TEXTS.sub("", text).count(".")


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of a place, both from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def places(text: str) -> Places:
    """Return the places of a valid TOML text whose lines end with a newline alone."""
    found, seen = Places(), set[str]()
    at, comments, current = 0, -1, None
    top = True  # before the first table
    while at < len(text):
        start = at
        at = _after(text, at, " \t")
        if text.startswith("#", at):
            comments = start if comments < 0 else comments
            at = _next_line(text, at)
            continue
        if text.startswith("[", at):
            top = False
            one, name = _ONE.match(text, at), _name(text, _after(text, at, "["))
            current = Block(one[2], start if comments < 0 else comments, at) if one else None
            if current is not None:
                found.blocks.append(current)
            elif name not in seen:  # else a part of the last one, which has no such key
                found.others.append((name, at))
            if name in TABLES:
                seen.add(name)
        elif text[at : at + 1] not in ("", "\n"):
            name, key = _name(text, at), at
            at = _value(text, at)
            if current is not None:
                current.values[name] = list(_elements(text, at))
            elif top:
                found.others.append((name, key))
            at = _end(text, at)
        comments = -1
        at = _next_line(text, at)
    return found


def _next_line(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


def _after(text: str, at: int, signs: str) -> int:
    while at < len(text) and text[at] in signs:
        at += 1
    return at


def _name(text: str, at: int) -> str:
    """Return the first part of a key or of a table's name."""
    match = _NAME.match(text, at)
    return next((each for each in match.groups() if each is not None), "") if match else ""


def _value(text: str, at: int) -> int:
    """Return where the value of the key at `at` begins."""
    while at < len(text) and text[at] != "=":
        quoted = _STRING.match(text, at)
        at = quoted.end() if quoted else at + 1
    return _after(text, at + 1, " \t")


def _elements(text: str, at: int) -> Iterator[int]:
    """Yield where a value begins, and of a list where each of its elements does."""
    yield at
    if not text.startswith("[", at):
        return
    new, depth = True, 0
    for place, sign in _signs(text, at):
        if new and depth == 1 and sign not in ",]":
            yield place
            new = False
        depth += (sign in "[{") - (sign in "]}")
        new = new or (sign == "," and depth == 1)
        if not depth:
            return


def _end(text: str, at: int) -> int:
    """Return where a value ends."""
    if text[at : at + 1] not in ("[", "{"):
        quoted = _STRING.match(text, at)
        return quoted.end() if quoted else at
    depth = 0
    for place, sign in _signs(text, at):
        depth += (sign in "[{") - (sign in "]}")
        if not depth:
            return place + 1
    return len(text)


def _signs(text: str, at: int) -> Iterator[tuple[int, str]]:
    """Yield the signs of a list or an inline table, of a string its first one; no comments, no spaces."""
    while at < len(text):
        sign = text[at]
        if sign == "#":
            at = text.find("\n", at)
            if at < 0:
                return
        elif not sign.isspace():
            yield at, sign
        quoted = _STRING.match(text, at) if sign in "\"'" else None
        at = quoted.end() if quoted else at + 1
