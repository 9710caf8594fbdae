"""Reading a rules file: its rules, and what is wrong with it, each with its line and column (S-63)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memtui.errors import QueryError, Refused
from memtui.memory.rules.checks import checked_actions, checked_name, checked_note
from memtui.memory.rules.file import wording
from memtui.memory.rules.file.places import RULE, Block, Places, dots, line_and_column, places
from memtui.memory.rules.rule import Action, Rule, parse_action
from memtui.memory.secrets.masking import holds_mask
from memtui.values import Json, JsonObject

MOST = 500  # rules
MOST_BYTES = 1 << 20
MOST_DOTS = 1_000  # outside of strings
MOST_PROBLEMS = 100  # that are told
NAME, WHEN, DO, NOTE, ON = "name", "when", "do", "note", "on"
KEYS = (NAME, WHEN, DO, NOTE, ON)

CheckQuery = Callable[[str], object]
"""Raises QueryError for a query that cannot be asked."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at a place of the file, which is told from 1."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class RulesFile:
    """The rules of a file in their order, without ids, and its problems; with any, it is not imported."""

    rules: Sequence[Rule]
    problems: Sequence[Problem]


def read(text: str, check_query: CheckQuery) -> RulesFile:
    """Return what a text holds; raise Refused if it is no TOML, or nested too deeply."""
    if len(text) > MOST_BYTES:
        raise wording.too_large(MOST_BYTES)
    text = text.replace("\r\n", "\n")
    if dots(text) > MOST_DOTS:
        raise wording.too_deep()
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise wording.not_toml(error) from None
    except RecursionError:
        raise wording.too_deep() from None
    except ValueError:  # Python's limit on digits
        raise wording.number_too_long() from None
    return _Reading(text, places(text), check_query).of(found)


class _Reading:
    """Turns the tables of one text into rules, and collects its problems."""

    def __init__(self, text: str, where: Places, check_query: CheckQuery) -> None:
        self._text = text
        self._where = where
        self._check_query = check_query
        self._problems: list[tuple[int, str]] = []  # by their place

    def of(self, found: JsonObject) -> RulesFile:
        for name, at in self._where.others:
            self._wrong(at, wording.not_in_file(name) if name != RULE else wording.NO_INLINE_RULES)
        blocks, tables = self._where.blocks, found.get(RULE, [])
        if len(blocks) > MOST:
            self._wrong(blocks[MOST].header, wording.too_many(MOST))
        elif isinstance(tables, list) and len(tables) == len(blocks):
            rules = [self._rule(*both) for both in zip(blocks, tables, strict=True)]
            self._refuse_twice(rules)
            return RulesFile([each for each in rules if each is not None], self._sorted())
        elif not self._problems:
            self._wrong(0, wording.NO_INLINE_RULES)
        return RulesFile((), self._sorted())

    def _rule(self, block: Block, table: JsonObject) -> Rule | None:
        before = len(self._problems)
        for key in table:
            if key not in KEYS:
                self._wrong(_place(block, key), wording.unknown_key(key, KEYS))
        name = self._text_of(block, table, NAME, checked_name)
        note = self._text_of(block, table, NOTE, checked_note)
        when = self._query(block, table)
        actions = self._actions(block, table)
        on = table.get(ON, False)
        if not isinstance(on, bool):
            self._wrong(_place(block, ON), wording.must_be(ON, wording.TRUE_OR_FALSE))
        return Rule(0, name, when, actions, note, 0, on) if len(self._problems) == before else None

    def _text_of(self, block: Block, table: JsonObject, key: str, check: Callable[[str], str]) -> str:
        """Return a text of a rule as it is kept, "" with a problem."""
        value = table.get(key, "")
        if key != NOTE and key not in table:
            self._wrong(block.header, wording.missing(key))
        elif not isinstance(value, str):
            self._wrong(_place(block, key), wording.must_be(key, wording.A_STRING))
        elif holds_mask(value):
            self._wrong(_place(block, key), wording.HAS_MASK)
        else:
            try:
                return check(value)
            except Refused as refused:
                self._wrong(_place(block, key), refused.reason)
        return ""

    def _query(self, block: Block, table: JsonObject) -> str:
        def check(text: str) -> str:
            if not text.strip():
                raise wording.no_query()
            try:
                self._check_query(text)
            except QueryError as error:
                at = _place(block, WHEN)
                # With escapes, the places in the value are not those in the text.
                is_as_typed = self._text.startswith(text, at + 1)
                self._wrong(at + 1 + error.start if is_as_typed else at, error.reason)
            return text.strip()

        return self._text_of(block, table, WHEN, check)

    def _actions(self, block: Block, table: JsonObject) -> tuple[Action, ...]:
        value = table.get(DO)
        texts: list[Json] = value if isinstance(value, list) else [value]
        if DO not in table:
            self._wrong(block.header, wording.missing(DO))
            return ()
        before = len(self._problems)
        for number, text in enumerate(texts):
            at = _place(block, DO, number + 1 if isinstance(value, list) else 0)
            if not isinstance(text, str):
                self._wrong(at, wording.must_be(DO, wording.STRINGS))
                return ()
            if holds_mask(text):
                self._wrong(at, wording.HAS_MASK)
                continue
            try:
                parse_action(text)
            except Refused as refused:
                self._wrong(at, refused.reason)
        if len(self._problems) > before:
            return ()
        try:
            return checked_actions(texts)
        except Refused as refused:
            self._wrong(_place(block, DO), refused.reason)
        return ()

    def _refuse_twice(self, rules: Sequence[Rule | None]) -> None:
        first: dict[str, int] = {}
        for block, rule in zip(self._where.blocks, rules, strict=True):
            if rule is None:
                continue
            line, _ = line_and_column(self._text, block.header)
            if first.setdefault(rule.name.casefold(), line) != line:
                self._wrong(_place(block, NAME), wording.twice(rule.name, first[rule.name.casefold()]))

    def _wrong(self, at: int, reason: str) -> None:
        self._problems.append((at, reason))

    def _sorted(self) -> list[Problem]:
        first = sorted(self._problems)[:MOST_PROBLEMS]
        return [Problem(*line_and_column(self._text, at), reason) for at, reason in first]


def _place(block: Block, key: str, element: int = 0) -> int:
    """Return where a value begins, or the element with this number from 1; else the rule's header."""
    found = block.values.get(key, ())
    return found[element] if element < len(found) else found[0] if found else block.header


def shown(problems: Sequence[Problem], name: str, most: int) -> Iterator[str]:
    """Yield a line for each of the first problems of a file."""
    for each in problems[:most]:
        yield wording.problem(name, each.line, each.column, each.reason)
    if (more := len(problems) - most) > 0:
        yield wording.more_problems(more)
