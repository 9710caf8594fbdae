"""What a trigger does, parsed from its SQL: when it fires, and which tables it writes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import apsw

from memtui.formats.media.sqlite.connection import quoted
from memtui.values import SqlValue

_TOKEN = re.compile(
    r"(?P<gap>\s+|--[^\n]*|/\*.*?(?:\*/|$))"
    r"|(?P<name>'(?:''|[^'])*'|\"(?:\"\"|[^\"])*\"|`(?:``|[^`])*`|\[[^\]]*\]|[^\W\d][\w$]*)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_EVENTS = ("DELETE", "INSERT", "UPDATE")


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger of the database.

    `event` is INSERT, UPDATE or DELETE; `columns` are those of which an update must set one, none for any;
    `condition` is the SQL of its WHEN clause. `writes` are (verb, table) in lower case, in order; `raises`
    tells whether it may refuse a change.
    """

    name: str
    table: str
    event: str
    before: bool
    columns: frozenset[str]
    condition: str
    writes: tuple[tuple[str, str], ...]
    raises: bool

    def writes_to(self, table: str) -> bool:
        """Return whether the trigger writes to this table."""
        return any(target == table.casefold() for _, target in self.writes)

    def fires(
        self, connection: apsw.Connection, old: Mapping[str, SqlValue], new: Mapping[str, SqlValue] | None
    ) -> bool:
        """Return whether the trigger fires when the row `old` becomes `new`, or is deleted (None). True where
        its condition cannot be evaluated."""
        if self.event != ("DELETE" if new is None else "UPDATE"):
            return False
        if new is not None and self.columns:
            changed = {name.casefold() for name, value in new.items() if value != old.get(name)}
            if not self.columns & changed:
                return False
        if not self.condition.strip():
            return True
        sides = [("OLD", old)] if new is None else [("OLD", old), ("NEW", new)]
        rows = ", ".join(
            f"(SELECT {', '.join(f'? AS {quoted(column)}' for column in row)}) AS {side}"
            for side, row in sides
        )
        values = [value for _, row in sides for value in row.values()]
        try:
            return bool(connection.execute(f"SELECT ({self.condition}\n) FROM {rows}", values).get)
        except apsw.Error:
            return True


def parse_trigger(name: str, table: str, sql: str) -> Trigger:
    """Parse a CREATE TRIGGER statement."""
    tokens = [*_tokens(sql)]
    words = [word for word, _, _ in tokens]
    begin = next((at for at, word in enumerate(words) if word == "BEGIN"), len(words))
    event = next(
        (at for at in range(begin) if words[at] in _EVENTS and words[at + 1 : at + 2] in (["ON"], ["OF"])), 0
    )
    on = next((at for at in range(event, begin) if words[at] == "ON"), event)
    columns = frozenset(_name(tokens[at][0]) for at in range(event + 2, on) if tokens[at][0] != ",")
    when = next((at for at in range(on, begin) if words[at] == "WHEN"), None)
    condition = ""
    if when is not None and begin < len(tokens):
        condition = sql[tokens[when][2] : tokens[begin][1]]
    return Trigger(
        name,
        table,
        words[event] if words else "",
        "BEFORE" in words[:event],
        columns,
        condition,
        tuple(_writes(words[begin + 1 :])),
        "RAISE" in words[begin:],
    )


def _tokens(sql: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words and signs of SQL with their start and end; bare words are upper case."""
    for found in _TOKEN.finditer(sql):
        if found.lastgroup != "gap":
            text = found.group()
            yield (text if text[0] in "'\"`[" else text.upper()), found.start(), found.end()


def _writes(words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what the statements of a trigger's body write, in order."""
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
    """Return an identifier without its quotes, in lower case, for comparison."""
    if word[:1] in "'\"`[" and word:
        return word[1:-1].replace(word[0] * 2, word[0]).casefold()
    return word.casefold()
