"""A process that has imported memtui and forks a child for each job, so that imports are paid for once.

No connection is open at the fork. The answer has the child's lines (JSON) and how it ended; a child that
takes too long is ended by its own alarm.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.kills.line_server import LineServer

TIMEOUT = 60  # seconds for one job


@dataclass(frozen=True, slots=True)
class JobResult:
    """The output of a child, and how it ended."""

    lines: list[Any]
    killed: bool
    error: str  # a traceback, or the signal that ended it; "" if it ended well

    def values(self, kind: str) -> list[Any]:
        """Return the values that the child emitted under a name."""
        return [line[kind] for line in self.lines if kind in line]


class ForkServer(LineServer):
    """Client of the process that forks the children."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__("tests.soak.fork_server", environment)

    def run(self, job: str, **arguments: Any) -> JobResult:
        """Run a job of `tests.soak.jobs` in a child."""
        lines, signalled, error = self.ask([job, arguments])
        return JobResult(lines, signalled == signal.SIGKILL, error)


def _fork(job: Callable[..., None], arguments: dict[str, Any]) -> tuple[list[Any], int, str]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(TIMEOUT)

        def emit(**line: Any) -> None:
            os.write(writer, json.dumps(line).encode() + b"\n")

        code = 1
        try:
            job(emit, **arguments)
            code = 0
        except BaseException:
            emit(error=traceback.format_exc())
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "r") as output:
        lines = [json.loads(line) for line in output]
    _, status = os.waitpid(child, 0)
    signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    error = "".join(line["error"] for line in lines if "error" in line)
    if signalled and signalled != signal.SIGKILL:
        error += f"ended by signal {signalled}"
    return lines, signalled, error


def _serve() -> None:
    from tests.soak import jobs

    for line in sys.stdin:
        job, arguments = json.loads(line)
        print(json.dumps(_fork(jobs.JOBS[job], arguments)), flush=True)


if __name__ == "__main__":
    _serve()
