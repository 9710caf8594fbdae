"""`memtui mcp` as a program: its output has messages alone; it ends with its input or on a signal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def message(method: str, id: int | None = None, **params: Any) -> bytes:
    fields = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(fields if id is None else {**fields, "id": id}).encode() + b"\n"


@pytest.mark.parametrize("how", ["end of input", "SIGTERM"])
def test_the_program_serves_until_its_input_ends_or_it_is_told_to(how: str, tmp_path: Path) -> None:
    path = tmp_path / "own" / "w.db"
    (tmp_path / "settings.toml").write_text('model = "off"\n', "utf-8")
    words = [sys.executable, "-m", "memtui", "mcp", "--as", "scout", "--workspace", str(path)]
    environment = {**os.environ, "MEMTUI_SETTINGS": str(tmp_path / "settings.toml")}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, env=environment, **pipes) as server:  # type: ignore[call-overload]
        server.stdin.write(message("initialize", 1, **HELLO) + message("notifications/initialized"))
        tea = {"content": "Tea is at four.", "category": "fact", "key": "tea"}
        server.stdin.write(b"no message\n" + message("tools/call", 2, name="memory_store", arguments=tea))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        assert [each["id"] for each in answers] == [1, 2]
        assert answers[1]["result"]["structuredContent"]["outcome"] == "added"
        if how == "SIGTERM":
            server.send_signal(signal.SIGTERM)
            server.wait(60)
        out, err = server.communicate(timeout=60)
    assert (server.returncode, out) == (0, b"")
    assert b"Traceback" not in err
    work = Workspace.open(path)
    try:
        assert work.reconciled == ()
        assert [each.owner for each in work.memories(work.ids_in(key="tea"))] == ["scout"]
    finally:
        work.close()
