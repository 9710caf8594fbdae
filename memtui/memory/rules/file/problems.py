"""What is wrong with a rules file, each with its line and column (S-63)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memtui.errors import Refused
from memtui.memory.rules.file import wording
from memtui.memory.rules.file.places import Block, line_and_column
from memtui.memory.secrets.masking import holds_mask
from memtui.values import Json, JsonObject

MOST_PROBLEMS = 100  # that are told


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at a place of the file, which is told from 1."""

    line: int
    column: int
    reason: str


class Problems:
    """Collects what is wrong in one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: list[tuple[int, str]] = []  # by their place

    def __len__(self) -> int:
        return len(self._found)

    def add(self, at: int, reason: str) -> None:
        """Note what is wrong at a place."""
        self._found.append((at, reason))

    def line(self, at: int) -> int:
        """Return the line of a place."""
        return line_and_column(self.text, at)[0]

    def first(self) -> list[Problem]:
        """Return the first problems, in the order of the text."""
        found = sorted(self._found)[:MOST_PROBLEMS]
        return [Problem(*line_and_column(self.text, at), reason) for at, reason in found]

    def unknown_keys(self, block: Block, table: JsonObject, known: Sequence[str]) -> None:
        """Note each key that a table does not have."""
        unknown = [key for key in table if key not in known]
        for key in unknown[:MOST_PROBLEMS]:  # they come in the order of the text, and each takes time
            self.add(place(block, key), wording.unknown_key(block.table, key, known))

    def text_of(
        self, block: Block, table: JsonObject, key: str, check: Callable[[str], str], *, needed: bool = True
    ) -> str:
        """Return a text of a table as it is kept, "" with a problem."""
        value = table.get(key, "")
        if needed and key not in table:
            self.add(block.header, wording.missing(block.table, key))
        elif not isinstance(value, str):
            self.add(place(block, key), wording.must_be(key, wording.A_STRING))
        elif holds_mask(value):
            self.add(place(block, key), wording.HAS_MASK)
        else:
            try:
                return check(value)
            except Refused as refused:
                self.add(place(block, key), refused.reason)
        return ""

    def texts_of(
        self, block: Block, table: JsonObject, key: str, check: Callable[[str], object]
    ) -> list[str] | None:
        """Return the texts of a list, or of a string in place of one, each of which has passed `check`; None
        with a problem."""
        value = table[key]
        texts: list[Json] = value if isinstance(value, list) else [value]
        before, good = len(self), list[str]()
        for number, text in enumerate(texts):
            at = place(block, key, number + 1 if isinstance(value, list) else 0)
            if not isinstance(text, str):
                self.add(at, wording.must_be(key, wording.STRINGS))
                return None
            if holds_mask(text):
                self.add(at, wording.HAS_MASK)
                continue
            try:
                check(text)
            except Refused as refused:
                self.add(at, refused.reason)
            good.append(text)
        return good if len(self) == before else None

    def refuse_twice(self, names: Sequence[tuple[Block, str, str]], key: str) -> None:
        """Note where a name is already that of a table before; each comes with what is the same for all its
        spellings, and with its block."""
        first: dict[str, int] = {}
        for block, name, folded in names:
            line = self.line(block.header)
            if first.setdefault(folded, line) != line:
                self.add(place(block, key), wording.twice(block.table, name, first[folded]))


_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")  # as tomllib ends its messages


def not_toml(text: str, told: str) -> Problem:
    """Return the place of what makes a text no TOML, and what tomllib tells of it."""
    at = _AT.search(told)
    reason = wording.not_toml(told[: at.start()] if at else told)
    if at and at[1]:
        return Problem(int(at[1]), int(at[2]), reason)
    return Problem(*line_and_column(text, len(text) if at else 0), reason)


def place(block: Block, key: str, element: int = 0) -> int:
    """Return where a value begins, or the element with this number from 1; else the block's header."""
    found = block.values.get(key, ())
    return found[element] if element < len(found) else found[0] if found else block.header


def shown(problems: Sequence[Problem], name: str, most: int) -> Iterator[str]:
    """Yield a line for each of the first problems of a file."""
    for each in problems[:most]:
        yield wording.problem(name, each.line, each.column, each.reason)
    if (more := len(problems) - most) > 0:
        yield wording.more_problems(more)
