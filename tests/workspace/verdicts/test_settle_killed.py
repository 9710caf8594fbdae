"""A verdict that is killed at any step is all or nothing (S-7, S-42)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import BOTH_TRUE, DISCARD_BOTH, DUPLICATE, EXACT, KEEP_A, MERGE
from tests.support.contradiction_stores import ContradictionStores, add_pair, workspace_rows
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds, shard

LAST_STEP = {KEEP_A: 2, MERGE: 5, DISCARD_BOTH: 5}  # of verdicts that write to one store, and to two


def steps_of(verdict: str) -> list[int]:
    """Return all steps, or every second one of a verdict on two stores: the other verdict has the rest."""
    all_steps = range(LAST_STEP[verdict] + 1)
    return list(all_steps) if verdict == KEEP_A else shard(all_steps, list(LAST_STEP).index(verdict), 2)


def run_until_killed(
    stores: ContradictionStores, kill_harness: KillHarness, call: list[object], step: int
) -> None:
    end = {"kind": "step", "at": step, "after": True, "early": False}
    assert kill_harness.run(stores.path, call, end)["killed"], (call, step)


@pytest.mark.parametrize("verdict", LAST_STEP)
def test_a_verdict_killed_at_any_step_is_all_or_nothing(
    tmp_path: Path, kill_harness: KillHarness, verdict: str
) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "base-coat")).create()
    with stores.opened() as workspace:
        first_id, second_id = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, first_id, second_id, DUPLICATE, EXACT)
        start = workspace_rows(workspace), stores.snapshot()
    for step in steps_of(verdict):
        run_until_killed(stores, kill_harness, ["settle", id, verdict], step)
        with stores.opened() as workspace:
            workspace.pull()
            verdicts = workspace_rows(workspace)["verdicts"]
            if step == 0:
                assert (workspace_rows(workspace), stores.snapshot()) == start
                assert workspace.journal()[0].state == "failed"
                continue
            assert [row[4] for row in verdicts] == [verdict], step
            states = {item.state for item in workspace.journal_items(workspace.journal()[0].id)}
            assert states == {"done"}, step
            assert workspace.memories([second_id])[0].status == "dismissed", step
            if verdict == MERGE:
                assert workspace.memories([first_id])[0].times_used == 4, step
            workspace.undo()
            assert stores.snapshot() == start[1], step
            assert workspace_rows(workspace) == start[0], step


@pytest.mark.parametrize("verdict", [MERGE, DISCARD_BOTH])
def test_an_undo_killed_at_any_step_is_finished(
    tmp_path: Path, kill_harness: KillHarness, verdict: str
) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "base-coat")).create()
    with stores.opened() as workspace:
        first_id, second_id = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, first_id, second_id, DUPLICATE, EXACT)
        start = workspace_rows(workspace), stores.snapshot()
    for step in steps_of(verdict):
        with stores.opened() as workspace:
            workspace.settle(id, verdict)
        run_until_killed(stores, kill_harness, ["undo"], step)
        with stores.opened() as workspace:
            if step == 0:
                assert [row[4] for row in workspace_rows(workspace)["verdicts"]] == [verdict]
                workspace.undo()
            assert stores.snapshot() == start[1], step
            assert workspace_rows(workspace) == start[0], step


@pytest.mark.parametrize("changed_text", ["Meets on Friday", "Bystander"])
def test_the_first_store_is_rolled_back_if_the_second_refuses_after_a_crash(
    tmp_path: Path, kill_harness: KillHarness, changed_text: str
) -> None:
    """An agent changed the memory itself, or only another one in the same file."""
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    with stores.opened() as workspace:
        first_id, second_id = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, first_id, second_id)
        start = stores.snapshot()["founder-os"]
    run_until_killed(
        stores, kill_harness, ["settle", id, DISCARD_BOTH], 2
    )  # after the first store is settled
    file = stores.store_paths["mcp-memory"]
    file.write_bytes(file.read_bytes().replace(changed_text.encode(), b"Was on Sunday"))
    with stores.opened() as workspace:
        assert stores.snapshot()["founder-os"] == start
        assert workspace.memories([first_id])[0].status == "confirmed"
        assert workspace_rows(workspace)["verdicts"] == []
        assert all(event.state != "intended" for event in workspace.journal())


@pytest.mark.parametrize("step", range(3))
def test_a_killed_rollback_is_finished_later(tmp_path: Path, kill_harness: KillHarness, step: int) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    with stores.opened() as workspace:
        first_id, second_id = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, first_id, second_id)
        start = stores.snapshot()["founder-os"]
    run_until_killed(stores, kill_harness, ["settle", id, DISCARD_BOTH], 2)
    file = stores.store_paths["mcp-memory"]
    file.write_bytes(file.read_bytes().replace(b"Meets on Friday", b"Was on Sunday"))
    end = {"kind": "step", "at": step, "after": True, "early": True}
    assert kill_harness.run(stores.path, [], end)["killed"]
    with stores.opened() as workspace:
        assert stores.snapshot()["founder-os"] == start
        assert workspace.memories([first_id])[0].status == "confirmed"
        assert workspace_rows(workspace)["verdicts"] == []
        assert all(event.state != "intended" for event in workspace.journal())
        first, second, *_ = stores.sample_ids(workspace, "founder-os")
        workspace.settle(add_pair(workspace, first, second), KEEP_A)


def test_a_killed_verdict_that_writes_nothing_is_all_or_nothing(
    tmp_path: Path, kill_harness: KillHarness
) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, first_id, second_id)
    for statement in range(0, 24, rounds(6, 3)):
        end = {"kind": "sql", "at": statement, "after": True, "early": False}
        kill_harness.run(stores.path, ["settle", id, BOTH_TRUE], end)
        with stores.opened() as workspace:
            verdicts = workspace_rows(workspace)["verdicts"]
            entries = [event for event in workspace.journal() if event.kind == "resolved" and event.undoable]
            assert len(verdicts) == len(entries)
            if entries:
                workspace.undo()
