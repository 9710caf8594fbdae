"""`memtui connect`, `disconnect` and `connections` (S-87)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.cli.commands.change import connecting
from memtui.memory.secrets import MASK
from tests.support.command_line import Cli

SECRET = "ghp_" + "k9Xq2mPz7RtLw4Vb8Nc3Hd6Fs1Jy5Ga0Qe2W"


@pytest.fixture
def settings(here: Path) -> Path:
    """Claude Code's settings, with a token in them."""
    file = here.parent / ".claude.json"
    file.write_text(
        json.dumps({"mcpServers": {"github": {"command": "gh", "env": {"TOKEN": SECRET}}}}, indent=2)
    )
    return file


def test_the_difference_is_shown_and_nothing_done_without_yes(
    bare: Cli, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = settings.read_bytes()
    hooks = settings.parent / ".claude" / "settings.json"
    shown = bare("connect", "claude-code")
    assert (shown.code, settings.read_bytes()) == (0, before)
    assert "Nothing was changed. To connect it, add --yes." in shown.err
    lines = shown.out.splitlines()
    assert lines[:2] == [f"--- {settings}", f"+++ {settings}"]
    assert '+    "memtui": {' in lines
    assert '+        "claude-code",' in lines
    assert MASK * len(SECRET) in shown.out
    assert SECRET not in shown.out
    assert lines[lines.index("--- /dev/null") + 1] == f"+++ {hooks}"
    assert (bare.json("connections"), hooks.exists()) == ([], False)

    monkeypatch.setattr(connecting, "can_ask", lambda: True)
    assert "Nothing was changed" in bare("connect", "claude-code", stdin=b"yes\n").err
    assert "type connect:" in bare("connect", "claude-code", stdin=b"connect\n").err
    assert [each["state"] for each in bare.json("connections")] == ["connected", "connected"]
    assert "are connected as claude-code already" in bare("connect", "claude-code").err
    assert bare("undo").out.startswith(f"Undone: Connected claude-code: {settings} and {hooks}")
    assert (settings.read_bytes(), hooks.parent.exists()) == (before, False)


def test_as_json(bare: Cli, settings: Path) -> None:
    before = settings.read_bytes()
    only = ("--no-hooks",)
    planned = bare.json("connect", "claude-code", "--as", "scout", *only)
    assert {"client": "claude-code", "file": str(settings), "agent": "scout"}.items() <= planned.items()
    assert (SECRET in str(planned), "kind" in planned) == (False, False)
    done = bare.json("connect", "claude-code", "--as", "scout", "--yes", *only)
    assert (done["kind"], done["diff"]) == ("connected", planned["diff"])
    assert bare.json("connect", "claude-code", "--as", "scout", "--yes", *only) == {**planned, "diff": []}
    (found,) = bare.json("connections")
    assert {**found, "at": ""} == {
        "client": "claude-code", "file": str(settings), "agent": "scout", "state": "connected", "at": "",
        "writes": 0, "refusals": 0, "recalls": 0, "answered": 0, "hit_rate": None, "p50_ms": None,
        "p95_ms": None, "last_call": None, "tool": "", "session": "", "writes_to": "native",
    }  # fmt: skip
    assert bare("connections").out == f"claude-code\tscout\tconnected\tno calls yet\t{settings}\n"
    assert "-    }," in bare.json("disconnect", "claude-code")["diff"]
    assert bare.json("disconnect", "claude-code", "--yes")["kind"] == "disconnected"
    assert settings.read_bytes() == before
    bare("connect", "claude-code", "--no-mcp", "--yes")
    assert [Path(each["file"]).name for each in bare.json("connections")] == ["settings.json"]
    assert bare.json("disconnect", "claude-code", "--yes")["files"] == [
        str(settings.parent / ".claude" / "settings.json")
    ]
    assert "only claude-code has hooks" in bare("connect", "cursor", "--no-mcp").err
    nothing = bare("connect", "claude-code", "--no-mcp", "--no-hooks")
    assert (nothing.code, nothing.err) == (
        2,
        "memtui: --no-mcp and --no-hooks together leave nothing to do\n",
    )
    refused = bare("--json", "disconnect", "claude-code", "--yes")
    assert (refused.code, refused.error["code"]) == (1, "not-connected")


def test_a_projects_file_is_made_and_goes(bare: Cli, here: Path) -> None:
    assert "Nothing is connected yet" in bare("connections").err
    shown = bare("connect", "vscode", "--project", "--yes").out
    assert shown.startswith(f"--- /dev/null\n+++ {here}/.vscode/mcp.json\n@@ -0,0 +1,")
    assert bare("--read-only", "disconnect", "vscode", "--project", "--yes").code == 1
    assert "+++ /dev/null" in bare("disconnect", "vscode", "--project", "--yes").out
    assert not (here / ".vscode").exists()


def test_a_long_line_is_cut_around_what_changes(bare: Cli, here: Path) -> None:
    file = here / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"x": "y" * 100_000}}))
    lines = bare.json("connect", "./mcp.json", "--as", "scout")["diff"]
    assert max(map(len, lines)) < 300
    assert '"memtui": {"command"' in lines[-1]
