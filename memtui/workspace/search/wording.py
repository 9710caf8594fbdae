"""Every sentence of searches, recall and saved searches."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, QueryError, Refused

NOTHING_CHANGED = "Nothing was changed."

# How the results of a search were found, for the status line.
NO_TERMS = "no word or filter in it"
BY_WORDS = "by words"
BY_MEANING = "by meaning"
BY_BOTH = "by meaning and words"
SORT_LABELS = {
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "surest first",
    "used": "most used first",
    "expiry": "first to expire first",
    "title": "by title",
    "store": "by store",
}


def sorted_by(how: str, sort: str) -> str:
    return f"{how}, {SORT_LABELS[sort]}"


def only_newest_ranked(how: str, count: int) -> str:
    return f"{how}, among the {count:,} matches taken in last"


# -- queries


def too_many_parts(most: int, count: int, start: int, end: int) -> QueryError:
    return QueryError(f"A query has at most {most} words and filters; this one has {count:,}.", start, end)


def too_long(most: int, length: int) -> QueryError:
    return QueryError(f"A query has at most {most:,} characters; this one has {length:,}.", most, length)


def vectors_unreadable(reason: str) -> str:
    return f"The vectors cannot be read: {reason}."


# -- recall


def unknown_strategy(name: str, known: Iterable[str]) -> Refused:
    return Refused("strategy", f"There is no strategy {name}.", f"Known are {', '.join(known)}.")


def not_listed_by(field: str) -> Refused:
    return Refused("field", f"Memories cannot be listed by {field}.")


# -- saved searches


def bad_name(longest: int) -> NotSaved:
    return NotSaved(
        "name",
        f"a name has 1 to {longest} characters, all of them visible.",
        "Give the search another name.",
    )


def unknown_sort(sort: str, known: Iterable[str]) -> NotSaved:
    return NotSaved("sort", f"there is no order {sort}.", f"Orders are {', '.join(known)}.")


def no_saved_search(name: str) -> Refused:
    return Refused("no-search", f"There is no saved search {name}.", NOTHING_CHANGED)
