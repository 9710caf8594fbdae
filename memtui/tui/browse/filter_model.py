"""What the filter dialog offers, and how a choice goes into a query and out of it; pure functions (S-32)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.errors import QueryError
from memtui.memory.query.completion import spelled
from memtui.memory.query.language import parse

if TYPE_CHECKING:
    from memtui.workspace.search.saved_searches import Saved

NAMES = ("store", "category", "status", "kind", "owner", "tag")
Counts = Mapping[str, Sequence[tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class Choice:
    """One line: a value with how many of what is found have it, or a saved search. `first` of its kind."""

    name: str
    value: str
    count: int = 0
    saved: Saved | None = None
    first: bool = False


def choices(counts: Counts, before: Iterable[Choice]) -> list[Choice]:
    """The values of each facet; those that were there `before` keep their places."""
    lines: list[Choice] = []
    stood = [each for each in before if each.saved is None]
    for name in NAMES:
        now = dict(counts.get(name, ()))
        values = dict.fromkeys(each.value for each in stood if each.name == name)
        lines += [Choice(name, value, now.get(value, 0)) for value in {**values, **now} if _fits(name, value)]
    return lines


def narrowed(lines: Iterable[Choice], text: str) -> list[Choice]:
    """The lines that say `text`, the first of each kind marked as such."""
    low = text.strip().casefold()
    found: list[Choice] = []
    for line in lines:
        if low in f"{line.name} {line.value}".casefold():
            first = not found or found[-1].name != line.name
            found.append(replace(line, first=first))
    return found


def chosen(query: str) -> set[tuple[str, str]]:
    """The values that a query asks for, by filter; none where it cannot be read."""
    try:
        return {(each.name, each.value) for each in parse(query).filters if not each.negated}
    except QueryError:
        return set()


def wanted(name: str, value: str) -> tuple[str, str]:
    """A value as `chosen` has it."""
    (filter,) = parse(f"{name}:{spelled(value)}").filters
    return filter.name, filter.value


def toggled(query: str, name: str, value: str) -> str:
    """The query with this value asked for, or no more. It is put before what was typed, whose last word
    stays a beginning."""
    key = wanted(name, value)
    same = [each for each in parse(query).filters if (each.name, each.value) == key and not each.negated]
    if not same:
        return f"{name}:{spelled(value)} {query}".rstrip()
    for each in reversed(same):
        query = f"{query[: each.start].rstrip()} {query[each.end :].lstrip()}".strip()
    return query


def _fits(name: str, value: str) -> bool:
    """Whether it can be asked for: a store may hold a kind that no filter knows."""
    try:
        wanted(name, value)
    except (QueryError, ValueError):
        return False
    return True
