"""MCP memory: what each action writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.mcp_memory.adapter import McpMemory
from tests.formats.mcp_memory.support import make_store, objects, parse
from tests.support.sizes import sample_cases, shard
from tests.support.stores.files import (
    apply,
    apply_plans,
    fields_by_ref,
    read_tree,
    record_with,
    undo,
    write,
)
from tests.support.stores.mcp_memory import DIALECTS, GRAPH, PLAIN, entity, make


@pytest.mark.parametrize("dialect", DIALECTS)
def test_reading_and_planning_write_nothing(tmp_path: Path, dialect: str) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS[dialect])
    store.plan([write("edit", r, content=r.fields["content"] or "x") for r in store.read().records])
    assert read_tree(tmp_path) == {"memory.jsonl": DIALECTS[dialect]}


@pytest.mark.parametrize(
    ("action", "dialect"),
    [
        (action, dialect)
        for number, dialect in enumerate(DIALECTS)
        for action in shard(["edit", "subject", "dismiss", "add", "category"], 2 * number, 3)
    ],
)
def test_every_action_on_every_memory_is_undone_to_the_byte(
    tmp_path: Path, dialect: str, action: str
) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS[dialect])
    before = fields_by_ref(store)
    for record in sample_cases(store.read().records, 3):
        change = {
            "edit": write("edit", record, content='new "text" \\ ☕\nin two lines'),
            "dismiss": write("dismiss", record),
            "add": write("add", subject=record.fields["subject"], content="one more"),
            "category": write("edit", record, category="thing"),
            "subject": write("edit", record, subject="Neu"),
        }[action]
        (plan,) = store.plan([change])
        if isinstance(plan, Refused):
            assert plan.code == "no-field"
            assert action == "category"
            continue
        plans = apply_plans(store, [plan])[0]
        assert fields_by_ref(store) != before
        assert len(store.read().findings) <= len(parse(DIALECTS[dialect]).findings) + 2
        undo(store, plans)
        assert read_tree(tmp_path) == {"memory.jsonl": DIALECTS[dialect]}
        assert fields_by_ref(store) == before


def test_an_edit_changes_the_text_and_nothing_else(store: McpMemory) -> None:
    apply(store, write("edit", record_with(store, "London"), content="lives in Paris"))
    assert store.root.read_bytes() == PLAIN.replace(b"London", b"Paris")


def test_an_edit_is_escaped_if_the_line_is(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["escaped to ASCII"])
    apply(store, write("edit", record_with(store, "London"), content="lives in Zürich"))
    assert b"Z\\u00fcrich" in store.root.read_bytes()


def test_an_edit_keeps_the_spelling_of_the_rest_of_its_line(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["foreign keys"])
    apply(store, write("edit", record_with(store, "odd / spelling"), content="new"))
    expected = DIALECTS["foreign keys"].replace(b'"odd \\/ spelling"', b'"new"')
    assert store.root.read_bytes() == expected


def test_an_edited_observation_keeps_its_time(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["observations with times"])
    apply(store, write("edit", record_with(store, "ink"), content="blue ink"))
    assert store.root.read_bytes() == DIALECTS["observations with times"].replace(b'"ink"', b'"blue ink"')


def test_a_dismissed_observation_leaves_its_neighbours(store: McpMemory) -> None:
    apply(store, write("dismiss", record_with(store, "日本語")))
    assert store.root.read_bytes() == PLAIN.replace(',"writes 日本語 ☕"'.encode(), b"")


def test_dismissing_the_last_observation_leaves_a_bare_entity(tmp_path: Path) -> None:
    store = make_store(tmp_path, entity("Ada", "tea"))
    plans = apply(store, write("dismiss", record_with(store, "tea")))
    assert objects(store) == [entity("Ada")]
    assert [r.placeholder for r in store.read().records] == [True]
    undo(store, plans)
    assert objects(store) == [entity("Ada", "tea")]


def test_a_bare_entity_takes_an_observation_by_edit_and_by_add(tmp_path: Path) -> None:
    store = make_store(tmp_path, entity("Ada"))
    before = read_tree(tmp_path)
    for change in (
        write("edit", store.read().records[0], content="tea"),
        write("add", subject="Ada", content="tea"),
    ):
        (plan,) = plans = apply(store, change)
        assert objects(store) == [entity("Ada", "tea")]
        assert plan.ref_after == record_with(store, "tea").ref
        undo(store, plans)
        assert read_tree(tmp_path) == before


def test_dismissing_an_entity_removes_its_relations(store: McpMemory) -> None:
    (bare,) = [r for r in store.read().records if r.placeholder]
    plans = apply(store, write("dismiss", bare))
    assert objects(store) == [GRAPH[0], GRAPH[1], GRAPH[3]]
    undo(store, plans)
    assert store.root.read_bytes() == PLAIN


def test_a_category_changes_for_all_memories_of_the_entity(store: McpMemory) -> None:
    (plan,) = apply(store, write("edit", record_with(store, "London"), category="mathematician"))
    assert plan.affected_anchors == ("Ada Lövelace",)
    assert [r.fields["category"] for r in store.read().records[:3]] == ["mathematician"] * 3


def test_renaming_an_entity_renames_it_in_relations(store: McpMemory) -> None:
    apply(store, write("edit", record_with(store, "London"), subject="Ada"))
    assert [link.source for link in store.read().links] == ["Ada", "Bo"]
    assert store.read().links[1].target == "Ada"


def test_three_observations_of_one_entity_can_be_renamed_at_once(store: McpMemory) -> None:
    records = [r for r in store.read().records if r.fields["subject"] == "Ada Lövelace"]
    plans = apply(store, *(write("edit", r, subject="Ada") for r in records))
    assert {r.fields["subject"] for r in store.read().records[:3]} == {"Ada"}
    undo(store, plans)
    assert store.root.read_bytes() == PLAIN


def test_an_added_memory_uses_the_dialect_of_the_file(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["with _type"])
    apply(store, write("add", subject="Cy", content="new"))
    assert store.root.read_bytes().startswith(DIALECTS["with _type"] + b'\n{"_type":"entity","name":"Cy"')
    store = make(tmp_path / "times.jsonl", DIALECTS["observations with times"])
    apply(store, write("add", subject="Ada", content="new"))
    assert objects(store)[0]["observations"][-1] == {"text": "new", "timestamp": "2027-01-15T08:00:00Z"}


def test_a_memory_added_to_an_empty_file_is_its_first_line(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", b"")
    plans = apply(store, write("add", subject="Ada", category="person", content="tea"))
    assert objects(store) == [entity("Ada", "tea")]
    undo(store, plans)
    assert store.root.read_bytes() == b""


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"content": "  "}, "empty"),
        ({"content": None}, "empty"),
        ({"category": None}, "empty"),
        ({"subject": ""}, "empty"),
        ({"subject": "Bo"}, "exists"),
        ({"content": "half \ud800"}, "text"),
    ],
)
def test_values_that_the_server_cannot_read_are_refused(
    store: McpMemory, fields: dict[str, Any], code: str
) -> None:
    (refusal,) = store.plan([write("edit", record_with(store, "London"), **fields)])
    assert isinstance(refusal, Refused)
    assert refusal.code == code


def test_an_added_memory_needs_an_entity(store: McpMemory) -> None:
    (refusal,) = store.plan([write("add", content="whose?")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "no-subject"


def test_support_describes_each_action(store: McpMemory) -> None:
    assert store.support_for("dismiss").kind is SupportKind.MOVED
    assert store.support_for("edit", "content").kind is SupportKind.NATIVE
    assert "for all its observations" in store.support_for("edit", "category").text
    assert store.support_for("pin").kind is SupportKind.WORKSPACE
    assert store.support_for("edit", "tags").text == "is kept in memtui: MCP memory files have no tags"
