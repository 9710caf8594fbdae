"""Base Coat: agents at work, and what the store supports."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.plans import Write, WriteState
from memtui.formats.contract.records import Link
from tests.formats.base_coat.support import (
    add,
    codes,
    record,
    record_texts,
    refusal_of,
    value,
)
from tests.support.sizes import sample_cases
from tests.support.stores import Agent, changed_columns, file_hashes, rows_in
from tests.support.stores.base_coat import (
    EMBEDDED_COLUMNS,
    FEED,
    MEMORIES,
    OLD,
    SQLITE,
    TABS,
    TESTS,
    UNTYPED_COLUMNS,
    make,
)
from tests.support.stores.databases import execute
from tests.support.stores.row_changes import NOW, apply_change, plan_change, undo

# -- other programs


def test_counting_a_use_sets_time_and_heat(store: BaseCoat) -> None:
    before = rows_in(store.root)
    for _ in range(2):
        store.count_uses([FEED, SQLITE, "gone"], NOW)
    store.count_uses([SQLITE], NOW)
    assert [value(store, FEED, name) for name in ("access_count", "last_accessed", "heat")] == [
        5,
        "2027-01-15T08:00:00+00:00",
        "warm",
    ]
    assert [value(store, SQLITE, name) for name in ("access_count", "last_accessed", "heat")] == [
        3,
        "2027-01-15 08:00:00",
        "warm",
    ]
    assert changed_columns(before, rows_in(store.root)) == {
        ("memories", name) for name in ("access_count", "last_accessed", "heat")
    }
    assert codes(store) == []


def test_uses_are_counted_in_older_schemas_and_from_invalid_counts(older: BaseCoat, tmp_path: Path) -> None:
    older.count_uses([TABS], NOW)
    assert value(older, TABS, "access_count") == 1
    assert value(older, TABS, "last_accessed") == "2027-01-15T08:00:00.750Z"
    for number, raw in enumerate((None, "many", b"\xff", 4.0)):
        path = make(
            tmp_path / f"{number}.db", [{**MEMORIES[0], "access_count": raw}], columns=UNTYPED_COLUMNS
        )
        BaseCoat(path).count_uses([TESTS], NOW)
        assert value(BaseCoat(path), TESTS, "access_count") == (5 if raw == 4.0 else 1)


def test_use_counts_raised_by_an_agent_cause_no_conflict(store: BaseCoat) -> None:
    used = f"UPDATE memories SET access_count = access_count + 1, last_accessed = 'x' WHERE id = '{TESTS}'"
    plan = plan_change(store, "edit", TESTS, content="Other.")
    execute(store.root, used)
    store.apply([plan], "t")
    execute(store.root, used)
    undo(store, plan)
    assert value(store, TESTS, "access_count") == 14
    new = add(store, content="New.", ref="new")
    execute(
        store.root,
        used.replace(TESTS, "new"),
        "UPDATE memories SET tier = 'l2', heat = 'hot' WHERE id = 'new'",
    )
    undo(store, new)
    assert "New." not in record_texts(store)


def test_a_text_changed_by_an_agent_is_a_conflict_with_both_versions(store: BaseCoat) -> None:
    execute(store.root, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{TESTS}'")
    write = Write("edit", TESTS, {"content": "Mine."}, {"content": MEMORIES[0]["content"]}, NOW)
    (conflict,) = store.plan([write])
    assert isinstance(conflict, Conflict)
    assert (conflict.intended, conflict.stored) == ({"content": "Mine."}, {"content": "Theirs."})
    missing = store.plan([Write("edit", "nobody", {"content": "Mine."}, {}, NOW)])[0]
    assert isinstance(missing, Conflict)


@pytest.mark.parametrize("order", sample_cases(itertools.permutations(range(4)), 12))
def test_changes_of_one_memory_and_of_two_are_undone_in_any_order(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    store = BaseCoat(make(tmp_path / "memory.db", columns=EMBEDDED_COLUMNS))
    before = rows_in(store.root)
    plans = [
        apply_change(store, "edit", TESTS, subject="merging"),
        apply_change(store, "unpin", TESTS, pinned=False),
        apply_change(store, "supersede", FEED, Link(TESTS, "supersedes", FEED)),
        apply_change(store, "relate", TABS, Link(TABS, "refines", TESTS)),
    ]
    for number in order:
        undo(store, plans[number])
    after = rows_in(store.root)
    assert changed_columns(before, after) <= {("memories", "updated_at")}
    assert after["memory_relations"] == before["memory_relations"]


def test_reading_next_to_a_live_agent_leaves_its_files(store: BaseCoat) -> None:
    with Agent(store.root) as agent:
        agent.execute("UPDATE memories SET confidence = 0.5 WHERE id = ?", TABS)
        before, files = file_hashes(store.root), set(store.root.parent.iterdir())
        assert record(store, TABS).fields["confidence"] == 0.5
        assert store.support_for("pin").kind is SupportKind.NATIVE
        assert (file_hashes(store.root), set(store.root.parent.iterdir())) == (before, files)
        plan = apply_change(store, "edit", TABS, content="Other.")
        assert agent.execute("SELECT content FROM memories WHERE id = ?", TABS) == [["Other."]]
        undo(store, plan)


@pytest.mark.parametrize("action", ["supersede", "delete", "relate", "unrelate", "add"])
def test_the_state_of_an_interrupted_write_is_read_from_the_store(store: BaseCoat, action: str) -> None:
    links = {
        "supersede": Link(SQLITE, "supersedes", TABS),
        "relate": Link(TABS, "supports", FEED),
        "unrelate": Link(TABS, "contradicts", OLD),
    }
    fields = {"content": "New."} if action == "add" else {}
    plan = plan_change(store, action, "" if action == "add" else TABS, links.get(action), **fields)
    assert store.write_state([plan], "t") is WriteState.BEFORE
    store.apply([plan], "t")
    assert store.write_state([plan], "t") is WriteState.AFTER
    execute(store.root, "UPDATE memories SET access_count = access_count + 1")
    assert store.write_state([plan], "t") is WriteState.AFTER
    undo(store, plan)


def test_an_unknown_trigger_makes_the_store_read_only(store: BaseCoat) -> None:
    execute(
        store.root, "CREATE TRIGGER wipe AFTER INSERT ON memory_relations BEGIN DELETE FROM memories; END"
    )
    assert "wipe" in store.locked_reason()
    assert refusal_of(store, "edit", TESTS, content="Other.").code == "read-only"
    with pytest.raises(Refused):
        store.count_uses([TESTS], NOW)
    assert len(store.read().records) == len(MEMORIES)


# -- support


@pytest.mark.parametrize(
    ("action", "name", "kind", "text"),
    [
        ("pin", "", SupportKind.NATIVE, "pins it in memory.db, so it neither decays nor gets demoted"),
        (
            "dismiss",
            "",
            SupportKind.NATIVE,
            "sets its confidence to 0 in memory.db, so agents skip it",
        ),
        (
            "restore",
            "",
            SupportKind.NATIVE,
            "raises its confidence above 0 in memory.db, so agents see it again",
        ),
        (
            "edit",
            "content",
            SupportKind.NATIVE,
            "changes the text in memory.db and clears its embedding",
        ),
        ("edit", "expires_at", SupportKind.NATIVE, "changes its expiry in memory.db"),
        ("edit", "tags", SupportKind.WORKSPACE, "is kept in memtui: Base Coat has no tags"),
        ("relate", "refines", SupportKind.NATIVE, "adds the relation to memory.db"),
        (
            "relate",
            "causes",
            SupportKind.WORKSPACE,
            "is kept in memtui: Base Coat's only relations are supports, contradicts, refines",
        ),
        (
            "supersede",
            "",
            SupportKind.NATIVE,
            "sets its confidence to 0 in memory.db and records there that the other memory contradicts it",
        ),
        ("snooze", "", SupportKind.WORKSPACE, "is kept in memtui: Base Coat has no snooze"),
    ],
)
def test_each_action_describes_its_effect_on_each_field(
    store: BaseCoat, action: str, name: str, kind: SupportKind, text: str
) -> None:
    support = store.support_for(action, name)
    assert (support.kind, support.text) == (kind, text)
