"""SQLite stores: undo, the state of a write, and saved plans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write, WriteState
from memtui.formats.founder_os import FounderOs
from memtui.formats.media.sqlite.row_edit import RowEdit
from tests.formats.sqlite.support import NOW, edit, plan_writes, undo
from tests.support.stores import changed_columns, rows_in
from tests.support.stores.databases import execute
from tests.support.stores.founder_os import (
    ACME,
    FRIDAY,
    JOHN,
    MEMORIES,
    NEWS,
    SHIPPED_COLUMNS,
    make,
)

# -- undo


def test_changes_of_different_columns_are_undone_in_any_order(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    text = plan_writes(store, edit(ACME, "Ours."))
    store.apply(text, "t")
    tags = plan_writes(store, Write("edit", ACME, {"tags": ("x",)}, {}, NOW + 5))
    store.apply(tags, "t")
    undo(store, text)
    assert store.read_refs([ACME])[ACME].fields["tags"] == ("x",)
    undo(store, tags)
    assert changed_columns(before, rows_in(path)) <= {("memories", "updated_at")}


def test_a_row_changed_since_is_not_undone_and_the_rest_is(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."), edit(NEWS, "Ours."))
    store.apply(planned, "t")
    execute(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    news, acme = store.reverse(planned[::-1])
    assert isinstance(acme, Refused)
    assert acme.code == "changed-since"
    assert isinstance(news, Plan)
    store.apply([news], "t")
    texts = {ref: record.fields["content"] for ref, record in store.read_refs([ACME, NEWS]).items()}
    assert texts == {ACME: "Theirs.", NEWS: "Always archive newsletters."}


def test_undo_replaces_an_embedding_recomputed_for_the_undone_text(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    planned = plan_writes(store, edit(ACME, "Ours."))
    store.apply(planned, "t")
    execute(path, f"UPDATE memories SET embedding = '[7.0]' WHERE id = '{ACME}'")
    undo(store, planned)
    assert rows_in(path) == before


def test_undo_keeps_a_timestamp_that_an_agent_set_since(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."))
    store.apply(planned, "t")
    execute(path, f"UPDATE memories SET updated_at = 1900000000 WHERE id = '{ACME}'")
    undo(store, planned)
    fields = store.read_refs([ACME])[ACME].fields
    assert (fields["updated_at"], fields["content"]) == (1_900_000_000.0, MEMORIES[0]["content"])


def test_a_planned_undo_is_checked_again_when_it_is_applied(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, Write("add", "", {"content": "New."}, {}, NOW))
    store.apply(planned, "t")
    undos = store.reverse(planned)
    execute(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{planned[0].ref_after}'")
    with pytest.raises(Refused, match="changed during"):
        store.apply([plan for plan in undos if isinstance(plan, Plan)], "t")
    assert "Theirs." in {record.fields["content"] for record in store.read().records}


def test_an_added_row_and_its_later_change_are_undone_together(path: Path) -> None:
    store, before = FounderOs(path), rows_in(path)
    new = plan_writes(store, Write("add", "", {"content": "New."}, {}, NOW))
    store.apply(new, "t")
    changed = plan_writes(store, edit(str(new[0].ref_after), "Newer."))
    store.apply(changed, "t")
    both = rows_in(path)
    undos = undo(store, new + changed)
    assert rows_in(path) == before
    undo(store, undos)
    assert [*rows_in(path)["memories"].values()] == [*both["memories"].values()]


def test_a_generated_column_is_neither_read_nor_written(tmp_path: Path) -> None:
    path = make(tmp_path / "memory.db")
    execute(path, "ALTER TABLE memories ADD COLUMN shouted TEXT AS (upper(content)) VIRTUAL")
    store, before = FounderOs(path), rows_in(path)
    planned = plan_writes(store, edit(ACME, "Ours."), Write("add", "", {"content": "New."}, {}, NOW))
    store.apply(planned, "t")
    undo(store, undo(store, planned))
    undo(store, planned)
    assert rows_in(path) == before


def test_a_table_without_rowids_is_read_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    columns = ", ".join(f'"{name}" {kind}' for name, kind in SHIPPED_COLUMNS.items())
    columns = columns.replace('"id" TEXT PRIMARY KEY', '"id" TEXT NOT NULL PRIMARY KEY')
    execute(
        path,
        f"CREATE TABLE memories ({columns}) WITHOUT ROWID",
        "INSERT INTO memories (id, key, category, content, created_at, updated_at)"
        " VALUES ('a', 'k', 'fact', 'Text.', 1, 1)",
    )
    store = FounderOs(path)
    planned = plan_writes(store, edit("a", "Ours."))
    store.apply(planned, "t")
    assert store.read_refs(["a"])["a"].fields["content"] == "Ours."
    undo(store, planned)
    assert store.read_refs(["a"])["a"].fields["content"] == "Text."


# -- write state and saved plans


def test_the_state_of_a_write_depends_only_on_the_rows_it_changes(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."), Write("add", "", {"content": "New."}, {}, NOW))
    assert store.write_state(planned, "t") == WriteState.BEFORE
    store.apply(planned, "t")
    execute(path, "UPDATE memories SET times_used = 99, updated_at = 5, tags = 'x'")
    assert store.write_state(planned, "t") == WriteState.AFTER
    receipt = store.finish(planned, "t")
    assert {record.fields["content"] for record in receipt.records} == {"Ours.", "New."}
    execute(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    assert store.write_state(planned[:1], "t") == WriteState.OTHER
    assert store.write_state(planned, "t") == WriteState.AFTER  # a transaction is written as a whole
    execute(path, f"DELETE FROM memories WHERE id = '{ACME}'")
    assert store.write_state(planned[:1], "t") == WriteState.OTHER
    assert store.write_state(planned, "t") == WriteState.AFTER
    assert [r.fields["content"] for r in store.finish(planned, "t").records] == ["New."]


def test_one_unchanged_row_shows_that_nothing_was_written(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, edit(ACME, "Ours."), edit(NEWS, "Ours too."))
    execute(path, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    assert store.write_state(planned, "t") == WriteState.BEFORE


def test_the_undo_of_a_new_row_has_a_write_state_too(path: Path) -> None:
    store = FounderOs(path)
    planned = plan_writes(store, Write("add", "", {"content": "New."}, {}, NOW))
    store.apply(planned, "t")
    undos = [plan for plan in store.reverse(planned) if isinstance(plan, Plan)]
    assert store.write_state(undos, "t") == WriteState.BEFORE
    receipt = store.apply(undos, "t")
    assert (receipt.records, receipt.removed_refs) == ([], [planned[0].ref_after])
    assert store.write_state(undos, "t") == WriteState.AFTER
    assert store.finish(undos, "t").removed_refs == [planned[0].ref_after]


def test_plans_with_values_of_every_type_survive_json(path: Path) -> None:
    store = FounderOs(path)
    values = {"blob": b"\x00\xff", "text": "é\n\0", "whole": 2**60, "real": 0.1, "none": None}
    rows = (
        RowEdit("a", {"id": b"\x01"}, {"x": (b"\x02", None)}, {"y": (1, 1.5)}, {"z": ("[0.1]", None)}),
        RowEdit("b", {"rowid": 7}, inserted=values),
        RowEdit("c", {"id": "k"}, deleted=values, stamps={"t": (None, 3)}),
    )
    for plan in (Plan("r", None, rows), *plan_writes(store, edit(ACME, "Ours."), edit(JOHN, "Theirs."))):
        assert store.load_plan(json.loads(json.dumps(store.dump_plan(plan)))) == plan


def test_a_saved_plan_is_applied_and_undone_by_another_adapter(path: Path) -> None:
    execute(path, f"UPDATE memories SET content = x'00ff', embedding = x'01' WHERE id = '{FRIDAY}'")
    before = rows_in(path)
    saved = json.dumps(
        [FounderOs(path).dump_plan(plan) for plan in plan_writes(FounderOs(path), edit(FRIDAY, "Ours."))]
    )
    later = FounderOs(path)
    loaded = [later.load_plan(plan) for plan in json.loads(saved)]
    later.apply(loaded, "t")
    assert later.read_refs([FRIDAY])[FRIDAY].fields["content"] == "Ours."
    undo(FounderOs(path), [later.load_plan(plan) for plan in json.loads(saved)])
    assert rows_in(path) == before
