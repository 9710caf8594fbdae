"""mem-skill: adding facts and copying memories into the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.formats.contract.plans import Plan, Write
from memtui.formats.mem_skill import MemSkill
from tests.formats.mem_skill.support import THEN, value
from tests.support.stores.databases import execute
from tests.support.stores.mem_skill import CITY, COLUMNS, FACTS, UNTYPED_COLUMNS, make, rows_in
from tests.support.stores.row_changes import NOW, apply_change, undo


def test_a_new_memory_is_a_row_as_mem_skill_inserts_it(store: MemSkill) -> None:
    before = rows_in(store.root)
    plan = apply_change(store, "add", content="Drinks oolong tea, never coffee!")
    row = next(r for r in rows_in(store.root)["facts"].values() if r["fact_id"][1] == plan.ref_after)
    assert {name: v for name, (_, v) in row.items() if name != "fact_id" and v is not None} == {
        "user_id": "mira",
        "key": "drinks_oolong_tea_never_coffee",
        "value_text": "Drinks oolong tea, never coffee!",
        "category": "other",
        "confidence": 0.4,
        "valid_from": THEN,
        "status": "active",
        "source_turn_id": "memtui",
        "source_excerpt": "",
        "created_at": THEN,
        "updated_at": THEN,
    }
    execute(store.root, f"UPDATE facts SET embedding_id = 'e' WHERE fact_id = '{plan.ref_after}'")
    undo(store, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


@pytest.mark.parametrize("stamp", [1_759_305_600_123, "1759305600123", "2025-10-01 08:00:00", 1.5])
def test_the_times_of_a_new_fact_have_the_documented_form(tmp_path: Path, stamp: Any) -> None:
    row = {**FACTS[2], **dict.fromkeys(("created_at", "updated_at", "valid_from", "valid_to"), stamp)}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=UNTYPED_COLUMNS))
    ref = str(
        apply_change(store, "add", content="Drinks oolong.", valid_to=NOW + 60, event_time=NOW).ref_after
    )
    times = ("created_at", "updated_at", "valid_from", "event_time", "valid_to")
    assert [value(store, ref, name) for name in times] == [THEN] * 4 + ["2027-01-15T08:01:00Z"]


def test_a_numeric_column_gets_numeric_times(tmp_path: Path) -> None:
    columns = {**COLUMNS, "created_at": "INTEGER NOT NULL", "updated_at": "REAL NOT NULL"}
    row = {**FACTS[2], "created_at": 1_759_305_600, "updated_at": 1_759_305_600.5}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=columns, archived=()))
    ref = str(apply_change(store, "add", content="Drinks oolong.").ref_after)
    assert [value(store, ref, name) for name in ("created_at", "updated_at")] == [int(NOW), NOW]


def test_a_derived_key_is_unique(store: MemSkill) -> None:
    plans = store.plan(
        [Write("add", "", {"content": "x", "subject": "Home city"}, {}, NOW) for _ in range(2)]
    )
    store.apply([plan for plan in plans if isinstance(plan, Plan)], "t")
    keys = {record.fields["key"] for record in store.read().records}
    assert {"home_city_2", "home_city_3"} <= keys


def test_a_memory_deleted_by_an_agent_is_added_again_unchanged(store: MemSkill) -> None:
    before = rows_in(store.root)["facts"]
    fields = dict(store.read_refs([CITY])[CITY].fields)
    execute(store.root, f"DELETE FROM facts WHERE fact_id = '{CITY}'")
    restored = {
        n: v for n, v in fields.items() if n in store.fields | store.restorable_fields and v is not None
    }
    plan = store.plan([Write("add", "", {"ref": CITY, **restored}, {}, NOW)])[0]
    assert isinstance(plan, Plan)
    store.apply([plan], "t")
    assert plan.ref_after == CITY
    after = dict(store.read_refs([CITY])[CITY].fields)
    assert {**after, "updated_at": None} == {**fields, "updated_at": None}
    assert len(rows_in(store.root)["facts"]) == len(before)
    second = store.plan([Write("add", "", {"ref": CITY, "content": "Another."}, {}, NOW)])[0]
    assert isinstance(second, Plan)
    assert second.ref_after != CITY


def test_fit_adapts_a_memory_of_another_store(store: MemSkill) -> None:
    fitted = store.fit(
        {
            "content": "Always squash.",
            "category": "convention",
            "status": "applied",
            "title": "Merging",
            "expires_at": NOW,
            "tags": ("git",),
            "extra": {"heat": "hot"},
        }
    )
    assert fitted.fields == {
        "content": "Always squash.",
        "category": "other",
        "status": "confirmed",
        "valid_to": NOW,
        "key": "merging",
    }
    assert fitted.changed.keys() == {"category", "status", "valid_to", "key"}
    plan = apply_change(store, "add", **fitted.fields)
    assert store.read_refs([str(plan.ref_after)])[str(plan.ref_after)].fields["valid_to"] == int(NOW)
