"""Every sentence about queries: what a range may be, and what cannot be read."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import QueryError

_SIGNED = "optionally with >, <, >= or <=, or a range like A..B"
# What each form of a range takes.
FORMS = {
    "share": f"a number from 0 to 1 or a percentage, {_SIGNED}",
    "count": f"a whole number, {_SIGNED}",
    "past": f"a date, an age (12h, 7d, 2w, 3mo, 1y), today or yesterday, {_SIGNED}",
    "coming": f"a date, a time from now (12h, 7d, 2w, 3mo, 1y), today or tomorrow, {_SIGNED}",
}


def choices(form: str, allowed: Iterable[str]) -> str:
    if form:
        return f"Use {FORMS[form]}."
    return f"Use one of: {', '.join(allowed)}." if allowed else ""


def did_you_mean(text: str) -> str:
    return f"Did you mean {text}?"


def for_instance(example: str) -> str:
    return f"For example, {example}."


def value_missing(name: str, example: str, choices: str, start: int, end: int) -> QueryError:
    return QueryError(f"{name}: needs a value, for example {example}", start, end, choices)


def bad_value(name: str, value: str, choices: str, hint: str, start: int, end: int) -> QueryError:
    return QueryError(f"“{name}:{value}” is not valid. {choices}", start, end, hint)


def unknown_filter(name: str, nearest: str | None, known: Iterable[str], start: int, end: int) -> QueryError:
    hint = f"{did_you_mean(f'{nearest}:')} " if nearest else ""
    return QueryError(
        f"Unknown filter “{name}:”. Use one of: {', '.join(f'{each}:' for each in known)}.",
        start,
        end,
        hint + "To search for the text itself, put it in quotes.",
    )
