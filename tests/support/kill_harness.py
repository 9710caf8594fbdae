"""Processes that do one thing in a workspace and are killed on the way, as kill -9 does.

Run as a program, it forks one child a line of orders: imports are paid once, and no
connection is ever open where it forks.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

REFUSED = 3  # how a child ends whose act is refused
# System calls by which files of stores and leases come and go.
CALLS = ("link", "replace", "rename", "unlink", "fsync", "open")


class KillHarness:
    """The program from outside."""

    def __init__(self) -> None:
        self._program = subprocess.Popen(
            [sys.executable, "-m", "tests.support.kill_harness"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, path: Path, act: list[Any], end: dict[str, Any]) -> dict[str, Any]:
        """Have a child open the workspace and do `act`; `end` says how it is killed.

        Tells whether it was, and whether `act` had returned by then.
        """
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps([str(path), act, end]) + "\n")
        self._program.stdin.flush()
        return dict(json.loads(self._program.stdout.readline()))

    def close(self) -> None:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.close()
        self._program.wait()
        self._program.stdout.close()


# How far a child may come: of steps, system calls, SQL statements, milliseconds.
BOUNDS = {"step": 3, "call": 14, "sql": 60, "time": 60}


def an_end(chance: random.Random, bounds: dict[str, int] = BOUNDS) -> dict[str, Any]:
    """How a child is killed: at a step, around a system call, at an SQL statement, or at any moment."""
    kind = chance.choice(["step", "call", "call", "sql", "sql", "time"])
    return {
        "kind": kind if kind in bounds else "sql",
        "at": chance.randrange(bounds.get(kind, bounds["sql"])),
        "after": chance.random() < 0.5,
        "early": chance.random() < 0.2,
    }


def do(workspace: Any, act: list[Any]) -> None:
    """A verb and its arguments, as JSON holds them."""
    verb, *more = act
    getattr(workspace, verb)(*more)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Fuse:
    """Counts what happens, and ends the process at the number given."""

    def __init__(self, end: dict[str, Any]) -> None:
        self.left: int = end["at"]
        self.after: bool = end["after"]
        self.lit = False

    def around(self, call: Any) -> Any:
        def counted(*args: Any, **more: Any) -> Any:
            mine = self.burns()
            if mine and not self.after:
                _die()
            result = call(*args, **more)
            if mine:
                _die()
            return result

        return counted

    def burns(self) -> bool:
        if not self.lit:
            return False
        self.left -= 1
        return self.left < 0


def _child(path: str, act: list[Any], end: dict[str, Any], acknowledge: int) -> None:
    import apsw

    from memtui.formats import blocks, mcp_look
    from memtui.formats.claude_code import look
    from memtui.workspace import pull
    from memtui.workspace.workspace import Workspace

    fuse = _Fuse(end)
    on_step: Any = lambda name: None  # noqa: E731
    if end["kind"] == "step":
        on_step = fuse.around(on_step)
    elif end["kind"] == "call":
        for name in CALLS:
            setattr(os, name, fuse.around(getattr(os, name)))
    elif end["kind"] == "sql":
        traced = fuse.around(lambda event: None)
        apsw.connection_hooks.append(lambda connection: connection.trace_v2(apsw.SQLITE_TRACE_STMT, traced))
    if "chunk" in end:  # several transactions for few memories, and only what changed is read
        pull.CHUNK = end["chunk"]
        blocks.SMALL = mcp_look.SMALL = look.SMALL = 0
        blocks.BLOCK = 1
    fuse.lit = end["early"]
    workspace = Workspace.open(Path(path), on_step=on_step)
    fuse.lit = True
    if act:
        do(workspace, act)
    os.write(acknowledge, b"1")
    workspace.close()


def _serve() -> None:
    import memtui.formats.claude_code
    import memtui.formats.founder_os
    import memtui.formats.mcp_memory
    import memtui.workspace.workspace  # noqa: F401
    from memtui.errors import Refused

    for line in sys.stdin:
        path, act, end = json.loads(line)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            code = 1
            try:
                _child(path, act, end, writer)
                code = 0
            except Refused:
                code = REFUSED
            finally:
                os._exit(code)
        os.close(writer)
        if end["kind"] == "time":
            time.sleep(end["at"] / 1000)
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        acknowledged = bool(os.read(reader, 1))
        os.close(reader)
        answer = {"killed": os.WIFSIGNALED(status), "acknowledged": acknowledged, "code": status >> 8}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve()
