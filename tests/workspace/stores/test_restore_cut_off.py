"""What a restore that was killed leaves beside a store's files is cleared up at the next start (S-6, S-7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.db.leases import Leases
from tests.durability.test_crash import leftovers
from tests.support.demo_workspace import CLAUDE, MCP, SAMPLE, STORES, DemoWorkspace, the


@pytest.fixture
def dead(demo_workspace: DemoWorkspace) -> str:
    """The lease of a process that was killed, on a workspace with a backup of each store."""
    with demo_workspace.opened() as workspace:
        workspace.dismiss([the(workspace, SAMPLE[store]) for store in STORES])
        workspace.undo()
    folder = demo_workspace.path.with_name(demo_workspace.path.name + ".leases")
    folder.mkdir()
    (folder / "1-dead").touch()
    return "1-dead"


def aside(file: Path, lease: str, end: str, data: bytes) -> Path:
    """A file that a restore put aside."""
    hidden = file.with_name(f".{file.name}.memtui-{lease}-0123abcd.{end}")
    hidden.write_bytes(data)
    return hidden


@pytest.mark.parametrize(("store", "name"), [(CLAUDE, "MEMORY.md"), (MCP, "")])
def test_what_stands_in_the_backup_is_removed(
    demo_workspace: DemoWorkspace, dead: str, store: str, name: str
) -> None:
    file = demo_workspace.places[store] / name
    old, new = aside(file, dead, "old", file.read_bytes()), aside(file, dead, "new", b"half writ")
    with demo_workspace.opened():
        assert not old.exists()
        assert not new.exists()
    assert leftovers(demo_workspace) == set()


def test_what_an_agent_wrote_at_that_moment_is_kept_in_sight(
    demo_workspace: DemoWorkspace, dead: str
) -> None:
    file = demo_workspace.places[CLAUDE] / "MEMORY.md"
    old = aside(file, dead, "old", b"An agent's own.")
    with demo_workspace.opened():
        assert not old.exists()
        seen = file.with_name("MEMORY.md.memtui-recovered-1")
        assert seen.read_bytes() == b"An agent's own."


def test_a_damaged_backup_removes_nothing(demo_workspace: DemoWorkspace, dead: str) -> None:
    for copy in demo_workspace.path.with_name(demo_workspace.path.name + ".backups").glob("*.tar"):
        copy.write_bytes(b"torn")
    file = demo_workspace.places[CLAUDE] / "MEMORY.md"
    there = file.read_bytes()
    aside(file, dead, "old", there)
    with demo_workspace.opened():
        assert file.with_name("MEMORY.md.memtui-recovered-1").read_bytes() == there


def test_what_a_living_process_put_aside_stays(demo_workspace: DemoWorkspace, dead: str) -> None:
    file = demo_workspace.places[CLAUDE] / "MEMORY.md"
    other = Leases(demo_workspace.path)
    old = aside(file, other.mine(), "old", file.read_bytes())
    with demo_workspace.opened():
        assert old.exists()
    other.close()
