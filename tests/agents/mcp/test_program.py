"""`memtui mcp` as a program over standard input and output: its output has messages alone; it ends with its
input or on a signal, also in the middle of a call; what is no message is answered, and harms nothing."""

from __future__ import annotations

import json
import signal
import time
from contextlib import closing
from pathlib import Path

from memtui.workspace.workspace import Workspace
from tests.support.mcp.hostile import attack
from tests.support.mcp.load import Writer, lost_or_doubled
from tests.support.mcp.program import Program, encoded, message
from tests.support.sizes import rounds

TEA = {"content": "Tea is at four.", "category": "fact", "key": "tea"}


def begin_a_call(server: Program) -> None:
    """Send a call that is in progress when the server is to end: it does not hold that up."""
    server.send(encoded(message("tools/call", 90, name="memory_store", arguments={**TEA, "key": "more"})))


def assert_ended_well(server: Program, workspace: Path) -> None:
    assert server.process.wait(60) == 0, server.errors()
    assert "Traceback" not in server.errors()
    with closing(Workspace.open(workspace)) as work:
        assert work.reconciled == ()


def test_the_program_serves_until_it_is_told_to_end(tmp_path: Path) -> None:
    path = tmp_path / "own" / "w.db"
    with Program(path) as server:
        server.greet()
        broken = json.loads(server.answer_to_line(b"no message"))
        assert (broken["id"], broken["error"]["code"]) == (None, -32700)
        endless = json.loads(server.answer_to_line(b"1" * (17 << 20)))
        assert "too long" in endless["error"]["message"]
        line = server.answer_to_line(b'{"jsonrpc":"2.0","id":77,"method":"ping","params":"x"}')
        malformed = json.loads(line)  # the rest of the line before is no message of its own
        assert (malformed["id"], malformed["error"]["code"]) == (77, -32600)
        forged = server.request("tools/call", name="memory_store", arguments=TEA, requestState="{}")
        assert forged["error"]["code"] == -32602
        assert server.call("memory_store", **TEA)["structuredContent"]["outcome"] == "added"
        begin_a_call(server)
        server.process.send_signal(signal.SIGTERM)
        assert_ended_well(server, path)
    with closing(Workspace.open(path)) as work:
        assert [each.owner for each in work.memories(work.ids_in(key="tea"))] == ["scout"]


def test_hostile_calls_are_answered_each_until_the_input_ends(tmp_path: Path) -> None:
    path = tmp_path / "own" / "w.db"
    with Program(path) as server:
        server.greet()
        assert attack(server, seed=11, calls=rounds(60, 1_000)) == []
        begin_a_call(server)
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert_ended_well(server, path)


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "own" / "w.db"
    with Program(path) as server:
        server.greet()
        writer = Writer(server, "scout", 10_000)
        writer.write(time.monotonic() + 0.5)
        server.send(encoded(message("tools/call", 900, name="memory_store", arguments=TEA)))
        server.process.kill()
        server.process.wait()
    assert writer.acknowledged
    assert lost_or_doubled(path, [writer]) == []


def test_a_store_that_is_not_attached_ends_the_program(tmp_path: Path) -> None:
    with Program(tmp_path / "own" / "w.db", "--store", "nowhere") as server:
        assert server.process.wait(60) == 1
        assert "No store named nowhere is attached" in server.errors()
