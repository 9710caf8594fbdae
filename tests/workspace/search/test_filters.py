"""Every filter, alone and in pairs, against a model that looks at each memory in plain Python (S-31)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from memtui.memory.query.language import FILTERS, parse
from memtui.workspace.db.database import Database
from memtui.workspace.search.filters import conditions
from memtui.workspace.search.lexical import SORTS, matching, search
from tests.support.filter_model import ALL_FILTERS, NOW, Row, filled_database, matching_ids, random_rows
from tests.support.sizes import sample_cases


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return random_rows(160)


@pytest.fixture(scope="module")
def db(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with filled_database(tmp_path_factory.mktemp("filters"), rows) as db:
        yield db


def test_every_filter_and_value_is_in_the_model() -> None:
    assert {each.partition(":")[0] for each in ALL_FILTERS} == set(FILTERS)
    for name in ("is", "has", "label"):
        assert {f"{name}:{value}" for value in FILTERS[name].allowed} <= set(ALL_FILTERS)


@pytest.mark.parametrize("asked", ALL_FILTERS)
def test_each_filter_alone(db: Database, rows: list[Row], asked: str) -> None:
    met = set()
    for text in (asked, f"-{asked}"):
        for live in (True, False):
            found = search(db, text, live=live, now=NOW)
            assert set(found.ids) == matching_ids(rows, [text], live), text
            assert len(found.ids) == found.total
            met |= {bool(found.total)}
            ids = [row["id"] for row in rows[:50]]
            assert matching(db, text, ids, live=live, now=NOW) == set(found.ids) & set(ids)
    assert met == {True} or asked in ("created:>2026", "created:today"), "a filter that holds for all or none"


def test_filters_in_pairs(db: Database, rows: list[Row]) -> None:
    for number, (one, two) in sample_cases(enumerate(combinations(ALL_FILTERS, 2)), 601):
        asked = [one if number % 3 else f"-{one}", two if number % 5 else f"-{two}"]
        live = number % 2 == 0
        assert set(search(db, " ".join(asked), live=live, now=NOW).ids) == matching_ids(rows, asked, live), (
            asked
        )


def test_filters_narrow_words(db: Database, rows: list[Row]) -> None:
    for asked in ALL_FILTERS:
        of = matching_ids(rows, [asked], True)
        found = {
            row["id"]
            for row in rows
            if row["id"] in of and "tea" in f"{row['content']}{row['title']}".lower()
        }
        assert set(search(db, f"{asked} tea", live=True, now=NOW).ids) == found, asked


def test_the_same_filter_many_times_is_asked_once(db: Database, rows: list[Row]) -> None:
    for asked in ALL_FILTERS:
        many = search(db, f"{asked} " * 150, live=False, now=NOW)
        assert set(many.ids) == matching_ids(rows, [asked], False)


def test_what_expires_first_comes_first(db: Database, rows: list[Row]) -> None:
    by_id = {row["id"]: row["expires_at"] for row in rows}
    found = [by_id[id] for id in search(db, "", live=True, sort="expiry", now=NOW).ids]
    there = [at for at in found if at is not None]
    assert there == sorted(there)
    assert there == found[: len(there)]  # what has none comes last
    assert search(db, "tea", live=True, sort="expiry", now=NOW).how == "by words, first to expire first"
    for sort in SORTS:
        assert search(db, "", live=True, sort=sort, now=NOW).total == len(found)


def plan(db: Database, text: str) -> list[str]:
    """How SQLite goes about a list of what a query finds."""
    where, values = conditions(parse(text), True, NOW)
    sql = f"EXPLAIN QUERY PLAN SELECT m.id FROM memories m WHERE {where} ORDER BY {SORTS['newest']}"
    return [row[3] for row in db.rows(sql, values)]


def test_a_plain_list_is_read_off_its_index(db: Database) -> None:
    assert conditions(parse(""), True, NOW) == ("m.live = 1", [])
    assert conditions(parse("tea coff"), True, NOW) == ("m.live = 1", [])
    assert plan(db, "") == ["SEARCH m USING INDEX memories_live (live=?)"]
    assert plan(db, "updated:7d") == ["SEARCH m USING INDEX memories_live (live=? AND recency>?)"]
    assert plan(db, "is:stale conf:>0.8") == ["SEARCH m USING INDEX memories_live (live=? AND recency<?)"]
