"""mem-skill: agents at work, what the store supports, and unusual schemas."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.media.sqlite.block_scan import SIDE_UNIT
from memtui.formats.mem_skill import MemSkill
from tests.formats.mem_skill.support import codes, history, value
from tests.support.stores.databases import execute, query
from tests.support.stores.mem_skill import (
    ARCHIVED,
    COLUMNS,
    FACTS,
    GONE,
    IMMUTABLE_TRIGGERS,
    NUTS,
    OWN_FTS,
    TABS,
    TASK,
    UNTYPED_COLUMNS,
    fact,
    make,
    rows_in,
)
from tests.support.stores.row_changes import NOW, apply_change, plan_change, undo

# -- other programs


def test_a_text_changed_by_an_agent_is_a_conflict_with_both_versions(store: MemSkill) -> None:
    seen = {"content": "Allergic to hazelnuts."}
    execute(store.root, f"UPDATE facts SET value_text = 'Theirs.' WHERE fact_id = '{NUTS}'")
    plan = store.plan([Write("edit", NUTS, {"content": "Ours."}, seen, NOW)])[0]
    assert isinstance(plan, Conflict)
    assert (plan.intended, plan.stored) == ({"content": "Ours."}, {"content": "Theirs."})


def test_a_history_row_written_by_an_agent_since_requires_a_new_plan(store: MemSkill) -> None:
    plan = plan_change(store, "dismiss", NUTS)
    execute(
        store.root,
        f"INSERT INTO fact_history SELECT 2, fact_id, user_id, key, 'x', 1, 2, 3, 4, 5 FROM facts"
        f" WHERE fact_id = '{TABS}'",
    )
    with pytest.raises(Refused) as refusal:
        store.apply([plan], "t")
    assert refusal.value.code == "changed"
    assert value(store, NUTS, "status") == "active"
    apply_change(store, "dismiss", NUTS)
    assert history(store, NUTS)[-1]["history_id"] == 3


def test_an_update_by_an_agent_does_not_prevent_the_undo(store: MemSkill) -> None:
    plan = apply_change(store, "edit", NUTS, content="Walnuts.")
    execute(store.root, f"UPDATE facts SET updated_at = '2030', embedding_id = 'e2' WHERE fact_id = '{NUTS}'")
    undo(store, plan)
    assert (value(store, NUTS, "value_text"), value(store, NUTS, "updated_at")) == (
        "Allergic to hazelnuts.",
        "2030",
    )


def test_a_table_of_facts_without_rowids_is_read_and_changed(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", options=" WITHOUT ROWID", search=OWN_FTS))
    assert len(store.read().records) == len(FACTS) + 1
    plan = apply_change(store, "delete", NUTS)
    undo(store, plan)
    assert store.read_refs([NUTS])[NUTS].fields["content"] == "Allergic to hazelnuts."


# -- support


@pytest.mark.parametrize(
    ("action", "field", "kind", "text"),
    [
        (
            "dismiss",
            "",
            SupportKind.NATIVE,
            "marks it expired as of now in mem.db, with an entry in fact_history",
        ),
        ("add", "", SupportKind.NATIVE, "adds a fact to mem.db"),
        ("edit", "key", SupportKind.NATIVE, "changes its key in mem.db, with an entry in fact_history"),
        (
            "edit",
            "content",
            SupportKind.NATIVE,
            "changes the text in mem.db, with an entry in fact_history;"
            " the agent's vectors keep the old text until they are synced",
        ),
        ("pin", "", SupportKind.WORKSPACE, "is kept in memtui: mem-skill has no pins"),
        ("relate", "supports", SupportKind.WORKSPACE, "is kept in memtui: mem-skill has no relations"),
        ("edit", "tags", SupportKind.WORKSPACE, "is kept in memtui: mem-skill has no tags"),
    ],
)
def test_each_action_describes_its_effect_on_each_field(
    store: MemSkill, action: str, field: str, kind: SupportKind, text: str
) -> None:
    support = store.support_for(action, field)
    assert (support.kind, support.text) == (kind, text)


def test_support_is_answered_for_a_missing_store(tmp_path: Path) -> None:
    assert MemSkill(tmp_path / "mem.db").support_for("dismiss").text == (
        "marks it expired as of now in mem.db"
    )


def test_archived_facts_with_one_id_stay_distinct(store: MemSkill) -> None:
    assert len(ARCHIVED) == 2
    assert [record.ref for record in store.read().records if record.unit == SIDE_UNIT] == [GONE]


def test_an_archived_fact_without_an_id_is_identified_by_its_position(tmp_path: Path) -> None:
    rows = [{**fact(GONE, "editor", text), "fact_id": None} for text in ("ed.", "vi.")]
    store = MemSkill(make(tmp_path / "mem.db", archived=rows))
    refs = [f"archive:facts_archive:rowid:{number}" for number in (1, 2)]
    assert [record.fields["content"] for record in store.read_refs(refs).values()] == ["ed.", "vi."]
    with pytest.raises(Refused, match="the fact is archived"):
        plan_change(store, "edit", refs[0], content="x")


def test_a_new_fact_never_takes_the_id_of_an_archived_one(store: MemSkill, tmp_path: Path) -> None:
    assert apply_change(store, "add", ref=GONE, content="Another.").ref_after not in (None, GONE)
    columns = {**UNTYPED_COLUMNS, "fact_id": "INTEGER PRIMARY KEY"}
    rows = [{**FACTS[0], "fact_id": 7}]
    numbered = MemSkill(
        make(tmp_path / "n.db", rows, columns=columns, archived=[{**FACTS[2], "fact_id": "9"}])
    )
    assert {record.ref for record in numbered.read().records} == {"7", "9"}
    assert apply_change(numbered, "add", content="Another.").ref_after == "10"
    assert apply_change(numbered, "add", ref="9", content="One more.").ref_after == "11"


# -- unusual schemas


def test_side_records_written_by_a_trigger_are_read(tmp_path: Path) -> None:
    names = ", ".join(COLUMNS)
    archiving = (
        "CREATE TRIGGER archiving AFTER UPDATE ON facts WHEN new.status = 'expired' BEGIN"
        f" INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE fact_id = new.fact_id; END"
    )
    store = MemSkill(make(tmp_path / "mem.db", statements=(archiving,)))
    assert store.locked_reason() == ""
    plan = apply_change(store, "dismiss", NUTS)
    assert [
        record.text
        for record in store.read().side_records
        if (record.kind, record.about) == ("archived", NUTS)
    ] == ["In facts_archive: Allergic to hazelnuts."]
    undo(store, plan)
    assert value(store, NUTS, "status") == "active"
    execute(
        store.root,
        "CREATE TABLE turns (a)",
        "CREATE TRIGGER chain AFTER INSERT ON facts_archive BEGIN DELETE FROM turns; END",
    )
    assert "archiving" in store.locked_reason()


def test_undoing_a_batch_resets_the_sequence_of_the_history(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history_rows=()))
    before = rows_in(store.root)
    plans = store.plan([Write("dismiss", ref, {}, {}, NOW) for ref in (NUTS, TABS, TASK)])
    applied = [plan for plan in plans if isinstance(plan, Plan)]
    receipt = store.apply(applied, "t")
    assert query(store.root, "SELECT seq FROM sqlite_sequence") == [(3,)]
    assert {record.about for record in receipt.side_records or ()} >= {NUTS, TABS, TASK}
    undo(store, *applied[::-1])
    assert rows_in(store.root)["sqlite_sequence"] == before["sqlite_sequence"]


def test_an_empty_history_gets_times_in_the_form_of_its_schema(tmp_path: Path) -> None:
    sql = (
        "CREATE TABLE fact_history (id INTEGER PRIMARY KEY, fact_id TEXT, action TEXT,"
        " changed_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)"
    )
    store = MemSkill(make(tmp_path / "mem.db", history=sql, history_rows=()))
    apply_change(store, "dismiss", NUTS)
    assert [row["changed_at"] for row in history(store, NUTS)] == ["2027-01-15 08:00:00"]


def test_an_impossible_time_is_refused(store: MemSkill) -> None:
    with pytest.raises(Refused) as refusal:
        plan_change(store, "edit", NUTS, valid_to=1e15)
    assert refusal.value.code == "time"


def test_a_history_view_is_not_a_history_table(tmp_path: Path) -> None:
    view = "CREATE VIEW fact_history AS SELECT fact_id, 'x' AS action FROM facts"
    store = MemSkill(make(tmp_path / "mem.db", history="", statements=(view,)))
    assert "no-history" in codes(store)
    apply_change(store, "dismiss", NUTS)
    assert value(store, NUTS, "status") == "expired"


def test_a_lone_surrogate_in_a_value_is_replaced(store: MemSkill) -> None:
    apply_change(store, "edit", NUTS, value={"a": "half \ud800"})
    assert value(store, NUTS, "value_json") == '{"a": "half \ufffd"}'


def test_an_immutable_history_that_allows_no_undo_row_does_not_prevent_the_undo(tmp_path: Path) -> None:
    sql = "CREATE TABLE fact_history (fact_id TEXT, action TEXT CHECK (action = 'expire'), at TEXT)"
    store = MemSkill(make(tmp_path / "mem.db", history=sql, history_rows=(), statements=IMMUTABLE_TRIGGERS))
    undo(store, apply_change(store, "dismiss", NUTS))
    assert value(store, NUTS, "status") == "active"
    assert [row["action"] for row in history(store, NUTS)] == ["expire"]
