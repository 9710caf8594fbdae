"""Killed at each step of a verdict: it stands as a whole, or nothing of it does (S-7, S-42)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import BOTH_TRUE, DISCARD_BOTH, DUPLICATE, EXACT, KEEP_A, MERGE
from tests.support.contradiction_stores import ContradictionStore, known, pair
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds, turn

LAST = {KEEP_A: 2, MERGE: 5, DISCARD_BOTH: 5}  # the steps of one store, and of two


def steps(verdict: str) -> list[int]:
    """All steps; every second one, the others by the other verdict, where there are two stores."""
    every = range(LAST[verdict] + 1)
    return list(every) if verdict == KEEP_A else turn(every, list(LAST).index(verdict), 2)


def killed(disputed: ContradictionStore, kill_harness: KillHarness, act: list[object], step: int) -> None:
    end = {"kind": "step", "at": step, "after": True, "early": False}
    assert kill_harness.run(disputed.path, act, end)["killed"], (act, step)


@pytest.mark.parametrize("verdict", LAST)
def test_each_step_of_a_verdict_across_two_stores_can_be_the_last(
    tmp_path: Path, kill_harness: KillHarness, verdict: str
) -> None:
    disputed = ContradictionStore(tmp_path, ("founder-os", "base-coat")).begin()
    with disputed.opened() as workspace:
        one, two = (disputed.four(workspace, format)[1] for format in disputed.formats)
        id = pair(workspace, one, two, DUPLICATE, EXACT)
        start = known(workspace), disputed.stands()
    for step in steps(verdict):
        killed(disputed, kill_harness, ["settle", id, verdict], step)
        with disputed.opened() as workspace:
            workspace.pull()
            told = known(workspace)["verdicts"]
            if step == 0:
                assert (known(workspace), disputed.stands()) == start
                assert workspace.journal()[0].state == "failed"
                continue
            assert [row[4] for row in told] == [verdict], step
            states = {item.state for item in workspace.journal_items(workspace.journal()[0].id)}
            assert states == {"done"}, step
            assert workspace.memories([two])[0].status == "dismissed", step
            if verdict == MERGE:
                assert workspace.memories([one])[0].times_used == 4, step
            workspace.undo()
            assert disputed.stands() == start[1], step
            assert known(workspace) == start[0], step


@pytest.mark.parametrize("verdict", [MERGE, DISCARD_BOTH])
def test_each_step_of_its_undo_can_be_the_last(
    tmp_path: Path, kill_harness: KillHarness, verdict: str
) -> None:
    disputed = ContradictionStore(tmp_path, ("founder-os", "base-coat")).begin()
    with disputed.opened() as workspace:
        one, two = (disputed.four(workspace, format)[1] for format in disputed.formats)
        id = pair(workspace, one, two, DUPLICATE, EXACT)
        start = known(workspace), disputed.stands()
    for step in steps(verdict):
        with disputed.opened() as workspace:
            workspace.settle(id, verdict)
        killed(disputed, kill_harness, ["undo"], step)
        with disputed.opened() as workspace:
            if step == 0:
                assert [row[4] for row in known(workspace)["verdicts"]] == [verdict]
                workspace.undo()
            assert disputed.stands() == start[1], step
            assert known(workspace) == start[0], step


@pytest.mark.parametrize("old", ["Meets on Friday", "Bystander"])
def test_where_the_second_store_refuses_after_a_crash_the_first_is_as_before(
    tmp_path: Path, kill_harness: KillHarness, old: str
) -> None:
    """An agent changed the memory itself, or only another one in the same file."""
    disputed = ContradictionStore(tmp_path, ("founder-os", "mcp-memory")).begin()
    with disputed.opened() as workspace:
        one, two = (disputed.four(workspace, format)[1] for format in disputed.formats)
        id = pair(workspace, one, two)
        start = disputed.stands()["founder-os"]
    killed(disputed, kill_harness, ["settle", id, DISCARD_BOTH], 2)  # the first one is settled
    file = disputed.places["mcp-memory"]
    file.write_bytes(file.read_bytes().replace(old.encode(), b"Was on Sunday"))
    with disputed.opened() as workspace:
        assert disputed.stands()["founder-os"] == start
        assert workspace.memories([one])[0].status == "confirmed"
        assert known(workspace)["verdicts"] == []
        assert all(event.state != "intended" for event in workspace.journal())


@pytest.mark.parametrize("step", range(3))
def test_taking_the_half_back_can_be_cut_off_too(
    tmp_path: Path, kill_harness: KillHarness, step: int
) -> None:
    disputed = ContradictionStore(tmp_path, ("founder-os", "mcp-memory")).begin()
    with disputed.opened() as workspace:
        one, two = (disputed.four(workspace, format)[1] for format in disputed.formats)
        id = pair(workspace, one, two)
        start = disputed.stands()["founder-os"]
    killed(disputed, kill_harness, ["settle", id, DISCARD_BOTH], 2)
    file = disputed.places["mcp-memory"]
    file.write_bytes(file.read_bytes().replace(b"Meets on Friday", b"Was on Sunday"))
    end = {"kind": "step", "at": step, "after": True, "early": True}
    assert kill_harness.run(disputed.path, [], end)["killed"]
    with disputed.opened() as workspace:
        assert disputed.stands()["founder-os"] == start
        assert workspace.memories([one])[0].status == "confirmed"
        assert known(workspace)["verdicts"] == []
        assert all(event.state != "intended" for event in workspace.journal())
        first, second, *_ = disputed.four(workspace, "founder-os")
        workspace.settle(pair(workspace, first, second), KEEP_A)


def test_a_verdict_that_writes_nothing_is_there_or_not(tmp_path: Path, kill_harness: KillHarness) -> None:
    disputed = ContradictionStore(tmp_path, ("native",)).begin()
    with disputed.opened() as workspace:
        one, two, *_ = disputed.four(workspace, "native")
        id = pair(workspace, one, two)
    for statement in range(0, 24, rounds(6, 3)):
        end = {"kind": "sql", "at": statement, "after": True, "early": False}
        kill_harness.run(disputed.path, ["settle", id, BOTH_TRUE], end)
        with disputed.opened() as workspace:
            told = known(workspace)["verdicts"]
            lines = [event for event in workspace.journal() if event.kind == "resolved" and event.undoable]
            assert len(told) == len(lines)
            if lines:
                workspace.undo()
