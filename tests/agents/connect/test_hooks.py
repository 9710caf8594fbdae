"""The hooks of Claude Code: items of arrays in which others have theirs, in one change with the MCP server
(S-81, S-87)."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.hooks.names import NAMES
from memtui.errors import Refused
from memtui.formats.syntax.json_comments import parse
from memtui.workspace.connections import rows
from tests.agents.connect.conftest import Desk

OTHER = '{"hooks": [{"type": "command", "command": "echo hi"}]}'
STARTS = [
    None,
    "",
    "{}",
    "{\n}\n",
    '{"a": 1}',
    '{\n  "a": 1\n}\n',
    f'{{\n  "hooks": {{\n    "Stop": [\n      {OTHER}\n    ]\n  }}\n}}\n',
    f'{{"hooks": {{"Stop": [{OTHER}, {OTHER}], "SessionStart": []}}}}',
    f'{{\n  // c\n  "hooks": {{\n    "Stop": [ // x\n      {OTHER}, // tail\n    ],\n  }},\n}}\n',
    '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t]\r\n\t},\r\n\t"z": [1]\r\n}\r\n',
    '\ufeff{"hooks":{"Stop":[],"SessionStart":[\n]}}',
]
REFUSED = ['{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"hooks": {"Stop": null}}', "[]"]


def groups(file: Path, event: str = "Stop") -> list[Any]:
    root = parse(file.read_text("utf-8"))
    assert root is not None
    found = root.value["hooks"][event]
    assert isinstance(found, list)
    return found


def test_the_bytes_come_back_whatever_was_there(desk: Desk) -> None:
    for number, start in enumerate(STARTS):
        desk.around.cwd.joinpath(str(number)).mkdir()
        around = type(desk.around)(desk.around.home, desk.around.cwd / str(number), {})
        here = Desk(desk.work, around)
        server, hooks = (Path(each.file) for each in here.both(project=True))
        if start is not None:
            hooks.parent.mkdir()
            hooks.write_bytes(start.encode())
        change = desk.work.connect(*here.both(project=True))
        assert change.summary == f"Connected claude-code as scout: {server} and {hooks}"
        for event, name in NAMES.items():
            words = shlex.split(groups(hooks, name)[-1]["hooks"][0]["command"])
            assert words[:5] == ["/opt/my bin/memtui", "hook", event, "--as", "scout"]
        written = hooks.read_bytes()
        with pytest.raises(Refused, match="are connected as scout already"):
            desk.work.connect(*here.both(project=True))
        desk.work.undo()
        assert (server.exists(), hooks.exists() and hooks.read_bytes()) == (
            False,
            start is not None and start.encode(),
        )
        desk.work.redo()
        assert hooks.read_bytes() == written
        assert desk.work.disconnect(*here.both("x", project=True)).kind == "disconnected"
        assert (server.exists(), hooks.exists() and hooks.read_bytes()) == (
            False,
            start is not None and start.encode(),
        )
        assert len(desk.work.journal()) == 4 * (number + 1)


def test_nothing_of_ours_is_left_in_what_the_client_rewrote(desk: Desk) -> None:
    server, hooks = (Path(each.file) for each in desk.both())
    hooks.parent.mkdir()
    hooks.write_text(f'{{"hooks": {{"Stop": [{OTHER}]}}}}')
    desk.work.connect(*desk.both())
    settings = json.loads(hooks.read_text())
    ours = settings["hooks"]["Stop"].pop()
    settings["hooks"]["Stop"][0]["hooks"].insert(0, ours["hooks"][0])  # the client puts them together
    settings["hooks"]["SessionEnd"] *= 2
    settings["model"] = "x"
    hooks.write_text(json.dumps(settings, indent=4))
    assert desk.states() == {".claude.json": "connected", "settings.json": "connected"}
    desk.work.disconnect(*desk.both())
    assert json.loads(hooks.read_text()) == {"hooks": {"Stop": [json.loads(OTHER)]}, "model": "x"}
    assert not server.exists()


def test_another_agent_changes_both_and_one_part_can_be_had_alone(desk: Desk) -> None:
    server, hooks = desk.both()
    desk.work.connect(server)
    assert desk.work.connect(server, hooks).summary == f"Connected claude-code as scout: {hooks.file}"
    desk.work.connect(*desk.both("ada"))
    assert {each.agent for each, _ in desk.work.connections()} == {"ada"}
    assert ["scout" in Path(each.file).read_text() for each in (server, hooks)] == [False, False]
    assert len(groups(Path(hooks.file))) == 1
    desk.work.disconnect(hooks)
    assert (Path(server.file).exists(), Path(hooks.file).exists()) == (True, False)
    desk.work.disconnect(server, hooks)
    with pytest.raises(Refused, match="are not connected"):
        desk.work.disconnect(server, hooks)


def test_if_one_file_cannot_be_changed_neither_is(desk: Desk) -> None:
    server, hooks = (Path(each.file) for each in desk.both())
    hooks.parent.mkdir()
    for start in REFUSED:
        hooks.write_text(start)
        for act in (desk.work.connect, desk.work.connect_plans):
            with pytest.raises(Refused, match="laid out so that"):
                act(*desk.both())
        assert (server.exists(), hooks.read_text()) == (False, start)
    assert (desk.work.journal(), desk.work.connections()) == ([], [])

    hooks.unlink()
    desk.work.connect(*desk.both())
    before = server.read_bytes()
    hooks.rename(hooks.with_name("real.json"))
    hooks.symlink_to("real.json")
    with pytest.raises(Refused, match="symbolic link"):
        desk.work.undo()
    assert server.read_bytes() == before
    assert desk.states() == {".claude.json": "connected", "settings.json": "unreadable"}
    assert desk.work.disconnect_plans(desk.both()[0])[0][1].after is None


def test_what_a_dead_process_left_in_both_is_taken_over(desk: Desk) -> None:
    desk.work.connect(*desk.both())
    for each in desk.both():
        rows.drop(desk.work._ctx, each.file)
    assert desk.work.connections() == []
    desk.work.connect(*desk.both("ada"))
    assert {state.value for _, state in desk.work.connections()} == {"connected"}
    for each in desk.both():
        assert "scout" not in Path(each.file).read_text()
    desk.work.disconnect(*desk.both())
    assert "memtui" not in "".join(
        Path(each.file).read_text() for each in desk.both() if Path(each.file).exists()
    )
