"""Searches that the user saved under a name (S-32)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from peewee import fn

from memtui.memory.query.language import blank_unsearchable
from memtui.text import is_clean
from memtui.workspace.db.models import SavedSearch as SavedSearchRow
from memtui.workspace.search import wording
from memtui.workspace.search.lexical import SORTS, parse_query

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

MAX_NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A saved search; `sort` is "" for the best match first, `at` Unix seconds."""

    name: str
    query: str
    sort: str
    at: float


def save(db: Database, name: str, query: str, sort: str, at: float) -> SavedSearch:
    """Save a search, replacing one of the same name; raise Refused for a bad name or order, QueryError for a
    bad query."""
    name = name.strip()
    if not 0 < len(name) <= MAX_NAME or "\n" in name or "\t" in name or not is_clean(name):
        raise wording.bad_name(MAX_NAME)
    parse_query(query)
    if sort and sort not in SORTS:
        raise wording.unknown_sort(sort, SORTS)
    saved = SavedSearch(name, blank_unsearchable(query).strip(), sort, at)
    row = SavedSearchRow.insert(name=saved.name, query=saved.query, sort=saved.sort, at=saved.at)
    replaced = [SavedSearchRow.query, SavedSearchRow.sort, SavedSearchRow.at]
    db.write(row.on_conflict(conflict_target=[SavedSearchRow.name], preserve=replaced))
    return saved


def listed(db: Database) -> list[SavedSearch]:
    """Return the saved searches, by name."""
    rows = db.fetch(SavedSearchRow.select().order_by(fn.LOWER(SavedSearchRow.name), SavedSearchRow.name))
    return [SavedSearch(row.name, row.query, row.sort, row.at) for row in rows]


def delete(db: Database, name: str) -> None:
    """Delete a saved search; raise Refused if there is none of this name."""
    if not db.write(SavedSearchRow.delete().where(SavedSearchRow.name == blank_unsearchable(name))):
        raise wording.no_saved_search(name)
