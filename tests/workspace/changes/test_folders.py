"""Folders are created and removed together with the file that needs them (S-4, S-51)."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace


def tree(folder: Path) -> dict[str, bytes | None]:
    """Return the bytes of all files, and None for folders."""
    return {
        str(each.relative_to(folder)): each.read_bytes() if each.is_file() else None
        for each in sorted(folder.rglob("*"))
    }


@pytest.fixture
def store(workspace: Workspace, tmp_path: Path) -> Path:
    workspace.create_store("minions", tmp_path / ".minions", "fresh")
    return tmp_path / ".minions"


def test_undo_removes_new_folders_and_redo_creates_them_again(workspace: Workspace, store: Path) -> None:
    before = tree(store)
    workspace.add({"content": "Tea at four."}, "fresh")
    after = tree(store)
    assert sum(data is None for data in after.values()) >= 2
    workspace.undo()
    assert tree(store) == before
    workspace.redo()
    assert tree(store) == after


def test_a_folder_with_a_file_of_an_agent_is_kept(workspace: Workspace, store: Path) -> None:
    workspace.add({"content": "Tea at four."}, "fresh")
    shard = next(each for each in store.rglob("*") if each.is_dir() and any(each.glob("*.json")))
    (shard / "of-an-agent.json").write_text("{}")
    workspace.undo()
    assert (shard / "of-an-agent.json").read_text() == "{}"


def test_a_failed_write_leaves_no_folder(
    workspace: Workspace, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = tree(store)
    monkeypatch.setattr("memtui.formats.media.files.atomic_write.change", full)
    with pytest.raises(Refused, match="disk is full"):
        workspace.add({"content": "Tea at four."}, "fresh")
    assert tree(store) == before
