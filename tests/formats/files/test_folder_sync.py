"""Folders are synced after something was created in them, so that it survives a power cut (S-6)."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from memtui.formats import registry
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.plans import Plan, Write, WriteState
from memtui.formats.media.files import atomic_write, folders
from memtui.formats.media.files.hunks import FileEdit
from memtui.formats.media.sqlite import connection as foreign
from memtui.formats.minions import Minions
from memtui.workspace.workspace import Workspace


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were synced."""
    folders: list[Path] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            folders.append(Path(os.readlink(f"/proc/self/fd/{fd}")))

    monkeypatch.setattr(os, "fsync", fsync)
    return folders


def edit(name: str, folders: int) -> FileEdit:
    return FileEdit(name, None, "new", folder_count=folders)


def test_the_parent_of_each_new_folder_is_synced(tmp_path: Path, synced: list[Path]) -> None:
    with folders.prepared(tmp_path, [edit("a/b/new.json", 2)]):
        assert synced == [tmp_path, tmp_path / "a"]


def test_a_folder_that_cannot_be_synced_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(atomic_write, "sync_folder", broken)
    with (
        pytest.raises(OSError, match="Input/output error"),
        folders.prepared(tmp_path, [edit("a/b/new.json", 2)]),
    ):
        pass
    assert not list(tmp_path.iterdir())


def test_folders_of_a_file_that_was_never_written_are_removed(tmp_path: Path) -> None:
    for folder in ("a/b", "c/d", "e"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "c" / "an-agent's.json").touch()
    (tmp_path / "e" / "new.json").touch()
    folders.tidy(tmp_path, [edit("a/b/new.json", 2), edit("c/d/new.json", 2), edit("e/new.json", 1)])
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["an-agent's.json", "c", "e", "new.json"]


def test_a_write_interrupted_after_its_folders_leaves_none(tmp_path: Path) -> None:
    root = Minions.create(tmp_path)
    (plan,) = Minions(root).plan([Write("add", "", {"content": "Tea."}, {}, 0.0)])
    assert isinstance(plan, Plan)
    file = next(each.name for each in plan.edits)
    (root / file).parent.mkdir(parents=True)
    assert Minions(root).write_state([plan], "token") is WriteState.BEFORE
    assert not (root / file).parent.exists()


def test_folders_stay_where_another_memtui_is_writing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with atomic_write.lock_folder(tmp_path):
        folders.tidy(tmp_path, [edit("a/new.json", 1)])
    assert (tmp_path / "a").is_dir()


def test_a_new_workspace_and_its_folders_are_synced(tmp_path: Path, synced: list[Path]) -> None:
    Workspace.open(tmp_path / "a" / "b" / "workspace.db").close()
    assert synced[:3] == [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b")] == [0o700, 0o700]


@pytest.mark.parametrize(
    ("format", "path"),
    [
        ("base-coat", "a/b/memory.db"),
        ("base-coat-shared", "a/b"),
        ("claude-code", "a/memory"),
        ("cognitive", "a/b"),
        ("mcp-memory", "a/memory.json"),
        ("minions", "a/.minions"),
    ],
)
def test_the_folders_of_a_new_store_are_synced(
    tmp_path: Path, synced: list[Path], format: str, path: str
) -> None:
    registry.by_name(format).create(tmp_path / path)
    created = [*tmp_path.rglob("*")]
    folders, files = ([entry for entry in created if entry.is_dir() == kind] for kind in (True, False))
    assert folders
    assert {entry.parent for entry in folders} <= set(synced)
    if not any(entry.suffix == ".db" for entry in files):  # SQLite syncs its own folder
        assert {entry.parent for entry in files} <= set(synced)


def test_no_folder_is_created_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(FileExistsError, match="File exists"):
        atomic_write.make_folders(tmp_path / "a")


def test_commits_to_a_foreign_database_survive_a_power_cut(tmp_path: Path) -> None:
    root = BaseCoat.create(tmp_path / "memory.db")
    with foreign.changing(root) as connection:
        assert connection.pragma("synchronous") == 3  # EXTRA
