"""Saved searches (S-32)."""

from __future__ import annotations

import pytest

from memtui.errors import QueryError, Refused
from memtui.workspace.db.database import Database
from memtui.workspace.search import saved_searches
from memtui.workspace.search.saved_searches import SavedSearch
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import DemoWorkspace


@pytest.fixture
def db(workspace: Workspace) -> Database:
    return workspace._ctx.db


def test_a_search_is_saved_listed_and_deleted(db: Database, demo_workspace: DemoWorkspace) -> None:
    search = saved_searches.save(db, "  At risk ", "label:fading -is:pinned", "expiry", 5.0)
    assert search == SavedSearch("At risk", "label:fading -is:pinned", "expiry", 5.0)
    saved_searches.save(db, "all", "", "", 6.0)
    assert [each.name for each in saved_searches.listed(db)] == ["all", "At risk"]
    with demo_workspace.opened() as reopened:
        assert saved_searches.listed(reopened._ctx.db) == saved_searches.listed(db)
    saved_searches.delete(db, "all")
    with demo_workspace.opened() as reopened:
        assert saved_searches.listed(reopened._ctx.db) == [search]


def test_saving_under_the_same_name_replaces(db: Database) -> None:
    saved_searches.save(db, "mine", "tag:a", "", 1.0)
    saved_searches.save(db, "mine", "tag:b coffee", "newest", 2.0)
    assert saved_searches.listed(db) == [SavedSearch("mine", "tag:b coffee", "newest", 2.0)]


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 61, "a\nb", "a\tb", "a\x00", "\x1b[31m", "\u202eabc", "\ud800"]
)
def test_unreadable_names_are_refused(db: Database, name: str) -> None:
    with pytest.raises(Refused, match="1 to 60 visible characters"):
        saved_searches.save(db, name, "tea", "", 1.0)
    assert saved_searches.listed(db) == []


@pytest.mark.parametrize(
    "name", ["x" * 60, "Über 30 Tage", "مرحبا", "'; DROP TABLE saved_searches; --", "🦓"]
)
def test_any_readable_name_is_accepted(db: Database, name: str) -> None:
    saved_searches.save(db, name, "tea", "", 1.0)
    assert [each.name for each in saved_searches.listed(db)] == [name]
    saved_searches.delete(db, name)
    assert saved_searches.listed(db) == []


def test_an_invalid_search_is_not_saved(db: Database) -> None:
    with pytest.raises(QueryError, match="“conf:>>>” is not valid"):
        saved_searches.save(db, "mine", "conf:>>>", "", 1.0)
    with pytest.raises(QueryError, match="at most"):
        saved_searches.save(db, "mine", "x " * 300, "", 1.0)
    with pytest.raises(Refused, match="unknown sort order sideways"):
        saved_searches.save(db, "mine", "tea", "sideways", 1.0)
    assert saved_searches.listed(db) == []


def test_characters_that_cannot_be_stored_become_blanks(db: Database) -> None:
    assert saved_searches.save(db, "mine", "tea\x00\ud800 x", "", 1.0).query == "tea   x"


@pytest.mark.parametrize("name", ["nothing", "\ud800", ""])
def test_an_unknown_search_cannot_be_deleted(db: Database, name: str) -> None:
    with pytest.raises(Refused, match="There is no saved search"):
        saved_searches.delete(db, name)
