"""MCP memory: undo next to agents and after any sequence of changes."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.mcp_memory.lines import Line
from memtui.formats.mcp_memory.writer import GraphWriter
from memtui.formats.syntax.json_spans import Span
from tests.formats.mcp_memory.support import make_store, objects, parse
from tests.support.sizes import examples, rounds
from tests.support.stores.files import (
    apply,
    apply_plans,
    read_tree,
    record_with,
    reload_plan,
    undo,
    write,
)
from tests.support.stores.mcp_memory import DIALECTS, GRAPH, PLAIN, entity, lines, make, relation

# -- other programs


def test_a_text_changed_by_an_agent_is_a_conflict(store: McpMemory) -> None:
    record = record_with(store, "London")
    store.root.write_bytes(PLAIN.replace(b"London", b"Rome"))
    (conflict,) = store.plan([write("edit", record, content="lives in Paris")])
    assert isinstance(conflict, Conflict)
    assert (conflict.intended, conflict.stored) == ({"content": "lives in Paris"}, {})
    assert b"Rome" in store.root.read_bytes()


def test_changes_of_an_agent_elsewhere_survive_a_change_and_its_undo(store: McpMemory) -> None:
    plans = apply(store, write("edit", record_with(store, "London"), content="lives in Paris"))
    extended = entity("Ada Lövelace", "likes tea", "writes 日本語 ☕", "lives in Paris", "was born in 1815")
    store.root.write_text("\n".join(lines(extended, *GRAPH[1:], entity("Cy", "new"))))
    undo(store, plans)
    extended["observations"][2] = "lives in London"
    assert objects(store) == [extended, *GRAPH[1:], entity("Cy", "new")]


def test_an_observation_is_restored_between_its_old_neighbours(store: McpMemory) -> None:
    plans = apply(store, write("dismiss", record_with(store, "日本語")))
    store.root.write_bytes(store.root.read_bytes().replace(b'"likes tea",', b'"drank", "likes tea",'))
    undo(store, plans)
    assert objects(store)[0]["observations"] == ["drank", "likes tea", "writes 日本語 ☕", "lives in London"]


def test_restoring_an_observation_recreates_a_deleted_entity(store: McpMemory) -> None:
    plans = apply(store, write("dismiss", record_with(store, "日本語")))
    store.root.write_text("\n".join(lines(*GRAPH[1:3])))
    undo(store, plans)
    assert objects(store)[-1] == entity("Ada Lövelace", "writes 日本語 ☕")


def test_an_edit_followed_by_another_cannot_be_undone(store: McpMemory) -> None:
    plans = apply(store, write("edit", record_with(store, "London"), content="lives in Paris"))
    store.root.write_bytes(store.root.read_bytes().replace(b"Paris", b"Rome"))
    (refusal,) = store.reverse(plans)
    assert isinstance(refusal, Refused)
    assert refusal.code == "changed-since"


def test_an_equal_text_elsewhere_is_not_undone_instead(tmp_path: Path) -> None:
    store = make_store(tmp_path, entity("A", "x"), entity("B", "y"))
    plans = apply(store, write("edit", record_with(store, "x"), content="y"))
    store.root.write_text("\n".join(lines(entity("A", "z"), entity("B", "y"))))
    assert all(isinstance(reversal, Refused) for reversal in store.reverse(plans))


def test_a_batch_is_undone_memory_by_memory(store: McpMemory) -> None:
    records = [r for r in store.read().records if not r.placeholder]
    plans = apply(store, *(write("edit", r, content=f"new {n}") for n, r in enumerate(records)))
    store.root.write_bytes(store.root.read_bytes().replace(b'"new 1"', b'"theirs"'))
    reversed_plans = store.reverse(list(reversed(plans)))
    assert [isinstance(plan, Refused) for plan in reversed_plans] == [False, False, False, True, False]
    apply_plans(store, [plan for plan in reversed_plans if isinstance(plan, Plan)])
    assert store.root.read_bytes() == PLAIN.replace("writes 日本語 ☕".encode(), b"theirs")


def test_an_undo_finds_its_observation_after_a_rename(store: McpMemory) -> None:
    edited = apply(store, write("edit", record_with(store, "日本語"), content="writes"))
    renamed = apply(store, write("edit", record_with(store, "London"), subject="Ada"))
    assert all(isinstance(answer, Refused) for answer in store.reverse(edited))
    (reversal,) = undo(store, [replace(edited[0], ref_after=record_with(store, "writes").ref)])
    assert reversal.ref_after == record_with(store, "日本語").ref
    undo(store, renamed)
    assert store.root.read_bytes() == PLAIN


def test_dismissed_neighbours_are_restored_in_any_order(tmp_path: Path) -> None:
    store = make_store(tmp_path, entity("Ada", "a", "b"))
    second = apply(store, write("dismiss", record_with(store, "b")))
    first = apply(store, write("dismiss", record_with(store, "a")))
    undo(store, second)
    undo(store, first)
    assert sorted(objects(store)[0]["observations"]) == ["a", "b"]


def test_hundreds_of_memories_are_dismissed_and_restored_in_one_batch(tmp_path: Path) -> None:
    store = make_store(
        tmp_path, *(entity(f"e{n}", *(f"text {n}.{m}" for m in range(10))) for n in range(rounds(30, 100)))
    )
    before = read_tree(tmp_path)
    records = store.read().records
    plans = apply(
        store,
        *(write("dismiss", r) for r in records[::2]),
        *(write("edit", r, content="same") for r in records[1::2]),
    )
    assert len(plans) == len(records)
    assert {r.fields["content"] for r in store.read().records} == {"same"}
    undo(store, plans)
    assert read_tree(tmp_path) == before


def test_one_refused_write_does_not_stop_the_batch(store: McpMemory) -> None:
    tea, mill = record_with(store, "London"), record_with(store, "mill")
    planned = store.plan([write("edit", tea, content=""), write("edit", mill, content="has two mills")])
    assert isinstance(planned[0], Refused)
    apply_plans(store, planned[1:])
    assert store.root.read_bytes() == PLAIN.replace(b"has a mill", b"has two mills")


def test_a_dismissed_text_is_never_restored_into_another_entity(tmp_path: Path) -> None:
    zoe, bob = entity("Zoe", "likes chess and long walks"), entity("Bob", "plays the guitar")
    store = make_store(tmp_path, zoe, entity("Anna", "works at Acme", "is allergic to nuts"), bob)
    plans = apply(store, write("dismiss", record_with(store, "nuts")))
    store.root.write_text("\n".join(lines(zoe, bob)))
    undo(store, plans)
    assert objects(store) == [zoe, bob, entity("Anna", "is allergic to nuts")]


def test_an_edit_is_never_undone_in_another_record(tmp_path: Path) -> None:
    kind = "software-project-component-of-the-platform"
    rest = [entity("Beta", "x", kind=kind), entity("Gamma", "uses MySQL now", kind=kind)]
    store = make_store(tmp_path, entity("Alpha", "uses Postgres", kind=kind), *rest)
    plans = apply(store, write("edit", record_with(store, "Postgres"), content="uses MySQL now"))
    store.root.write_text("\n".join(lines(*rest)))
    (refusal,) = store.reverse(plans)
    assert isinstance(refusal, Refused)
    assert refusal.code == "changed-since"


def test_an_add_is_never_undone_in_another_record(tmp_path: Path) -> None:
    bob = entity("Bob", "a text that is long enough")
    store = make_store(tmp_path, entity("Anna"), bob)
    plans = apply(store, write("add", subject="Anna", content="a text that is long enough"))
    store.root.write_text("\n".join(lines(bob)))
    assert isinstance(store.reverse(plans)[0], Refused)


def test_a_text_is_restored_to_its_entity_after_a_change_of_category(tmp_path: Path) -> None:
    store = make_store(tmp_path, entity("Anna", "one", "two"))
    plans = apply(store, write("dismiss", record_with(store, "two")))
    store.root.write_text("\n".join(lines(entity("Anna", "one", kind="robot"))))
    undo(store, plans)
    assert objects(store) == [entity("Anna", "one", "two", kind="robot")]


def test_adding_a_memory_does_not_change_the_category_of_its_entity(store: McpMemory) -> None:
    (refusal,) = store.plan([write("add", subject="Bo", content="x", category="robot")])
    assert isinstance(refusal, Refused)
    assert (
        refusal.code,
        "has the type person; adding an observation can't change that" in refusal.message,
    ) == ("category", True)
    apply(store, write("add", subject="Bo", content="x", category="person"))
    apply(store, write("add", subject="Bo", content="y"))
    assert objects(store)[2] == entity("Bo", "x", "y")


def test_an_entity_name_cannot_imitate_the_number_in_a_ref(tmp_path: Path) -> None:
    names = ["A", "A", "A#2", "A\x1f2", "A\ufffd2", "entity:A", "A"]
    store = make_store(tmp_path, *map(entity, names))
    refs = [record.ref for record in store.read().records]
    assert (len(set(refs)), refs[0]) == (len(names), "entity:A")


@pytest.mark.parametrize("deep", [150, 199, 600, 5000])
def test_a_line_nested_too_deeply_is_a_bad_line(tmp_path: Path, deep: int) -> None:
    line = lines(entity("Deep", "x"))[0][:-1] + ',"z":' + "[" * deep + "]" * deep + "}"
    store = make(tmp_path / "memory.jsonl", "\n".join([*lines(entity("A", "y")), line]).encode())
    reading = store.read()
    assert all(record.digest for record in reading.records)
    assert [f.code for f in reading.findings] == ([] if deep < 200 else ["bad-line"])


def test_hundreds_of_bare_entities_are_dismissed_in_one_batch(tmp_path: Path) -> None:
    store = make_store(
        tmp_path, *(entity(f"E{n}") for n in range(rounds(400, 1000))), relation("E1", "knows", "E2")
    )
    before = read_tree(tmp_path)
    start = time.monotonic()
    plans = apply(store, *(write("dismiss", record) for record in store.read().records))
    assert time.monotonic() - start < 10
    assert store.root.read_bytes() == b""
    undo(store, plans)
    assert read_tree(tmp_path) == before


def test_a_change_of_a_whole_entity_may_not_affect_another(
    store: McpMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = GraphWriter.replace_value

    def faulty(self: GraphWriter, line: Line, span: Span, value: Any) -> None:
        real(self, line, span, value)
        draft = self.draft
        draft.splice(
            "memory.jsonl", *_position_of(draft.files["memory.jsonl"], b"has a mill"), b"has no mill"
        )

    monkeypatch.setattr(GraphWriter, "replace_value", faulty)
    (refusal,) = store.plan([write("edit", record_with(store, "London"), category="robot")])
    assert isinstance(refusal, Refused)
    assert "also have changed" in refusal.message
    monkeypatch.undo()
    planned = store.plan(
        [
            write("edit", record_with(store, "London"), category="c"),
            write("edit", record_with(store, "mill"), content="m"),
        ]
    )
    assert [p.affected_anchors for p in planned if isinstance(p, Plan)] == [("Ada Lövelace",), ()]


def _position_of(data: bytes, text: bytes) -> tuple[int, int]:
    return data.index(text), data.index(text) + len(text)


# -- any sequence of changes

_ACTIONS = st.lists(
    st.tuples(st.sampled_from(["edit", "dismiss", "add", "category", "subject"]), st.integers(0, 99)),
    max_size=8,
)


def _apply_actions(store: McpMemory, actions: list[tuple[str, int]]) -> list[list[Plan]]:
    applied = []
    for number, (action, pick) in enumerate(actions):
        records = store.read().records
        record = records[pick % len(records)] if records else None
        if action == "add" or record is None:
            change = write("add", subject=f"S{pick % 3}", content=f"text {pick % 4}")
        elif action == "dismiss":
            change = write("dismiss", record)
        elif action == "edit":
            change = write("edit", record, content=f"text {pick % 4}")
        else:
            change = write("edit", record, **{action: f"N{number}"})
        (plan,) = store.plan([change])
        if isinstance(plan, Plan):
            applied.append(apply_plans(store, [plan])[0])
    return applied


@examples(12)
@given(actions=_ACTIONS, dialect=st.sampled_from(sorted(DIALECTS)))
@example(actions=[("dismiss", 0), ("dismiss", 0)], dialect="equal entities")
def test_undoing_all_changes_last_first_restores_every_byte(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, int]], dialect: str
) -> None:
    store = make(tmp_path_factory.mktemp("mcp") / "memory.jsonl", DIALECTS[dialect])
    for plans in reversed(_apply_actions(store, actions)):
        undo(store, plans)
    assert read_tree(store.folder) == {"memory.jsonl": DIALECTS[dialect]}


@examples(12)
@given(actions=_ACTIONS, order=st.randoms(use_true_random=False))
def test_undoing_in_any_order_leaves_a_file_the_server_can_read(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, int]], order: random.Random
) -> None:
    store = make(tmp_path_factory.mktemp("mcp") / "memory.jsonl")
    applied = _apply_actions(store, actions)
    order.shuffle(applied)
    for plans in applied:
        (undo_plan,) = store.reverse(plans)
        if isinstance(undo_plan, Plan):
            apply_plans(store, [reload_plan(store, undo_plan)])
        objects(store)
        assert not [f for f in store.read().findings if f.code == "bad-line"]


def test_observations_restored_in_another_order_keep_their_form(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    observations = [{"text": f"number {n}", "timestamp": f"2026-01-0{n}T00:00:00Z"} for n in (1, 2)]
    line = {"type": "entity", "name": "A", "entityType": "x", "observations": observations}
    path.write_text(json.dumps(line))
    store = McpMemory(path)
    plans = []
    for _ in observations:
        record = store.read().records[0]
        (plan,) = store.plan([Write("dismiss", record.ref, {"status": "dismissed"}, {}, 1.0)])
        assert isinstance(plan, Plan)
        store.apply([plan], "t")
        plans.append(plan)
    for plan in plans:  # the first one first
        (reversal,) = store.reverse([plan])
        assert isinstance(reversal, Plan)
        store.apply([reversal], "t")
    assert sorted(json.loads(path.read_text())["observations"], key=str) == observations


def test_a_first_line_of_any_length_is_recognised(tmp_path: Path) -> None:
    store = make_store(tmp_path, entity("Ada", "tea " * (1 << 19)), entity("Bo", "ink"))
    assert McpMemory.recognise(store.root) == store.root
    assert len(store.read().records) == 2


def test_a_duplicate_key_is_a_finding_and_the_last_value_counts() -> None:
    line = b'{"type":"entity","name":"A","entityType":"t","observations":["one"],"observations":["two"]}'
    reading = parse(line)
    assert [record.fields["content"] for record in reading.records] == ["two"]
    assert [(finding.code, finding.place) for finding in reading.findings] == [
        ("double-key", "memory.jsonl, line 1")
    ]
