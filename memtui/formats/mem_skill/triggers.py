"""What a trigger does, read from its SQL: when it is set off, and which tables it writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from memtui.formats.media.sqlite.connection import quoted

_TOKEN = re.compile(
    r"(?P<gap>\s+|--[^\n]*|/\*.*?(?:\*/|$))"
    r"|(?P<name>'(?:''|[^'])*'|\"(?:\"\"|[^\"])*\"|`(?:``|[^`])*`|\[[^\]]*\]|[^\W\d][\w$]*)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_EVENTS = ("DELETE", "INSERT", "UPDATE")


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger: its `event` (INSERT, UPDATE, DELETE), the columns that an update must set, its
    condition; `writes` are (verb, table) in lower case, and `forbids` whether it may refuse."""

    name: str
    table: str
    event: str
    before: bool
    columns: frozenset[str]
    when: str
    writes: tuple[tuple[str, str], ...]
    forbids: bool

    def to(self, table: str) -> bool:
        """Whether it writes to this table."""
        return any(target == table.casefold() for _, target in self.writes)

    def goes_off(
        self, connection: apsw.Connection, old: Mapping[str, Any], new: Mapping[str, Any] | None
    ) -> bool:
        """Whether it is set off as a row becomes another, or leaves (`new` is None). Where its condition
        cannot be told, it counts as set off."""
        if self.event != ("DELETE" if new is None else "UPDATE"):
            return False
        if new is not None and self.columns:
            changed = {name.casefold() for name, value in new.items() if value != old.get(name)}
            if not self.columns & changed:
                return False
        if not self.when.strip():
            return True
        sides = [("OLD", old)] if new is None else [("OLD", old), ("NEW", new)]
        rows = ", ".join(
            f"(SELECT {', '.join(f'? AS {quoted(column)}' for column in row)}) AS {side}"
            for side, row in sides
        )
        values = [value for _, row in sides for value in row.values()]
        try:
            return bool(connection.execute(f"SELECT ({self.when}\n) FROM {rows}", values).get)
        except apsw.Error:
            return True


def trigger_of(name: str, table: str, sql: str) -> Trigger:
    """A trigger as its statement tells it."""
    tokens = [*_tokens(sql)]
    words = [word for word, _, _ in tokens]
    begin = next((at for at, word in enumerate(words) if word == "BEGIN"), len(words))
    head = next(
        (at for at in range(begin) if words[at] in _EVENTS and words[at + 1 : at + 2] in (["ON"], ["OF"])), 0
    )
    on = next((at for at in range(head, begin) if words[at] == "ON"), head)
    columns = frozenset(_name(tokens[at][0]) for at in range(head + 2, on) if tokens[at][0] != ",")
    when = next((at for at in range(on, begin) if words[at] == "WHEN"), None)
    condition = ""
    if when is not None and begin < len(tokens):
        condition = sql[tokens[when][2] : tokens[begin][1]]
    return Trigger(
        name,
        table,
        words[head] if words else "",
        "BEFORE" in words[:head],
        columns,
        condition,
        tuple(_writes(words[begin + 1 :])),
        "RAISE" in words[begin:],
    )


def _tokens(sql: str) -> Iterator[tuple[str, int, int]]:
    """The words and signs of SQL, bare words in capitals, with where they begin and end."""
    for found in _TOKEN.finditer(sql):
        if found.lastgroup != "gap":
            text = found.group()
            yield (text if text[0] in "'\"`[" else text.upper()), found.start(), found.end()


def _writes(words: list[str]) -> Iterator[tuple[str, str]]:
    """What the statements of a trigger's body write, in order."""
    last = ""
    for at, word in enumerate(words):
        rest = words[at + 1 : at + 9]
        verb = word.lower()
        if word in ("INSERT", "UPDATE") and rest[:1] == ["OR"]:
            verb = "replace" if rest[1:2] == ["REPLACE"] else verb
            rest = rest[2:]
        if word == "UPDATE" and rest[:1] == ["SET"] and words[at - 1 : at] == ["DO"]:
            yield verb, last
        elif word == "UPDATE" and rest:
            yield verb, _target(rest)
        elif (word in ("INSERT", "REPLACE") and rest[:1] == ["INTO"]) or (
            word == "DELETE" and rest[:1] == ["FROM"]
        ):
            last = _target(rest[1:])
            yield verb, last


def _target(words: list[str]) -> str:
    return _name(words[2] if words[1:2] == ["."] and len(words) > 2 else words[0]) if words else ""


def _name(word: str) -> str:
    """An identifier as it is compared: without its quotes, in one case."""
    if word[:1] in "'\"`[" and word:
        return word[1:-1].replace(word[0] * 2, word[0]).casefold()
    return word.casefold()
