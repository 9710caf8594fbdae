"""Founder OS: what each action writes."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.founder_os import FounderOs
from tests.formats.founder_os.support import value
from tests.support.sizes import examples, shard
from tests.support.stores import changed_columns, file_hashes, rows_in
from tests.support.stores.databases import execute
from tests.support.stores.founder_os import (
    ACME,
    FRIDAY,
    JOHN,
    MEMORIES,
    NEWS,
    REVIEW,
    SEED_COLUMNS,
    UNTYPED_COLUMNS,
    make,
)
from tests.support.stores.row_changes import NOW, apply_change, plan_change, undo

ACTIONS: list[Any] = [
    pytest.param(
        "edit",
        ACME,
        {"content": "Acme pays on net-45 terms."},
        {"content": "Acme pays on net-45 terms.", "embedding": None},
        id="edit the text",
    ),
    pytest.param("edit", ACME, {"category": "contact"}, {"category": "contact"}, id="edit the category"),
    pytest.param("edit", ACME, {"key": "acme-terms-2"}, {"key": "acme-terms-2"}, id="edit the key"),
    pytest.param("edit", ACME, {"tags": ("a", "é")}, {"tags": '["a","é"]'}, id="edit tags"),
    pytest.param("edit", FRIDAY, {"tags": ("a", "b")}, {"tags": '["a", "b"]'}, id="tags in their manner"),
    pytest.param("edit", ACME, {"tags": ()}, {"tags": "[]"}, id="take all tags off"),
    pytest.param("edit", NEWS, {"tags": ("new",)}, {"tags": '["new"]'}, id="first tag"),
    pytest.param("edit", NEWS, {"company_id": "notion-9"}, {"company_id": "notion-9"}, id="give a company"),
    pytest.param("edit", ACME, {"company_id": None}, {"company_id": None}, id="take the company off"),
    pytest.param("edit", NEWS, {"expires_at": NOW}, {"expires_at": 1_800_000_000}, id="let it expire"),
    pytest.param("edit", NEWS, {"confidence": 0.425}, {"confidence": 42}, id="set the confidence"),
    pytest.param("edit", NEWS, {"confidence": 7.0}, {"confidence": 100}, id="too much confidence"),
    pytest.param(
        "confirm",
        NEWS,
        {"confidence": 0.65, "times_confirmed": 1, "status": "confirmed"},
        {"confidence": 65, "times_confirmed": 1, "status": "confirmed"},
        id="confirm",
    ),
    pytest.param(
        "confirm",
        ACME,
        {"confidence": 1.0, "times_confirmed": 4, "status": "applied"},
        {"confidence": 100, "times_confirmed": 4},
        id="confirm what is applied",
    ),
    pytest.param("dismiss", ACME, {}, {"status": "dismissed"}, id="dismiss"),
    pytest.param("restore", JOHN, {"status": "confirmed"}, {"status": "confirmed"}, id="restore"),
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
    store = FounderOs(make(tmp_path / "memory.db", journal=journal))
    before = rows_in(store.root)
    plan = apply_change(store, action, ref, **fields)
    after = rows_in(store.root)
    assert changed_columns(before, after) == {("memories", name) for name in (*columns, "updated_at")}
    assert {name: value(store, ref, name) for name in columns} == columns
    assert value(store, ref, "updated_at") == int(NOW)
    (reversal,) = undo(store, plan)
    assert rows_in(store.root) == before
    undo(store, reversal)
    assert rows_in(store.root) == after


def test_a_receipt_holds_the_stored_record(store: FounderOs) -> None:
    plan = plan_change(store, "dismiss", ACME)
    receipt = store.apply([plan], "t")
    assert [(r.ref, r.fields["status"]) for r in receipt.records] == [(ACME, "dismissed")]
    assert receipt.removed_refs == []


def test_values_that_are_already_stored_are_not_written(store: FounderOs) -> None:
    before = file_hashes(store.root)
    apply_change(
        store, "edit", ACME, content="Acme Corp pays invoices on net-30 terms.", tags=("invoices", "payment")
    )
    apply_change(store, "dismiss", JOHN)
    assert file_hashes(store.root) == before


def test_fields_that_founder_os_lacks_are_ignored(store: FounderOs) -> None:
    before = rows_in(store.root)
    apply_change(store, "edit", ACME, title="Terms", note="Ask Sarah", pinned=True, subject="Acme")
    assert rows_in(store.root) == before


def test_a_change_keeps_the_form_of_stored_times(tmp_path: Path) -> None:
    row = {**MEMORIES[0], "updated_at": "2025-10-09T08:53:20Z", "expires_at": "2025-12-01 00:00:00"}
    store = FounderOs(make(tmp_path / "memory.db", [row]))
    apply_change(store, "edit", ACME, expires_at=1_800_000_000.0)
    assert value(store, ACME, "updated_at") == "2027-01-15T08:00:00Z"
    assert value(store, ACME, "expires_at") == "2027-01-15 08:00:00"


@pytest.mark.parametrize("stamp", ["garbage", "nan", "", b"\x01", None, 1e300])
def test_a_change_succeeds_whatever_its_stored_time_holds(tmp_path: Path, stamp: Any) -> None:
    path = make(tmp_path / "memory.db", [{**MEMORIES[0], "updated_at": stamp}], columns=UNTYPED_COLUMNS)
    store, before = FounderOs(path), rows_in(path)
    undo(store, apply_change(store, "edit", ACME, content="Changed."))
    assert rows_in(path) == before


def test_undo_restores_invalid_values(tmp_path: Path) -> None:
    row = {**MEMORIES[0], "content": b"\x00blob", "confidence": "80", "tags": "a,b", "embedding": b"\x01\x02"}
    path = make(tmp_path / "memory.db", [row], columns=UNTYPED_COLUMNS)
    store, before = FounderOs(path), rows_in(path)
    plan = apply_change(store, "edit", ACME, content="Text.", confidence=0.9, tags=("a",))
    assert value(store, ACME, "confidence") == "90"
    undo(store, plan)
    assert rows_in(path) == before


def test_a_row_with_invalid_utf8_can_change_only_in_other_columns(store: FounderOs) -> None:
    execute(store.root, f"UPDATE memories SET content = CAST(x'41ff42' AS TEXT) WHERE id = '{NEWS}'")
    before = rows_in_as_bytes(store.root)
    with pytest.raises(Refused, match="not valid UTF-8"):
        plan_change(store, "edit", NEWS, content="Clean.")
    undo(store, apply_change(store, "dismiss", NEWS))
    assert rows_in_as_bytes(store.root) == before


def rows_in_as_bytes(path: Path) -> list[Any]:
    import apsw

    connection = apsw.Connection(str(path))
    try:
        return connection.execute(
            "SELECT id, CAST(content AS BLOB), status, updated_at FROM memories"
        ).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("text", ["a\0b", "half \ud800"])
def test_text_that_sqlite_cannot_hold_is_refused(store: FounderOs, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        plan_change(store, "edit", NEWS, content=text)
    assert refusal.value.code == "text"


def test_an_unknown_category_is_refused_in_the_words_of_founder_os(store: FounderOs) -> None:
    with pytest.raises(Refused) as refusal:
        plan_change(store, "edit", ACME, category="rumour")
    assert refusal.value.message == (
        "Invalid category “rumour”: Founder OS has only preference, pattern, fact, contact, workflow."
    )


def test_an_unknown_status_is_refused(store: FounderOs) -> None:
    with pytest.raises(Refused, match="Invalid status: must be one of candidate, confirmed"):
        plan_change(store, "edit", ACME, status="superseded")


@pytest.mark.parametrize("key", ["Acme", "acme terms", "acme_terms", "-acme", "acme-", "", None, "x" * 61])
def test_a_key_that_breaks_the_rules_is_refused(store: FounderOs, key: Any) -> None:
    with pytest.raises(Refused, match="Invalid key") as refusal:
        plan_change(store, "edit", ACME, key=key)
    assert refusal.value.code == "key"


def test_an_invalid_key_that_stays_allows_other_changes(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", [{**MEMORIES[0], "key": "Old Key_1"}]))
    apply_change(store, "edit", ACME, key="Old Key_1", content="Changed.")
    assert value(store, ACME, "key") == "Old Key_1"


def test_a_key_of_another_memory_is_refused_by_name(store: FounderOs) -> None:
    with pytest.raises(Refused, match="“weekly-review”") as refusal:
        plan_change(store, "edit", ACME, key="weekly-review")
    assert refusal.value.code == "exists"


def test_a_key_may_have_1_to_60_characters(store: FounderOs) -> None:
    apply_change(store, "edit", ACME, key="x" * 60)
    apply_change(store, "edit", NEWS, key="a")


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_refused(store: FounderOs, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        plan_change(store, "edit", ACME, content=text)
    assert refusal.value.code == "empty"


def test_the_seed_schema_refuses_an_expiry(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", columns=SEED_COLUMNS))
    with pytest.raises(Refused, match="without expiry"):
        plan_change(store, "edit", ACME, expires_at=NOW)
    undo(store, apply_change(store, "edit", ACME, content="Other.", expires_at=None))


def test_a_table_without_embeddings_can_be_edited(tmp_path: Path) -> None:
    columns = {name: kind for name, kind in SEED_COLUMNS.items() if name not in ("embedding", "updated_at")}
    rows = [{name: value for name, value in row.items() if name in columns} for row in MEMORIES]
    store = FounderOs(make(tmp_path / "memory.db", rows, columns=columns))
    before = rows_in(store.root)
    plan = apply_change(store, "edit", ACME, content="Other.")
    assert changed_columns(before, rows_in(store.root)) == {("memories", "content")}
    undo(store, plan)
    assert rows_in(store.root) == before


def test_a_removed_memory_must_be_restored_before_any_other_change(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", [{**MEMORIES[0], "deleted_at": "2026-01-01"}]))
    before = rows_in(store.root)
    for action in ("edit", "dismiss", "confirm"):
        with pytest.raises(Refused, match="Founder OS removed this memory"):
            plan_change(store, action, ACME, content="x", confidence=0.6)
    plan = apply_change(store, "restore", ACME, status="applied")
    assert store.read_refs([ACME])[ACME].removed_at is None
    undo(store, plan)
    assert rows_in(store.root) == before


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "content": st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(
            str.strip
        ),
        "tags": st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"))).map(tuple),
        "category": st.sampled_from(FounderOs.categories),
        "company_id": st.none() | st.text("abc-", min_size=1),
        "confidence": st.floats(0, 1),
        "status": st.sampled_from(["candidate", "confirmed", "applied", "dismissed"]),
        "expires_at": st.none() | st.floats(0, 4e9),
    },
)


@examples(30)
@given(batch=st.lists(st.tuples(st.sampled_from([ACME, NEWS, FRIDAY, JOHN, REVIEW]), VALUES), max_size=6))
def test_any_batch_reads_back_as_requested_and_is_undone_completely(batch: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        store = FounderOs(make(Path(folder, "memory.db"), journal="memory"))
        before = rows_in(store.root)
        plans = store.plan([Write("edit", ref, fields, {}, NOW + n) for n, (ref, fields) in enumerate(batch)])
        loaded = [
            store.load_plan(json.loads(json.dumps(store.dump_plan(p)))) for p in plans if isinstance(p, Plan)
        ]
        assert len(loaded) == len(batch)
        store.apply(loaded, "t")
        requested: dict[str, dict[str, Any]] = {}
        for ref, fields in batch:
            requested.setdefault(ref, {}).update(fields)
        for ref, record in store.read_refs(list(requested)).items():
            for name, wanted in requested[ref].items():
                stored = record.fields[name]
                exact = not isinstance(wanted, float)
                assert (
                    stored == wanted
                    if exact
                    else abs(stored - wanted) <= (1 if name == "expires_at" else 0.0051)
                )
        undos = [plan for plan in store.reverse(loaded[::-1]) if isinstance(plan, Plan)]
        store.apply(undos, "t")
        assert rows_in(store.root) == before
