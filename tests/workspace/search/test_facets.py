"""Facets of a result and the values of a field (S-31, S-32)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from memtui.errors import QueryError
from memtui.memory.query.language import FILTERS
from memtui.workspace.db.database import Database
from memtui.workspace.search import facets
from memtui.workspace.search.lexical import search
from tests.support.filter_model import NOW, STORES, Row, filled_database, is_live, random_rows


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return random_rows(160)


@pytest.fixture(scope="module")
def db(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with filled_database(tmp_path_factory.mktemp("filters"), rows) as db:
        yield db


def test_facets_count_all_matches(db: Database, rows: list[Row]) -> None:
    for text, live in (
        ("", True),
        ("", False),
        ("tea", True),
        ("-tag:work conf:>0.5", False),
        ("is:removed", True),
    ):
        ids = set(search(db, text, live=live, now=NOW).ids)
        matching_rows = [row for row in rows if row["id"] in ids]
        counted = facets.counts(db, text, live=live, now=NOW)
        assert counted.complete
        assert tuple(counted.counts) == facets.NAMES
        assert dict(counted.counts["store"]) == Counter(STORES[row["store_id"]][0] for row in matching_rows)
        for name in ("category", "status", "owner", "kind"):
            assert dict(counted.counts[name]) == Counter(row[name] for row in matching_rows if row[name])
        assert dict(counted.counts["tag"]) == Counter(
            tag for row in matching_rows for tag in json.loads(row["tags"])
        )
        for values in counted.counts.values():
            assert values == sorted(values, key=lambda each: (-each[1], each[0]))


def test_only_the_newest_of_many_matches_are_counted(
    db: Database, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = list(search(db, "", live=True, now=NOW).ids)[:20]
    monkeypatch.setattr(facets, "MAX_COUNTED", 20)
    monkeypatch.setattr(facets, "MAX_VALUES", 2)
    counted = facets.counts(db, "", live=True, now=NOW)
    assert not counted.complete
    statuses = Counter(row["status"] for row in rows if row["id"] in newest)
    assert counted.counts["status"] == sorted(statuses.items(), key=lambda each: (-each[1], each[0]))[:2]
    assert not facets.counts(db, "tea", live=False, now=NOW).complete
    assert facets.counts(db, "is:pinned status:expired", live=True, now=NOW).complete


def test_an_invalid_query_has_no_facets(db: Database) -> None:
    with pytest.raises(QueryError, match="“conf:>>>” is not valid"):
        facets.counts(db, "conf:>>>", live=True, now=NOW)


def test_values_of_a_field(db: Database, rows: list[Row]) -> None:
    live = [row for row in rows if is_live(row)]
    owners = Counter(row["owner"] for row in live if row["owner"])
    assert facets.values(db, "owner", "", live=True) == sorted(owners.items(), key=lambda e: (-e[1], e[0]))
    assert {value for value, _ in facets.values(db, "owner", "COD", live=True)} == {"Coder", "coder-2"}
    assert dict(facets.values(db, "tag", "", live=True)) == Counter(
        t for r in live for t in json.loads(r["tags"])
    )
    assert {value for value, _ in facets.values(db, "source", "", live=True)} == {"user", "P01"}
    assert {value for value, _ in facets.values(db, "store", "", live=True)} == {
        n for n, _ in STORES.values()
    }
    assert len(facets.values(db, "category", "", live=False, limit=2)) == 2
    for name in FILTERS:
        for value, count in facets.values(db, name, "", live=True):
            assert value
            assert count >= 0
    assert facets.values(db, "status", "", live=True) == []
