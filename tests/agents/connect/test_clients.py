"""Each client's settings file: connecting inserts one entry that the client reads, and disconnecting, undo
and redo give the bytes that were there (S-87)."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.connect.clients import CLIENTS
from memtui.errors import Refused
from memtui.formats.syntax.json_comments import parse
from tests.agents.connect.conftest import Desk

ARGS = ["mcp", "--as", "scout", "--workspace"]
JSON_STARTS = [
    None,
    "",
    "\n",
    "\ufeff",
    "{}",
    "{\n}\n",
    '{"a": 1}',
    '{"a":[{"memtui":1}],"b":{"c":2}}\n',
    '{\n    "a": 1, // why\n    /* more */\n    "KEY": {\n        "x": {"command": "x"} // last\n    }\n}\n',
    '{\n  "KEY": {\n    "x": {},\n    // to come\n  },\n}',
    '{\r\n\t"KEY": {},\r\n\t"z": "é \\u00e9 ☕ \u2028"\r\n}\r\n',
    '\ufeff{\n\t"KEY": {\n\t\t"a": 1\n\t},\n\n\t"b": 2\n}\n\n',
    "// nothing but a comment",
    '{\n  "KEY": {\n    /* mine */ "x": {} // last\n  }\n}\n',
    '{"KEY": {"x": {} // last\n}}',
    '{"KEY": {"x": {}, // last\r\n}}\r\n',
    '{"KEY": { // none yet\n}}',
]
TOML_STARTS = [
    None,
    "",
    'model = "x"',
    "# only a comment\n",
    '\ufeffa = """\r\n[KEY.memtui]\r\n"""\r\n\r\n[KEY.x]\r\ncommand = "x" # y\r\nargs = [\r\n"[y]",\r\n]\r\n',
    "[KEY]\n\n[KEY.x.env]\n\"a.b\" = '\\'\n\n[[other]]\nx = 1\n# end",
]
KEYS = {"codex": "mcp_servers", "vscode": "servers", "opencode": "mcp"}


def whole(name: str, text: str) -> Any:
    text = text.removeprefix("\ufeff")
    if CLIENTS[name].syntax == "toml":
        return tomllib.loads(text)
    root = parse(text)
    return root.value if root is not None else {}


def starts(name: str) -> list[str | None]:
    found = TOML_STARTS if CLIENTS[name].syntax == "toml" else JSON_STARTS
    return [each and each.replace("KEY", KEYS.get(name, "mcpServers")) for each in found]


@pytest.mark.parametrize("name", CLIENTS)
def test_the_bytes_before_come_back_by_disconnecting_and_by_undo(desk: Desk, name: str) -> None:
    project = CLIENTS[name].user is None
    file = Path(desk.wanted(name, project=project).file)
    folders = set(file.parents) - {each for each in file.parents if each.exists()}
    for start in starts(name):
        before = None if start is None else start.encode()
        if before is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(before)
            file.chmod(0o640)
        desk.connect(name, "scout", project=project)
        after = file.read_bytes()
        entries = whole(name, after.decode())
        entry = entries[KEYS.get(name, "mcpServers")].pop("memtui")
        command = entry["command"] if name == "opencode" else [entry["command"], *entry["args"]]
        assert command == ["/opt/bin/memtui", *ARGS, str(desk.work.path)]
        if start is None:
            assert file.stat().st_mode & 0o777 == 0o600
        else:
            assert file.stat().st_mode & 0o777 == 0o640
            known = whole(name, start)
            assert entries == {KEYS.get(name, "mcpServers"): {}, **known}
        if b"\r\n" in (before or b""):
            assert after.count(b"\n") == after.count(b"\r\n")
        ways: list[tuple[Callable[[], object], Callable[[], object]]] = [
            (desk.work.undo, desk.work.redo),
            (partial(desk.disconnect, name, project=project), desk.work.undo),
        ]
        for take_out, put_in in ways:
            take_out()
            assert (file.read_bytes() if file.exists() else None) == before
            put_in()
            assert file.read_bytes() == after
        desk.disconnect(name, project=project)
        if before is None:
            assert not any(each.exists() for each in folders), "folders that were made go with the file"
        assert desk.work.connections() == []
        assert [each.name for each in file.parent.glob(".*memtui*")] == []


def test_an_entry_has_the_layout_of_its_file(desk: Desk) -> None:
    file = desk.around.cwd / ".mcp.json"
    start = '{\n\t"mcpServers": {\n\t\t"x": {} // last\n\t}\n}\n'
    file.write_text(start)
    desk.connect("claude-code", project=True)
    lines = ['"memtui": {', '\t"type": "stdio",', '\t"command": "/opt/bin/memtui",', '\t"args": [']
    lines += [f'\t\t"{each}",' for each in ("mcp", "--as", "claude-code", "--workspace")]
    lines += [f'\t\t"{desk.work.path}"', "\t]", "}"]
    entry = "".join(f"\n\t\t{line}" for line in lines)
    assert file.read_text() == start.replace("{} // last", "{}, // last" + entry)
    desk.disconnect("claude-code", project=True)
    file.write_text('{"mcpServers": {"x": {}}}')
    desk.connect("claude-code", project=True)
    assert file.read_text().startswith('{"mcpServers": {"x": {}, "memtui": {"type": "stdio", "command": ')


def test_where_clients_have_their_settings(desk: Desk) -> None:
    home, project = desk.around.home, desk.around.cwd
    places = {name: desk.wanted(name).file for name in CLIENTS if name != "vscode"}
    assert places == {
        "claude-code": f"{home}/.claude.json",
        "codex": f"{home}/.codex/config.toml",
        "cursor": f"{home}/.cursor/mcp.json",
        "gemini": f"{home}/.gemini/settings.json",
        "opencode": f"{home}/.config/opencode/opencode.json",
    }
    in_project = {name: desk.wanted(name, project=True).file for name in CLIENTS if name != "codex"}
    assert in_project == {
        "claude-code": f"{project}/.mcp.json",
        "cursor": f"{project}/.cursor/mcp.json",
        "gemini": f"{project}/.gemini/settings.json",
        "vscode": f"{project}/.vscode/mcp.json",
        "opencode": f"{project}/opencode.json",
    }
    variables = {"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "XDG_CONFIG_HOME": "not/absolute"}
    desk.around = type(desk.around)(home, project, variables)
    named = [desk.wanted(name).file for name in ("claude-code", "codex", "opencode")]
    assert named == ["/c/.claude.json", "/x/config.toml", places["opencode"]]
    other = home / ".config" / "opencode" / "opencode.jsonc"
    other.parent.mkdir(parents=True)
    other.write_text("{}")
    assert desk.wanted("opencode").file == str(other)
    with pytest.raises(Refused, match="vscode has settings in projects only"):
        desk.wanted("vscode")
    with pytest.raises(Refused, match="codex has no settings in a project"):
        desk.wanted("codex", project=True)


def test_a_path_means_the_client_whose_file_it_is(desk: Desk) -> None:
    assert desk.wanted("./opencode.json").client == "opencode"
    assert desk.wanted(f"{desk.around.home}/.codex/../.codex/config.toml").client == "codex"
    assert desk.wanted("mine.json", "scout").client == ""
    with pytest.raises(Refused, match="is not known"):
        desk.wanted("mine.json")
    with pytest.raises(Refused, match="curser is neither a client nor a file"):
        desk.wanted("curser")
    with pytest.raises(Refused, match="visible characters"):
        desk.wanted("cursor", "\n")


def test_the_workspace_is_named_only_where_it_is_not_found_without(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def args(word: str, workspace: Path, *, project: bool = False) -> list[str]:
        monkeypatch.setattr(desk.work, "path", workspace)
        found: list[str] = desk.wanted(word, project=project).entries.insertions[0].value["args"]
        return found[3:]

    default = Path(os.environ["XDG_DATA_HOME"]) / "memtui" / "workspace.db"
    of_project = desk.around.cwd / ".memtui" / "workspace.db"
    assert args("cursor", default) == []
    assert args("cursor", of_project) == ["--workspace", str(of_project)]
    assert args("cursor", of_project, project=True) == []


def test_json_that_has_the_entry_is_plain_json_where_it_was(desk: Desk) -> None:
    file = desk.around.home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"x": {"command": "x"}}}')
    desk.connect("cursor")
    assert list(json.loads(file.read_text())["mcpServers"]) == ["x", "memtui"]
