"""Decay when a store is locked, missing or changed meanwhile, or the run is killed (S-27, S-90).

A run does what it can and reports the rest, which a later run does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.decay.run import DecayResult
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import agent_executes, find_id
from tests.support.kills.kill_harness import KillHarness
from tests.support.lifecycle_stores import (
    COAT,
    DAY,
    FAINT,
    FOUNDER,
    MINIONS,
    ROWS,
    START,
    LifecycleStores,
    at_day,
    attach_all,
    coat,
    iso_day,
    item,
    make_base_coat,
    make_founder_os,
    make_minions,
    memory_by_id,
    row,
)
from tests.support.sizes import sample_cases
from tests.support.stores import Agent, changed_columns, founder_os, minions, rows_in
from tests.support.stores.databases import query


@pytest.fixture
def stores(tmp_path: Path) -> LifecycleStores:
    return LifecycleStores(tmp_path)


def two_stores(stores: LifecycleStores) -> LifecycleStores:
    """Attach two stores with steps due on day 10, also in the own store; doing one twice would show."""
    make_founder_os(stores, *ROWS)
    make_minions(stores, item(FAINT, "faint", 0.25, -81), item(2, "gone", 0.1, -89), item(3, "solid", 0.9, 0))
    with stores.opened() as workspace:
        workspace.attach(stores.founder, FOUNDER)
        workspace.attach(stores.minions, MINIONS)
        workspace.pin(workspace.search("keeper").ids)
        workspace.copy([find_id(workspace, "Founder brief")], "native")
    stores.calendar.set_day(10)
    return stores


# The confidences after one run.
CONFIDENCES_AFTER = {"weekly": 40, "dismissed": 14, "keeper": 14, "fresh": 90}


def confidences(path: Path) -> dict[str, int]:
    """Return the confidences of a Founder OS database by key."""
    return dict(query(path, "SELECT key, confidence FROM memories"))


def faint_confidence(stores: LifecycleStores) -> float:
    return float(minions.read_minion(stores.minions, FAINT)["fields"]["confidence"])


def expiry_records(stores: LifecycleStores) -> list[str]:
    """Return the ids of the minions that have an expiry record."""
    return sorted(each["fields"]["memoryId"] for each in minions.of_type(stores.minions, "expiry"))


def assert_done_once(stores: LifecycleStores, workspace: Workspace) -> None:
    """Assert that every step due on day 10 was done once."""
    assert confidences(stores.founder) == CONFIDENCES_AFTER
    assert faint_confidence(stores) == 0.15
    assert expiry_records(stores) == [minions.uid(2)]
    assert minions.read_minion(stores.minions, 2)["deletedAt"]
    (copied,) = [id for id in workspace.search("Founder brief", live=False).ids if _is_native(workspace, id)]
    assert memory_by_id(workspace, copied).status == "expired"
    assert workspace.due() == []


def _is_native(workspace: Workspace, id: int) -> bool:
    return memory_by_id(workspace, id).store == "native"


def skipped(result: DecayResult) -> set[tuple[str, str]]:
    """Return (label, code) of the skipped memories."""
    return {(each.label, each.code) for each in result.skipped}


def test_an_undisturbed_run(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        before = stores.snapshot()
        result = workspace.run_decay()
        assert (len(result.due), result.skipped) == (6, ())
        assert_done_once(stores, workspace)
        workspace.undo()
        assert stores.snapshot() == before


# -- stores that cannot be written


@contextmanager
def locked_by_another_program(stores: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """Another program holds an exclusive lock."""
    with Agent(stores.founder) as agent:
        agent.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def hard_linked(stores: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """The database has a second name, and a writer that uses it could damage the file."""
    second = stores.folder / "second.db"
    os.link(stores.founder, second)
    yield
    second.unlink()


@contextmanager
def locked_by_the_user(stores: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """The user locked the store."""
    workspace.lock_store(FOUNDER, True)
    yield
    workspace.lock_store(FOUNDER, False)


@contextmanager
def moved_away(stores: LifecycleStores, workspace: Workspace) -> Iterator[None]:
    """The store is not at its path."""
    stores.founder.parent.rename(stores.folder / "elsewhere")
    yield
    (stores.folder / "elsewhere").rename(stores.founder.parent)


Problem = Callable[[LifecycleStores, Workspace], AbstractContextManager[None]]
PROBLEMS: dict[str, tuple[Problem, str]] = {
    "locked by another program": (locked_by_another_program, "busy"),
    "hard link": (hard_linked, "read-only"),
    "locked by the user": (locked_by_the_user, "read-only"),
    "moved away": (moved_away, "missing"),
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_an_unwritable_store_is_skipped_and_done_by_a_later_run(
    stores: LifecycleStores, problem: str
) -> None:
    cause, code = PROBLEMS[problem]
    with two_stores(stores).opened() as workspace:
        before = stores.snapshot()
        founder_rows = rows_in(stores.founder)
        with cause(stores, workspace):
            result = workspace.run_decay()
            assert result.change is not None
            assert skipped(result) == {(f"Founder {name}.", code) for name in ("weekly", "weak", "brief")}
            assert all(each.reason for each in result.skipped)
            assert result.change.skipped == result.skipped
            assert {memory_by_id(workspace, id).store for id in result.change.ids} == {MINIONS, "native"}
            assert (
                result.change.summary
                == "Decay in minions:scout, native: 1 weakened, 2 left the store (3 of 6)"
            )
        assert rows_in(stores.founder) == founder_rows
        assert faint_confidence(stores) == 0.15
        assert {each.store for each in workspace.due()} == {FOUNDER}
        stores.calendar.set_day(10.5)  # the same day
        result = workspace.run_decay()
        assert result.change is not None
        assert ({each.store for each in result.due}, result.skipped) == ({FOUNDER}, ())
        assert_done_once(stores, workspace)
        last = workspace.journal()[0].id
        assert workspace.run_decay().change is None
        assert workspace.journal()[0].id == last
        workspace.undo()
        workspace.undo()
        assert stores.snapshot() == before


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_run_that_changed_nothing_does_not_count(stores: LifecycleStores, problem: str) -> None:
    cause, code = PROBLEMS[problem]
    make_founder_os(stores, ROWS[0], ROWS[1])
    with stores.opened() as workspace:
        workspace.attach(stores.founder, FOUNDER)
        stores.calendar.set_day(10)
        due = [(each.label, each.what) for each in workspace.due()]
        with cause(stores, workspace):
            for _ in range(2):
                result = workspace.run_decay()
                assert result.change is None
                assert skipped(result) == {("Founder weekly.", code), ("Founder weak.", code)}
        assert confidences(stores.founder) == {"weekly": 50, "weak": 14}
        assert [(each.label, each.what) for each in workspace.due()] == due
        assert workspace.run_decay().skipped == ()
        assert confidences(stores.founder) == {"weekly": 40}
        workspace.undo()
        assert confidences(stores.founder) == {"weekly": 50, "weak": 14}


def test_a_locked_database_without_a_wal_is_skipped(stores: LifecycleStores) -> None:
    make_base_coat(stores, coat("top", last=-88, tier="l1"), relations=(), journal="delete")
    with stores.opened() as workspace:
        workspace.attach(stores.coat, COAT)
        stores.calendar.set_day(2)
        with Agent(stores.coat) as agent:
            agent.execute("BEGIN EXCLUSIVE")
            result = workspace.run_decay()
            assert (result.change, skipped(result)) == (None, {("Coat top.", "busy")})
        assert workspace.run_decay().change is not None
        assert query(stores.coat, "SELECT tier FROM memories") == [("l2",)]


def test_skipped_steps_are_done_days_later_with_newer_ones(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        with locked_by_the_user(stores, workspace):
            workspace.run_decay()
        stores.calendar.set_day(17)
        assert workspace.run_decay().skipped == ()
        assert confidences(stores.founder)["weekly"] == 35  # days 2, 9 and 16
        assert expiry_records(stores) == sorted([minions.uid(2), minions.uid(FAINT)])


# -- changes by agents since the store was read


def test_memories_used_meanwhile_are_skipped(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        agent_executes(
            stores.founder,
            "UPDATE memories SET times_used = 9, last_used_at = ? WHERE key IN ('weekly', 'weak')",
            int(at_day(10)),
        )
        before = rows_in(stores.founder)
        result = workspace.run_decay()
        assert {each.label for each in result.skipped} == {"Founder weekly.", "Founder weak."}
        assert all("changed in the store since it was read" in each.reason for each in result.skipped)
        assert confidences(stores.founder) == {**CONFIDENCES_AFTER, "weekly": 50, "weak": 14}
        assert changed_columns(before, rows_in(stores.founder)) == {("memories", "*")}  # the expired one
        assert faint_confidence(stores) == 0.15
        # The store was read again, and memories that were used are no longer due.
        assert workspace.due() == []
        stores.calendar.set_day(10.5)
        result = workspace.run_decay()
        assert (result.change, result.skipped) == (None, ())
        stores.calendar.set_day(47)
        assert {each.label: each.what for each in workspace.due() if each.store == FOUNDER} == {
            "Founder weekly.": "0.50 → 0.45",
            "Founder weak.": "deleted",
            "Founder fresh.": "0.90 → 0.80",
        }


def test_a_confidence_set_meanwhile_is_skipped(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        agent_executes(stores.founder, "UPDATE memories SET confidence = 80 WHERE key = 'weekly'")
        result = workspace.run_decay()
        assert {each.label for each in result.skipped} == {"Founder weekly."}
        assert confidences(stores.founder) == {**CONFIDENCES_AFTER, "weekly": 80}
        assert {each.label for each in workspace.due()} <= {"Founder weekly."}
        assert faint_confidence(stores) == 0.15


def test_a_file_written_meanwhile_is_skipped(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        minion = minions.read_minion(stores.minions, FAINT)
        minion["fields"] |= {"confidence": 0.6, "value": "Theirs."}
        file = minions.put(stores.minions, minion)
        before = file.read_bytes()
        result = workspace.run_decay()
        assert {each.label for each in result.skipped} == {"faint"}
        assert file.read_bytes() == before
        assert expiry_records(stores) == [minions.uid(2)]
        assert confidences(stores.founder) == CONFIDENCES_AFTER
        assert workspace.due() == []


def test_a_minion_deleted_meanwhile_is_not_expired(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        minion = minions.read_minion(stores.minions, 2) | {"deletedAt": iso_day(9), "deletedBy": "janitor"}
        file = minions.put(stores.minions, minion)
        before = file.read_bytes()
        result = workspace.run_decay()
        assert {each.label for each in result.skipped} == {"gone"}
        assert (file.read_bytes(), expiry_records(stores)) == (before, [])
        assert workspace.due() == []


def test_a_text_written_meanwhile_is_not_deleted(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        agent_executes(
            stores.founder, "UPDATE memories SET content = 'News.' WHERE key IN ('weekly', 'weak')"
        )
        result = workspace.run_decay()
        assert {each.label for each in result.skipped} == {"Founder weak."}
        assert confidences(stores.founder) == {
            **CONFIDENCES_AFTER,
            "weak": 14,
        }  # the confidence is still lowered
        contents = "SELECT content FROM memories WHERE key IN ('weekly', 'weak')"
        assert query(stores.founder, contents) == [("News.",), ("News.",)]


def test_memories_removed_meanwhile_are_skipped(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        agent_executes(stores.founder, "DELETE FROM memories WHERE key IN ('weekly', 'weak')")
        result = workspace.run_decay()
        assert {each.label for each in result.skipped} == {"Founder weekly.", "Founder weak."}
        assert confidences(stores.founder) == {
            name: CONFIDENCES_AFTER[name] for name in ("dismissed", "keeper", "fresh")
        }
        assert workspace.due() == []


def test_concurrent_runs_apply_each_step_once(stores: LifecycleStores) -> None:
    two_stores(stores)
    other_results: list[DecayResult] = []

    def run_other_first(name: str) -> None:
        if name == "before the foreign write" and not other_results:
            other_results.append(_run_concurrently(stores))

    with stores.opened(on_step=run_other_first) as workspace:
        before = stores.snapshot()
        result = workspace.run_decay()
        (other,) = other_results
        assert other.change is not None
        assert_done_once(stores, workspace)
        assert {each.code for each in result.skipped} <= {"changed", "changed-since", "conflict"}
        for event in workspace.journal():
            if event.kind == "decayed" and event.undoable:
                workspace.undo(event.id)
        assert stores.snapshot() == before


def _run_concurrently(stores: LifecycleStores) -> DecayResult:
    with stores.opened() as workspace:
        return workspace.run_decay()


# -- killed runs


STEPS = 6  # for each of two stores: before the write, after it, settled


def run_until_killed(stores: LifecycleStores, kill_harness: KillHarness, step: int) -> bool:
    """Run decay in another process that is killed at a step; return whether it got that far."""
    end = {"kind": "step", "at": step, "after": False, "early": False, "clock": stores.calendar.now}
    ended = kill_harness.run(stores.path, ["run_decay"], end)
    assert ended["killed"] or (ended["acknowledged"], ended["code"]) == (True, 0)
    return bool(ended["killed"])


@pytest.mark.parametrize("step", sample_cases(range(STEPS), 4))
def test_a_run_after_a_killed_one_finishes(
    stores: LifecycleStores, kill_harness: KillHarness, step: int
) -> None:
    with two_stores(stores).opened():
        before = stores.snapshot()
    assert run_until_killed(stores, kill_harness, step)
    with stores.opened() as workspace:
        assert [event for event in workspace.journal() if event.state == "intended"] == []
        assert workspace.pull().total == 0
        lowered = confidences(stores.founder)["weekly"], faint_confidence(stores)
        assert lowered == (50 if step < 1 else 40, 0.25 if step < 4 else 0.15)
        result = workspace.run_decay()
        assert result.skipped == ()
        assert_done_once(stores, workspace)
        assert workspace.run_decay().change is None
        for event in workspace.journal():
            if event.kind == "decayed" and event.undoable:
                workspace.undo(event.id)
        assert stores.snapshot() == before


def test_a_finished_run_is_not_repeated(stores: LifecycleStores, kill_harness: KillHarness) -> None:
    two_stores(stores)
    assert not run_until_killed(stores, kill_harness, STEPS)
    with stores.opened() as workspace:
        assert (workspace.reconciled, workspace.due()) == ((), [])
        assert_done_once(stores, workspace)


def test_a_killed_run_through_all_stores_can_be_undone(
    stores: LifecycleStores, kill_harness: KillHarness
) -> None:
    attach_all(stores)
    before = stores.snapshot()
    stores.calendar.set_day(10)
    assert run_until_killed(stores, kill_harness, 7)  # after the write to the third store
    with stores.opened() as workspace:
        (event,) = [each for each in workspace.journal() if each.kind == "decayed"]
        states = {item.store: item.state for item in workspace.journal_items(event.id)}
        assert sorted(states.values()) == ["done"] * 4 + ["failed"]
        assert workspace.pull().total == 0
        workspace.undo()
        assert stores.snapshot() == before
        assert len(workspace.due()) == 11
        assert workspace.run_decay().skipped == ()
        workspace.undo()
        assert stores.snapshot() == before


# -- unusual stores


def test_an_unwritable_memory_does_not_block_others(stores: LifecycleStores) -> None:
    make_minions(stores, item(1, "faint", 0.25, -81), item(2, "linked", 0.25, -81))
    target = stores.folder / "linked.json"
    store_path = stores.minions / minions.relative_path(minions.uid(2))
    store_path.rename(target)
    store_path.symlink_to(target)
    with stores.opened() as workspace:
        workspace.attach(stores.minions, MINIONS)
        stores.calendar.set_day(10)
        before = target.read_bytes()
        result = workspace.run_decay()
        assert {each.label for each in result.skipped} <= {"linked"}
        assert target.read_bytes() == before
        assert faint_confidence(stores) == 0.15


@pytest.mark.parametrize(
    "number", [0.05, 9, 14.6, "50", "strong", None, -3, 250, 1e308, b"\x01"], ids=lambda each: repr(each)[:12]
)
@pytest.mark.filterwarnings("error")
def test_malformed_confidences_do_not_break_a_run(stores: LifecycleStores, number: Any) -> None:
    malformed = row("odd", 0, last=-35, confidence=number)
    founder_os.make(stores.founder, (malformed, ROWS[0]), columns=founder_os.UNTYPED_COLUMNS)
    with stores.opened() as workspace:
        workspace.attach(stores.founder, FOUNDER)
        before = rows_in(stores.founder)
        stores.calendar.set_day(10)
        due = {each.label: each for each in workspace.due()}
        result = workspace.run_decay()
        assert "Founder weekly." not in {each.label for each in result.skipped}
        after = dict(query(stores.founder, "SELECT key, confidence FROM memories"))
        assert after["weekly"] == 40
        if "Founder odd." in due and due["Founder odd."].leaves:
            assert "odd" not in after
        elif "Founder odd." in due:
            assert float(after["odd"]) / 100 == pytest.approx(due["Founder odd."].fields["confidence"])
        else:
            assert after["odd"] == number
        workspace.undo()
        assert rows_in(stores.founder) == before


def test_no_step_is_repeated_when_the_clock_is_set_back(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        assert workspace.run_decay().change is not None
        for day in (9, 5, -3):
            stores.calendar.now = START + day * DAY
            assert (workspace.due(), workspace.run_decay().change) == ([], None)
        stores.calendar.set_day(10.2)
        assert_done_once(stores, workspace)
        stores.calendar.set_day(16)
        workspace.run_decay()
        assert confidences(stores.founder)["weekly"] == 35


def test_a_detached_store_is_not_changed(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        workspace.detach(FOUNDER)
        before = rows_in(stores.founder)
        result = workspace.run_decay()
        assert (FOUNDER in {each.store for each in result.due}, result.skipped) == (False, ())
        assert rows_in(stores.founder) == before


def test_undo_reports_what_an_agent_changed_since(stores: LifecycleStores) -> None:
    with two_stores(stores).opened() as workspace:
        decay = workspace.run_decay().change
        assert decay is not None
        agent_executes(stores.founder, "UPDATE memories SET confidence = 77 WHERE key = 'weekly'")
        change = workspace.undo()
        assert len(change.ids) == len(decay.ids) - 1
        assert len(change.skipped) == 1
        assert confidences(stores.founder) == {**CONFIDENCES_AFTER, "weekly": 77, "weak": 14, "brief": 90}
        assert workspace.journal()[0].summary.endswith("(5 of 6; the rest have changed since)")
