"""Killed at each step of a verdict: it stands as a whole, or nothing of it does (S-7, S-42)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import BOTH_TRUE, DISCARD_BOTH, DUPLICATE, EXACT, KEEP_A, MERGE
from tests.support.contradiction_stores import ContradictionStores, add_pair, workspace_rows
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds, shard

LAST = {KEEP_A: 2, MERGE: 5, DISCARD_BOTH: 5}  # the steps of one store, and of two


def steps(verdict: str) -> list[int]:
    """All steps; every second one, the others by the other verdict, where there are two stores."""
    every = range(LAST[verdict] + 1)
    return list(every) if verdict == KEEP_A else shard(every, list(LAST).index(verdict), 2)


def killed(stores: ContradictionStores, kill_harness: KillHarness, act: list[object], step: int) -> None:
    end = {"kind": "step", "at": step, "after": True, "early": False}
    assert kill_harness.run(stores.path, act, end)["killed"], (act, step)


@pytest.mark.parametrize("verdict", LAST)
def test_each_step_of_a_verdict_across_two_stores_can_be_the_last(
    tmp_path: Path, kill_harness: KillHarness, verdict: str
) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "base-coat")).create()
    with stores.opened() as workspace:
        one, two = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, one, two, DUPLICATE, EXACT)
        start = workspace_rows(workspace), stores.snapshot()
    for step in steps(verdict):
        killed(stores, kill_harness, ["settle", id, verdict], step)
        with stores.opened() as workspace:
            workspace.pull()
            told = workspace_rows(workspace)["verdicts"]
            if step == 0:
                assert (workspace_rows(workspace), stores.snapshot()) == start
                assert workspace.journal()[0].state == "failed"
                continue
            assert [row[4] for row in told] == [verdict], step
            states = {item.state for item in workspace.journal_items(workspace.journal()[0].id)}
            assert states == {"done"}, step
            assert workspace.memories([two])[0].status == "dismissed", step
            if verdict == MERGE:
                assert workspace.memories([one])[0].times_used == 4, step
            workspace.undo()
            assert stores.snapshot() == start[1], step
            assert workspace_rows(workspace) == start[0], step


@pytest.mark.parametrize("verdict", [MERGE, DISCARD_BOTH])
def test_each_step_of_its_undo_can_be_the_last(
    tmp_path: Path, kill_harness: KillHarness, verdict: str
) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "base-coat")).create()
    with stores.opened() as workspace:
        one, two = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, one, two, DUPLICATE, EXACT)
        start = workspace_rows(workspace), stores.snapshot()
    for step in steps(verdict):
        with stores.opened() as workspace:
            workspace.settle(id, verdict)
        killed(stores, kill_harness, ["undo"], step)
        with stores.opened() as workspace:
            if step == 0:
                assert [row[4] for row in workspace_rows(workspace)["verdicts"]] == [verdict]
                workspace.undo()
            assert stores.snapshot() == start[1], step
            assert workspace_rows(workspace) == start[0], step


@pytest.mark.parametrize("old", ["Meets on Friday", "Bystander"])
def test_where_the_second_store_refuses_after_a_crash_the_first_is_as_before(
    tmp_path: Path, kill_harness: KillHarness, old: str
) -> None:
    """An agent changed the memory itself, or only another one in the same file."""
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    with stores.opened() as workspace:
        one, two = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, one, two)
        start = stores.snapshot()["founder-os"]
    killed(stores, kill_harness, ["settle", id, DISCARD_BOTH], 2)  # the first one is settled
    file = stores.store_paths["mcp-memory"]
    file.write_bytes(file.read_bytes().replace(old.encode(), b"Was on Sunday"))
    with stores.opened() as workspace:
        assert stores.snapshot()["founder-os"] == start
        assert workspace.memories([one])[0].status == "confirmed"
        assert workspace_rows(workspace)["verdicts"] == []
        assert all(event.state != "intended" for event in workspace.journal())


@pytest.mark.parametrize("step", range(3))
def test_taking_the_half_back_can_be_cut_off_too(
    tmp_path: Path, kill_harness: KillHarness, step: int
) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "mcp-memory")).create()
    with stores.opened() as workspace:
        one, two = (stores.sample_ids(workspace, format)[1] for format in stores.formats)
        id = add_pair(workspace, one, two)
        start = stores.snapshot()["founder-os"]
    killed(stores, kill_harness, ["settle", id, DISCARD_BOTH], 2)
    file = stores.store_paths["mcp-memory"]
    file.write_bytes(file.read_bytes().replace(b"Meets on Friday", b"Was on Sunday"))
    end = {"kind": "step", "at": step, "after": True, "early": True}
    assert kill_harness.run(stores.path, [], end)["killed"]
    with stores.opened() as workspace:
        assert stores.snapshot()["founder-os"] == start
        assert workspace.memories([one])[0].status == "confirmed"
        assert workspace_rows(workspace)["verdicts"] == []
        assert all(event.state != "intended" for event in workspace.journal())
        first, second, *_ = stores.sample_ids(workspace, "founder-os")
        workspace.settle(add_pair(workspace, first, second), KEEP_A)


def test_a_verdict_that_writes_nothing_is_there_or_not(tmp_path: Path, kill_harness: KillHarness) -> None:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "native")
        id = add_pair(workspace, one, two)
    for statement in range(0, 24, rounds(6, 3)):
        end = {"kind": "sql", "at": statement, "after": True, "early": False}
        kill_harness.run(stores.path, ["settle", id, BOTH_TRUE], end)
        with stores.opened() as workspace:
            told = workspace_rows(workspace)["verdicts"]
            lines = [event for event in workspace.journal() if event.kind == "resolved" and event.undoable]
            assert len(told) == len(lines)
            if lines:
                workspace.undo()
