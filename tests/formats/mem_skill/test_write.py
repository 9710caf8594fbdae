"""mem-skill: what each action writes to facts and history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from memtui.formats.mem_skill import MemSkill
from tests.formats.mem_skill.support import THEN, history, value
from tests.support.sizes import shard
from tests.support.stores import changed_columns, file_hashes
from tests.support.stores.databases import execute, query
from tests.support.stores.mem_skill import (
    CITY,
    FACTS,
    HISTORY_ROW,
    IMMUTABLE_HISTORY,
    IMMUTABLE_TRIGGERS,
    LANGUAGE,
    NUTS,
    OLD_CITY,
    OWN_FTS,
    TABS,
    TASK,
    UNTYPED_COLUMNS,
    make,
    rows_in,
)
from tests.support.stores.row_changes import NOW, apply_change, plan_change, undo

ACTIONS: list[Any] = [
    pytest.param(
        "edit", NUTS, {"content": "Allergic to walnuts."}, {"value_text": "Allergic to walnuts."}, id="text"
    ),
    pytest.param("edit", NUTS, {"category": "identity"}, {"category": "identity"}, id="category"),
    pytest.param("edit", NUTS, {"key": "allergies"}, {"key": "allergies"}, id="key"),
    pytest.param("edit", CITY, {"value": {"city": "É"}}, {"value_json": '{"city": "É"}'}, id="value"),
    pytest.param("edit", CITY, {"value": None}, {"value_json": None}, id="no value"),
    pytest.param("edit", NUTS, {"valid_to": NOW}, {"valid_to": THEN}, id="validity"),
    pytest.param("dismiss", NUTS, {}, {"status": "expired", "valid_to": THEN}, id="dismiss"),
    pytest.param("supersede", NUTS, {}, {"status": "superseded", "valid_to": THEN}, id="supersede"),
    pytest.param(
        "restore", LANGUAGE, {"status": "confirmed"}, {"status": "active", "valid_to": None}, id="restore"
    ),
    pytest.param(
        "restore",
        OLD_CITY,
        {"status": "pending"},
        {"status": "pending_confirmation", "valid_to": None},
        id="its end",
    ),
    pytest.param(
        "confirm",
        TASK,
        {"confidence": 0.55, "status": "confirmed"},
        {"confidence": 0.55, "status": "active"},
        id="confirm",
    ),
    pytest.param(
        "confirm", NUTS, {"confidence": 0.96, "status": "applied"}, {"confidence": 0.96}, id="surer"
    ),
]


EITHER_JOURNAL = [
    pytest.param(*case.values, journal, id=f"{case.id}-{journal}")
    for number, case in enumerate(ACTIONS)
    for journal in shard(("wal", "delete"), number, 2)
]


@pytest.mark.parametrize(("action", "ref", "fields", "columns", "journal"), EITHER_JOURNAL)
def test_an_action_sets_its_columns_and_history_and_undo_restores_every_row(
    tmp_path: Path, action: str, ref: str, fields: dict[str, Any], columns: dict[str, Any], journal: str
) -> None:
    store = MemSkill(make(tmp_path / "mem.db", journal=journal, search=OWN_FTS))
    before, old = rows_in(store.root), len(history(store, ref))
    plan = apply_change(
        store, action, ref, Link(CITY, "supersedes", ref) if action == "supersede" else None, **fields
    )
    after = rows_in(store.root)
    recorded = {("fact_history", "*"), ("sqlite_sequence", "seq")}
    searched = {change for change in changed_columns(before, after) if change[0].startswith("facts_fts")}
    assert changed_columns(before, after) - searched == recorded | {
        ("facts", name) for name in (*columns, "updated_at")
    }
    assert {name: value(store, ref, name) for name in columns} == columns
    assert value(store, ref, "updated_at") == THEN
    entry = history(store, ref)[-1]
    assert len(history(store, ref)) == old + 1
    assert (entry["user_id"], entry["created_at"], entry["turn_id"]) == ("mira", THEN, None)
    assert entry["reason"].endswith("by a person in memtui")
    (reversal,) = undo(store, plan)
    restored = rows_in(store.root)
    assert {t: r for t, r in restored.items() if t != "facts_fts_data"} == {
        t: r for t, r in before.items() if t != "facts_fts_data"
    }
    undo(store, reversal)
    assert rows_in(store.root)["facts"] == after["facts"]
    assert rows_in(store.root)["fact_history"] == after["fact_history"]


def test_undoing_the_first_history_rows_resets_the_sequence(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history_rows=()))
    before = rows_in(store.root)
    plans = [apply_change(store, "dismiss", NUTS), apply_change(store, "edit", TABS, key="tabs")]
    assert [row["history_id"] for row in history(store, NUTS) + history(store, TABS)] == [1, 2]
    undo(store, plans[1])
    undo(store, plans[0])
    assert rows_in(store.root)["sqlite_sequence"] == before["sqlite_sequence"]


@pytest.mark.parametrize(
    ("action", "fields", "recorded"),
    [
        ("edit", {"content": "New."}, ("update", "Allergic to hazelnuts.", "New.")),
        ("edit", {"category": "other"}, ("update", "health", "other")),
        ("dismiss", {}, ("expire", "Allergic to hazelnuts.", None)),
        ("confirm", {"confidence": 0.99}, ("confirm", "Allergic to hazelnuts.", "Allergic to hazelnuts.")),
        ("delete", {}, ("delete", None, None)),
    ],
)
def test_a_history_row_names_action_and_values(
    store: MemSkill, action: str, fields: dict[str, Any], recorded: tuple[Any, ...]
) -> None:
    apply_change(store, action, NUTS, **fields)
    row = history(store, NUTS)[-1]
    assert (row["action"], row["old_value"], row["new_value"]) == recorded


def test_history_rows_use_the_action_names_of_the_other_rows(tmp_path: Path) -> None:
    rows = [{**HISTORY_ROW, "action": action} for action in ("EXPIRED", "UPDATED")]
    store = MemSkill(make(tmp_path / "mem.db", history_rows=rows))
    apply_change(store, "dismiss", NUTS)
    apply_change(store, "edit", TABS, content="Prefers spaces.")
    apply_change(store, "supersede", CITY, Link(OLD_CITY, "supersedes", CITY))
    assert [history(store, ref)[-1]["action"] for ref in (NUTS, TABS, CITY)] == [
        "EXPIRED",
        "UPDATED",
        "SUPERSEDE",
    ]
    assert history(store, CITY)[-1]["reason"] == f"superseded by {OLD_CITY}, by a person in memtui"


def test_the_history_of_another_maker_is_filled_by_the_meaning_of_its_columns(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history=IMMUTABLE_HISTORY, history_rows=()))
    before = rows_in(store.root)
    plan = apply_change(store, "dismiss", NUTS)
    (row,) = history(store, NUTS)
    assert json.loads(row.pop("snapshot"))["value_text"] == "Allergic to hazelnuts."
    assert len(row.pop("id")) == 36
    assert row == {
        "fact_id": NUTS,
        "change_type": "EXPIRE",
        "old_status": "active",
        "new_status": "expired",
        "old_value_text": "Allergic to hazelnuts.",
        "new_value_text": "Allergic to hazelnuts.",
        "changed_at": NOW,
        "weight": 0,
    }
    assert "history" in {side.kind for side in store.read().side_records if side.about == NUTS}
    undo(store, plan)
    assert rows_in(store.root)["fact_history"] == before["fact_history"]


def test_a_history_that_cannot_take_the_row_refuses_the_change(tmp_path: Path) -> None:
    sql = "CREATE TABLE fact_history (fact_id TEXT, mood TEXT NOT NULL CHECK (mood IN ('glad', 'sad')))"
    store = MemSkill(make(tmp_path / "mem.db", history=sql, history_rows=()))
    before = file_hashes(store.root)
    with pytest.raises(Refused, match="rejects the entry for this change") as refusal:
        plan_change(store, "dismiss", NUTS)
    assert refusal.value.code == "history"
    assert file_hashes(store.root) == before


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE fact_history (fact_id TEXT, old_value, new_value, ts)",
        "CREATE TABLE fact_history (id INTEGER PRIMARY KEY, fact_id TEXT, data TEXT, recorded_at INTEGER)",
        "CREATE TABLE fact_history (fact_id TEXT, version INTEGER, value_text TEXT, confidence TEXT,"
        " created_at TEXT, changed_at TEXT, PRIMARY KEY (fact_id, version)) WITHOUT ROWID",
        "CREATE TABLE fact_history (turn_id TEXT NOT NULL, key TEXT, action_hash TEXT NOT NULL, details TEXT,"
        " UNIQUE (turn_id, key, action_hash))",
    ],
    ids=["no key", "data", "versions", "hashes"],
)
def test_every_kind_of_history_table_takes_rows_and_undo_removes_them(tmp_path: Path, sql: str) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history=sql, history_rows=(), search=()))
    before = rows_in(store.root) if "WITHOUT" not in sql else None
    count = "SELECT count(*) FROM fact_history"
    plans = store.plan([Write("dismiss", ref, {}, {}, NOW) for ref in (NUTS, TABS)])
    applied = [plan for plan in plans if isinstance(plan, Plan)]
    store.apply(applied, "t")
    third = apply_change(store, "edit", NUTS, content="Walnuts.")
    assert query(store.root, count) == [(3,)]
    undo(store, applied[0])
    undo(store, third)
    undos = undo(store, applied[1])
    assert query(store.root, count) == [(0,)]
    if before is not None:
        assert rows_in(store.root) == before
    undo(store, *undos)
    assert query(store.root, count) == [(1,)]


def test_an_immutable_history_gets_a_row_for_the_undo(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", statements=IMMUTABLE_TRIGGERS))
    before = rows_in(store.root)
    first = apply_change(store, "edit", NUTS, content="Allergic to walnuts.")
    second = apply_change(store, "dismiss", TABS)
    backs = undo(store, second, first)
    assert rows_in(store.root)["facts"] == before["facts"]
    rows = [(row["action"], row["old_value"], row["new_value"]) for row in history(store, NUTS)]
    assert rows == [
        ("update", "Allergic to hazelnuts.", "Allergic to walnuts."),
        ("undo", "Allergic to walnuts.", "Allergic to hazelnuts."),
    ]
    assert [row["action"] for row in history(store, TABS)] == ["expire", "undo"]
    undo(store, backs[1])
    assert value(store, NUTS, "value_text") == "Allergic to walnuts."
    assert len(history(store, NUTS)) == 3
    assert "that undo keeps" in store.support_for("dismiss").text


def test_the_history_row_of_an_undo_has_the_time_of_the_undo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MemSkill, "clock", lambda _: NOW + 3600)
    store = MemSkill(make(tmp_path / "mem.db", statements=IMMUTABLE_TRIGGERS))
    undo(store, apply_change(store, "dismiss", NUTS))
    assert [row["created_at"] for row in history(store, NUTS)] == [THEN, "2027-01-15T09:00:00Z"]


def test_changes_with_the_immutable_history_of_another_maker_can_be_undone(tmp_path: Path) -> None:
    store = MemSkill(
        make(tmp_path / "mem.db", history=IMMUTABLE_HISTORY, history_rows=(), statements=IMMUTABLE_TRIGGERS)
    )
    undo(store, apply_change(store, "dismiss", NUTS))
    assert value(store, NUTS, "status") == "active"
    assert [(row["old_status"], row["new_status"]) for row in history(store, NUTS)] == [
        ("active", "expired"),
        ("expired", "active"),
    ]


def test_a_history_row_deleted_by_an_agent_does_not_prevent_the_undo(store: MemSkill) -> None:
    before = rows_in(store.root)["facts"]
    plan = apply_change(store, "dismiss", NUTS)
    execute(store.root, "DELETE FROM fact_history")
    undo(store, plan)
    assert rows_in(store.root)["facts"] == before


def test_changes_are_possible_without_a_history_table(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history=""))
    before = rows_in(store.root)["facts"]
    plan = apply_change(store, "dismiss", NUTS)
    assert value(store, NUTS, "status") == "expired"
    undo(store, plan)
    assert rows_in(store.root)["facts"] == before


@pytest.mark.parametrize("undone_first", [0, 1])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("edit", NUTS, {"content": "Walnuts."}), ("edit", NUTS, {"category": "other"})),
        (("edit", NUTS, {"content": "Walnuts."}), ("dismiss", NUTS, {})),
        (("dismiss", NUTS, {}), ("edit", TABS, {"key": "tabs"})),
        (("delete", NUTS, {}), ("delete", TABS, {})),
    ],
)
def test_two_actions_are_undone_in_either_order(
    tmp_path: Path, first: tuple[Any, ...], second: tuple[Any, ...], undone_first: int
) -> None:
    store = MemSkill(make(tmp_path / "mem.db"))
    before = rows_in(store.root)
    plans = [apply_change(store, action, ref, **fields) for action, ref, fields in (first, second)]
    undo(store, plans[undone_first])
    undo(store, plans[1 - undone_first])
    after = rows_in(store.root)
    assert after["fact_history"] == before["fact_history"]
    assert {
        key: {n: v for n, v in row.items() if n != "updated_at"} for key, row in after["facts"].items()
    } == {key: {n: v for n, v in row.items() if n != "updated_at"} for key, row in before["facts"].items()}
    assert store.read().findings == []


def test_a_deleted_fact_is_restored_though_its_rowid_is_taken(store: MemSkill) -> None:
    plan = apply_change(store, "delete", LANGUAGE)
    other = apply_change(store, "add", content="Theirs.", key="theirs")
    undo(store, plan)
    assert {LANGUAGE, other.ref_after} <= set(store.read_refs([LANGUAGE, str(other.ref_after)]))


def test_the_history_row_of_a_purge_has_no_text(store: MemSkill) -> None:
    apply_change(store, "delete", NUTS)
    assert "hazelnuts" not in str(rows_in(store.root)["fact_history"])


def test_values_that_are_already_stored_are_not_written(store: MemSkill) -> None:
    before = file_hashes(store.root)
    apply_change(
        store,
        "edit",
        CITY,
        content="Lives in Lisbon since the spring.",
        value={"city": "Lisbon", "since": 2025},
    )
    apply_change(store, "dismiss", LANGUAGE)
    apply_change(store, "supersede", OLD_CITY, Link(CITY, "supersedes", OLD_CITY))
    apply_change(store, "confirm", CITY, status="applied")
    assert file_hashes(store.root) == before


def test_dismissing_keeps_an_earlier_end_of_validity(tmp_path: Path) -> None:
    row = {**FACTS[2], "valid_to": "2025-12-01T00:00:00Z"}
    store = MemSkill(make(tmp_path / "mem.db", [row]))
    apply_change(store, "dismiss", NUTS)
    assert value(store, NUTS, "valid_to") == "2025-12-01T00:00:00Z"


@pytest.mark.parametrize("valid_to", [None, "2099-12-01T00:00:00Z"])
def test_restoring_clears_a_past_end_of_validity_and_keeps_a_future_one(
    tmp_path: Path, valid_to: str | None
) -> None:
    row = {**FACTS[2], "status": "expired", "valid_to": valid_to or "2025-12-01T00:00:00Z"}
    store = MemSkill(make(tmp_path / "mem.db", [row]))
    before = rows_in(store.root)
    plan = apply_change(store, "restore", NUTS, status="confirmed")
    assert (value(store, NUTS, "status"), value(store, NUTS, "valid_to")) == ("active", valid_to)
    assert store.read_refs([NUTS])[NUTS].fields["status"] == "confirmed"
    undo(store, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


def test_a_dismissed_fact_is_valid_again_when_restored_after_another_change(store: MemSkill) -> None:
    store.apply([plan_change(store, "dismiss", NUTS)], "t")
    write = Write("edit", NUTS, {"content": "Walnuts."}, {}, NOW + 5000)
    (edit,) = store.plan([write])
    assert isinstance(edit, Plan)
    store.apply([edit], "t")
    apply_change(store, "restore", NUTS, status="confirmed")
    assert value(store, NUTS, "valid_to") is None


@pytest.mark.parametrize(
    ("stamp", "after"),
    [
        ("2025-10-01T08:00:00+00:00", "2027-01-15T08:00:00+00:00"),
        ("2025-10-01 08:00:00", "2027-01-15 08:00:00"),
        ("2025-10-01T08:00:00.123456Z", "2027-01-15T08:00:00.750000Z"),
        (1_759_305_600, 1_800_000_000),
        (1_759_305_600.5, NOW),
        ("soon", THEN),
        (None, THEN),
    ],
)
def test_times_are_written_in_the_stored_form(tmp_path: Path, stamp: Any, after: Any) -> None:
    row = {**FACTS[2], "updated_at": stamp, "created_at": None, "valid_from": None}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=UNTYPED_COLUMNS))
    before = rows_in(store.root)
    plan = apply_change(store, "dismiss", NUTS)
    assert (value(store, NUTS, "updated_at"), value(store, NUTS, "valid_to")) == (after, after)
    undo(store, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


def test_undo_restores_invalid_values(tmp_path: Path) -> None:
    row = {
        **FACTS[0],
        "value_text": b"\x00blob",
        "confidence": "1.3",
        "status": "archived",
        "value_json": "{",
    }
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=UNTYPED_COLUMNS, search=()))
    before = rows_in(store.root)
    plan = apply_change(store, "edit", CITY, content="Text.", confidence=0.9, value=[1], status="confirmed")
    assert (value(store, CITY, "confidence"), value(store, CITY, "status")) == ("0.9", "active")
    undo(store, plan)
    assert rows_in(store.root) == before


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"content": " \n"}, "empty"),
        ({"key": " "}, "key"),
        ({"category": "preference"}, "category"),
        ({"content": "a\0b"}, "text"),
        ({"status": "gone"}, "status"),
    ],
)
def test_values_that_the_format_forbids_are_refused(
    store: MemSkill, fields: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        plan_change(store, "edit", NUTS, **fields)
    assert refusal.value.code == code
