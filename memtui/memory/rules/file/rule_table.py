"""A `[[rule]]` of a rules file (S-63)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.errors import QueryError, Refused
from memtui.memory.rules.checks import checked_actions, checked_name, checked_note
from memtui.memory.rules.file import project, wording
from memtui.memory.rules.file.places import Block
from memtui.memory.rules.file.problems import Problems, place
from memtui.memory.rules.rule import Action, Rule, parse_action
from memtui.values import JsonObject

NAME, WHEN, DO, NOTE, ON = "name", "when", "do", "note", "on"
KEYS = (NAME, WHEN, DO, NOTE, ON)

CheckQuery = Callable[[str], object]
"""Raises QueryError for a query that cannot be asked."""


def read(
    block: Block, table: JsonObject, problems: Problems, check_query: CheckQuery, *, of_project: bool
) -> Rule | None:
    """Return the rule of a table, None with a problem."""
    before = len(problems)
    problems.unknown_keys(block, table, KEYS)
    name = problems.text_of(block, table, NAME, checked_name)
    note = problems.text_of(block, table, NOTE, checked_note, needed=False)
    when = _query(block, table, problems, check_query)
    actions = _actions(block, table, problems, of_project=of_project)
    on = table.get(ON, False)
    if not isinstance(on, bool):
        problems.add(place(block, ON), wording.must_be(ON, wording.TRUE_OR_FALSE))
    return Rule(0, name, when, actions, note, 0, on) if len(problems) == before else None


def _query(block: Block, table: JsonObject, problems: Problems, check_query: CheckQuery) -> str:
    def check(text: str) -> str:
        if not text.strip():
            raise wording.no_query()
        try:
            check_query(text)
        except QueryError as error:
            at = place(block, WHEN)
            # With escapes, the places in the value are not those in the text.
            is_as_typed = problems.text.startswith(text, at + 1)
            problems.add(at + 1 + error.start if is_as_typed else at, error.reason)
        return text.strip()

    return problems.text_of(block, table, WHEN, check)


def _actions(block: Block, table: JsonObject, problems: Problems, *, of_project: bool) -> tuple[Action, ...]:
    if DO not in table:
        problems.add(block.header, wording.missing(block.table, DO))
        return ()

    def check(text: str) -> None:
        action = parse_action(text)
        if of_project:
            project.require_stricter(action)

    texts = problems.texts_of(block, table, DO, check)
    try:
        return () if texts is None else checked_actions(texts)
    except Refused as refused:
        problems.add(place(block, DO), refused.reason)
    return ()
