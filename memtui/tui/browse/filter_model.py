"""What the filter dialog lists, and how a choice gets into a query and out of it; pure functions (S-32)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.errors import QueryError
from memtui.memory.query.completion import quote_value
from memtui.memory.query.language import parse

if TYPE_CHECKING:
    from memtui.workspace.search.saved_searches import SavedSearch

NAMES = ("store", "category", "status", "kind", "owner", "tag")
Counts = Mapping[str, Sequence[tuple[str, int]]]
"""For each filter its values, with how many memories have them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of the filter `name` with how many memories have it, or a saved search.

    `first` is whether it is the first one of its filter in the list."""

    name: str
    value: str
    count: int = 0
    saved: SavedSearch | None = None
    first: bool = False


def choices(counts: Counts, before: Iterable[Choice]) -> list[Choice]:
    """Return the values of each filter; those in `before` keep their places."""
    found: list[Choice] = []
    old = [each for each in before if each.saved is None]
    for name in NAMES:
        current = dict(counts.get(name, ()))
        values = dict.fromkeys(each.value for each in old if each.name == name)
        found += [
            Choice(name, value, current.get(value, 0))
            for value in {**values, **current}
            if _is_valid(name, value)
        ]
    return found


def narrowed(choices: Iterable[Choice], text: str) -> list[Choice]:
    """Return the choices that contain `text`, with `first` set."""
    low = text.strip().casefold()
    found: list[Choice] = []
    for choice in choices:
        if low in f"{choice.name} {choice.value}".casefold():
            first = not found or found[-1].name != choice.name
            found.append(replace(choice, first=first))
    return found


def chosen(query: str) -> set[tuple[str, str]]:
    """Return the filters of a query as (name, value); none if it is invalid."""
    try:
        return {(each.name, each.value) for each in parse(query).filters if not each.negated}
    except QueryError:
        return set()


def normalized(name: str, value: str) -> tuple[str, str]:
    """Return a filter as `chosen` has it."""
    (filter,) = parse(f"{name}:{quote_value(value)}").filters
    return filter.name, filter.value


def toggled(query: str, name: str, value: str) -> str:
    """Return the query with this filter added or removed. Raise QueryError.

    A filter is put in front of what was typed, whose last word is still searched as a beginning."""
    key = normalized(name, value)
    same = [each for each in parse(query).filters if (each.name, each.value) == key and not each.negated]
    if not same:
        return f"{name}:{quote_value(value)} {query}".rstrip()
    for each in reversed(same):
        query = f"{query[: each.start].rstrip()} {query[each.end :].lstrip()}".strip()
    return query


def _is_valid(name: str, value: str) -> bool:
    """Return whether a query can have this filter: a store may hold a kind that no filter accepts."""
    try:
        normalized(name, value)
    except (QueryError, ValueError):
        return False
    return True
