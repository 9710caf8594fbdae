"""Every sentence about the file of rules."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.memory.rules.file.places import POLICY
from memtui.memory.secrets.masking import shortened
from memtui.text import after_colon, counted, plural, size_text
from memtui.values import Json

HEADER = (
    "# Rules of memtui, in their order: of several that do the same kind of thing the first wins.\n"
    "# After them its policies: what agents may read and write.\n"
    "# To check this file: memtui rules check FILE. To import it: memtui rules import FILE."
)
NOT_IMPORTED = "No rule was changed."
A_STRING, STRINGS, TRUE_OR_FALSE = "a string", "a string or an array of strings", "true or false"
HAS_MASK = "It has a mask (•••) in place of a secret. To export it: memtui rules export --reveal"
_ECHO = 40  # characters of the file that are repeated


def _refused(code: str, reason: str) -> Refused:
    return Refused(code, reason, unchanged=NOT_IMPORTED)


def too_large(most: int) -> Refused:
    return _refused("too-big", f"The rules file is larger than {size_text(most)}.")


def not_toml(told: str) -> str:
    return f"This isn't valid TOML: {after_colon(told)}."


def too_deep() -> Refused:
    return _refused("toml", "The rules file is nested too deeply.")


def number_too_long() -> Refused:
    return _refused("toml", "The rules file has a number with too many digits.")


def not_a_file(name: str) -> Refused:
    return _refused("not-a-file", f"{name} isn't a file.")


def unreadable(name: str, why: str) -> Refused:
    return _refused("unreadable", f"{name} can't be read: {why}.")


def another_users(name: str) -> Refused:
    advice = f"If you trust it: memtui rules import - < {name}"
    return Refused("owner", f"{name} belongs to another user.", advice, unchanged=NOT_IMPORTED)


def has_problems(problems: list[Json]) -> Refused:
    reason = f"The rules file has {counted(len(problems), 'problem')}."
    return Refused("rules-file", reason, unchanged=NOT_IMPORTED, problems=problems)


def no_query() -> Refused:
    return _refused("query", "when can't be empty: every memory would match.")


def begins_with(table: str) -> str:
    return f"Each {table} begins with [[{table}]]."


def too_many(table: str, most: int) -> str:
    return f"A rules file has {most} {plural(most, table)} at most."


def not_in_file(name: str) -> str:
    return f"There is no “{shortened(name, _ECHO)}” in a rules file; it has [[rule]] and [[policy]] tables."


def unknown_key(table: str, name: str, known: Iterable[str]) -> str:
    return f"A {table} has no “{shortened(name, _ECHO)}”; it has {', '.join(known)}."


def missing(table: str, key: str) -> str:
    return f"The {table} has no {key}."


def must_be(key: str, what: str) -> str:
    return f"{key} must be {what}."


def twice(table: str, name: str, line: int) -> str:
    if table == POLICY:
        return f"The policy on line {line} is already for “{name}”."
    return f"The rule on line {line} already has the name “{name}”."


def problem(name: str, line: int, column: int, reason: str) -> str:
    return f"{name}:{line}:{column}: {reason}"


def more_problems(count: int) -> str:
    return f"and {counted(count, 'more problem')}."
