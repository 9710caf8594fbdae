"""Base Coat: what each action writes, and what adding a memory inserts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.formats.base_coat import BaseCoat
from memtui.formats.base_coat.writer import subject_of
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from tests.formats.base_coat.support import (
    add,
    codes,
    read_row,
    record,
    record_texts,
    refusal_of,
    value,
)
from tests.support.sizes import shard
from tests.support.stores import Agent, changed_columns, rows_in
from tests.support.stores.base_coat import (
    EMBEDDED_COLUMNS,
    FEED,
    MEMORIES,
    OLD,
    TABS,
    TESTS,
    UNTYPED_COLUMNS,
    make,
)
from tests.support.stores.row_changes import NOW, apply_change, plan_change, undo

NOW_ISO = "2027-01-15T08:00:00Z"


# -- write

ACTIONS: list[Any] = [
    pytest.param(
        "edit",
        TESTS,
        {"content": "Run make test."},
        {"content": "Run make test.", "embedding": None},
        id="text",
    ),
    pytest.param("edit", TESTS, {"category": "fact"}, {"category": "fact"}, id="category"),
    pytest.param("edit", TESTS, {"subject": "merging"}, {"subject": "merging"}, id="subject"),
    pytest.param("edit", TESTS, {"confidence": 0.425}, {"confidence": 0.425}, id="confidence"),
    pytest.param("edit", TESTS, {"confidence": 7.0}, {"confidence": 1.0}, id="too much confidence"),
    pytest.param("edit", TESTS, {"tier": "l0"}, {"tier": "l0"}, id="tier"),
    pytest.param("edit", TESTS, {"expires_at": NOW}, {"expires_at": NOW_ISO}, id="let it expire"),
    pytest.param(
        "edit", FEED, {"expires_at": NOW}, {"expires_at": "2027-01-15T08:00:00+00:00"}, id="expire later"
    ),
    pytest.param("edit", FEED, {"expires_at": None}, {"expires_at": None}, id="never expire"),
    pytest.param("pin", TABS, {"pinned": True}, {"pinned": 1}, id="pin"),
    pytest.param("unpin", TESTS, {"pinned": False}, {"pinned": 0}, id="unpin"),
    pytest.param("confirm", TABS, {"confidence": 0.6}, {"confidence": 0.6}, id="confirm"),
    pytest.param("dismiss", TESTS, {}, {"confidence": 0.0}, id="dismiss"),
    pytest.param(
        "dismiss",
        TESTS,
        {"status": "dismissed", "confidence": 0.0},
        {"confidence": 0.0},
        id="dismiss in full",
    ),
    pytest.param("restore", OLD, {"status": "confirmed"}, {"confidence": 1.0}, id="restore"),
    pytest.param(
        "restore",
        OLD,
        {"status": "confirmed", "confidence": 0.7},
        {"confidence": 0.7},
        id="restore to before",
    ),
]


EITHER_JOURNAL = [
    pytest.param(*case.values, journal, id=f"{case.id}-{journal}")
    for number, case in enumerate(ACTIONS)
    for journal in shard(("wal", "delete"), number, 2)
]


@pytest.mark.parametrize(("action", "ref", "fields", "columns", "journal"), EITHER_JOURNAL)
def test_an_action_sets_its_columns_and_undo_restores_every_value(
    tmp_path: Path, action: str, ref: str, fields: dict[str, Any], columns: dict[str, Any], journal: str
) -> None:
    rows = [{**row, "embedding": b"\x00\xff"} for row in MEMORIES]
    store = BaseCoat(make(tmp_path / "memory.db", rows, columns=EMBEDDED_COLUMNS, journal=journal))
    before = rows_in(store.root)
    plan = apply_change(store, action, ref, **fields)
    after = rows_in(store.root)
    assert changed_columns(before, after) == {("memories", name) for name in (*columns, "updated_at")}
    assert {name: value(store, ref, name) for name in columns} == columns
    (reversal,) = undo(store, plan)
    assert rows_in(store.root) == before
    undo(store, reversal)
    assert rows_in(store.root) == after


def test_a_table_without_embedding_and_updated_at_gets_neither(tmp_path: Path) -> None:
    store = BaseCoat(make(tmp_path / "memory.db"))
    before = rows_in(store.root)
    apply_change(store, "edit", TESTS, content="Other.")
    assert changed_columns(before, rows_in(store.root)) == {("memories", "content")}


def test_values_that_are_already_stored_are_not_written(store: BaseCoat) -> None:
    assert plan_change(store, "edit", TESTS, content=MEMORIES[0]["content"], confidence=0.9).edits == ()
    assert plan_change(store, "dismiss", OLD).edits == ()


def test_a_change_keeps_the_form_of_stored_times(tmp_path: Path) -> None:
    for number, (created, expires, written) in enumerate(
        [
            ("2026-01-10 08:00:00", None, "2027-01-15 08:00:00"),
            ("2026-01-10", None, NOW_ISO),
            ("2026-01-10", "2026-05-05", "2027-01-15"),
            (1768032000, None, 1800000000),
            ("soon", "never", NOW_ISO),
            (1768032000123, "2026-05-05T10:00:00.123Z", "2027-01-15T08:00:00.750Z"),
        ]
    ):
        row = {**MEMORIES[0], "created_at": created, "expires_at": expires}
        store = BaseCoat(make(tmp_path / f"{number}.db", [row], columns=UNTYPED_COLUMNS))
        apply_change(store, "edit", TESTS, expires_at=NOW)
        assert value(store, TESTS, "expires_at") == written


def test_invalid_values_in_other_columns_survive_a_change(tmp_path: Path) -> None:
    invalid = {"confidence": 1.3, "heat": "boiling", "tier": "L9", "pinned": "yes", "created_at": "soon"}
    read_row(tmp_path, **invalid)
    store = BaseCoat(tmp_path / "memory.db")
    before = rows_in(store.root)
    plan = apply_change(store, "edit", TESTS, content="Other.", confidence=1.0, pinned=True)
    assert changed_columns(before, rows_in(store.root)) == {
        ("memories", "content"),
        ("memories", "updated_at"),
    }
    undo(store, plan)
    assert rows_in(store.root) == before
    plan = apply_change(store, "dismiss", TESTS)
    undo(store, plan)
    assert rows_in(store.root) == before


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        (
            {"category": "pattern"},
            "category",
            "Invalid category “pattern”: Base Coat has only fact, preference, decision, convention.",
        ),
        ({"tier": "l5"}, "tier", "Invalid tier: must be one of l0, l1, l2, l3, l4"),
        ({"content": " \n"}, "empty", "Not saved: the content can't be empty."),
        ({"subject": None}, "empty", "Not saved: the subject can't be empty."),
        (
            {"content": "a\0b"},
            "text",
            "Not saved: the content contains an invalid character (NUL or lone surrogate).",
        ),
    ],
)
def test_values_that_the_format_forbids_are_refused(
    store: BaseCoat, fields: dict[str, Any], code: str, message: str
) -> None:
    before = rows_in(store.root)
    refusal = refusal_of(store, "edit", TESTS, **fields)
    assert (refusal.code, refusal.message) == (code, message)
    assert rows_in(store.root) == before


# -- older schemas


def test_an_older_schema_refuses_what_it_lacks(older: BaseCoat) -> None:
    assert older.fields == {"content", "category", "subject", "confidence", "expires_at"}
    assert "promotion_count" not in older.restorable_fields
    support = older.support_for("pin")
    assert (support.kind, support.text) == (
        SupportKind.WORKSPACE,
        "is kept in memtui: older.db has an older schema without pins",
    )
    assert older.support_for("edit", "tier").kind is SupportKind.WORKSPACE
    assert older.support_for("relate", "supports").kind is SupportKind.WORKSPACE
    assert refusal_of(older, "pin", TESTS, pinned=True).code == "no-field"
    assert refusal_of(older, "relate", TESTS, Link(TESTS, "supports", TABS)).code == "no-field"
    before = rows_in(older.root)
    plan = apply_change(older, "supersede", TABS, Link(TESTS, "contradicts", TABS))
    assert changed_columns(before, rows_in(older.root)) == {("memories", "confidence")}
    undo(older, plan)
    assert rows_in(older.root) == before
    plan = add(older, content="Deploy on Thursdays.", pinned=True, tier="l1")
    undo(older, plan)
    assert rows_in(older.root) == before


def test_support_is_answered_for_a_missing_or_busy_file(tmp_path: Path) -> None:
    lost = BaseCoat(tmp_path / "gone.db")
    assert {"pinned", "tier"} <= lost.fields
    assert lost.support_for("pin").kind is SupportKind.NATIVE
    path = make(tmp_path / "memory.db", journal="delete")
    with Agent(path) as agent:
        agent.execute("BEGIN EXCLUSIVE")
        assert "pinned" in BaseCoat(path).fields
        agent.execute("COMMIT")


# -- add


def test_a_new_memory_is_a_row_as_base_coat_inserts_it(store: BaseCoat) -> None:
    before = rows_in(store.root)
    plan = add(store, content="Deploy on Thursdays, never on Fridays.")
    ref = str(plan.ref_after)
    row = {name: value(store, ref, name) for name in EMBEDDED_COLUMNS}
    assert row == {
        "id": ref,
        "category": "fact",
        "subject": "deploy-on",
        "content": "Deploy on Thursdays, never on Fridays.",
        "source": None,
        "confidence": 1.0,
        "created_at": NOW_ISO,
        "last_accessed": None,
        "access_count": 0,
        "expires_at": None,
        "tier": "l4",
        "heat": "cold",
        "pinned": 0,
        "promotion_count": 0,
        "last_promoted_at": None,
        "embedding": None,
        "updated_at": NOW_ISO,
    }
    assert codes(store) == []
    undo(store, plan)
    assert rows_in(store.root) == before


def test_a_new_memory_takes_the_given_fields(store: BaseCoat) -> None:
    given = {
        "ref": "my-own",
        "category": "decision",
        "subject": "deploys",
        "content": "Quote \"'; -- ☕",
        "confidence": 0.75,
        "source_ref": "P11",
        "tier": "l2",
        "pinned": True,
        "times_used": 4,
        "promotion_count": 1,
        "created_at": 1768032000.0,
        "last_used_at": 1772357400.0,
        "expires_at": NOW,
    }
    assert set(given) <= store.fields | store.restorable_fields
    add(store, **given)
    stored = record(store, "my-own").fields
    wanted = given | {"expires_at": 1_800_000_000.0, "heat": "warm"}
    assert {name: stored[name] for name in wanted if name != "ref"} == {
        name: value for name, value in wanted.items() if name != "ref"
    }
    assert codes(store) == []


def test_a_ref_that_is_taken_is_refused(store: BaseCoat) -> None:
    plan = add(store, ref=TESTS, content="Another.")
    assert plan.ref_after != TESTS
    writes = [Write("add", "", {"ref": "same", "content": text}, {}, NOW) for text in ("One.", "Two.")]
    plans = [plan for plan in store.plan(writes) if isinstance(plan, Plan)]
    store.apply(plans, "t")
    assert {"One.", "Two."} <= set(record_texts(store))
    assert plans[0].ref_after == "same"
    assert plans[1].ref_after != "same"


@pytest.mark.parametrize(
    ("fields", "subject"),
    [
        ({"subject": " own  one ", "key": "k"}, "own one"),
        ({"key": "acme-terms", "title": "T"}, "acme-terms"),
        ({"title": "A Title"}, "A Title"),
        ({"content": "Always archive newsletters."}, "always-archive"),
        ({"content": "Übung macht"}, "übung-macht"),
        ({"content": "— ☕ —"}, "general"),
        ({"title": "x" * 99}, "x" * 60),
    ],
)
def test_every_memory_gets_a_subject(fields: dict[str, Any], subject: str) -> None:
    assert subject_of(fields) == subject


def test_fit_adapts_a_memory_of_another_store(store: BaseCoat) -> None:
    fitted = store.fit(
        {
            "key": "k-1",
            "category": "workflow",
            "content": "Text.",
            "tags": ("a",),
            "tier": "gold",
            "confidence": 0.5,
        }
    )
    assert fitted.fields == {"category": "fact", "subject": "k-1", "content": "Text.", "confidence": 0.5}
    assert fitted.changed == {"category": ("workflow", "fact"), "subject": (None, "k-1")}
    add(store, **fitted.fields)
    dismissed = store.fit({"content": "Wrong.", "confidence": 0.8, "status": "dismissed"})
    assert dismissed.fields["confidence"] == 0.0
    assert dismissed.changed["confidence"] == (0.8, 0.0)
