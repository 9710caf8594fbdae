"""A file of an export is whole or not there, and replaces nothing but a file (S-73)."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.export.file_output import write_new


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_pipe_or_device_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for replace, why in ((False, "already exists"), (True, "is a device or a pipe")):
        with pytest.raises(Refused, match=why):
            write_new(tmp_path / "pipe", "text", replace=replace)
    assert (tmp_path / "pipe").is_fifo()
    assert names(tmp_path) == ["pipe"]


def test_a_link_is_replaced_and_what_it_names_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link").symlink_to("mine")
    write_new(tmp_path / "link", "text", replace=True)
    assert not (tmp_path / "link").is_symlink()
    assert [(tmp_path / name).read_text() for name in ("link", "mine")] == ["text", "mine"]


def test_what_a_killed_export_left_is_removed_by_the_next_one_unless_it_is_at_work(tmp_path: Path) -> None:
    left, others = tmp_path / ".memtui-text-dead", tmp_path / ".memtui-text-busy"
    left.write_text("half")
    with others.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_new(tmp_path / "out.md", "text")
    assert names(tmp_path) == [others.name, "out.md"]


def test_a_file_that_another_export_took_for_left_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, taken = fcntl.flock, list[int]()

    def late(handle: int, operation: int) -> None:
        if not taken:
            taken.append(handle)
            os.unlink(next(tmp_path.glob(".memtui-text-*")))
        lock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    write_new(tmp_path / "out.md", "text")
    assert taken
    assert names(tmp_path) == ["out.md"]


def test_a_file_system_without_hard_links_gets_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    write_new(tmp_path / "out.md", "text")
    with pytest.raises(Refused, match="already exists"):
        write_new(tmp_path / "out.md", "other")
    assert (tmp_path / "out.md").read_text() == "text"
    assert names(tmp_path) == ["out.md"]
