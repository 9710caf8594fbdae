"""A killed scan continues where it stopped, and concurrent scans do no harm (S-40, S-93)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import rounds

COUNT = rounds(80, 240)  # memories; a batch has sixteen
NEVER = {"kind": "step", "at": 1_000_000, "after": False, "early": False}


def create_kilns(path: Path) -> Path:
    workspace = Workspace.open(create_empty(path))
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


def finished_pairs(path: Path) -> set[tuple[object, ...]]:
    workspace = Workspace.open(path)
    try:
        assert workspace.queue_counts().unscanned == 0
        assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
        pairs = workspace.pairs(state="")
        assert len({(pair.a, pair.b) for pair in pairs}) == len(pairs)
        assert all(pair.a < pair.b for pair in pairs)
        return {(pair.a, pair.b, pair.family, pair.kind) for pair in pairs}
    finally:
        workspace.close()


@pytest.fixture(scope="module")
def expected_pairs(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[object, ...]]:
    """The pairs that an uninterrupted scan finds."""
    path = create_kilns(tmp_path_factory.mktemp("undisturbed") / "w.db")
    scan_rest(path, COUNT)
    return finished_pairs(path)


def scan_rest(path: Path, count: int) -> None:
    """Scan the rest of the queue, which has `count` memories."""
    workspace = Workspace.open(path)
    result = workspace.scan()
    workspace.close()
    assert (result.memories, result.remaining) == (count, 0)


def test_a_killed_scan_continues_and_finds_the_same_pairs(
    tmp_path: Path, kill_harness: KillHarness, expected_pairs: set[tuple[object, ...]]
) -> None:
    path, remaining = create_kilns(tmp_path / "cut.db"), COUNT
    for statements in (1, 40, 400):  # somewhere after its first batch was committed
        end = NEVER | {"kind": "sql", "at": statements, "from": "after a batch of the scan"}
        assert kill_harness.run(path, ["scan"], end)["killed"]
        workspace = Workspace.open(path)
        before, remaining = remaining, workspace.queue_counts().unscanned
        workspace.close()
        assert 0 < remaining < before
    scan_rest(path, remaining)
    assert finished_pairs(path) == expected_pairs != set()


def test_two_concurrent_scans(
    tmp_path: Path, kill_harness: KillHarness, expected_pairs: set[tuple[object, ...]]
) -> None:
    path = create_kilns(tmp_path / "shared.db")
    for ended in kill_harness.run_together(path, [["scan"], ["scan"]], NEVER):
        assert (ended["killed"], ended["code"]) == (False, 0)
        assert "remaining=0" in ended["output"]
    assert finished_pairs(path) == expected_pairs
