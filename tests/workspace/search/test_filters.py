"""Every filter, alone and in pairs, compared with a model in plain Python (S-31)."""

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


def test_the_model_covers_every_filter_and_value() -> None:
    assert {each.partition(":")[0] for each in ALL_FILTERS} == set(FILTERS)
    for name in ("is", "has", "label"):
        assert {f"{name}:{value}" for value in FILTERS[name].allowed} <= set(ALL_FILTERS)


@pytest.mark.parametrize("filter_text", ALL_FILTERS)
def test_each_filter_alone(db: Database, rows: list[Row], filter_text: str) -> None:
    outcomes = set()
    for text in (filter_text, f"-{filter_text}"):
        for live in (True, False):
            found = search(db, text, live=live, now=NOW)
            assert set(found.ids) == matching_ids(rows, [text], live), text
            assert len(found.ids) == found.total
            outcomes |= {bool(found.total)}
            ids = [row["id"] for row in rows[:50]]
            assert matching(db, text, ids, live=live, now=NOW) == set(found.ids) & set(ids)
    assert outcomes == {True} or filter_text in ("created:>2026", "created:today"), (
        "a filter that holds for all or none"
    )


def test_filters_in_pairs(db: Database, rows: list[Row]) -> None:
    for number, (one, two) in sample_cases(enumerate(combinations(ALL_FILTERS, 2)), 601):
        filters = [one if number % 3 else f"-{one}", two if number % 5 else f"-{two}"]
        live = number % 2 == 0
        assert set(search(db, " ".join(filters), live=live, now=NOW).ids) == matching_ids(
            rows, filters, live
        ), filters


def test_filters_narrow_words(db: Database, rows: list[Row]) -> None:
    for filter_text in ALL_FILTERS:
        ids = matching_ids(rows, [filter_text], True)
        found = {
            row["id"]
            for row in rows
            if row["id"] in ids and "tea" in f"{row['content']}{row['title']}".lower()
        }
        assert set(search(db, f"{filter_text} tea", live=True, now=NOW).ids) == found, filter_text


def test_a_repeated_filter_equals_one(db: Database, rows: list[Row]) -> None:
    for filter_text in ALL_FILTERS:
        many = search(db, f"{filter_text} " * 150, live=False, now=NOW)
        assert set(many.ids) == matching_ids(rows, [filter_text], False)


def test_sorting_by_expiry(db: Database, rows: list[Row]) -> None:
    by_id = {row["id"]: row["expires_at"] for row in rows}
    found = [by_id[id] for id in search(db, "", live=True, sort="expiry", now=NOW).ids]
    expiries = [at for at in found if at is not None]
    assert expiries == sorted(expiries)
    assert expiries == found[: len(expiries)]  # those without one come last
    assert search(db, "tea", live=True, sort="expiry", now=NOW).how == "by text, soonest to expire first"
    for sort in SORTS:
        assert search(db, "", live=True, sort=sort, now=NOW).total == len(found)


def query_plan(db: Database, text: str) -> list[str]:
    """Return the query plan of the list of a query's results."""
    where, values = conditions(parse(text), True, NOW)
    sql = f"EXPLAIN QUERY PLAN SELECT m.id FROM memories m WHERE {where} ORDER BY {SORTS['newest']}"
    return [row[3] for row in db.rows(sql, values)]


def test_a_plain_list_uses_its_index(db: Database) -> None:
    assert conditions(parse(""), True, NOW) == ("m.live = 1", [])
    assert conditions(parse("tea coff"), True, NOW) == ("m.live = 1", [])
    assert query_plan(db, "") == ["SEARCH m USING INDEX memories_live (live=?)"]
    assert query_plan(db, "updated:7d") == ["SEARCH m USING INDEX memories_live (live=? AND recency>?)"]
    assert query_plan(db, "is:stale conf:>0.8") == [
        "SEARCH m USING INDEX memories_live (live=? AND recency<?)"
    ]
