"""What a power cut may not undo: folders are synced once something was made in them (S-6)."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from memtui.formats import registry
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.adapter import Planned, Standing, Write
from memtui.formats.media.files import atomic_write, folders
from memtui.formats.media.files.draft import FileEdit
from memtui.formats.media.sqlite import connection as foreign
from memtui.formats.minions import Minions
from memtui.workspace.workspace import Workspace


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were synced."""
    found: list[Path] = []
    really = os.fsync

    def fsync(fd: int) -> None:
        really(fd)
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            found.append(Path(os.readlink(f"/proc/self/fd/{fd}")))

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def edit(name: str, folders: int) -> FileEdit:
    return FileEdit(name, None, "new", folders=folders)


def test_each_folder_that_comes_with_a_file_is_synced_into_its_parent(
    tmp_path: Path, synced: list[Path]
) -> None:
    with folders.made(tmp_path, [edit("a/b/new.json", 2)]):
        assert synced == [tmp_path, tmp_path / "a"]


def test_a_folder_that_cannot_be_synced_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(atomic_write, "sync_folder", broken)
    with (
        pytest.raises(OSError, match="Input/output error"),
        folders.made(tmp_path, [edit("a/b/new.json", 2)]),
    ):
        pass
    assert not list(tmp_path.iterdir())


def test_folders_of_a_file_that_was_never_written_are_removed(tmp_path: Path) -> None:
    for folder in ("a/b", "c/d", "e"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "c" / "an-agent's.json").touch()
    (tmp_path / "e" / "new.json").touch()
    folders.tidy(tmp_path, [edit("a/b/new.json", 2), edit("c/d/new.json", 2), edit("e/new.json", 1)])
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["an-agent's.json", "c", "e", "new.json"]


def test_a_write_that_ended_behind_its_folders_leaves_none(tmp_path: Path) -> None:
    root = Minions.create(tmp_path)
    (plan,) = Minions(root).plan([Write("add", "", {"content": "Tea."}, {}, 0.0)])
    assert isinstance(plan, Planned)
    file = next(each.name for each in plan.edits)
    (root / file).parent.mkdir(parents=True)
    assert Minions(root).standing([plan], "token") is Standing.BEFORE
    assert not (root / file).parent.exists()


def test_folders_stay_where_another_memtui_is_writing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with atomic_write.alone(tmp_path):
        folders.tidy(tmp_path, [edit("a/new.json", 1)])
    assert (tmp_path / "a").is_dir()


def test_a_new_workspace_and_its_folders_are_synced(tmp_path: Path, synced: list[Path]) -> None:
    Workspace.open(tmp_path / "a" / "b" / "workspace.db").close()
    assert synced[:3] == [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b")] == [0o700, 0o700]


@pytest.mark.parametrize(
    ("format", "place"),
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
    tmp_path: Path, synced: list[Path], format: str, place: str
) -> None:
    registry.by_name(format).create(tmp_path / place)
    made = [*tmp_path.rglob("*")]
    folders, files = ([each for each in made if each.is_dir() == kind] for kind in (True, False))
    assert folders
    assert {each.parent for each in folders} <= set(synced)
    if not any(each.suffix == ".db" for each in files):  # SQLite syncs its own
        assert {each.parent for each in files} <= set(synced)


def test_no_folder_is_made_where_a_file_stands(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(FileExistsError, match="File exists"):
        atomic_write.make_folders(tmp_path / "a")


def test_a_commit_of_a_foreign_database_outlasts_a_power_cut(tmp_path: Path) -> None:
    root = BaseCoat.create(tmp_path / "memory.db")
    with foreign.changing(root) as connection:
        assert connection.pragma("synchronous") == 3  # EXTRA
