"""minions: undo next to other writers, and interrupted writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.plans import Plan, Write, WriteState
from memtui.formats.contract.records import Reading
from memtui.formats.media.files.edit_application import apply_edits
from memtui.formats.minions import Minions
from tests.formats.minions.support import changed_files, changed_lines, record_of, store_with, superseding
from tests.support.sizes import shard
from tests.support.stores.files import (
    NOW,
    apply,
    apply_plans,
    fields_by_ref,
    read_tree,
    reload_plan,
    undo,
    write,
)
from tests.support.stores.minions import (
    DETAIL,
    EMOJI,
    LESSON,
    PROPOSALS,
    SAMPLE,
    SUMMARY,
    item,
    make,
    of_type,
    put,
    read_minion,
    relative_path,
    uid,
)

# -- undo


def test_what_was_added_goes_though_agents_were_given_it_since(store: Minions) -> None:
    before = read_tree(store.root)
    added = apply(store, write("add", kind="item", key="pay", content="Pays in francs.", owner="scout"))
    ref = str(added[0].ref_after)
    store.count_uses([ref], NOW + 60)
    recalled = read_tree(store.root)
    taken = undo(store, added)
    queries = read_tree(store.root)
    assert {name: queries[name] for name in before} == before
    undo(store, taken)
    assert read_tree(store.root) == recalled
    changes = []
    for seconds, action, fields in (
        (70, "confirm", {"confidence": 0.8}),
        (80, "edit", {"content": "Pays in yen."}),
    ):
        (record,) = (each for each in store.read().records if each.ref == ref)
        changes.append(apply(store, replace(write(action, record, **fields), now=NOW + seconds)))
    for change in changes:  # not the last one first
        undo(store, change)
    undo(store, undo(store, added))
    path = store.root / relative_path(ref)
    path.write_text(path.read_text().replace("francs", "euros"))
    with pytest.raises(Refused, match=path.name):
        undo(store, added)
    assert "euros" in path.read_text()


def test_two_changes_of_one_memory_are_undone_in_either_order(store: Minions) -> None:
    before = read_tree(store.root)
    for order in (0, 1), (1, 0):
        plans = [
            apply(
                store, write("edit", record_of(store, PROPOSALS), content="Client xyz prefers long letters.")
            ),
            apply(
                store, write("confirm", record_of(store, PROPOSALS), confidence=0.8, last_confirmed_at=NOW)
            ),
        ]
        for number in order:
            undo(store, plans[number])
        assert {k: v for k, v in fields_by_ref(store)[uid(PROPOSALS)].items() if k != "updated_at"} == {
            k: v for k, v in parsed_fields(before, store)[uid(PROPOSALS)].items() if k != "updated_at"
        }
        for name in changed_files(before, read_tree(store.root)):  # only modification times differ
            assert all("edAt" in line for line in changed_lines(before[name], read_tree(store.root)[name]))
            (store.root / name).write_bytes(before[name])
        assert read_tree(store.root) == before


def parsed_fields(files: dict[str, bytes], store: Minions) -> dict[str, Any]:
    return {record.ref: dict(record.fields) for record in store.parse(files).records}


def test_edits_of_text_and_key_are_undone_in_either_order(store: Minions) -> None:
    before = read_tree(store.root)
    text_plans = apply(
        store, write("edit", record_of(store, PROPOSALS), content="Client xyz prefers long letters.")
    )
    key_plans = apply(store, write("edit", record_of(store, PROPOSALS), key="client:xyz:habits"))
    undo(store, text_plans)
    undo(store, key_plans)
    index_fields = read_minion(store.root, 101)["fields"]
    assert index_fields["keywords"] == "client, xyz, short, proposals, terse reader"
    assert index_fields["embedding"] == "[0.25, -0.5, 1e-3]"
    searchable = read_minion(store.root, PROPOSALS)["searchableText"]
    assert searchable.endswith("client:xyz:proposals client xyz prefers short proposals. agent-run run-7")
    for name in changed_files(before, read_tree(store.root)):
        remaining = changed_lines(before[name], read_tree(store.root)[name])
        assert all("edAt" in line or "searchableText" in line for line in remaining)


def test_changes_of_two_memories_are_undone_in_either_order(store: Minions) -> None:
    before = read_tree(store.root)
    first = apply(store, write("edit", record_of(store, PROPOSALS), content="Other."))
    second = apply(store, superseding(EMOJI, DETAIL))
    undo(store, first)
    undo(store, second)
    assert read_tree(store.root) == before


def test_a_vector_written_by_an_agent_does_not_prevent_the_undo(store: Minions) -> None:
    plans = apply(
        store, write("edit", record_of(store, PROPOSALS), content="Client xyz prefers long letters.")
    )
    record = read_minion(store.root, 101)
    record["fields"]["embedding"] = "[9, 9, 9]"
    put(store.root, record)
    undo(store, plans)
    assert record_of(store, PROPOSALS).fields["content"] == "Client xyz prefers short proposals."
    assert read_minion(store.root, 101)["fields"]["embedding"] == ""  # that vector was of the edited text


def test_an_index_updated_by_an_agent_is_removed_with_its_memory(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(store, Write("add", "", {"content": "Something quite new."}, {}, NOW))
    record = next(m for m in of_type(store.root, "index") if m["fields"]["keywords"].startswith("something"))
    record["fields"]["embedding"] = "[1]"
    put(store.root, record)
    undo(store, plans)
    assert read_tree(store.root) == before


def test_an_undo_keeps_the_use_counted_by_an_agent(store: Minions) -> None:
    plans = apply(
        store, write("edit", record_of(store, PROPOSALS), content="Client xyz prefers long letters.")
    )
    stored = read_minion(store.root, PROPOSALS)
    stored["fields"]["lastAccessedAt"] = stored["updatedAt"] = "2027-03-03T00:00:00.000Z"
    put(store.root, stored)
    undo(store, plans)
    after = read_minion(store.root, PROPOSALS)
    assert after["fields"]["value"] == "Client xyz prefers short proposals."
    assert after["fields"]["lastAccessedAt"] == after["updatedAt"] == "2027-03-03T00:00:00.000Z"


def test_a_memory_changed_by_an_agent_is_a_conflict(store: Minions) -> None:
    change = write("edit", record_of(store, PROPOSALS), content="Mine.")
    stored = read_minion(store.root, PROPOSALS)
    stored["fields"]["value"] = "Theirs."
    put(store.root, stored)
    (conflict,) = store.plan([change])
    assert isinstance(conflict, Conflict)
    assert conflict.stored == {"content": "Theirs."}


def test_a_batch_is_planned_memory_by_memory(store: Minions) -> None:
    before = read_tree(store.root)
    writes = [
        write("edit", record_of(store, n), content=f"Text {n}") for n in (PROPOSALS, DETAIL, LESSON, SUMMARY)
    ]
    writes.insert(1, write("edit", record_of(store, EMOJI), category="x"))
    planned = store.plan(writes)
    assert [isinstance(plan, Plan) for plan in planned] == [True, False, True, True, True]
    plans, _ = apply_plans(store, [plan for plan in planned if isinstance(plan, Plan)])
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_failed_write_leaves_no_folder(store: Minions) -> None:
    (planned,) = store.plan([Write("add", "", {"content": "New one."}, {}, NOW)])
    plan = reload_plan(store, planned)
    folders = {path for path in store.root.rglob("*") if path.is_dir()}
    (store.root / plan.edits[0].name).parent.mkdir(parents=True)
    (store.root / plan.edits[0].name).write_bytes(b"an agent was here first")
    with pytest.raises(Refused):
        store.apply([plan], "token")
    after = {path for path in store.root.rglob("*") if path.is_dir()}
    own = (store.root / plan.edits[0].name).parent
    assert after == folders | {own, own.parent}


def test_support_describes_each_action() -> None:
    store = Minions(Path())
    for action in ("add", "confirm", "dismiss", "restore", "delete", "supersede"):
        assert store.support_for(action).kind is SupportKind.NATIVE
    assert store.support_for("relate", "contradicts").kind is SupportKind.NATIVE
    assert store.support_for("relate", "supports").kind is SupportKind.WORKSPACE
    assert store.support_for("relate").kind is SupportKind.WORKSPACE
    assert store.support_for("pin").text == "is kept in memtui: minions stores have no pin"
    assert store.support_for("edit", "subject").kind is SupportKind.WORKSPACE


def test_only_changed_files_are_parsed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make(tmp_path, *(item(n, f"k{n}", f"text {n}") for n in range(1, 320)))
    read: list[str] = []
    part = store.parse_file

    def counting(name: str, data: bytes, files: Any) -> Reading:
        read.append(name)
        return part(name, data, files)

    monkeypatch.setattr(store, "parse_file", counting)
    with store.snapshot() as snapshot:
        list(snapshot.read({relative_path(uid(7))}))
    assert read == [relative_path(uid(7))]


WEIRD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.3, 1e300, 10**400, float("inf"), float("nan"), "", " ", "\ud800\0\x1b[31m"),
    *([], {}, [None, 1, {}], ["a", "b"], {"a": {"b": []}}, "2026", "1e400", "9999-12-31T23:59:59-14:00"),
)


def test_any_value_of_a_member_can_be_read() -> None:
    store = Minions(Path())
    for sample in SAMPLE:
        for number, member in enumerate((*sample, *(("fields", name) for name in sample["fields"]))):
            for value in shard(WEIRD, number, 2):
                changed = json.loads(json.dumps(sample))
                if isinstance(member, tuple):
                    changed["fields"][member[1]] = value
                else:
                    changed[member] = value
                reading = store.parse({relative_path(sample["id"]): json.dumps(changed).encode()})
                json.dumps([record.digest for record in reading.records])
                noted = [
                    *(record.text for record in reading.side_records),
                    *(record.text for record in reading.findings),
                ]
                shown = " ".join(noted)
                assert "\0" not in shown
                shown.encode()


@pytest.mark.parametrize("number", [PROPOSALS, LESSON, SUMMARY])
def test_any_value_of_a_member_allows_an_edit(tmp_path: Path, number: int) -> None:
    sample = next(candidate for candidate in SAMPLE if candidate["id"] == uid(number))
    for value in shard(WEIRD, number, 2):
        changed = sample | {"fields": dict.fromkeys(sample["fields"], value)}
        store = store_with(tmp_path, json.dumps(changed, indent=1).encode(), number)
        before = read_tree(store.root)
        plans = apply(store, write("edit", record_of(store, number), content="quite new", title="as well"))
        plans += apply(
            store, Write("confirm", uid(number), {"last_confirmed_at": NOW, "confidence": 0.8}, {}, NOW)
        )
        plans += apply(store, write("dismiss", record_of(store, number), status="dismissed"))
        for plan in reversed(plans):
            undo(store, [plan])
        assert read_tree(store.root) == before


# -- interrupted writes


@pytest.mark.parametrize("written", [0, 1, 2, 3])
def test_an_interrupted_write_is_recognised_and_completed(store: Minions, written: int) -> None:
    before = read_tree(store.root)
    (planned,) = store.plan([superseding(PROPOSALS, DETAIL)])
    plan = reload_plan(store, planned)
    assert len(plan.edits) == 3
    complete = apply_edits(before, plan.edits)
    for edit in plan.edits[:written]:
        path = store.root / edit.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(complete[edit.name])
    state = {0: WriteState.BEFORE, 3: WriteState.AFTER}.get(written, WriteState.PARTLY)
    assert store.write_state([plan], "token") is state
    if written:
        store.finish([plan], "token")
        assert read_tree(store.root) == complete
        undo(store, [plan])
    assert read_tree(store.root) == before
