"""Every sentence of searches, recall and saved searches."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, QueryError, Refused

NOTHING_CHANGED = "Nothing was changed."

# How the results of a search were found, for the status line.
NO_TERMS = "no words or filters"
BY_WORDS = "by text"
BY_MEANING = "by meaning"
BY_BOTH = "by text and meaning"
SORT_LABELS = {
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "most confident first",
    "used": "most used first",
    "expiry": "soonest to expire first",
    "title": "by title",
    "store": "by store",
}


def sorted_by(how: str, sort: str) -> str:
    return f"{how}, {SORT_LABELS[sort]}"


def only_newest_ranked(how: str, count: int) -> str:
    return f"{how}, newest {count:,} matches only"


# -- queries


def too_many_parts(most: int, count: int, start: int, end: int) -> QueryError:
    return QueryError(f"A query can have at most {most} words and filters, not {count:,}.", start, end)


def too_long(most: int, length: int) -> QueryError:
    return QueryError(f"A query can have at most {most:,} characters, not {length:,}.", most, length)


def vectors_unreadable(reason: str) -> str:
    return f"Could not read the semantic search index: {reason}."


# -- recall


def unknown_strategy(name: str, known: Iterable[str]) -> Refused:
    return Refused("strategy", f"Unknown strategy {name}.", f"Use one of: {', '.join(known)}.")


def not_listed_by(field: str) -> Refused:
    return Refused("field", f"Can't list memories by {field}.")


# -- saved searches


def bad_name(longest: int) -> NotSaved:
    return NotSaved(
        "name",
        f"a name must have 1 to {longest} visible characters.",
        "Choose another name.",
    )


def unknown_sort(sort: str, known: Iterable[str]) -> NotSaved:
    return NotSaved("sort", f"unknown sort order {sort}.", f"Use one of: {', '.join(known)}.")


def no_saved_search(name: str) -> Refused:
    return Refused("no-search", f"There is no saved search named {name}.", NOTHING_CHANGED)
