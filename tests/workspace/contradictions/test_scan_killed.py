"""A sweep that is killed goes on from there, and two at once do no harm (S-40, S-93)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import empty
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds

COUNT = rounds(80, 240)  # memories, sixteen of which are a batch
NEVER = {"kind": "step", "at": 1_000_000, "after": False, "early": False}


def stocked(path: Path) -> Path:
    workspace = Workspace.open(empty(path))
    rooms = ("cellar", "attic", "kitchen", "garage")
    for number in range(COUNT):
        room = rooms[number % 4]
        workspace._ctx.db.run(
            "INSERT INTO memories (uid, store_id, ref, content, subject, seen_at) "
            "VALUES (?1, 1, ?1, ?2, ?3, 1)",
            (
                f"own{number}",
                f"The kiln {number} of the {room} is lit at {number % 11 + 8}:00.",
                f"Kiln {number % 20}",
            ),
        )
    workspace.close()
    return path


def findings(path: Path) -> set[tuple[object, ...]]:
    workspace = Workspace.open(path)
    try:
        assert workspace.review().unscanned == 0
        assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
        pairs = workspace.pairs(state="")
        assert len({(pair.a, pair.b) for pair in pairs}) == len(pairs)
        assert all(pair.a < pair.b for pair in pairs)
        return {(pair.a, pair.b, pair.family, pair.kind) for pair in pairs}
    finally:
        workspace.close()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[object, ...]]:
    """What a sweep finds that nothing disturbs."""
    path = stocked(tmp_path_factory.mktemp("undisturbed") / "w.db")
    swept(path, COUNT)
    return findings(path)


def swept(path: Path, count: int) -> None:
    """A sweep takes so many memories, and leaves none."""
    workspace = Workspace.open(path)
    told = workspace.sweep()
    workspace.close()
    assert (told.memories, told.remaining) == (count, 0)


def test_a_killed_sweep_goes_on_and_finds_the_same(
    tmp_path: Path, kill_harness: KillHarness, undisturbed: set[tuple[object, ...]]
) -> None:
    path, left = stocked(tmp_path / "cut.db"), COUNT
    for statements in (1, 40, 400):  # after its first batch was kept, somewhere in the next one
        end = NEVER | {"kind": "sql", "at": statements, "from": "after a batch of the sweep"}
        assert kill_harness.run(path, ["sweep"], end)["killed"]
        workspace = Workspace.open(path)
        before, left = left, workspace.review().unscanned
        workspace.close()
        assert 0 < left < before
    swept(path, left)
    assert findings(path) == undisturbed != set()


def test_two_sweeps_at_once(
    tmp_path: Path, kill_harness: KillHarness, undisturbed: set[tuple[object, ...]]
) -> None:
    path = stocked(tmp_path / "shared.db")
    for ended in kill_harness.run_together(path, [["sweep"], ["sweep"]], NEVER):
        assert (ended["killed"], ended["code"]) == (False, 0)
        assert "left=0" in ended["said"]
    assert findings(path) == undisturbed
