"""Saving a setting from the screen keeps the rest of the user's file (S-82)."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.settings import Settings, load
from memtui.settings_file import save, write_defaults
from tests.support.os_faults import read_only, run_child


def test_a_new_file_has_only_what_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    saved = save(path, {"half_lives": {"fact": 50.0}, "founder_os_decay": "daily"})
    assert saved == Settings(half_lives={"fact": 50.0}, founder_os_decay="daily")
    assert load(path).problems == ()
    lines = [line for line in path.read_text().splitlines() if line]
    assert lines[0].startswith("# ")
    assert sorted(lines[1:]) == ["[half_lives]", "fact = 50.0", 'founder_os_decay = "daily"']
    assert path.stat().st_mode & 0o777 == 0o600


def test_comments_order_line_endings_and_bom_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    before = '\ufeff# mine\r\ntheme = "light" # yes\r\n\r\n[half_lives] # days\r\nfact = 50 # long\r\n'
    path.write_bytes(before.encode())
    os.chmod(path, 0o640)
    save(path, {"half_lives": {"fact": 40.0}})
    assert path.read_bytes().decode() == before.replace("fact = 50", "fact = 40.0")
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["settings.toml"]


def test_a_key_in_another_case_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[half_lives]\nFact = 20\n")
    assert save(path, {"half_lives": {"fact": 10.0}}).half_lives == {"fact": 10.0}


def test_the_target_of_a_symlink_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "dotfiles.toml", tmp_path / "settings.toml"
    target.write_text('theme = "light"\n')
    link.symlink_to(target)
    save(link, {"founder_os_decay": "daily"})
    assert link.is_symlink()
    assert "daily" in target.read_text()


@pytest.mark.parametrize("text", ["half_lives = 5\n", "[[half_lives]]\nfact = 5\n", "no = = toml\n"])
def test_a_file_that_cannot_be_changed_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(Refused, match="Could not write"):
        save(path, {"half_lives": {"fact": 10.0}})
    assert path.read_text() == text


def test_a_new_line_ends_as_the_others_do(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b'mouse = false\r\n[keys]\r\n"memory.pin" = "P"\r\n')
    assert save(path, {"theme": "light", "half_lives": {"fact": 5.0}}).theme == "light"
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n") > 4
    assert load(path).problems == ()


def test_owner_group_and_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("mouse = false\n")
    if os.geteuid() == 0:
        os.chown(path, 12345, 23456)
    os.chmod(path, 0o664)
    before, mask = path.stat(), os.umask(0o077)
    try:
        save(path, {"theme": "light"})
    finally:
        os.umask(mask)
    after = path.stat()
    assert after.st_ino != before.st_ino
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)


def test_temporary_files_of_processes_that_died_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    dead = subprocess.Popen(["true"])
    dead.wait()
    mine = [f".settings.toml.{number}" for number in (dead.pid, os.getpid(), 10**30)]
    others = [f".settings.toml.{os.getppid()}", ".settings.toml.bak", ".other.toml.1", "settings.toml.1"]
    for name in mine + others:
        (tmp_path / name).write_text("x")
    save(path, {"theme": "light"})
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "settings.toml"])


def in_a_circle(folder: Path) -> Path:
    (folder / "a").symlink_to(folder / "b")
    (folder / "b").symlink_to(folder / "a")
    return folder / "a"


def below_a_file(folder: Path) -> Path:
    (folder / "file").write_text("x")
    return folder / "file" / "settings.toml"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def folder_in_its_place(folder: Path) -> Path:
    (folder / "settings.toml").mkdir()
    return folder / "settings.toml"


UNWRITABLE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "links in a circle": (in_a_circle, "symbolic links"),
    "below a file": (below_a_file, "Not a directory"),
    "name too long": (lambda folder: folder / ("n" * 300), "File name too long"),
    "a pipe": (pipe, "not a regular file"),
    "a folder": (folder_in_its_place, "not a regular file"),
    "a device": (lambda folder: Path("/dev/full"), "not a regular file"),
    "no such user": (lambda folder: Path("~nosuchuser/settings.toml"), "no such user"),
    "a NUL": (lambda folder: folder / "a\0b", "not a valid settings file"),
}


@pytest.mark.parametrize("write", [lambda path: save(path, {"theme": "light"}), write_defaults])
@pytest.mark.parametrize("case", UNWRITABLE)
def test_a_path_that_cannot_be_written_is_refused(
    tmp_path: Path, case: str, write: Callable[[Path], object]
) -> None:
    make, reason = UNWRITABLE[case]
    path = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(Refused) as caught:
        write(path)
    assert caught.value.code == "write"
    assert reason in caught.value.reason
    assert "already exists" not in caught.value.reason
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_cannot_be_entered_is_refused(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    with read_only(tmp_path):
        closed.chmod(0o600)
        refusal = run_child(
            """
            from memtui.settings_file import save
            result += refused(lambda: save(Path(sys.argv[1]), {"theme": "light"}))
            """,
            closed / "settings.toml",
            nobody=True,
        )
    assert refusal[0] == "write"
    assert "Permission denied" in refusal[1]


@pytest.mark.parametrize("before", [None, 'theme = "dark"\n'])
def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    path = tmp_path / "settings.toml"
    if before is not None:
        path.write_text(before)

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    for write in (lambda: save(path, {"theme": "light"}), lambda: write_defaults(path)):
        with pytest.raises(Refused, match=r"No space left on device|already exists"):
            write()
    assert os.listdir(tmp_path) == ([] if before is None else ["settings.toml"])
    assert before is None or path.read_text() == before


@pytest.mark.parametrize("text", ["[theme]\nmine = 1\n", "theme = { mine = 1 }\n", "[[theme]]\nmine = 1\n"])
def test_a_table_is_not_replaced_by_a_value(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(Refused, match="theme is a table in that file"):
        save(path, {"theme": "light"})
    assert path.read_text() == text


def test_invalid_half_lives_are_reported_and_ignored(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('founder_os_decay = "hourly"\n[half_lives]\nfact = -1\nidea = 5\nnote = "long"\n')
    loaded = load(path)
    assert loaded.settings == Settings(half_lives={"idea": 5.0})
    assert len(loaded.problems) == 3
