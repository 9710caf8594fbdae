"""Claude Code: undo next to agents and after any sequence of changes."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats.claude_code import ClaudeCode
from memtui.formats.contract.plans import Plan
from tests.formats.claude_code.support import changed_files, files
from tests.support.sizes import examples
from tests.support.stores.claude_code import (
    FILES,
    STORES,
    flat,
    make,
)
from tests.support.stores.files import (
    apply,
    apply_plans,
    read_tree,
    record_with,
    reload_plan,
    undo,
    write,
)

# -- other programs


def test_a_memory_changed_by_an_agent_is_a_conflict(store: ClaudeCode) -> None:
    record = record_with(store, "scientist")
    path = store.root / "user_role.md"
    path.write_text(path.read_text().replace("A data", "A rocket"))
    (conflict,) = store.plan([write("edit", record, content="mine")])
    assert isinstance(conflict, Conflict)
    assert conflict.intended == {"content": "mine"}
    assert "rocket" in conflict.stored["content"]


def test_changes_of_an_agent_elsewhere_survive_a_change_and_its_undo(store: ClaudeCode) -> None:
    record = record_with(store, "scientist")
    index, file = store.root / "MEMORY.md", store.root / "user_role.md"
    file.write_text(file.read_text().replace("what it is about", "theirs"))
    plans = apply(store, write("edit", record, content="mine"))
    dismissed = apply(store, write("dismiss", record_with(store, "Run the tests")))
    index.write_text(index.read_text().replace("# Memory Index", "# Index") + "- theirs\n")
    file.write_text(file.read_text() + "\nTheirs too.\n")
    undo(store, plans)
    undo(store, dismissed)
    assert changed_files(store) == {
        "MEMORY.md": FILES["MEMORY.md"].replace("# Memory Index", "# Index") + "- theirs\n",
        "user_role.md": FILES["user_role.md"].replace("what it is about", "theirs") + "\nTheirs too.\n",
    }


def test_an_index_line_without_its_neighbours_is_restored_after_the_others(store: ClaudeCode) -> None:
    plans = apply(store, write("dismiss", record_with(store, "scientist")))
    (store.root / "MEMORY.md").write_text("- [Other](release-freeze.md)\n\nText.\n")
    undo(store, plans)
    assert files(store)["MEMORY.md"] == (
        "- [Other](release-freeze.md)\n- [User's role [in short]](user_role.md) - data scientist\n\nText.\n"
    )


@pytest.mark.parametrize("remaining", ["# All new", "All new.\n", "All new.\n\n", None])
def test_a_bullet_without_its_neighbours_is_restored_at_the_end(
    store: ClaudeCode, remaining: str | None
) -> None:
    plans = apply(store, write("dismiss", record_with(store, "Ünïcode")))
    (store.root / "MEMORY.md").write_text(remaining or "")
    if remaining is None:
        (store.root / "MEMORY.md").unlink()
    (reversal,) = undo(store, plans)
    assert reversal.ref_after == record_with(store, "Ünïcode").ref
    assert (
        files(store)["MEMORY.md"] == (f"{remaining.strip()}\n\n" if remaining else "") + "- Ünïcode ☕ café\n"
    )


def test_undo_recreates_a_deleted_index_for_the_line(store: ClaudeCode) -> None:
    plans = apply(store, write("dismiss", record_with(store, "scientist")))
    (store.root / "MEMORY.md").unlink()
    undo(store, plans)
    assert files(store)["MEMORY.md"] == "- [User's role [in short]](user_role.md) - data scientist\n"


def test_a_memory_whose_name_is_taken_is_restored_under_another(store: ClaudeCode) -> None:
    plans = apply(store, write("dismiss", record_with(store, "scientist")))
    (store.root / "user_role.md").write_text(flat("User role", "user", "Another."))
    (reversal,) = undo(store, plans)
    assert reversal.ref_after == "user_role_2.md"
    assert files(store)["user_role_2.md"] == FILES["user_role.md"]
    assert "- [User's role [in short]](user_role_2.md) - data scientist\n" in files(store)["MEMORY.md"]
    undo(store, [reversal])
    assert "user_role_2" not in " ".join([*files(store), files(store)["MEMORY.md"]])


def test_a_memory_restored_by_an_agent_is_not_duplicated(store: ClaudeCode) -> None:
    plans = apply(store, write("dismiss", record_with(store, "scientist")))
    (store.root / "user_role.md").write_text(FILES["user_role.md"])
    (refusal,) = store.reverse(plans)
    assert isinstance(refusal, Refused)
    assert refusal.code == "exists"


def test_undoing_an_add_removes_a_reworded_index_line(store: ClaudeCode) -> None:
    plans = apply(store, write("add", content="New.", title="New"))
    index = store.root / "MEMORY.md"
    index.write_text(
        index.read_text().replace("[New](project_new.md) — New.", "[Newer](project_new.md) - other")
    )
    undo(store, plans)
    assert changed_files(store) == {}


def test_adding_a_memory_that_was_edited_since_cannot_be_undone(store: ClaudeCode) -> None:
    plans = apply(store, write("add", content="New."))
    (store.root / "project_new.md").write_text("theirs")
    (refusal,) = store.reverse(plans)
    assert isinstance(refusal, Refused)
    assert "project_new.md" in files(store)


def test_two_edits_of_one_file_are_undone_in_either_order(store: ClaudeCode) -> None:
    first = apply(
        store,
        write(
            "edit",
            record_with(store, "No merges"),
            content="Merges again.",
        ),
    )
    second = apply(store, write("edit", record_with(store, "Merges"), category="user"))
    undo(store, first)
    undo(store, second)
    record = record_with(store, "No merges")
    assert (record.fields["category"], record.fields["content"][:9]) == ("project", "No merges")
    body = FILES["release-freeze.md"].split("modified:")
    assert files(store)["release-freeze.md"].startswith(body[0])


def test_undecodable_file_names_stay_distinct(tmp_path: Path) -> None:
    store = make(tmp_path / "memory")
    for raw in (b"\xff.md", b"\xfe.md"):
        (Path(os.fsdecode(os.fsencode(store.root) + b"/" + raw))).write_text(flat("N", "user", "Text."))
    refs = [record.ref for record in store.read().records]
    assert len(set(refs)) == len(refs)


def test_undoing_an_undo_repeats_the_change(store: ClaudeCode) -> None:
    for change in (
        write("dismiss", record_with(store, "scientist")),
        write("edit", record_with(store, "Run the tests"), title="T", content="C"),
        write("add", content="New."),
    ):
        plans = apply(store, change)
        after = read_tree(store.root)
        redone = undo(store, undo(store, plans))
        assert read_tree(store.root) == after
        undo(store, redone)
        assert changed_files(store) == {}


def test_dismissing_all_memories_at_once_is_undone(store: ClaudeCode) -> None:
    plans = apply(store, *(write("dismiss", record) for record in store.read().records))
    assert list(files(store)) == ["MEMORY.md"]
    assert not store.read().records
    undo(store, plans)
    assert changed_files(store) == {}


# -- any sequence of changes

_ACTIONS = st.lists(
    st.tuples(st.sampled_from(["edit", "dismiss", "add", "title", "category"]), st.integers(0, 99)),
    max_size=8,
)


_TEXTS = ("one", "two\nlines", "three\n\nparts", "☕ [[release-freeze]]")


def _apply_actions(store: ClaudeCode, actions: list[tuple[str, int]]) -> list[list[Plan]]:
    applied = []
    for action, pick in actions:
        records = store.read().records
        record = records[pick % len(records)] if records else None
        if action == "add" or record is None:
            change = write("add", content=_TEXTS[pick % 4], category="user")
        elif action == "dismiss":
            change = write("dismiss", record)
        elif action == "edit":
            change = write("edit", record, content=_TEXTS[pick % 4])
        elif action == "title":
            change = write("edit", record, title=f"T {pick % 3}")
        else:
            change = write("edit", record, category=store.categories[pick % 4])
        (plan,) = store.plan([change])
        if isinstance(plan, Plan):
            applied.append(apply_plans(store, [plan])[0])
    return applied


@examples(12)
@given(actions=_ACTIONS, kind=st.sampled_from(sorted(STORES)))
def test_undoing_all_changes_last_first_restores_every_byte(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, int]], kind: str
) -> None:
    store = make(tmp_path_factory.mktemp("claude") / "memory", STORES[kind])
    before = read_tree(store.root)
    for plans in reversed(_apply_actions(store, actions)):
        undo(store, plans)
    assert read_tree(store.root) == before


@examples(12)
@given(actions=_ACTIONS, order=st.randoms(use_true_random=False))
def test_undoing_in_any_order_keeps_the_other_memories(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, int]], order: random.Random
) -> None:
    store = make(tmp_path_factory.mktemp("claude") / "memory")
    applied = _apply_actions(store, actions)
    order.shuffle(applied)
    for plans in applied:
        (undo_plan,) = store.reverse(plans)
        if isinstance(undo_plan, Plan):
            before = {r.ref: r.digest for r in store.read().records}
            receipt = apply_plans(store, [reload_plan(store, undo_plan)])[1]
            touched = {undo_plan.ref, undo_plan.ref_after, *receipt.renamed, *receipt.renamed.values()}
            after = {r.ref: r.digest for r in store.read().records}
            assert {k: v for k, v in before.items() if k not in touched} == {
                k: v for k, v in after.items() if k not in touched
            }
