"""Searches that a person keeps under a name (S-32)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.errors import NotSaved, Refused
from memtui.memory.query.language import possible
from memtui.text import is_clean
from memtui.workspace.search.lexical import SORTS, understood

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

LONGEST = 60  # characters of a name


@dataclass(frozen=True, slots=True)
class Saved:
    """One kept search; `sort` is "" for the best match first, `at` Unix seconds."""

    name: str
    query: str
    sort: str
    at: float


def save(db: Database, name: str, query: str, sort: str, at: float) -> Saved:
    """Keep a search, in the place of one of the same name. Refused where the name cannot be one,
    QueryError where the query has a fault."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST or "\n" in name or "\t" in name or not is_clean(name):
        raise NotSaved(
            "name",
            f"a name has 1 to {LONGEST} characters, all of them visible.",
            "Give the search another name.",
        )
    understood(query)
    if sort and sort not in SORTS:
        raise NotSaved("sort", f"there is no order {sort}.", f"Orders are {', '.join(SORTS)}.")
    one = Saved(name, possible(query).strip(), sort, at)
    db.run(
        "INSERT INTO saved_searches (name, query, sort, at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (name) DO UPDATE SET query = excluded.query, sort = excluded.sort, at = excluded.at",
        (one.name, one.query, one.sort, one.at),
    )
    return one


def listed(db: Database) -> list[Saved]:
    """The kept searches, by name."""
    return [
        Saved(*row)
        for row in db.rows("SELECT name, query, sort, at FROM saved_searches ORDER BY lower(name), name")
    ]


def forget(db: Database, name: str) -> None:
    """Keep a search no longer; Refused if there is none of this name."""
    if not db.rows("DELETE FROM saved_searches WHERE name = ? RETURNING name", (possible(name),)):
        raise Refused("no-search", f"There is no saved search {name}.", "Nothing was changed.")
