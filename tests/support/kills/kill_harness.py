"""Kill processes (SIGKILL) while they run one verb of a workspace.

Run as a program, this module forks a child for each request: imports are paid for once, and no connection is
open at the fork.
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
from typing import TYPE_CHECKING, Any

from tests.support.kills.line_server import LineServer

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

MAX_OUTPUT = 400  # characters of what a verb returns
EXIT_REFUSED = 3  # exit code of a child whose verb was refused
TIMEOUT = 120  # seconds until SIGALRM ends a child, which does not count as a kill
# Functions of `os` that create, replace and remove files of stores and leases.
SYSTEM_CALLS = ("link", "replace", "rename", "unlink", "fsync", "open")


class KillHarness(LineServer):
    """Client of the process that forks the children."""

    def __init__(self) -> None:
        super().__init__("tests.support.kills.kill_harness")

    def run(self, path: Path, call: list[Any], kill: dict[str, Any]) -> dict[str, Any]:
        """Let a child open the workspace and make `call`; `kill` says when it is killed.

        Return whether SIGKILL ended it (`killed`), whether the verb had returned by then (`acknowledged`) and
        what (`output`), and the exit code (`code`), which is negative for a signal.
        """
        return self.run_together(path, [call], kill)[0]

    def run_together(self, path: Path, calls: list[list[Any]], kill: dict[str, Any]) -> list[dict[str, Any]]:
        """Do the same with several children at once, one for each call."""
        return [dict(result) for result in self.ask([str(path), calls, kill])]


# How far a child may get before it is killed: steps, system calls, SQL statements, milliseconds.
BOUNDS = {"step": 3, "call": 14, "sql": 60, "time": 30}


def random_kill(chance: random.Random, bounds: dict[str, int] = BOUNDS) -> dict[str, Any]:
    """Choose when a child is killed: at a step, before or after a system call, at an SQL statement, or after
    some milliseconds."""
    kind = chance.choice(["step", "call", "call", "sql", "sql", "time"])
    return {
        "kind": kind if kind in bounds else "sql",
        "at": chance.randrange(bounds.get(kind, bounds["sql"])),
        "after": chance.random() < 0.5,
        "early": chance.random() < 0.2,
    }


def call_verb(workspace: Workspace, call: list[Any]) -> Any:  # whatever the verb returns
    """Call a verb of the workspace, given as a list of its name and arguments."""
    verb, *arguments = call
    return getattr(workspace, verb)(*arguments)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Countdown:
    """Counts calls once it is armed, and kills the process at the one given."""

    def __init__(self, kill: dict[str, Any]) -> None:
        self.left: int = kill["at"]
        self.after: bool = kill["after"]
        self.is_armed = False

    def wrap(self, function: Any) -> Any:
        def counted(*args: Any, **more: Any) -> Any:
            is_last = self.is_over()
            if is_last and not self.after:
                _die()
            result = function(*args, **more)
            if is_last:
                _die()
            return result

        return counted

    def is_over(self) -> bool:
        if not self.is_armed:
            return False
        self.left -= 1
        return self.left < 0


def _child(path: str, call: list[Any], kill: dict[str, Any], acknowledge: int) -> None:
    import apsw

    from memtui.formats.claude_code import incremental as claude_code
    from memtui.formats.mcp_memory import incremental as mcp_memory
    from memtui.formats.media.sqlite import block_scan
    from memtui.workspace.sync import pull
    from memtui.workspace.workspace import Workspace

    countdown = _Countdown(kill)

    def on_step(name: str) -> None:
        if name == kill.get("from"):  # earlier steps do not count
            countdown.is_armed = True

    if kill["kind"] == "step":
        on_step = countdown.wrap(on_step)
    elif kill["kind"] == "call":
        for name in SYSTEM_CALLS:
            setattr(os, name, countdown.wrap(getattr(os, name)))
    elif kill["kind"] == "sql":
        traced = countdown.wrap(lambda event: None)
        apsw.connection_hooks.append(lambda connection: connection.trace_v2(apsw.SQLITE_TRACE_STMT, traced))
    if "chunk" in kill:  # several transactions for few memories, and only what changed is read
        pull.CHUNK = kill["chunk"]
        block_scan.SMALL = mcp_memory.SMALL = claude_code.SMALL = 0
        block_scan.BLOCK = 1
    countdown.is_armed = kill["early"]
    clock = (lambda: kill["clock"]) if "clock" in kill else time.time
    workspace = Workspace.open(Path(path), on_step=on_step, clock=clock)
    countdown.is_armed = "from" not in kill
    output = call_verb(workspace, call) if call else None
    os.write(acknowledge, str(output)[:MAX_OUTPUT].encode())
    workspace.close()


def _import_all() -> None:
    """Import the modules that memtui imports lazily too, so that no child has to."""
    import tarfile  # noqa: F401

    import memtui.formats
    import memtui.workspace

    for package in (memtui.formats, memtui.workspace):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


def _start(path: str, call: list[Any], kill: dict[str, Any]) -> tuple[int, int]:
    """Fork a child; return its id and the end of a pipe to which it writes what the verb returns."""
    from memtui.errors import Refused

    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(TIMEOUT)
        code = 1
        try:
            _child(path, call, kill, writer)
            code = 0
        except Refused:
            code = EXIT_REFUSED
        finally:
            os._exit(code)
    os.close(writer)
    return child, reader


def _wait(child: int, reader: int) -> dict[str, Any]:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    output = os.read(reader, 4 * MAX_OUTPUT).decode()
    os.close(reader)
    return {"killed": code == -signal.SIGKILL, "acknowledged": bool(output), "code": code, "output": output}


def _serve() -> None:
    _import_all()
    gc.freeze()
    for line in sys.stdin:
        path, calls, kill = json.loads(line)
        children = [_start(path, call, kill) for call in calls]
        if kill["kind"] == "time":
            time.sleep(kill["at"] / 1000)
            for child, _ in children:
                os.kill(child, signal.SIGKILL)
        print(json.dumps([_wait(*child) for child in children]), flush=True)


if __name__ == "__main__":
    _serve()
