"""Founder OS: adding memories, agents at work, and what the store supports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.founder_os import FounderOs
from memtui.formats.founder_os.writer import slug
from tests.support.stores import rows_in
from tests.support.stores.databases import execute, query
from tests.support.stores.founder_os import (
    ACME,
    NEWS,
    SEED_COLUMNS,
    SHIPPED_COLUMNS,
    make,
)
from tests.support.stores.row_changes import NOW, apply_change, plan_change, undo

# -- add


@pytest.mark.parametrize("columns", [SEED_COLUMNS, SHIPPED_COLUMNS], ids=["seed", "shipped"])
def test_a_new_memory_is_a_row_as_founder_os_inserts_it(tmp_path: Path, columns: Any) -> None:
    store = FounderOs(make(tmp_path / "memory.db", columns=columns))
    before = rows_in(store.root)
    plan = apply_change(store, "add", content="Übersetzt: Kunde zahlt bar!")
    row = next(row for row in rows_in(store.root)["memories"].values() if row["id"][1] == plan.ref_after)
    assert re.fullmatch("[0-9a-f]{32}", str(plan.ref_after))
    values = {name: value for name, (_, value) in row.items() if name != "id" and value is not None}
    assert values == {
        "key": "ubersetzt-kunde-zahlt-bar",
        "category": "fact",
        "content": "Übersetzt: Kunde zahlt bar!",
        "source_plugin": "User",
        "confidence": 50,
        "status": "candidate",
        "times_used": 0,
        "times_confirmed": 0,
        "created_at": int(NOW),
        "updated_at": int(NOW),
    }
    assert (plan.ref, list(row)) == (None, list(columns))
    (reversal,) = undo(store, plan)
    assert reversal.ref_after is None
    assert rows_in(store.root) == before


def test_a_new_memory_takes_the_given_fields(store: FounderOs) -> None:
    given = {
        "ref": "ab" * 16,
        "key": "taught",
        "content": "Taught.",
        "category": "workflow",
        "tags": ("x", "y"),
        "confidence": 1.0,
        "status": "confirmed",
        "times_confirmed": 1,
        "expires_at": NOW + 60,
        "company_id": "c-1",
    }
    plan = store.plan([Write("add", "", given, {}, NOW)])[0]
    assert isinstance(plan, Plan)
    store.apply([plan], "t")
    fields = store.read_refs(["ab" * 16])["ab" * 16].fields
    assert plan.ref_after == "ab" * 16
    assert (fields["key"], fields["category"], fields["tags"]) == ("taught", "workflow", ("x", "y"))
    assert (fields["confidence"], fields["status"], fields["times_confirmed"]) == (1.0, "confirmed", 1)
    assert (fields["expires_at"], fields["company_id"]) == (1_800_000_060.0, "c-1")


def test_a_key_derived_from_the_text_is_numbered_if_it_is_taken(store: FounderOs) -> None:
    adds = [Write("add", "", {"content": "Weekly review!"}, {}, NOW) for _ in range(3)]
    plans = store.plan(adds)
    store.apply([plan for plan in plans if isinstance(plan, Plan)], "t")
    keys = sorted(str(record.fields["key"]) for record in store.read().records)
    assert [key for key in keys if key.startswith("weekly")] == [
        "weekly-review",
        "weekly-review-2",
        "weekly-review-3",
        "weekly-review-4",
    ]


def test_a_given_key_that_is_taken_is_refused_and_not_changed(store: FounderOs) -> None:
    with pytest.raises(Refused, match="“weekly-review”"):
        plan_change(store, "add", content="x", key="weekly-review")
    twice = [Write("add", "", {"content": "x", "key": "twice"}, {}, NOW) for _ in range(2)]
    first, second = store.plan(twice)
    assert isinstance(first, Plan)
    assert isinstance(second, Refused)
    assert second.code == "exists"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Acme Corp pays net-30", "acme-corp-pays-net-30"),
        ("  Ünïcode, naïvely!  ", "unicode-naively"),
        ("word " * 40, "-".join(["word"] * 12)),
        ("x" * 200, "x" * 60),
        ("顧客は現金で払う", ""),
    ],
)
def test_a_key_is_derived_from_the_first_words(text: str, key: str) -> None:
    assert slug(text) == key


def test_a_text_without_latin_letters_still_gets_a_key(store: FounderOs) -> None:
    plan = apply_change(store, "add", content="顧客は現金で払う")
    key = store.read_refs([str(plan.ref_after)])[str(plan.ref_after)].fields["key"]
    assert key == f"memory-{str(plan.ref_after)[:8]}"


# -- other programs


def test_use_counts_raised_by_an_agent_cause_no_conflict(store: FounderOs) -> None:
    seen = store.read_refs([ACME])[ACME].fields
    used = f"UPDATE memories SET times_used = times_used + 1, last_used_at = 1790000000 WHERE id = '{ACME}'"
    execute(store.root, used)
    write = Write("edit", ACME, {"content": "New."}, {"content": seen["content"]}, NOW)
    plan = store.plan([write])[0]
    assert isinstance(plan, Plan)
    execute(store.root, used)
    store.apply([plan], "t")
    execute(store.root, used)
    undo(store, plan)
    fields = store.read_refs([ACME])[ACME].fields
    assert (fields["times_used"], fields["content"]) == (10, seen["content"])


def test_a_text_changed_by_an_agent_is_a_conflict_with_both_versions(store: FounderOs) -> None:
    seen = store.read_refs([ACME])[ACME].fields
    execute(store.root, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    plan = store.plan([Write("edit", ACME, {"content": "Ours."}, {"content": seen["content"]}, NOW)])[0]
    assert isinstance(plan, Conflict)
    assert (plan.intended, plan.stored) == ({"content": "Ours."}, {"content": "Theirs."})


def test_a_memory_deleted_by_an_agent_is_a_conflict(store: FounderOs) -> None:
    execute(store.root, f"DELETE FROM memories WHERE id = '{NEWS}'")
    plan = store.plan([Write("dismiss", NEWS, {}, {"content": "Always archive newsletters."}, NOW)])[0]
    assert isinstance(plan, Conflict)
    assert plan.stored == {}


def test_adding_a_memory_that_agents_used_since_can_be_undone(store: FounderOs) -> None:
    before = rows_in(store.root)
    plan = apply_change(store, "add", content="Short-lived.")
    execute(
        store.root,
        "UPDATE memories SET times_used = 3, last_used_at = 1790000000, embedding = '[1.0]'"
        f" WHERE id = '{plan.ref_after}'",
    )
    used = rows_in(store.root)
    (reversal,) = undo(store, plan)
    assert rows_in(store.root) == before
    undo(store, reversal)
    assert [*rows_in(store.root)["memories"].values()] == [*used["memories"].values()]


def test_adding_a_memory_that_an_agent_rewrote_cannot_be_undone(store: FounderOs) -> None:
    plan = apply_change(store, "add", content="Short-lived.")
    execute(store.root, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{plan.ref_after}'")
    refusal = store.reverse([plan])[0]
    assert isinstance(refusal, Refused)
    assert refusal.code == "changed-since"


# -- support


@pytest.mark.parametrize(
    ("action", "field", "kind", "text"),
    [
        ("dismiss", "", SupportKind.NATIVE, "sets its status to dismissed in memory.db"),
        ("confirm", "", SupportKind.NATIVE, "raises its confidence by 15, to at least 60, in memory.db"),
        ("restore", "", SupportKind.NATIVE, "restores its status in memory.db"),
        ("add", "", SupportKind.NATIVE, "adds a row to memory.db"),
        (
            "edit",
            "content",
            SupportKind.NATIVE,
            "changes the text in memory.db and clears its embedding",
        ),
        ("edit", "company_id", SupportKind.NATIVE, "changes its company id in memory.db"),
        ("pin", "", SupportKind.WORKSPACE, "is kept in memtui: Founder OS has no pins"),
        ("unpin", "", SupportKind.WORKSPACE, "is kept in memtui: Founder OS has no pins"),
        ("edit", "note", SupportKind.WORKSPACE, "is kept in memtui: Founder OS has no note"),
        (
            "edit",
            "snoozed_until",
            SupportKind.WORKSPACE,
            "is kept in memtui: Founder OS has no snoozed until",
        ),
    ],
)
def test_each_action_describes_its_effect_on_each_field(
    store: FounderOs, action: str, field: str, kind: SupportKind, text: str
) -> None:
    support = store.support_for(action, field)
    assert (support.kind, support.text) == (kind, text)


def test_a_store_made_by_memtui_takes_what_founder_os_writes(tmp_path: Path) -> None:
    """The plugins leave columns out, and apply their schema again if a table seems to be missing."""
    path = FounderOs.create(tmp_path / "memory.db")
    execute(
        path,
        "INSERT INTO memories (id, key, category, content, created_at, updated_at)"
        " VALUES ('a1', 'net-30', 'fact', 'Acme pays in thirty days.', 1760000000, 1760000000)",
        "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status, times_used,"
        " times_confirmed, created_at, updated_at)"
        " VALUES ('b2', 'tea', 'preference', 'Tea.', NULL, NULL, NULL, NULL, NULL, 1760000000, 1760000000)",
        "INSERT INTO adaptations (id, plugin, description, applied_at) VALUES ('c3', 'P01', 'x', 1760000000)",
    )
    first, second = FounderOs(path).read().records
    assert (first.fields["status"], first.fields["confidence"]) == ("candidate", 0)
    assert second.fields["content"] == "Tea."
    tables = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    before = query(path, tables)
    indexes = [name for name, _ in before if name.startswith("idx_")]
    execute(path, *(f"CREATE INDEX IF NOT EXISTS {name} ON memories (id)" for name in indexes))
    assert (query(path, tables), len(indexes)) == (before, 11)
