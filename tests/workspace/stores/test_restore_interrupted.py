"""Files left in a store by a killed restore are cleaned up at the next start (S-6, S-7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.db.leases import Leases
from tests.durability.test_kills import leftovers
from tests.support.demo_workspace import CLAUDE, MCP, SAMPLE, STORES, DemoWorkspace, find_id


@pytest.fixture
def dead_lease(demo_workspace: DemoWorkspace) -> str:
    """The lease of a killed process, on a workspace with a backup of each store."""
    with demo_workspace.opened() as workspace:
        workspace.dismiss([find_id(workspace, SAMPLE[store]) for store in STORES])
        workspace.undo()
    folder = demo_workspace.path.with_name(demo_workspace.path.name + ".leases")
    folder.mkdir()
    (folder / "1-dead").touch()
    return "1-dead"


def put_aside(file: Path, lease: str, end: str, data: bytes) -> Path:
    """Create the file that a restore puts aside, and return its path."""
    hidden = file.with_name(f".{file.name}.memtui-{lease}-0123abcd.{end}")
    hidden.write_bytes(data)
    return hidden


@pytest.mark.parametrize(("store", "name"), [(CLAUDE, "MEMORY.md"), (MCP, "")])
def test_files_that_are_in_the_backup_are_removed(
    demo_workspace: DemoWorkspace, dead_lease: str, store: str, name: str
) -> None:
    file = demo_workspace.store_paths[store] / name
    old, new = (
        put_aside(file, dead_lease, "old", file.read_bytes()),
        put_aside(file, dead_lease, "new", b"half writ"),
    )
    with demo_workspace.opened():
        assert not old.exists()
        assert not new.exists()
    assert leftovers(demo_workspace) == set()


def test_a_file_that_an_agent_wrote_meanwhile_is_kept_as_recovered(
    demo_workspace: DemoWorkspace, dead_lease: str
) -> None:
    file = demo_workspace.store_paths[CLAUDE] / "MEMORY.md"
    old = put_aside(file, dead_lease, "old", b"An agent's own.")
    with demo_workspace.opened():
        assert not old.exists()
        recovered = file.with_name("MEMORY.md.memtui-recovered-1")
        assert recovered.read_bytes() == b"An agent's own."


def test_with_a_damaged_backup_nothing_is_removed(demo_workspace: DemoWorkspace, dead_lease: str) -> None:
    for copy in demo_workspace.path.with_name(demo_workspace.path.name + ".backups").glob("*.tar"):
        copy.write_bytes(b"torn")
    file = demo_workspace.store_paths[CLAUDE] / "MEMORY.md"
    current = file.read_bytes()
    put_aside(file, dead_lease, "old", current)
    with demo_workspace.opened():
        assert file.with_name("MEMORY.md.memtui-recovered-1").read_bytes() == current


def test_files_of_a_running_process_are_kept(demo_workspace: DemoWorkspace, dead_lease: str) -> None:
    file = demo_workspace.store_paths[CLAUDE] / "MEMORY.md"
    other = Leases(demo_workspace.path)
    old = put_aside(file, other.own(), "old", file.read_bytes())
    with demo_workspace.opened():
        assert old.exists()
    other.close()
