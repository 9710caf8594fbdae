"""`memtui mcp` until a client is greeted, compared with a server of the SDK that has one tool and nothing to
open. Both are started in pairs; tools wait for the workspace, which is opened after the greeting."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from statistics import median

from benchmarks.measure import PYTHON, Result, alternate, environment

_BARE = """
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def add(a: int, b: int) -> int:
    return a + b
server.run("stdio")
"""
_GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


def measure(folder: Path, times: int) -> list[Result]:
    """Measure the medians of both."""
    workspace = str(folder / "agents" / "w.db")

    def greeted(*words: str) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([PYTHON, *words], env=environment(), **pipes) as server:  # type: ignore[call-overload]
            server.stdin.write(json.dumps(_GREETING).encode() + b"\n")
            server.stdin.flush()
            assert b'"result"' in server.stdout.readline()
            server.kill()

    def memtui() -> None:
        greeted("-m", "memtui", "mcp", "--as", "scout", "--workspace", workspace)

    def bare() -> None:
        greeted("-c", _BARE)

    memtui()  # compiles modules that are not compiled yet
    ours, baseline = alternate(memtui, bare, times)
    name = "memtui mcp: a client is greeted, vs a bare server of the SDK"
    return [Result(name, median(ours), median(baseline), 1.5)]
