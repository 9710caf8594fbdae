"""Connecting twice, as another agent, after a crash, while the client writes; and what is refused (S-87)."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.insertions import files
from memtui.formats.media.files import atomic_write
from tests.agents.connect.conftest import Desk


def agent_in(file: Path) -> str:
    return str(json.loads(file.read_text())["mcpServers"]["memtui"]["args"][2])


def test_connecting_again_says_so_and_another_agent_changes_the_entry(desk: Desk) -> None:
    file = desk.around.home / ".cursor" / "mcp.json"
    change = desk.connect("cursor")
    assert change.summary == f"Connected cursor: {file}"
    once = file.read_bytes()
    with pytest.raises(Refused, match="connected as cursor already"):
        desk.connect("cursor")
    assert desk.connect("cursor", "scout").summary == f"Connected cursor as scout: {file}"
    assert agent_in(file) == "scout"
    desk.work.undo()
    assert file.read_bytes() == once
    desk.work.redo()
    assert agent_in(file) == "scout"
    desk.connect("cursor", "-s")
    assert json.loads(file.read_text())["mcpServers"]["memtui"]["args"][1] == "--as=-s", "as no option"
    assert "-s" in str(desk.work.connections())
    desk.disconnect("cursor")
    assert not file.parent.exists()
    with pytest.raises(Refused, match="is not connected"):
        desk.disconnect("cursor")


def test_an_entry_that_a_dead_process_left_is_taken_over(desk: Desk) -> None:
    wanted = desk.wanted("cursor")
    file = Path(wanted.file)
    files.edit(file, None, None, wanted.entries)  # and then it died, before its journal was written
    left = file.with_name(".mcp.json.memtui-connect.old")
    left.write_bytes(file.read_bytes())
    assert desk.connect("cursor").kind == "connected"
    assert desk.states() == {"mcp.json": "connected"}
    desk.disconnect("cursor")
    assert json.loads(file.read_text()) == {"mcpServers": {}}
    assert not left.exists()

    files.edit(file, None, None, wanted.entries)
    desk.disconnect("cursor")
    assert json.loads(file.read_text()) == {"mcpServers": {}}
    desk.work.undo()
    assert agent_in(file) == "cursor"


def test_a_client_that_writes_at_the_same_moment_loses_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = desk.around.home / ".gemini" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"theme": 0}')
    change, writes = atomic_write.change, list[int]()

    def late(root: Path, name: str, old: bytes | None, new: bytes | None, token: str) -> None:
        if len(writes) < most:
            writes.append(1)
            file.write_text(f'{{"theme": {len(writes)}}}')
        change(root, name, old, new, token)

    monkeypatch.setattr(atomic_write, "change", late)
    most = 2
    desk.connect("gemini")
    settings = json.loads(file.read_text())
    assert (settings["theme"], "memtui" in settings["mcpServers"]) == (2, True)
    desk.disconnect("gemini")
    most = 100
    with pytest.raises(Refused, match="keeps changing"):
        desk.connect("gemini")
    assert (json.loads(file.read_text()), desk.states()) == ({"theme": len(writes)}, {})
    assert [each.name for each in file.parent.iterdir()] == ["settings.json"]


def test_a_full_disk_leaves_nothing_behind(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic_write, "change", full)
    with pytest.raises(Refused, match="can't be written: No space left"):
        desk.connect("opencode")
    assert (list(desk.around.home.iterdir()), desk.work.connections()) == ([desk.around.cwd], [])


def a_link(file: Path) -> None:
    file.with_name("real.json").write_text("{}")
    file.symlink_to("real.json")


def a_large_one(file: Path) -> None:
    file.touch()
    os.truncate(file, files.MOST_BYTES + 1)


def a_hard_link(file: Path) -> None:
    file.write_text("{}")
    file.with_name("other.json").hardlink_to(file)


REFUSED: list[tuple[Callable[[Path], object], str]] = [
    (a_link, "is a symbolic link"),
    (a_large_one, "is larger than 10 MB"),
    (Path.mkdir, "isn't a file"),
    (os.mkfifo, "isn't a file"),
    (lambda file: file.write_bytes(b'{\n  "a": 1,\n  oops\n}'), "line 3, column 3"),
    (lambda file: file.write_bytes(b'{"a": "\xff"}'), "isn't valid UTF-8"),
    (lambda file: file.write_bytes(b"[" * 100_000), "can't be parsed"),
    (lambda file: file.write_bytes(b'{"long": %s}' % (b"9" * 5_000)), "can't be parsed"),
    (lambda file: file.write_bytes(b'{"mcpServers": []}'), "laid out so that"),
    (lambda file: file.write_bytes(b"[]"), "laid out so that"),
    (
        lambda file: file.write_bytes(b'{"mcpServers": {"memtui": {"command": "npx"}}}'),
        "runs another command",
    ),
    (lambda file: file.write_bytes(b'{"mcpServers": {"memtui": 1}}'), "runs another command"),
]


def test_what_is_refused_changes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, (make, why) in enumerate(REFUSED):
        folder = desk.around.cwd / str(number)
        folder.mkdir()
        file = folder / "mcp.json"
        make(file)
        before = sorted(os.listdir(folder)), file.read_bytes() if file.is_file() else None
        acts: list[Callable[[str, str], object]] = [desk.connect, lambda word, _: desk.disconnect(word)]
        for act in acts:
            with pytest.raises(Refused) as refused:
                act(str(file), "scout")
            assert why in refused.value.message
        assert (sorted(os.listdir(folder)), file.read_bytes() if file.is_file() else None) == before
    file = desk.around.cwd / "linked.json"
    a_hard_link(file)
    with pytest.raises(Refused, match="more than one hard link"):
        desk.connect(str(file), "scout")
    assert file.read_text() == "{}"
    with monkeypatch.context() as patch:
        file = desk.around.cwd / "kept.json"
        file.write_text("{}")
        patch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
        with pytest.raises(Refused, match="is read-only"):
            desk.connect(str(file), "scout")
    assert file.read_text() == "{}"
    file = desk.around.cwd / "theirs.json"
    file.write_text("{}")
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    with pytest.raises(Refused, match="belongs to another user"):
        desk.connect(str(file), "scout")
    assert (file.read_text(), desk.work.connections(), desk.work.journal()) == ("{}", [], [])


def test_an_entry_that_became_anothers_is_not_taken_out(desk: Desk) -> None:
    file = desk.around.home / ".cursor" / "mcp.json"
    desk.connect("cursor")
    file.write_text('{"mcpServers": {"memtui": {"command": "npx", "args": ["mcp"]}}}')
    assert desk.states() == {"mcp.json": "changed"}
    acts: list[Callable[[], object]] = [desk.work.undo, partial(desk.disconnect, "cursor")]
    acts.append(partial(desk.connect, "cursor", "scout"))
    for act in acts:
        with pytest.raises(Refused, match="runs another command"):
            act()
    assert "npx" in file.read_text()
