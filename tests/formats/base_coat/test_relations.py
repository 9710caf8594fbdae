"""Base Coat: relations, superseding and deleting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from tests.formats.base_coat.support import (
    codes,
    links,
    record,
    refusal_of,
    value,
)
from tests.support.sizes import rounds
from tests.support.stores import changed_columns, rows_in
from tests.support.stores.base_coat import (
    FEED,
    MEMORIES,
    OLD,
    SQLITE,
    TABS,
    TESTS,
    make,
    many,
)
from tests.support.stores.databases import execute
from tests.support.stores.row_changes import NOW, apply_change, undo

# -- relations


def test_a_relation_is_one_row_and_can_be_undone(store: BaseCoat) -> None:
    before = rows_in(store.root)
    plan = apply_change(store, "relate", FEED, Link(FEED, "refines", SQLITE))
    assert changed_columns(before, rows_in(store.root)) == {("memory_relations", "*")}
    assert (FEED, "refines", SQLITE) in links(store)
    (reversal,) = undo(store, plan)
    assert rows_in(store.root) == before
    undo(store, reversal)
    unrelated = apply_change(store, "unrelate", FEED, Link(FEED, "refines", SQLITE))
    assert rows_in(store.root) == before
    undo(store, unrelated)
    assert (FEED, "refines", SQLITE) in links(store)


def test_a_pair_has_at_most_one_relation_in_each_direction(store: BaseCoat) -> None:
    refusal = refusal_of(store, "relate", TESTS, Link(TESTS, "refines", FEED))
    assert (refusal.code, refusal.detail) == ("exists", {"kind": "supports"})
    assert "supports" in refusal.message
    assert refusal_of(store, "relate", TESTS, Link(TESTS, "supports", FEED)).code == "exists"
    apply_change(store, "relate", FEED, Link(FEED, "refines", TESTS))
    assert {(TESTS, "supports", FEED), (FEED, "refines", TESTS)} <= links(store)
    twice = [Write("relate", TABS, {}, {}, NOW, Link(TABS, kind, TESTS)) for kind in ("refines", "supports")]
    first, second = store.plan(twice)
    assert isinstance(first, Plan)
    assert isinstance(second, Refused)


def test_relations_that_the_format_forbids_are_refused(store: BaseCoat) -> None:
    assert refusal_of(store, "relate", TESTS, Link(TESTS, "causes", TABS)).code == "kind"
    assert refusal_of(store, "relate", TESTS, Link(TESTS, "supports", TESTS)).code == "self"
    assert refusal_of(store, "relate", TESTS, Link(TESTS, "supports", "nobody")).code == "missing"
    assert refusal_of(store, "unrelate", TESTS, Link(TESTS, "refines", FEED)).code == "gone"
    assert store.relation_kinds == ("supports", "contradicts", "refines")


def test_a_relation_changed_by_an_agent_is_not_undone(tmp_path: Path) -> None:
    """All columns of a removed relation are restored, and a relation changed since is not removed."""
    store = BaseCoat(make(tmp_path / "memory.db"))
    execute(
        store.root,
        "ALTER TABLE memory_relations ADD COLUMN why TEXT",
        "UPDATE memory_relations SET why = 'ci'",
    )
    before = rows_in(store.root)
    plan = apply_change(store, "unrelate", TESTS, Link(TESTS, "supports", FEED))
    undo(store, plan)
    after = rows_in(store.root)["memory_relations"].values()
    assert sorted(map(str, after)) == sorted(map(str, before["memory_relations"].values()))
    plan = apply_change(store, "relate", FEED, Link(FEED, "refines", SQLITE))
    execute(store.root, f"UPDATE memory_relations SET relation_type = 'supports' WHERE from_id = '{FEED}'")
    refusal = store.reverse([plan])[0]
    assert isinstance(refusal, Refused)
    assert refusal.code == "changed-since"


# -- supersede


def test_a_superseded_memory_loses_its_confidence_and_is_contradicted(store: BaseCoat) -> None:
    before = rows_in(store.root)
    fields = {"status": "dismissed", "confidence": 0.0}
    plan = apply_change(store, "supersede", FEED, Link(SQLITE, "supersedes", FEED), **fields)
    assert (SQLITE, "contradicts", FEED) in links(store)
    assert record(store, FEED).fields["status"] == "dismissed"
    (reversal,) = undo(store, plan)
    assert rows_in(store.root) == before
    undo(store, reversal)
    assert record(store, FEED).fields["confidence"] == 0.0


@pytest.mark.parametrize(
    ("winner", "loser", "relations", "added"),
    [
        (SQLITE, TABS, [(SQLITE, TABS, "contradicts")], set()),
        (SQLITE, TABS, [(TABS, SQLITE, "contradicts")], set()),
        (SQLITE, TABS, [(SQLITE, TABS, "supports")], {(TABS, "contradicts", SQLITE)}),
        (SQLITE, TABS, [(TABS, SQLITE, "supports")], {(SQLITE, "contradicts", TABS)}),
        (SQLITE, TABS, [(SQLITE, TABS, "supports"), (TABS, SQLITE, "refines")], set()),
        ("of another store", TABS, [], set()),
    ],
)
def test_superseding_respects_the_relations_of_the_pair(
    tmp_path: Path, winner: str, loser: str, relations: list[Any], added: set[Any]
) -> None:
    store = BaseCoat(make(tmp_path / "memory.db", relations=relations))
    before, links_before = rows_in(store.root), links(store)
    plan = apply_change(store, "supersede", loser, Link(winner, "supersedes", loser))
    assert links(store) - links_before == added
    assert record(store, loser).fields["status"] == "dismissed"
    undo(store, plan)
    assert rows_in(store.root) == before


# -- delete


def test_deleting_a_memory_deletes_its_relations_and_undo_restores_them(store: BaseCoat) -> None:
    before = rows_in(store.root)
    plan = apply_change(store, "delete", TESTS)
    assert TESTS not in store.read_refs([TESTS])
    assert links(store) == {(TABS, "contradicts", OLD)}
    assert codes(store) == []
    undo(store, plan)
    after = rows_in(store.root)
    assert {table: sorted(map(str, rows.values())) for table, rows in after.items()} == {
        table: sorted(map(str, rows.values())) for table, rows in before.items()
    }


def test_a_memory_with_thousands_of_relations_is_deleted_and_restored(tmp_path: Path) -> None:
    count = rounds(2_001, 6_001)
    store = BaseCoat(make(tmp_path / "memory.db", many(count)))
    (hub, *refs) = sorted(store.read_refs([row["id"] for row in many(count)]))
    pairs = ", ".join(f"('{hub}', '{ref}', 'supports')" for ref in refs)
    execute(store.root, f"INSERT INTO memory_relations VALUES {pairs}")
    before = links(store)
    plan = apply_change(store, "delete", hub)
    assert len(plan.edits) == count
    assert links(store) == before - {(hub, "supports", ref) for ref in refs}
    undo(store, plan)
    assert links(store) == before


def test_restoring_a_confidence_above_1_clamps_it(tmp_path: Path) -> None:
    store = BaseCoat(make(tmp_path / "memory.db", [{**MEMORIES[0], "confidence": 1.3}]))
    confidence = store.read_refs([TESTS])[TESTS].fields["confidence"]
    plan = apply_change(store, "dismiss", TESTS)
    restored = apply_change(store, "restore", TESTS, status="confirmed", confidence=confidence)
    assert value(store, TESTS, "confidence") == 1.0
    undo(store, restored)
    undo(store, plan)
    assert value(store, TESTS, "confidence") == 1.3


def test_both_ends_of_a_relation_are_deleted_in_one_batch(store: BaseCoat) -> None:
    plans = store.plan([Write("delete", ref, {}, {}, NOW) for ref in (TESTS, FEED, OLD, TABS)])
    good = [plan for plan in plans if isinstance(plan, Plan)]
    assert len(good) == 4
    store.apply(good, "t")
    assert links(store) == set()
    undos = [plan for plan in store.reverse(list(reversed(good))) if isinstance(plan, Plan)]
    store.apply(undos, "t")
    assert links(store) == {(TESTS, "supports", FEED), (SQLITE, "refines", TESTS), (TABS, "contradicts", OLD)}
    assert codes(store) == []
