"""Processes that do one thing in a workspace and are killed on the way, as kill -9 does.

Run as a program, it forks a child for each order of a line: imports are paid once, and no
connection is ever open where it forks.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tests.support.kills.line_server import LineServer

SAID = 400  # characters that are told of what a verb returns
REFUSED = 3  # how a child ends whose act is refused
SECONDS = 120  # that a child may take; then a signal ends it, and that is no kill
# System calls by which files of stores and leases come and go.
CALLS = ("link", "replace", "rename", "unlink", "fsync", "open")


class KillHarness(LineServer):
    """A client of the process that forks the children."""

    def __init__(self) -> None:
        super().__init__("tests.support.kills.kill_harness")

    def run(self, path: Path, act: list[Any], end: dict[str, Any]) -> dict[str, Any]:
        """Have a child open the workspace and do `act`; `end` says how it is killed.

        Tells whether it was (by SIGKILL), whether `act` had returned by then and what, and the exit code; a
        negative one is the signal that ended it.
        """
        return self.run_together(path, [act], end)[0]

    def run_together(self, path: Path, acts: list[list[Any]], end: dict[str, Any]) -> list[dict[str, Any]]:
        """The same for several at once, a child each."""
        return [dict(told) for told in self.ask([str(path), acts, end])]


# How far a child may come: of steps, system calls, SQL statements, milliseconds.
BOUNDS = {"step": 3, "call": 14, "sql": 60, "time": 30}


def an_end(chance: random.Random, bounds: dict[str, int] = BOUNDS) -> dict[str, Any]:
    """How a child is killed: at a step, around a system call, at an SQL statement, or at any moment."""
    kind = chance.choice(["step", "call", "call", "sql", "sql", "time"])
    return {
        "kind": kind if kind in bounds else "sql",
        "at": chance.randrange(bounds.get(kind, bounds["sql"])),
        "after": chance.random() < 0.5,
        "early": chance.random() < 0.2,
    }


def do(workspace: Any, act: list[Any]) -> Any:
    """A verb and its arguments, as JSON holds them."""
    verb, *more = act
    return getattr(workspace, verb)(*more)


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

    from memtui.formats.claude_code import incremental as look
    from memtui.formats.mcp_memory import incremental as mcp_look
    from memtui.formats.media.sqlite import block_scan
    from memtui.workspace.sync import pull
    from memtui.workspace.workspace import Workspace

    fuse = _Fuse(end)

    def on_step(name: str) -> None:
        if name == end.get("from"):  # what came before is not counted
            fuse.lit = True

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
        block_scan.SMALL = mcp_look.SMALL = look.SMALL = 0
        block_scan.BLOCK = 1
    fuse.lit = end["early"]
    clock = (lambda: end["clock"]) if "clock" in end else time.time
    workspace = Workspace.open(Path(path), on_step=on_step, clock=clock)
    fuse.lit = "from" not in end
    told = do(workspace, act) if act else None
    os.write(acknowledge, str(told)[:SAID].encode())
    workspace.close()


def _import_all() -> None:
    """What memtui imports only once it is wanted, too: else each child would do so anew."""
    import tarfile  # noqa: F401

    import memtui.formats
    import memtui.workspace

    for package in (memtui.formats, memtui.workspace):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


def _begun(path: str, act: list[Any], end: dict[str, Any]) -> tuple[int, int]:
    """A child that does `act`, and where it tells that this returned."""
    from memtui.errors import Refused

    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(SECONDS)
        code = 1
        try:
            _child(path, act, end, writer)
            code = 0
        except Refused:
            code = REFUSED
        finally:
            os._exit(code)
    os.close(writer)
    return child, reader


def _ended(child: int, reader: int) -> dict[str, Any]:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = os.read(reader, 4 * SAID).decode()
    os.close(reader)
    return {"killed": code == -signal.SIGKILL, "acknowledged": bool(said), "code": code, "said": said}


def _serve() -> None:
    _import_all()
    gc.freeze()
    for line in sys.stdin:
        path, acts, end = json.loads(line)
        children = [_begun(path, act, end) for act in acts]
        if end["kind"] == "time":
            time.sleep(end["at"] / 1000)
            for child, _ in children:
                os.kill(child, signal.SIGKILL)
        print(json.dumps([_ended(*child) for child in children]), flush=True)


if __name__ == "__main__":
    _serve()
